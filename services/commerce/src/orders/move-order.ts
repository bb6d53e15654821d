import {
  type ConfirmOrderInput,
  eventCancelled,
  type ExtendOrderInput,
  invalidInput,
  onlyPendingOrders,
  type Order,
  orderNotFound,
  PENDING_SECONDS_MAX,
  priceChanged,
} from '@event-commerce/contracts';
import {
  type Caller,
  type IfMatch,
  refuseOtherVersion,
  retryOnConflict,
  versionConflict,
  wasChangedBy,
  type Writer,
} from '@event-commerce/service-kit';
import { hasOverdueAmendment } from './domain/amendment-life.ts';
import { isOverdue, ORDER_LIFE, whyNot } from './domain/order-life.ts';
import type { Offerings } from './offerings.ts';
import type { OrderRecord } from './order-record.ts';
import type { OrderRepository } from './order.repository.ts';
import type { AttemptDeps } from './order-attempt.ts';

export interface MoveOrderDeps {
  orders: OrderRepository;
  clock: () => Date;
}

/** Who acts on an order. `ofKey`: a key without orders:write, which changes only pending orders that it placed. */
export interface Actor {
  caller: Caller;
  ofKey?: string | undefined;
}

type Deps = MoveOrderDeps & Pick<AttemptDeps, 'purchases' | 'tickets' | 'carts'>;
type ConfirmDeps = Deps & { offerings: Pick<Offerings, 'ofCancelledEvents'> };

/**
 * Confirms an order. Its event then confirms what it claimed. Repeating this changes nothing. If an event of the order
 * was cancelled, this cancels the order instead.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND; ORDER_EXPIRED, ORDER_STATUS_CONFLICT, NOT_FOR_SALE if it can no longer be
 * confirmed: what it held is then available to other orders, as after a cancellation; PRICE_CHANGED if it does not cost
 * `expectedTotal`; VERSION_CONFLICT; SERVICE_UNAVAILABLE if the events service does not respond
 */
export async function confirmOrder(
  deps: ConfirmDeps,
  caller: Caller,
  id: string,
  { expectedTotal, ifMatch }: ConfirmOrderInput & { ifMatch: IfMatch },
): Promise<Order> {
  const known = await retryOnConflict(
    async () => cancelIfEventCancelled(deps, caller, await currentOrder(deps, caller, id), ifMatch),
    versionConflict('The order'),
  );
  return (await moveOrder(deps, { caller }, id, 'confirm', { ifMatch, expectedTotal, known })).order;
}

/**
 * `record`, if none of the order's events was cancelled, or the order is not to be confirmed; undefined if it was
 * changed since it was read.
 *
 * @throws {PlatformError} NOT_FOR_SALE once the order is cancelled with its event; VERSION_CONFLICT;
 * SERVICE_UNAVAILABLE
 */
async function cancelIfEventCancelled(
  deps: ConfirmDeps,
  caller: Caller,
  record: OrderRecord,
  ifMatch: IfMatch,
): Promise<OrderRecord | undefined> {
  const { id, order, state, tickets } = record;
  // The order is cancelled already if this repeats a request that found the event cancelled.
  const mayBeRefused = (state === 'pending' || state === 'cancelled') && !wasChangedBy(caller, record);
  if (!mayBeRefused || tickets.length === 0) return record;
  const offeringIds = order.items.flatMap(({ offeringId }) => offeringId ?? []);
  const cancelled = await deps.offerings.ofCancelledEvents(caller, offeringIds);
  if (cancelled.length === 0) return record;
  if (state === 'pending') {
    refuseOtherVersion(ifMatch, 'order', order.version);
    // Not as the request's own change: a repeat would return the cancelled order as if it were confirmed.
    const { attempt: _, ...by } = caller;
    const calledOff = cancelled.find(({ callOff }) => callOff !== undefined);
    const callOff = calledOff?.callOff && {
      ...calledOff.callOff,
      eventId: calledOff.eventId,
      stateBefore: state,
    };
    const over = await deps.orders.move(by, record, 'cancel', deps.clock(), callOff);
    if (over === undefined) return undefined;
    await release(deps, caller, over);
  }
  throw eventCancelled(
    id,
    cancelled.map(({ eventId, offeringId }) => ({ eventId, offeringId })),
  );
}

/**
 * Cancels an order and its pending amendment. Its event releases its claims. This function also releases them before it
 * returns, unless another service does not respond, so that the caller's next request can claim them. Repeating this
 * changes nothing, and waits for the same release.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND, VERSION_CONFLICT; FORBIDDEN for a placed order with `ofKey`
 */
export async function cancelOrder(deps: Deps, by: Actor, id: string, ifMatch: IfMatch): Promise<Order> {
  const cancelled = await moveOrder(deps, by, id, 'cancel', { ifMatch });
  // Otherwise the order was reopened after this request had cancelled it.
  if (ORDER_LIFE[cancelled.state].cancel !== 'moves') await release(deps, by.caller, cancelled);
  return cancelled.order;
}

/**
 * Lets a pending order expire later: `expiresInSeconds` from now, unless it already has longer. An order without an
 * expiry, or a placed one, stays as it is.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND, ORDER_EXPIRED, ORDER_STATUS_CONFLICT, VERSION_CONFLICT; VALIDATION_FAILED if
 * it would be pending for longer than an order can be
 */
