import { causeOf, hasCode, knownOrderState, type OrderChange, type ReceivedEvent } from '@event-commerce/contracts';
import { type Logger, type Loop, overdueSweep, type Writer } from '@event-commerce/service-kit';
import type { OrderOfSession, ReservedOrder, SessionOrders } from './session-orders.ts';
import type { UnpricedSession } from './session-record.ts';
import { type SeatDeps, settleSeat } from '../tables/follow-seat.ts';

export interface FollowOrderDeps extends SeatDeps {
  sessionOrders: SessionOrders;
}

/**
 * Makes the session of an order `ordered`, and opens it again when the order is over; a seat at a table goes with it.
 * An order names its session as `cartSessionId`.
 *
 * Events repeat and overtake each other. An order that is over stays over unless it is reopened, which its `reopenings`
 * count, and each time it reserves the session anew: so a late event finds no reservation to turn into an order.
 */
export async function followOrder(deps: FollowOrderDeps, event: ReceivedEvent<OrderChange>): Promise<void> {
  const { tenant, data } = event;
  const state = knownOrderState(data.state);
  if (typeof data.cartSessionId !== 'string' || state === undefined) return;
  const order = { orderId: data.id, reopening: data.reopenings };
  const follow = state === 'pending' || state === 'placed' ? take : giveBack;
  await follow(deps, { tenant, ...causeOf(event) }, data.cartSessionId, order);
}

async function take(deps: FollowOrderDeps, caller: Writer, sessionId: string, order: OrderOfSession): Promise<void> {
  const { sessionOrders, clock } = deps;
  const session =
    (await sessionOrders.order(caller, sessionId, order, clock())) ??
    (await sessionOrders.find(caller.tenant, sessionId));
  if (hasNoSeat(session, order)) return;
  await settleSeat(deps, caller, order.orderId, sessionId);
}

async function giveBack(
  deps: FollowOrderDeps,
  caller: Writer,
  sessionId: string,
  order: OrderOfSession,
): Promise<void> {
  const { sessionOrders, clock } = deps;
  // The seat first: the next order of the session has it too.
  if (!hasNoSeat(await sessionOrders.find(caller.tenant, sessionId), order)) {
    await settleSeat(deps, caller, order.orderId, sessionId);
  }
  await sessionOrders.open(caller, sessionId, order, clock());
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
      if (became === undefined || (became === 'standing' && order !== session?.checkout)) throw error;
      await (became === 'over' ? giveBack : take)(deps, caller, sessionId, order);
    }
    return await work();
  }
}

/** Whether the session is the order's, and neither has a seat. Of a retired one, that is unknown. */
function hasNoSeat(session: UnpricedSession | undefined, { orderId }: OrderOfSession): boolean {
  if (session === undefined || session.retired) return false;
  const isOf = session.ordered?.orderId === orderId || session.checkout?.orderId === orderId;
  return isOf && session.tableCommitmentId === undefined;
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
  const follow = outcome === 'pending' || outcome === 'placed' ? take : giveBack;
  await follow(deps, { tenant }, sessionId, { orderId, reopening });
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
