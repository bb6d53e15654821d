import { causeOf, type ReceivedEvent } from '@event-commerce/contracts';
import type { Writer } from '@event-commerce/service-kit';
import type { Orders } from '../orders.ts';
import type { Seat } from '../models.ts';
import type { SoldTo } from './table.repository.ts';
import { isOfLife, type JoinDeps, linkOrRelease, seatAt } from './join-table.ts';

export interface SeatDeps extends JoinDeps {
  orders: Orders;
}

/** Finishes a join that a crash interrupted after the seat was taken. Safe to repeat. */
export async function finishJoin(deps: JoinDeps, event: ReceivedEvent<'cart.table_joined'>): Promise<void> {
  const { tenant, data } = event;
  const { id: sessionId, createdAt, leaves } = data.session;
  const joined: Seat = {
    sessionId,
    sessionCreatedAt: new Date(createdAt),
    ...(leaves === undefined ? {} : { leaves }),
  };
  const session = await deps.sessions.load(tenant, sessionId);
  if (session?.tableCommitmentId === data.id && isOfLife(joined, session)) return;
  // Its seat names the request that took it, which the event does not.
  const table = await deps.tables.load(tenant, data.id);
  const seat = table && seatAt(table, { sessionId, createdAt: joined.sessionCreatedAt });
  await linkOrRelease(deps, { tenant, ...causeOf(event) }, seat ?? joined, data);
}

/**
 * The seat of the session of an order: it goes with the order while that stands, whatever happens to the session, and
 * back to the session otherwise. Whoever moves it looks at the order again, so that of two who move it at the same time
 * the last one is right. Safe to repeat.
 */
export async function settleSeat(deps: SeatDeps, caller: Writer, orderId: string, sessionId: string): Promise<void> {
  for (;;) {
    const total = (await deps.orders.standing([orderId])).get(orderId);
    const moved = await (total === undefined
      ? returnSeat(deps, caller, orderId, sessionId)
      : sellSeat(deps, caller, { orderId, total }, sessionId));
    if (!moved) break;
  }
  // The session's next order found no seat while this one still had it.
  const session = await deps.sessions.load(caller.tenant, sessionId);
  const next = session?.ordered ?? session?.checkout;
  if (next !== undefined && next.orderId !== orderId) await settleSeat(deps, caller, next.orderId, sessionId);
}

/**
 * Transfers the session's seat to the order. Returns whether there was one to transfer: none is the order's if a later
 * life of the session's id took it, or the session is not linked to it.
 */
async function sellSeat(deps: JoinDeps, { tenant }: Writer, order: SoldTo, sessionId: string): Promise<boolean> {
  const { orderId } = order;
  if ((await deps.tables.seatOf(tenant, { orderId })) !== undefined) return false;
  const found = await deps.tables.seatOf(tenant, { sessionId });
  if (found === undefined) return false;
  const session = await deps.sessions.load(tenant, sessionId);
  const { tableId } = found.table;
  const belongsToOrder = [session?.ordered, session?.checkout].some((one) => one?.orderId === orderId);
  // The order was not told of a seat to which the session is not linked: of a join that crashed, or came too late.
  const includesSeat = belongsToOrder && session?.tableCommitmentId === tableId && isOfLife(found.seat, session);
  if (!includesSeat) return false;
  await deps.tables.sell(tenant, tableId, found.seat, order);
  return true;
}

/**
 * Transfers the order's seat back to the session, or frees it if the session is gone too. Returns whether the order had
 * one. Safe to repeat.
 */
async function returnSeat(deps: JoinDeps, caller: Writer, orderId: string, sessionId: string): Promise<boolean> {
  const { tenant } = caller;
  const sold = await deps.tables.seatOf(tenant, { orderId });
  if (sold !== undefined && 'boughtBy' in sold.seat) {
    const { table, seat } = sold;
    if (!(await deps.tables.takeBack(tenant, table.tableId, seat))) {
      await deps.tables.release(tenant, table.tableId, seat);
    }
  }
  // Also one that an earlier attempt took back before it crashed: the session may have ended while the seat was the
  // order's.
  const held = await deps.tables.seatOf(tenant, { sessionId });
  if (held !== undefined) {
    const { tableId: id, contextId } = held.table;
    await linkOrRelease(deps, caller, held.seat, { id, contextId });
  }
  return sold !== undefined;
}
