import {
  amendedEventCancelled,
  amendmentNotFound,
  type AmendmentWithBefore,
  type MovedAmendment,
} from '@event-commerce/contracts';
import {
  type Caller,
  type IfMatch,
  refuseOtherVersion,
  retryOnConflict,
  versionConflict,
  wasChangedBy,
} from '@event-commerce/service-kit';
import { type AmendOrderDeps, followAmended, refuseEnded, shown } from './amend-order.ts';
import { AMENDMENT_LIFE, type AmendmentTransition, whyNotAmended } from './domain/amendment-life.ts';
import { type Actor, orderFor } from './move-order.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * Applies the pending amendment of an order, at the prices that it was made with, and releases what the order gives
 * back. Repeating this changes nothing. If it adds tickets of a cancelled event, this cancels the amendment instead.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND, AMENDMENT_NOT_FOUND; AMENDMENT_EXPIRED, NOT_FOR_SALE: what it held is then
 * available to other orders; AMENDMENT_STATUS_CONFLICT, ORDER_STATUS_CONFLICT, VERSION_CONFLICT; FORBIDDEN for a placed
 * order with `ofKey`; SERVICE_UNAVAILABLE if the events service does not respond
 */
export async function confirmAmendment(
  deps: AmendOrderDeps,
  by: Actor,
  id: string,
  amendmentId: string,
  ifMatch: IfMatch,
): Promise<MovedAmendment> {
  return await moveAmendment(deps, by, id, amendmentId, 'confirm', ifMatch);
}

/**
 * Ends the pending amendment of an order without effect, and releases what it held. Repeating this changes nothing.
 *
 * @throws {PlatformError} as `confirmAmendment`, except AMENDMENT_EXPIRED and NOT_FOR_SALE
 */
export async function cancelAmendment(
  deps: AmendOrderDeps,
  by: Actor,
  id: string,
  amendmentId: string,
  ifMatch: IfMatch,
): Promise<MovedAmendment> {
  return await moveAmendment(deps, by, id, amendmentId, 'cancel', ifMatch);
}

async function moveAmendment(
  deps: AmendOrderDeps,
  by: Actor,
  id: string,
  amendmentId: string,
  transition: AmendmentTransition,
  ifMatch: IfMatch,
): Promise<MovedAmendment> {
  const { caller } = by;
  const find = async (record: OrderRecord): Promise<AmendmentWithBefore> => {
    const found = await deps.amendments.find(caller.tenant, record, amendmentId);
    if (found === undefined) throw amendmentNotFound(record.id, amendmentId);
    return found;
  };
  const moved = await retryOnConflict(async () => {
    const record = await orderFor(deps, by, id);
    const amendment = await find(record);
    if (wasChangedBy(caller, record)) return record;
    refuseEnded(record);
    const refusal = whyNotAmended(transition, amendment);
    if (refusal !== undefined) {
      // The response says that the claims are released, so the caller may make it again at once.
      if (amendment.state === 'expired') await followAmended(deps, caller, record);
      throw refusal;
    }
    if (AMENDMENT_LIFE[amendment.state][transition] === 'stays') return record;
    refuseOtherVersion(ifMatch, 'order', record.order.version);
    if (transition === 'cancel') return await deps.orders.endAmendment(caller, record, 'cancelled', deps.clock());
    if (await isCancelledWithEvent(deps, caller, record, amendment)) return undefined;
    return await deps.orders.applyAmendment(caller, record, deps.clock());
  }, versionConflict('The order'));
  await followAmended(deps, caller, moved);
  return { order: moved.order, amendment: shown(await find(moved)) };
}

/**
 * False if the amendment adds no tickets of a cancelled event; true if the order was changed since it was read.
 *
 * @throws {PlatformError} NOT_FOR_SALE once the amendment is cancelled with its event; SERVICE_UNAVAILABLE
 */
async function isCancelledWithEvent(
  deps: AmendOrderDeps,
  caller: Caller,
  record: OrderRecord,
  { id, lines }: AmendmentWithBefore,
): Promise<boolean> {
  const added = lines.filter(({ quantity }) => quantity.after > quantity.before);
  const offeringIds = added.flatMap(({ offeringId }) => offeringId ?? []);
  if (offeringIds.length === 0) return false;
  const events = await deps.offerings.ofCancelledEvents(caller, offeringIds);
  if (events.length === 0) return false;
  // Not as the request's own change: a repeat would return the amendment as if it were confirmed.
  const { attempt: _, ...writer } = caller;
  const ended = await deps.orders.endAmendment(writer, record, 'cancelled', deps.clock());
  if (ended === undefined) return true;
  await followAmended(deps, caller, ended);
  throw amendedEventCancelled(id, events);
}
