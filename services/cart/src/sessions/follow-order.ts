import { causeOf, hasCode, knownOrderState, type OrderChange, type ReceivedEvent } from '@event-commerce/contracts';
import { IDLE_MS, type Logger, type Loop, overdueSweep, type Writer } from '@event-commerce/service-kit';
import type { Orders, StandingOrder } from '../orders.ts';
import { type JoinDeps, seatAt } from '../tables/join-table.ts';
import { releaseReservation } from './release-reservation.ts';
import type { OrderOfSession, ReservedOrder, SessionOrders } from './session-orders.ts';
import type { UnpricedSession } from './session-record.ts';

export interface FollowOrderDeps extends JoinDeps {
  sessionOrders: SessionOrders;
  orders: Orders;
}

/**
 * Makes the session of an order `ordered`, and opens it again when the order is over. Meanwhile the seat at a table
 * belongs to the order, and is free afterwards. An order names its session as `cartSessionId`.
 *
 * Events repeat and overtake each other. An order that is over stays over unless it is reopened. Its `reopenings` count
 * that, and each reopening reserves the session again: so a late event finds no reservation to turn into an order.
 */
export async function followOrder(deps: FollowOrderDeps, event: ReceivedEvent<OrderChange>): Promise<void> {
  const { tenant, data } = event;
  const state = knownOrderState(data.state);
  if (typeof data.cartSessionId !== 'string' || state === undefined) return;
  const order = { orderId: data.id, reopening: data.reopenings };
  const caller = { tenant, ...causeOf(event) };
  if (event.type === 'order.amended') await followAmendment(deps, caller, data.cartSessionId, order);
  await (state === 'pending' || state === 'placed' ? takeOrder : endOrder)(deps, caller, data.cartSessionId, order);
}

/** `known`: the order with its price, if the caller has it. */
async function takeOrder(
  deps: FollowOrderDeps,
  caller: Writer,
  sessionId: string,
  order: OrderOfSession,
  known?: StandingOrder,
): Promise<void> {
  const { sessionOrders, clock, orders } = deps;
  const { orderId } = order;
  const before = await sessionOrders.find(caller.tenant, sessionId);
  const isReserved = before?.checkout?.orderId === orderId;
  const hasSeat = before?.tableCommitmentId !== undefined;
  if (!isReserved && !(before?.ordered?.orderId === orderId && hasSeat)) return;
  const pricesOf = new Set(isReserved ? [orderId] : []);
  const standing = known ?? (await orders.shown([orderId], pricesOf)).standing.get(orderId);
  // The order is over by now, and another event says so; or the reservation lasts until the sweep settles it.
  if (standing === undefined) return;
  // The seat first: until that is done, the session stays reserved.
  if (hasSeat) await sellSeat(deps, caller, before, standing);
  if (isReserved && standing.price !== undefined) {
    await sessionOrders.order(caller, before, order, standing.price, clock());
  }
}

/**
 * Shows what an amended order costs now in its session and at its table, and frees the seats that it gave back. Safe to
 * repeat.
 */
export async function followAmendment(
  { sessionOrders, tables, orders, clock }: FollowOrderDeps,
  caller: Writer,
  sessionId: string,
  { orderId }: Pick<OrderOfSession, 'orderId'>,
): Promise<void> {
  const standing = (await orders.shown([orderId], new Set([orderId]))).standing.get(orderId);
  if (standing === undefined) return;
  await tables.followOrder(caller.tenant, orderId, standing);
  if (standing.price !== undefined)
    await sessionOrders.reprice(caller, sessionId, { orderId }, standing.price, clock());
}

/** Gives the seat of a session that an order has, or has reserved, to the order. Safe to repeat. */
async function sellSeat(
  { tables }: FollowOrderDeps,
  { tenant }: Writer,
  { tableCommitmentId: tableId, checkout, ordered, ...session }: UnpricedSession,
  standing: StandingOrder,
): Promise<void> {
  const order = checkout ?? ordered;
  if (order === undefined || tableId === undefined) return;
  const table = await tables.load(tenant, tableId);
  const seat = table && seatAt(table, session);
  const { orderId, reopening } = order;
  const { total } = standing;
  if (seat !== undefined) await tables.sell(tenant, tableId, seat, { orderId, reopening, total });
  // The order may have been amended before cart heard of it.
  await tables.followOrder(tenant, orderId, standing);
}

/**
 * Opens the session of an order that is over, and frees its seat. Safe to repeat, even if the id now belongs to a later
 * session.
 */
export async function endOrder(
  { sessionOrders, tables, clock }: FollowOrderDeps,
  caller: Writer,
  sessionId: string,
  order: OrderOfSession,
): Promise<void> {
  const ended = await sessionOrders.open(caller, sessionId, order, clock());
  // First as the session's seat, then as the order's: in between, it may become the order's, but never the reverse.
  if (ended?.left !== undefined) {
    await tables.release(caller.tenant, ended.left.tableCommitmentId, { sessionId, ...ended.left });
  }
  if (ended === undefined || ended.left !== undefined) await tables.releaseOrder(caller.tenant, order);
}

/**
 * Does `work` with a session. If that is refused because of an order that was placed or is over, and cart has not heard
 * of it yet, the session follows the order first: a caller who cancelled the order can use the session at once, and one
 * who placed it is not told to retry.
 *
 * @throws {PlatformError} what `work` throws; SERVICE_UNAVAILABLE if it is refused and commerce cannot be reached
 */
export async function withOrderFollowed<T>(
  deps: FollowOrderDeps,
  caller: Writer,
  sessionId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!hasCode(error, 'CART_ALREADY_ORDERED')) throw error;
    const session = await deps.sessionOrders.find(caller.tenant, sessionId);
    // Still reserved for an order that was placed and cancelled if cart heard of neither; open if it has heard since.
    const order = session?.checkout ?? session?.ordered;
    if (order !== undefined) {
      const became = await deps.orders.became(order);
      if (became === undefined || (became !== 'over' && order !== session?.checkout)) throw error;
      if (became === 'over') await endOrder(deps, caller, sessionId, order);
      else await takeOrder(deps, caller, sessionId, order, became);
    }
    return await work();
  }
}

/**
 * Ends an abandoned reservation: asks commerce for the outcome of the order, which is then final, and applies it.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE
 */
export async function settleReservation(
  deps: FollowOrderDeps,
  { companyId: tenant, sessionId, orderId, reopening }: ReservedOrder,
): Promise<void> {
  const outcome = await deps.orders.settle(orderId, reopening);
  const order = { orderId, reopening };
  if (outcome === 'void') await releaseReservation(deps, tenant, { sessionId, ...order });
  else await (outcome === 'pending' || outcome === 'placed' ? takeOrder : endOrder)(deps, { tenant }, sessionId, order);
}

/** Settles reservations that last too long. While commerce cannot be reached, none ends. */
export function reservationSweep(deps: FollowOrderDeps & { ttlMs: number; logger: Logger }): Loop {
  return {
    name: 'reservation sweep',
    everyMs: 1_000,
    idleMs: IDLE_MS,
    run: overdueSweep(
      { ...deps, what: 'reservation' },
      async (from) => deps.sessionOrders.reserved(from),
      async (one) => settleReservation(deps, one),
    ),
  };
}
