import { type Order, orderNotFound } from '@event-commerce/contracts';
import {
  type Caller,
  type IfMatch,
  refuseOtherVersion,
  retryOnConflict,
  versionConflict,
  wasChangedBy,
} from '@event-commerce/service-kit';
import { isOverdue, ORDER_LIFE, whyNot } from './domain/order-life.ts';
import type { OrderRecord } from './order-record.ts';
import type { OrderRepository } from './order.repository.ts';
import type { AttemptDeps } from './order-attempt.ts';

export interface MoveOrderDeps {
  orders: OrderRepository;
  clock: () => Date;
}

type Deps = MoveOrderDeps & AttemptDeps;

/**
 * Confirms an order. Its event then confirms what it claimed. Repeating this changes nothing.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND; ORDER_EXPIRED, ORDER_STATUS_CONFLICT if it cannot be confirmed any more:
 * another order can then have what it held, as after a cancellation; VERSION_CONFLICT
 */
export async function confirmOrder(deps: Deps, caller: Caller, id: string, ifMatch: IfMatch): Promise<Order> {
  return (await moveOrder(deps, caller, id, 'confirm', ifMatch)).order;
}

/**
 * Cancels an order. Its event releases what it claimed; so that the next request of the caller can have that, it is
 * also released before this returns, unless another service does not respond. Repeating this changes nothing, and waits
 * for the same.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND, VERSION_CONFLICT
 */
export async function cancelOrder(deps: Deps, caller: Caller, id: string, ifMatch: IfMatch): Promise<Order> {
  const cancelled = await moveOrder(deps, caller, id, 'cancel', ifMatch);
  // Otherwise what this request cancelled was reopened since.
  if (ORDER_LIFE[cancelled.state].cancel !== 'moves') await release(deps, caller, cancelled);
  return cancelled.order;
}

/**
 * Releases what an order claimed that is over, and opens its cart session. A reopening since has other claims: these are
 * over for good.
 */
async function release({ purchases, tickets, carts }: Deps, caller: Caller, over: OrderRecord): Promise<void> {
  const { id: orderId, claims, reopenings: reopening } = over;
  const { cartSessionId: sessionId } = over.order;
  await Promise.all([
    purchases.cancel(caller, orderId, claims),
    tickets.cancel(caller, orderId, over.tickets),
    ...(sessionId === undefined ? [] : [carts.end(caller, { sessionId, orderId, reopening })]),
  ]);
}

async function moveOrder(
  deps: Deps,
  caller: Caller,
  id: string,
  transition: 'confirm' | 'cancel',
  ifMatch: IfMatch,
): Promise<OrderRecord> {
  return await retryOnConflict(async () => {
    const moved = await deps.orders.move(caller, id, transition, deps.clock(), ifMatch);
    if (moved !== undefined) return moved;
    const current = await currentOrder(deps, caller, id);
    if (wasChangedBy(caller, current)) return current;
    const refusal = whyNot(transition, current);
    if (refusal !== undefined) {
      // The caller is told that it gave back what it held, and may order again at once.
      if (current.state === 'expired') await release(deps, caller, current);
      throw refusal;
    }
    if (ORDER_LIFE[current.state][transition] === 'stays') return current;
    refuseOtherVersion(ifMatch, 'order', current.order.version);
    return undefined;
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
): Promise<OrderRecord> {
  let record = await orders.find(tenant, id);
  if (record !== undefined && isOverdue(record, clock())) {
    record = (await orders.move({ tenant, traceparent }, id, 'expire', clock())) ?? (await orders.find(tenant, id));
  }
  if (record === undefined) throw orderNotFound(id);
  return record;
}
