import type { Logger, Loop } from '@event-commerce/service-kit';
import type { UnpricedSession } from './session-record.ts';
import type { SessionRepository } from './session.repository.ts';
import type { TableRepository } from '../tables/table.repository.ts';

export interface RetireDeps {
  sessions: SessionRepository;
  tables: TableRepository;
  clock: () => Date;
}

const SWEEP_SESSIONS_MAX = 200;

/**
 * Ends a session that expired at a table, and releases its seat, unless an order was placed for it: an abandoned cart
 * must not keep others away. The session is ended first, so that no concurrent change can revive it without its seat.
 * Safe to repeat: the next run finishes what is half done. Until the events of the session are published, it stays.
 */
export async function retireSession(deps: RetireDeps, expired: UnpricedSession): Promise<void> {
  const { companyId: tenant, sessionId, createdAt, leaves = 0, tableCommitmentId } = expired;
  if (!(await deps.sessions.retire(expired, deps.clock()))) return;
  if (tableCommitmentId !== undefined) {
    await deps.tables.release(tenant, tableCommitmentId, {
      sessionId,
      sessionCreatedAt: createdAt,
      leaves,
    });
  }
  await deps.sessions.release(expired, deps.clock());
}

/**
 * Retires expired sessions. Each run continues where the last one stopped, and starts over after the last session, so
 * that one that cannot be retired now delays no other.
 */
export function sessionExpirySweep(deps: RetireDeps & { logger: Logger }): Loop {
  let after: Date | undefined;
  return {
    name: 'session expiry sweep',
    everyMs: 1_000,
    async run() {
      const found = await deps.sessions.expiredWithSeat(deps.clock(), SWEEP_SESSIONS_MAX, after);
      after = found.length < SWEEP_SESSIONS_MAX ? undefined : found.at(-1)?.expiresAt;
      for (const expired of found) {
        try {
          await retireSession(deps, expired);
        } catch (err) {
          deps.logger.warn({ err, sessionId: expired.sessionId }, 'a session could not be retired yet');
        }
      }
    },
  };
}
