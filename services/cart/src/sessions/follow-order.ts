import {
  causeOf,
  hasCode,
  knownOrderState,
  type Money,
  type OrderChange,
  type ReceivedEvent,
} from '@event-commerce/contracts';
import { type Logger, type Loop, overdueSweep, type Writer } from '@event-commerce/service-kit';
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
 * Makes the session of an order `ordered`, and opens it again when the order is over. The seat at a table is the
 * order's in between, and free afterwards. An order names its session as `cartSessionId`.
 *
 * Events repeat and overtake each other. An order that is over stays over unless it is reopened, which its `reopenings`
 * count, and each time it reserves the session anew: so a late event finds no reservation to turn into an order.
 */
export async function followOrder(deps: FollowOrderDeps, event: ReceivedEvent<OrderChange>): Promise<void> {
  const { tenant, data } = event;
  const state = knownOrderState(data.state);
  if (typeof data.cartSessionId !== 'string' || state === undefined) return;
  const order = { orderId: data.id, reopening: data.reopenings };
  const caller = { tenant, ...causeOf(event) };
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
  // It is over since, of which another event tells; or the reservation lasts until the sweep settles it.
  if (standing === undefined) return;
  // The seat first: until then the session is reserved, and stays.
  if (hasSeat) await sellSeat(deps, caller, before, standing.total);
  if (isReserved && standing.price !== undefined) {
    await sessionOrders.order(caller, before, order, standing.price, clock());
  }
}

/** Makes the seat of a session that an order has, or reserved, the order's. Safe to repeat. */
async function sellSeat(
  { tables }: FollowOrderDeps,
  { tenant }: Writer,
  { tableCommitmentId: tableId, checkout, ordered, ...session }: UnpricedSession,
  total: Money,
): Promise<void> {
  const order = checkout ?? ordered;
  if (order === undefined || tableId === undefined) return;
  const table = await tables.load(tenant, tableId);
  const seat = table && seatAt(table, session);
  const { orderId, reopening } = order;
  if (seat !== undefined) await tables.sell(tenant, tableId, seat, { orderId, reopening, total });
}

/** Opens the session of an order that is over, and frees its seat. Safe to repeat, and to do for an earlier life. */
export async function endOrder(
  { sessionOrders, tables, clock }: FollowOrderDeps,
  caller: Writer,
  sessionId: string,
  order: OrderOfSession,
): Promise<void> {
  const ended = await sessionOrders.open(caller, sessionId, order, clock());
  // As the session's, before the order's: in between it may become the order's, and never the reverse.
  if (ended?.left !== undefined) {
    await tables.release(caller.tenant, ended.left.tableCommitmentId, { sessionId, ...ended.left });
  }
  if (ended === undefined || ended.left !== undefined) await tables.releaseOrder(caller.tenant, order);
}

/**
 * Does `work` with a session. If that is refused because of an order that was placed or is over, which cart has not
 * been told yet, the session follows the order first: whoever cancelled it can use the session at once, and whoever
 * placed it is not asked to try again.
 *
 * @throws {PlatformError} what `work` throws; SERVICE_UNAVAILABLE if it is refused, and commerce cannot be asked why
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
    // Reserved for an order that was placed and cancelled, if cart was told of neither; nobody's, if it was told since.
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
 * Ends a reservation that nobody ended: asks commerce what became of the order, which then is final, and follows that.
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

/** Settles reservations that last too long. While commerce cannot be asked, none ends. */
export function reservationSweep(deps: FollowOrderDeps & { ttlMs: number; logger: Logger }): Loop {
  return {
    name: 'reservation sweep',
    everyMs: 1_000,
    run: overdueSweep(
      { ...deps, what: 'reservation' },
      async (from) => deps.sessionOrders.reserved(from),
      async (one) => settleReservation(deps, one),
    ),
  };
}
