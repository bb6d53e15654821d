import { type Order, orderNotFound } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import type { OrderRepository } from '../store/order.repository.ts';

/**
 * Cancels an order; its `order.cancelled` event releases the redemptions. Cancelling a cancelled order changes nothing.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND
 */
export async function cancelOrder(
  deps: { orders: OrderRepository; clock: () => Date },
  caller: Caller,
  id: string,
): Promise<Order> {
  const order = (await deps.orders.cancel(caller, id, deps.clock())) ?? (await deps.orders.find(caller.tenant, id));
  if (order === undefined) throw orderNotFound(id);
  return order;
}
