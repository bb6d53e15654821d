import type { ReceivedEvent } from '@event-commerce/contracts';
import type { Seat } from '../store/models.ts';
import { type JoinDeps, linkOrRelease } from './join-table.ts';

/** Finishes a join of which only the seat was taken: what a crash left undone. Safe to repeat. */
export async function finishJoin(
  deps: JoinDeps,
  { tenant, traceparent, data }: ReceivedEvent<'cart.table_joined'>,
): Promise<void> {
  const seat: Seat = { sessionId: data.session.id, sessionCreatedAt: new Date(data.session.createdAt) };
  await linkOrRelease(deps, { tenant, traceparent }, seat, data);
}

/**
 * Makes the seat of a session that was ordered the order's, whatever becomes of the session; and the session's again, or free,
 * when the order is cancelled. An order names its session as `cartSessionId`. Safe to repeat.
 */
export async function followOrder(
  deps: JoinDeps,
  { tenant, traceparent, type, data }: ReceivedEvent<'order.placed' | 'order.cancelled'>,
): Promise<void> {
  const { id: orderId, cartSessionId: sessionId, status } = data;
  if (typeof sessionId !== 'string') return;
  if (type === 'order.placed' && status !== 'cancelled') {
    const found = await deps.tables.seatOf(tenant, { sessionId });
    if (found !== undefined) await deps.tables.sell(tenant, found.table.tableId, found.seat, orderId);
    return;
  }
  const sold = await deps.tables.seatOf(tenant, { orderId });
  if (sold === undefined || !('boughtBy' in sold.seat)) return;
  const { table, seat } = sold;
  if (await deps.tables.takeBack(tenant, table.tableId, seat)) {
    const { tableId: id, contextId } = table;
    const { boughtBy, sessionCreatedAt } = seat;
    await linkOrRelease(deps, { tenant, traceparent }, { sessionId: boughtBy, sessionCreatedAt }, { id, contextId });
  } else {
    await deps.tables.release(tenant, table.tableId, seat);
  }
}
