import type { DomainEvent } from '@event-commerce/contracts';
import type { Seat } from '../store/models.ts';
import { type JoinDeps, linkOrRelease } from './join-table.ts';

/** Finishes a join of which only the seat was taken: what a crash left undone. Safe to repeat. */
export async function finishJoin(
  deps: JoinDeps,
  { companyid, traceparent, data }: DomainEvent<'cart.table_joined'>,
): Promise<void> {
  const seat: Seat = { sessionId: data.session.id, sessionCreatedAt: new Date(data.session.createdAt) };
  await linkOrRelease(deps, { companyId: companyid, traceparent }, seat, data);
}

/**
 * Makes the seat of a session that was ordered the order's, whatever becomes of the session; and the session's again, or free,
 * when the order is cancelled. An order names its session as `cartSessionId`. Safe to repeat.
 */
export async function followOrder(
  deps: JoinDeps,
  { companyid, traceparent, type, data }: DomainEvent<'order.placed' | 'order.cancelled'>,
): Promise<void> {
  const { id: orderId, cartSessionId: sessionId, status } = data;
  if (typeof sessionId !== 'string') return;
  if (type === 'order.placed' && status !== 'cancelled') {
    const found = await deps.tables.seatOf(companyid, { sessionId });
    if (found !== undefined) await deps.tables.sell(companyid, found.table.tableId, found.seat, orderId);
    return;
  }
  const sold = await deps.tables.seatOf(companyid, { orderId });
  if (sold === undefined || !('boughtBy' in sold.seat)) return;
  const { table, seat } = sold;
  if (await deps.tables.takeBack(companyid, table.tableId, seat)) {
    const { tableId: id, contextId } = table;
    const { boughtBy, sessionCreatedAt } = seat;
    await linkOrRelease(
      deps,
      { companyId: companyid, traceparent },
      { sessionId: boughtBy, sessionCreatedAt },
      { id, contextId },
    );
  } else {
    await deps.tables.release(companyid, table.tableId, seat);
  }
}
