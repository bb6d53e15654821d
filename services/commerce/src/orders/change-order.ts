import { isDeepStrictEqual } from 'node:util';
import {
  applyMergePatch,
  changedOrder,
  invalidInput,
  type Order,
  orderNotFound,
  type OrderPatch,
  orderStateFrom,
  orderStatusConflict,
} from '@event-commerce/contracts';
import { type Caller, type IfMatch, refuseOtherVersion, refuseReadOnly, validate } from '@event-commerce/service-kit';
import type { OrderDocument } from '../models.ts';
import type { OrderRecord } from './order-record.ts';
import type { MoveOrderDeps } from './move-order.ts';

/**
 * Changes an order's data by a JSON merge patch, but not what it bought.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND; VERSION_CONFLICT; VALIDATION_FAILED if the result is not valid;
 * ORDER_STATUS_CONFLICT for a label on an order that is not placed
 */
export async function changeOrder(
  { orders, clock }: MoveOrderDeps,
  caller: Caller,
  id: string,
  patch: OrderPatch,
  ifMatch: IfMatch,
): Promise<Order> {
  const changed = await orders.changeInTurn(caller.tenant, id, async () => {
    const record = await orders.find(caller.tenant, id);
    if (record === undefined) throw orderNotFound(id);
    refuseOtherVersion(ifMatch, 'order', record.order.version);
    const change = changeOf(record, patch);
    return Object.keys(change).length === 0 ? record : await orders.change(caller, record, change, clock());
  });
  return changed.order;
}

/** The fields that `patch` changes, with their new values. */
function changeOf(
  { order, state }: OrderRecord,
  { status, customer, agreements, answers, forwarded, meta, ...others }: OrderPatch,
): Partial<OrderDocument> {
  refuseReadOnly(others, order, 'amend the order instead: POST /orders/{id}/amendments');
  const objects = { customer, agreements, answers, forwarded, meta };
  const merged = Object.entries(objects).map(([name, patch]) => [
    name,
    patch === null ? {} : applyMergePatch(order[name as keyof typeof objects], patch),
  ]);
  const label = status === null ? 'placed' : (status ?? order.status);
  if (label !== order.status) {
    if (orderStateFrom(label) !== 'placed') {
      throw invalidInput(
        'status',
        `cannot be ${label}; to change the state of the order, confirm, cancel or reopen it; any other text is a label of yours`,
      );
    }
    if (state !== 'placed') throw orderStatusConflict(order.id, state, 'only a placed order has a label');
  }
  const wanted = { ...validate(changedOrder.partial(), Object.fromEntries(merged)), status: label };
  const changes = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(order[name as keyof typeof wanted], value),
  );
  return Object.fromEntries(changes);
}
