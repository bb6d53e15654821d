import {
  causeOf,
  joinRefusals,
  type PlatformError,
  type ReceivedEvent,
  tableNotFound,
  tableNotJoinable,
  tryAgainShortly,
} from '@event-commerce/contracts';
import {
  type Asking,
  type Caller,
  type IfMatch,
  keyedMutex,
  refuseOtherVersion,
  retryOnConflict,
  wasChangedBy,
  type Writer,
} from '@event-commerce/service-kit';
import { whyNotJoinable } from './table-commitment.ts';
import { whyOrdered } from '../sessions/domain/why-ordered.ts';
import { keyOf, type Seat } from '../models.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import type { SessionRepository } from '../sessions/session.repository.ts';
import type { TableRecord } from './table-record.ts';
import type { TableRepository } from './table.repository.ts';
import { findSession } from '../sessions/read-session.ts';

export interface JoinDeps {
  sessions: SessionRepository;
  tables: TableRepository;
  clock: () => Date;
}

interface JoinRequest {
  caller: Caller;
  sessionId: string;
  tableId: string;
  /** How many; absent: one, or as many as it has. */
  seats?: number | undefined;
  ifMatch: IfMatch;
}

type LifeOfSession = Pick<SessionRecord, 'sessionId' | 'createdAt'>;

export type JoinTable = (request: JoinRequest) => Promise<SessionRecord>;

/**
 * Gives sessions a seat at a table. The seat is taken by one conditional write on the table, which neither oversells it
 * nor lets one session sit at two tables; the session follows. A crash between the two is repaired by the next join of
 * the session, or by the event written with the seat. Repeating a join is not an error, and a request never joins
 * twice.
 *
 * The returned function throws {PlatformError} CART_SESSION_NOT_FOUND, TABLE_COMMITMENT_NOT_FOUND, TABLE_NOT_JOINABLE
 * with the reason, CART_ALREADY_ORDERED, VERSION_CONFLICT
 */
export function createJoinTable(deps: JoinDeps): JoinTable {
  // Joins of one session run one after another; across replicas the database separates them, at a higher cost.
  const oneOfSession = keyedMutex();
  return async (request) => {
    const key = keyOf(request.caller.tenant, request.sessionId);
    return await oneOfSession(key, async () => retryOnConflict(async () => joinTable(deps, request), tooMany));
  };
}

/** The session at the table; undefined if one of the two was changed meanwhile. */
async function joinTable(
  deps: JoinDeps,
  { caller, sessionId, tableId, seats: wanted, ifMatch }: JoinRequest,
): Promise<SessionRecord | undefined> {
  const session = await findSession(deps, caller.tenant, sessionId);
  if (wasChangedBy(caller, session)) return session;
  const ordered = whyOrdered(session, 'id');
  if (ordered !== undefined) throw ordered;
  refuseOtherVersion(ifMatch, 'cart session', session.version);
  const table = await deps.tables.load(caller.tenant, tableId);
  if (table === undefined) throw tableNotFound(tableId);
  const own = seatAt(table, session);
  if (session.tableCommitmentId === tableId) {
    if (wanted === undefined || own === undefined || own.seats === wanted) return session;
    return await resize(deps, caller, session, { table, own, seats: wanted });
  }
  if (session.tableCommitmentId !== undefined) {
    throw tableNotJoinable(joinRefusals.elsewhere(session.tableCommitmentId));
  }

  const ofTable = { id: tableId, contextId: table.contextId };
  const { attempt } = caller;
  const { createdAt: sessionCreatedAt, leaves = 0 } = session;
  const named = ifMatch === undefined ? {} : { version: session.version };
  // From a join that crashed; it may have been for another number.
  if (own !== undefined) {
    const linked = await linkOrRelease(deps, caller, { ...own, ...named }, ofTable, caller);
    if (linked === undefined || wanted === undefined || own.seats === wanted) return linked;
    return await resize(deps, caller, linked, { table, own, seats: wanted });
  }
  const seats = wanted ?? 1;
  const refusal = whyNotJoinable({ ...table, id: tableId }, session.contextId, seats);
  if (refusal !== undefined) throw tableNotJoinable(refusal);

  const seat: Seat = {
    sessionId,
    sessionCreatedAt,
    seats,
    ...(leaves === 0 ? {} : { leaves }),
    ...(attempt === undefined ? {} : { attempt: attempt.idSuffix }),
    ...named,
  };
  const outcome = await deps.tables.takeSeat(caller, table, seat, deps.clock());
  if (outcome === 'taken') return await linkOrRelease(deps, caller, seat, ofTable, caller);
  if (outcome === 'elsewhere' || outcome === 'held') await settleStraySeat(deps, caller, session);
  // Contended: retry. Refused: the table was filled or closed since it was read, which the next attempt reports, or a
  // seat was freed.
  return undefined;
}

