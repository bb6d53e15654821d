import { joinRefusals, PlatformError, tableNotFound, tableNotJoinable } from '@event-commerce/contracts';
import { type Caller, inTurn, retryOnConflict } from '@event-commerce/service-kit';
import { type IfMatch, refuseOtherVersion } from '../domain/if-match.ts';
import { whyNotJoinable } from '../domain/table-commitment.ts';
import { keyOf, type Seat, type SessionDocument } from '../store/models.ts';
import type { SessionRepository } from '../store/session.repository.ts';
import type { TableRepository } from '../store/table.repository.ts';
import { findSession } from './read-session.ts';

export interface JoinDeps {
  sessions: SessionRepository;
  tables: TableRepository;
  clock: () => Date;
}

export interface JoinRequest {
  caller: Caller;
  sessionId: string;
  tableId: string;
  ifMatch: IfMatch;
}

export type JoinTable = (request: JoinRequest) => Promise<SessionDocument>;

/**
 * Gives sessions a seat at a table. The seat is taken by one conditional write on the table, which neither oversells it nor lets
 * one session sit at two tables; what the session says follows. A crash between the two is healed by the next join of the
 * session, or by the event that the seat was taken with. The same join again is no error.
 *
 * The returned function throws {PlatformError} CART_SESSION_NOT_FOUND, TABLE_COMMITMENT_NOT_FOUND, TABLE_NOT_JOINABLE with
 *   the reason, VERSION_CONFLICT when `ifMatch` does not hold as the join begins
 */
export function createJoinTable(deps: JoinDeps): JoinTable {
  // The joins of one session one after the other: those of other replicas the database keeps apart, at a higher price.
  const oneOfSession = inTurn();
  return async (request) => {
    const key = keyOf(request.caller.tenant, request.sessionId);
    return await oneOfSession(key, async () =>
      retryOnConflict(async (before) => joinTable(deps, request, before === 0 ? request.ifMatch : undefined), tooMany),
    );
  };
}

/** The session at the table; undefined when somebody else changed one of the two meanwhile. */
async function joinTable(
  deps: JoinDeps,
  { caller, sessionId, tableId }: JoinRequest,
  ifMatch: IfMatch,
): Promise<SessionDocument | undefined> {
  const session = await findSession(deps, caller.tenant, sessionId);
  refuseOtherVersion(ifMatch, session.version);
  const table = await deps.tables.load(caller.tenant, tableId);
  if (table === undefined) throw tableNotFound(tableId);
  if (session.tableCommitmentId === tableId) return session;
  if (session.tableCommitmentId !== undefined) {
    throw tableNotJoinable(joinRefusals.elsewhere(session.tableCommitmentId));
  }

  const seat: Seat = { sessionId, sessionCreatedAt: session.createdAt };
  const held = table.joined.some((one) => isSameSeat(one, seat));
  const refusal = held ? undefined : whyNotJoinable({ ...table, id: tableId }, session.contextId);
  if (refusal !== undefined) throw tableNotJoinable(refusal);

  const outcome = held ? 'held' : await deps.tables.takeSeat(caller, table, seat, deps.clock());
  if (outcome === 'taken' || outcome === 'held') {
    return await linkOrRelease(deps, caller, seat, { id: tableId, contextId: table.contextId });
  }
  // A seat elsewhere that no session tells of: of a join that crashed, or of an earlier session of this id.
  if (outcome === 'elsewhere') await settleSeatElsewhere(deps, caller, seat);
  // Contended: once more. Refused: the table filled up or was closed since it was read, which the next attempt says; or a seat came free.
  return undefined;
}

function tooMany(): PlatformError {
  return new PlatformError('SERVICE_UNAVAILABLE', 'The table is in great demand; try again shortly.', {
    retryAfterSeconds: 1,
  });
}

async function settleSeatElsewhere(deps: JoinDeps, caller: Caller, mine: Seat): Promise<void> {
  const found = await deps.tables.seatOf(caller.tenant, { sessionId: mine.sessionId });
  if (found === undefined) return;
  const { table, seat } = found;
  const { tableId: id, contextId } = table;
  if (isSameSeat(seat, mine)) await linkOrRelease(deps, caller, seat, { id, contextId });
  else if (seat.sessionCreatedAt < mine.sessionCreatedAt) await deps.tables.release(caller.tenant, id, seat);
}

/** Makes the session say that it holds `seat`. Undefined when its life is over: then the seat was given back. */
export async function linkOrRelease(
  deps: JoinDeps,
  caller: Pick<Caller, 'tenant' | 'traceparent'>,
  seat: Seat,
  table: { id: string; contextId: string },
): Promise<SessionDocument | undefined> {
  const linked = await deps.sessions.link(caller, seat, table, deps.clock());
  if (linked === undefined) await deps.tables.release(caller.tenant, table.id, seat);
  return linked;
}

function isSameSeat(one: Seat, other: Seat): boolean {
  return one.sessionId === other.sessionId && one.sessionCreatedAt.getTime() === other.sessionCreatedAt.getTime();
}