export async function extendOrder(
  deps: Deps,
  by: Actor,
  id: string,
  { expiresInSeconds, ifMatch }: ExtendOrderInput & { ifMatch: IfMatch },
): Promise<Order> {
  const { caller } = by;
  const extended = await retryOnConflict(async () => {
    const current = await orderFor(deps, by, id, { changesPlaced: false });
    const { state, order, expiresAt, pendingSince } = current;
    await refuseWhatIsOver(deps, caller, current, 'confirm');
    const now = deps.clock();
    const until = new Date(now.getTime() + expiresInSeconds * 1_000);
    const hasLonger = state !== 'pending' || expiresAt === undefined || expiresAt >= until;
    if (hasLonger || wasChangedBy(caller, current)) return current;
    refuseOtherVersion(ifMatch, 'order', order.version);
    const latest = new Date(pendingSince.getTime() + PENDING_SECONDS_MAX * 1_000);
    if (until > latest) {
      const message = `would keep the order pending beyond ${latest.toISOString()}, 7 days after it became pending; confirm it by then, or place a new one`;
      throw invalidInput('expiresInSeconds', message);
    }
    return await deps.orders.extend(caller, current, until, now);
  }, versionConflict('The order'));
  return extended.order;
}

/** Refuses a transition that the order cannot make because it is over. */
async function refuseWhatIsOver(
  deps: Deps,
  caller: Caller,
  current: OrderRecord,
  transition: 'confirm' | 'cancel',
): Promise<void> {
  const refusal = whyNot(transition, current);
  if (refusal === undefined) return;
  // The response says that the claims are released, so the caller may order again at once.
  if (current.state === 'expired') await release(deps, caller, current);
  throw refusal;
}

/**
 * Releases the claims of an order that is over, and opens its cart session. If the order was reopened since, it has new
 * claims: the old ones are over for good.
 */
async function release({ purchases, tickets, carts }: Deps, caller: Caller, over: OrderRecord): Promise<void> {
  const { id: orderId, claims, revision: reopening } = over;
  const { cartSessionId: sessionId } = over.order;
  await Promise.all([
    purchases.cancel(caller, orderId, claims),
    tickets.cancel(caller, orderId, over.tickets),
    ...(sessionId === undefined ? [] : [carts.end(caller, { sessionId, orderId, reopening })]),
  ]);
}

async function moveOrder(
  deps: Deps,
  by: Actor,
  id: string,
  transition: 'confirm' | 'cancel',
  {
    ifMatch,
    expectedTotal,
    known,
  }: {
    ifMatch: IfMatch;
    expectedTotal?: number | undefined;
    /** The order as it was read a moment ago. */
    known?: OrderRecord;
  },
): Promise<OrderRecord> {
  const { caller } = by;
  let readBefore = known;
  return await retryOnConflict(async () => {
    const current = readBefore ?? (await orderFor(deps, by, id));
    readBefore = undefined;
    if (wasChangedBy(caller, current)) return current;
    await refuseWhatIsOver(deps, caller, current, transition);
    const { total, currency } = current.order.costs;
    if (expectedTotal !== undefined && expectedTotal !== total) {
      throw priceChanged({ expectedTotal, total, currency, path: 'expectedTotal' });
    }
    if (ORDER_LIFE[current.state][transition] === 'stays') return current;
    refuseOtherVersion(ifMatch, 'order', current.order.version);
    return await deps.orders.move(caller, current, transition, deps.clock());
  }, versionConflict('The order'));
}

/**
 * The order as it is now, if `by` may change it, or has just changed it. With `changesPlaced: false` also a placed one,
 * which the request leaves as it is.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND; FORBIDDEN for a placed order with `ofKey`
 */
export async function orderFor(
  deps: MoveOrderDeps,
  { caller, ofKey }: Actor,
  id: string,
  { changesPlaced } = { changesPlaced: true },
): Promise<OrderRecord> {
  const current = await currentOrder(deps, caller, id);
  if (ofKey === undefined) return current;
  if (current.placedBy !== ofKey) throw orderNotFound(id);
  if (changesPlaced && current.state === 'placed' && !wasChangedBy(caller, current)) throw onlyPendingOrders(id);
  return current;
}

/**
 * The order as it is now. If it or its pending amendment is overdue, that expires here if the sweep has not found it
 * yet.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND
 */
export async function currentOrder(
  { orders, clock }: MoveOrderDeps,
  { tenant, traceparent }: Writer,
  id: string,
): Promise<OrderRecord> {
  const by = { tenant, traceparent };
  const expired = async (record: OrderRecord): Promise<OrderRecord | undefined> =>
    isOverdue(record, clock())
      ? await orders.expire(by, record, clock())
      : await orders.endAmendment(by, record, 'expired', clock());
  let record = await orders.find(tenant, id);
  while (record !== undefined && (isOverdue(record, clock()) || hasOverdueAmendment(record, clock()))) {
    record = (await expired(record)) ?? (await orders.find(tenant, id));
  }
  if (record === undefined) throw orderNotFound(id);
  return record;
}