/**
 * Changes how many seats a session has at its table: only the table has the number, and one write changes it. The
 * session's hold is renewed first, which an order or another change may prevent. Undefined if the session was changed
 * meanwhile.
 */
async function resize(
  deps: JoinDeps,
  caller: Caller,
  session: SessionRecord,
  { table, own, seats }: { table: TableRecord; own: Seat; seats: number },
): Promise<SessionRecord | undefined> {
  const { tableId } = table;
  refuseToGrow(table, seats - own.seats);
  const renewed = await deps.sessions.renewSeat(caller, session, deps.clock());
  if (renewed === undefined) return undefined;
  await retryOnConflict(async (before) => {
    const now = before === 0 ? table : await deps.tables.load(caller.tenant, tableId);
    const seat = now && seatAt(now, session);
    // An order has the session by now.
    if (now === undefined || seat === undefined)
      throw whyOrdered(await findSession(deps, caller.tenant, session.sessionId), 'id') ?? tableNotFound(tableId);
    if (seat.seats === seats) return true;
    refuseToGrow(now, seats - seat.seats);
    return (await deps.tables.resizeSeat(caller, now, seat, seats, deps.clock())) ? true : undefined;
  }, tooMany);
  // Only now: work that a crash interrupts is repeated.
  if (caller.attempt !== undefined) await deps.sessions.recordAttempt(renewed, caller.attempt.idSuffix);
  return renewed;
}

/** @throws {PlatformError} TABLE_NOT_JOINABLE if the table does not have that many more seats */
function refuseToGrow(table: TableRecord, more: number): void {
  const refusal = more > 0 ? whyNotJoinable({ ...table, id: table.tableId }, table.contextId, more) : undefined;
  if (refusal !== undefined) throw tableNotJoinable(refusal);
}

function tooMany(): PlatformError {
  return tryAgainShortly('The table is in great demand; try again shortly.');
}

/**
 * Links a seat with this session's id to the session, or frees it if it cannot. Such a seat is left by a join that
 * crashed, or by an earlier session with this id. Returns whether there was one.
 */
export async function settleStraySeat(deps: JoinDeps, caller: Caller, session: SessionRecord): Promise<boolean> {
  const found = await deps.tables.seatOf(caller.tenant, { sessionId: session.sessionId });
  if (found === undefined) return false;
  const { table, seat } = found;
  const { tableId: id, contextId } = table;
  if (isOfLife(seat, session)) await linkOrRelease(deps, caller, seat, { id, contextId });
  else if (seat.sessionCreatedAt < session.createdAt) await deps.tables.release(caller.tenant, id, seat);
  else return false;
  return true;
}

/**
 * Links the session to `seat`. Undefined if it can no longer have the seat, or is not at the version named by the
 * request that took it: the seat is then released. `asking`: the request that is answered with the session.
 */
export async function linkOrRelease(
  deps: JoinDeps,
  caller: Writer,
  seat: Omit<Seat, 'seats'>,
  table: { id: string; contextId: string },
  asking?: Asking,
): Promise<SessionRecord | undefined> {
  const linked = await deps.sessions.link(caller, seat, table, deps.clock(), asking);
  if (linked === undefined) await deps.tables.release(caller.tenant, table.id, seat);
  return linked;
}

/** The seat that this session has at the table, not an earlier one with its id. */
export function seatAt({ joined }: TableRecord, session: LifeOfSession): Seat | undefined {
  return joined.find((one) => one.sessionId === session.sessionId && isOfLife(one, session));
}

/** Whether this session took the seat, not an earlier one with its id. */
export function isOfLife({ sessionCreatedAt }: Pick<Seat, 'sessionCreatedAt'>, { createdAt }: LifeOfSession): boolean {
  return sessionCreatedAt.getTime() === createdAt.getTime();
}

/** Finishes a join that a crash interrupted after the seat was taken. Safe to repeat. */
export async function finishJoin(deps: JoinDeps, event: ReceivedEvent<'cart.table_joined'>): Promise<void> {
  const { tenant, data } = event;
  const { id: sessionId, createdAt, leaves } = data.session;
  const joined = { sessionId, sessionCreatedAt: new Date(createdAt), ...(leaves === undefined ? {} : { leaves }) };
  const session = await deps.sessions.load(tenant, sessionId);
  if (session?.tableCommitmentId === data.id && isOfLife(joined, session)) return;
  // The seat names the request that took it; the event does not.
  const table = await deps.tables.load(tenant, data.id);
  const seat = table && seatAt(table, { sessionId, createdAt: joined.sessionCreatedAt });
  await linkOrRelease(deps, { tenant, ...causeOf(event) }, seat ?? joined, data);
}
