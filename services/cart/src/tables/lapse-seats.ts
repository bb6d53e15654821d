import { IDLE_MS, type Logger, type Loop, SOON_MS } from '@event-commerce/service-kit';
import type { UnpricedSession } from '../sessions/session-record.ts';
import type { JoinDeps } from './join-table.ts';

const SEATS_MAX = 200;

/**
 * Takes the seat from a session that had it for too long without an order: an abandoned cart must not keep others out.
 * The session gives it up first, in one conditional write, so that a change or an order of it happens before or after.
 * A crash before the seat is released is repaired by the event written with the session.
 */
export async function lapseSeat({ sessions, tables, clock }: JoinDeps, session: UnpricedSession): Promise<void> {
  const { companyId: tenant, sessionId, createdAt, leaves = 0, tableCommitmentId, expiresAt } = session;
  if (tableCommitmentId === undefined) return;
  // Losing a seat is not activity: the session's expiry stays.
  if ((await sessions.unlink({ tenant }, session, tableCommitmentId, clock(), expiresAt)) === undefined) return;
  await tables.release(tenant, tableCommitmentId, { sessionId, sessionCreatedAt: createdAt, leaves });
}

/**
 * Lapses seats. Each run continues where the last one stopped, and starts over after the last seat, so that a seat that
 * cannot lapse now delays no other.
 */
export function seatLapseSweep(deps: JoinDeps & { logger: Logger }): Loop {
  let after: Date | undefined;
  return {
    name: 'seat lapse sweep',
    everyMs: 1_000,
    idleMs: IDLE_MS,
    async run() {
      const found = await deps.sessions.seatsOver(deps.clock(), SEATS_MAX, after);
      after = found.length < SEATS_MAX ? undefined : found.at(-1)?.seatHeldUntil;
      for (const session of found) {
        try {
          await lapseSeat(deps, session);
        } catch (err) {
          deps.logger.warn({ err, sessionId: session.sessionId }, 'releasing an expired seat failed, will retry');
        }
      }
      const soon = new Date(deps.clock().getTime() + SOON_MS);
      return found.length > 0 || (await deps.sessions.seatsOver(soon, 1)).length > 0;
    },
  };
}
