import { type Order, orderNotFound } from '@event-commerce/contracts';
import { type Caller, retryOnConflict, versionConflict } from '@event-commerce/service-kit';
import { isOverdue, ORDER_LIFE, whyNot } from '../domain/order-life.ts';
import type { OrderRecord } from '../store/order-record.ts';
import type { OrderRepository } from '../store/order.repository.ts';

export interface MoveOrderDeps {
  orders: OrderRepository;
  clock: () => Date;
}

/**
 * Confirms or cancels an order. Its event then confirms or releases what it claimed. Repeating a transition changes nothing.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND; ORDER_EXPIRED, ORDER_STATUS_CONFLICT if it cannot be confirmed any more
 */
export async function moveOrder(
  deps: MoveOrderDeps,
  caller: Caller,
  id: string,
  transition: 'confirm' | 'cancel',
): Promise<Order> {
  return await retryOnConflict(async () => {
    const moved = await deps.orders.move(caller, id, transition, deps.clock());
    if (moved !== undefined) return moved.order;
    const current = await currentOrder(deps, caller, id);
    const refusal = whyNot(transition, current);
    if (refusal !== undefined) throw refusal;
    return ORDER_LIFE[current.state][transition] === 'stays' ? current.order : undefined;
  }, versionConflict('The order'));
}

/**
 * The order as it is now: one whose time is over expires here, before the sweep finds it.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND
 */
export async function currentOrder(
  { orders, clock }: MoveOrderDeps,
  { tenant, traceparent }: Caller,
  id: string,
): Promise<OrderRecord & { id: string }> {
  let record = await orders.find(tenant, id);
  if (record !== undefined && isOverdue(record, clock())) {
    record = (await orders.move({ tenant, traceparent }, id, 'expire', clock())) ?? (await orders.find(tenant, id));
  }
  if (record === undefined) throw orderNotFound(id);
  return { ...record, id };
}
