import type { OrderChange, ReceivedEvent } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import type { Orders } from '../orders.ts';
import type { Seat } from '../store/models.ts';
import { type JoinDeps, linkOrRelease } from './join-table.ts';

export interface FollowOrderDeps extends JoinDeps {
  orders: Orders;
}

/** Finishes a join that a crash interrupted after the seat was taken. Safe to repeat. */
export async function finishJoin(
  deps: JoinDeps,
  { tenant, traceparent, data }: ReceivedEvent<'cart.table_joined'>,
): Promise<void> {
  const seat: Seat = { sessionId: data.session.id, sessionCreatedAt: new Date(data.session.createdAt) };
  await linkOrRelease(deps, { tenant, traceparent }, seat, data);
}

/**
 * Transfers the seat of an ordered session to the order, whatever happens to the session, and back to the session, or
 * frees it, when the order is cancelled. An order names its session as `cartSessionId`.
 *
 * An event only says that the order changed. Events repeat and overtake each other, so only the order's current state
 * counts, and it is queried after the seat was sold: of a concurrent sale and cancellation, one sees the other. Safe to
 * repeat.
 */
export async function followOrder(
  deps: FollowOrderDeps,
  { tenant, traceparent, type, data }: ReceivedEvent<OrderChange>,
): Promise<void> {
  const { id: orderId, cartSessionId: sessionId } = data;
  if (typeof sessionId !== 'string') return;
  if (type === 'order.placed' && (await deps.tables.seatOf(tenant, { orderId })) === undefined) {
    const found = await deps.tables.seatOf(tenant, { sessionId });
    if (found === undefined) return;
    await deps.tables.sell(tenant, found.table.tableId, found.seat, orderId);
  }
  if ((await deps.orders.standing([orderId])).has(orderId)) return;
  await returnSeat(deps, { tenant, traceparent }, orderId, sessionId);
}

/**
 * Transfers the seat of a cancelled order back to the session, or frees it if the session is gone too. Safe to repeat.
 */
export async function returnSeat(
  deps: JoinDeps,
  caller: Pick<Caller, 'tenant' | 'traceparent'>,
  orderId: string,
  sessionId: string,
): Promise<void> {
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
  if (held === undefined) return;
  const { tableId: id, contextId } = held.table;
  await linkOrRelease(deps, caller, held.seat, { id, contextId });
}
