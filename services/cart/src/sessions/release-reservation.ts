import type { Tenant } from '@event-commerce/contracts';
import type { TableRepository } from '../tables/table.repository.ts';
import type { SessionOrders } from './session-orders.ts';

/**
 * Ends a reservation whose order was not written, and frees the seat that was taken for it. Returns whether it has
 * ended: other copies of the order may rely on it. Safe to repeat.
 */
export async function releaseReservation(
  { sessionOrders, tables, clock }: { sessionOrders: SessionOrders; tables: TableRepository; clock: () => Date },
  tenant: Tenant,
  { sessionId, orderId, attempt }: { sessionId: string; orderId: string; attempt?: string | undefined },
): Promise<boolean> {
  const ended = await sessionOrders.release(tenant, sessionId, orderId, clock(), attempt);
  if (ended?.left !== undefined) {
    await tables.release(tenant, ended.left.tableCommitmentId, { sessionId, ...ended.left });
  }
  return ended !== undefined;
}
