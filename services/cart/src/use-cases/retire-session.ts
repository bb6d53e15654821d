import type { SessionDocument } from '../store/models.ts';
import type { SessionRepository } from '../store/session.repository.ts';
import type { TableRepository } from '../store/table.repository.ts';

export interface RetireDeps {
  sessions: SessionRepository;
  tables: TableRepository;
  clock: () => Date;
}

const SWEEP_SESSIONS_MAX = 200;

/**
 * Ends a session that expired at a table, and gives its seat back, unless an order was placed for it: an abandoned cart must
 * not keep others away. The session is ended first, so that no change under way can bring it back without its seat. Safe to repeat:
 * whoever finds it half done does the rest.
 */
export async function retireSession(deps: RetireDeps, expired: SessionDocument): Promise<void> {
  const { companyId: tenant, sessionId, createdAt, tableCommitmentId } = expired;
  if (!(await deps.sessions.retire(expired))) return;
  if (tableCommitmentId !== undefined) {
    await deps.tables.release(tenant, tableCommitmentId, { sessionId, sessionCreatedAt: createdAt });
  }
  await deps.sessions.release(expired, deps.clock());
}

/** Retires what expired since the last run. */
export async function retireExpired(deps: RetireDeps): Promise<void> {
  for (const expired of await deps.sessions.expiredWithSeat(deps.clock(), SWEEP_SESSIONS_MAX)) {
    await retireSession(deps, expired);
  }
}
