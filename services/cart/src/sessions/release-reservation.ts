import type { Tenant } from '@event-commerce/contracts';
import type { TableRepository } from '../tables/table.repository.ts';
import type { OrderOfSession, SessionOrders } from './session-orders.ts';

/** Ends a reservation whose order was not written, and frees the seat that was taken for it. Safe to repeat. */
export async function releaseReservation(
  { sessionOrders, tables, clock }: { sessionOrders: SessionOrders; tables: TableRepository; clock: () => Date },
  tenant: Tenant,
  { sessionId, ...order }: OrderOfSession & { sessionId: string },
): Promise<void> {
  const { left } = await sessionOrders.release(tenant, sessionId, order, clock());
  if (left !== undefined) await tables.release(tenant, left.tableCommitmentId, { sessionId, ...left });
}
