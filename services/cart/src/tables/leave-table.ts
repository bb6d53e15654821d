import type { ReceivedEvent } from '@event-commerce/contracts';
import {
  type Caller,
  type IfMatch,
  refuseOtherVersion,
  retryOnConflict,
  versionConflict,
  wasChangedBy,
} from '@event-commerce/service-kit';
import { whyOrdered } from '../sessions/domain/why-ordered.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import { type JoinDeps, settleStraySeat } from './join-table.ts';
import { findSession } from '../sessions/read-session.ts';

interface LeaveRequest {
  caller: Caller;
  sessionId: string;
  ifMatch: IfMatch;
}

/**
 * Removes the session from its table, and frees the seat. The session is written first, in one conditional write, so it
 * comes before or after any order. A crash between the two is repaired by the event written with the session. Leaving a
 * table where the session does not sit is not an error, and a request never leaves twice. A join that a crash
 * interrupted is finished first, because otherwise it would be finished after the leave.
 *
 * @throws {PlatformError} CART_SESSION_NOT_FOUND, CART_ALREADY_ORDERED, VERSION_CONFLICT
 */
export async function leaveTable(deps: JoinDeps, { caller, sessionId, ifMatch }: LeaveRequest): Promise<SessionRecord> {
  const { sessions, tables, clock } = deps;
  return await retryOnConflict(async () => {
    const session = await findSession(deps, caller.tenant, sessionId);
    if (wasChangedBy(caller, session)) return session;
    const ordered = whyOrdered(session, 'id');
    if (ordered !== undefined) throw ordered;
    refuseOtherVersion(ifMatch, 'cart session', session.version);
    const { tableCommitmentId, createdAt, leaves = 0 } = session;
    if (tableCommitmentId === undefined) return (await settleStraySeat(deps, caller, session)) ? undefined : session;
    const left = await sessions.unlink(caller, session, tableCommitmentId, clock());
    if (left === undefined) return undefined;
    const seat = { sessionId, sessionCreatedAt: createdAt, leaves };
    await tables.release(caller.tenant, tableCommitmentId, seat);
    return left;
  }, versionConflict('The cart session'));
}

/** Finishes a leave that a crash interrupted before the seat was released. Safe to repeat. */
export async function finishLeave(
  { tables }: JoinDeps,
  { tenant, data: { id: sessionId, left } }: ReceivedEvent<'cart.table_left'>,
): Promise<void> {
  const { tableCommitmentId, sessionCreatedAt, leaves } = left;
  await tables.release(tenant, tableCommitmentId, {
    sessionId,
    sessionCreatedAt: new Date(sessionCreatedAt),
    leaves,
  });
}
