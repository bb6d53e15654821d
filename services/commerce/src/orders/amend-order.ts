import {
  aboutAmendment,
  AMENDMENTS_MAX,
  type AmendedOrder,
  type AmendmentInput,
  type AmendmentWithBefore,
  amendmentOf,
  amendmentPending,
  codeKey,
  invalidInput,
  keptGoods,
  type OfferingRecord,
  type Order,
  orderAmendmentsFull,
  orderStatusConflict,
  PlatformError,
  type PricedAmendment,
  priceChanged,
  type RedemptionClaim,
  type TicketClaim,
} from '@event-commerce/contracts';
import {
  type Asking,
  type Caller,
  DOCUMENT_BYTES_MAX,
  type IfMatch,
  newId,
  refuseOtherVersion,
  retryOnConflict,
  storedBytes,
  versionConflict,
  wasChangedBy,
  type Writer,
} from '@event-commerce/service-kit';
import { fingerprint } from './domain/fingerprint.ts';
import {
  type AmendmentToPrice,
  amendedFields,
  amendmentToPrice,
  fewerSeats,
  shownAmendment,
  withoutStatedTotal,
  withStatedTotal,
} from './amended-order.ts';
import { type AskedLines, askedLines } from './domain/asked-lines.ts';
import { heldClaims, keptRedemptions, keptTickets, ticketsByEvent } from './domain/kept-claims.ts';
import type { AmendmentRepository } from './amendment.repository.ts';
import { type Actor, currentOrder, orderFor } from './move-order.ts';
import { type ClaimRequest, OrderAttempt } from './order-attempt.ts';
import { numberOfRevision } from './order-number.repository.ts';
import type { OrderRecord } from './order-record.ts';
import type { OrderRepository } from './order.repository.ts';
import type { PlaceOrderDeps } from './place-order.ts';

export interface AmendOrderDeps extends PlaceOrderDeps {
  amendments: AmendmentRepository;
}

/**
 * Changes an order's tickets and codes, at once or when the amendment is confirmed, at the prices of a mode. The body
 * states the result, so an order that already matches it stays as it is. What the order needs in addition is claimed
 * first, all or nothing; then one write decides; what it gives back is released before this returns.
 *
 * Amendments and reopenings of an order share one count of revisions. If two are for one revision, the first one
 * written wins, and the other one is judged again.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND, VERSION_CONFLICT, ORDER_STATUS_CONFLICT, AMENDMENT_PENDING, PRICE_CHANGED,
 * REPRICE_UNAVAILABLE, QUOTA_EXCEEDED, VALIDATION_FAILED; FORBIDDEN for a placed order with `ofKey`; the refusals of
 * pricing and events; SERVICE_UNAVAILABLE if one of them is needed and cannot be reached. The order then stays as it is
 */
export async function amendOrder(
  deps: AmendOrderDeps,
  by: Actor,
  id: string,
  input: AmendmentInput,
  ifMatch: IfMatch,
): Promise<AmendedOrder> {
  return await retryOnConflict(async () => {
    const record = await orderFor(deps, by, id);
    if (wasChangedBy(by.caller, record)) {
      const made = await deps.amendments.find(by.caller.tenant, record, `amd_${by.caller.attempt?.idSuffix}`);
      return { order: record.order, ...(made === undefined ? {} : { amendment: shown(made) }) };
    }
    refuseUnamendable(record);
    refuseOtherVersion(ifMatch, 'order', record.order.version);
    if (record.state === 'pending' && input.expiresInSeconds !== undefined) {
      const message = 'is for placed orders: a pending one holds what it has until it is confirmed; leave it out';
      throw invalidInput('expiresInSeconds', message);
    }
    const asked = askedLines(record.order.items, input.items, record.amended.linesMade);
    if (isAlreadySo(record, asked, input)) return { order: record.order };
    if (record.order.amendments === AMENDMENTS_MAX) throw orderAmendmentsFull(id);
    const amended = await amendOnce(deps, by, record, asked, input);
    if (amended === undefined) return undefined;
    const { order, lastAmendment } = amended;
    return { order, ...(lastAmendment === undefined ? {} : { amendment: shown(lastAmendment) }) };
  }, versionConflict('The order'));
}

/** @throws {PlatformError} ORDER_STATUS_CONFLICT */
export function refuseEnded({ id, state }: OrderRecord): void {
  if (state === 'pending' || state === 'placed') return;
  throw orderStatusConflict(id, state, 'reopen it first, or place a new one');
}

/** @throws {PlatformError} ORDER_STATUS_CONFLICT; AMENDMENT_PENDING: two would not know of each other */
export function refuseUnamendable(record: OrderRecord): void {
  refuseEnded(record);
  const { id, pendingAmendment } = record;
  if (pendingAmendment === undefined) return;
  throw amendmentPending(id, pendingAmendment.amendment.id, pendingAmendment.expiresAt.getTime());
}

/** A key without orders:write states no prices. */
export function mayStatePrices({ ofKey }: Actor): boolean {
  return ofKey === undefined;
}

/** An amendment without the order as it was before. */
export function shown({ before: _before, ...amendment }: AmendmentWithBefore) {
  return amendment;
}

/** A priced amendment, and what is claimed for it. */
interface Prepared {
  amendment: PricedAmendment;
  platformTotal: number;
  claims: RedemptionClaim[];
  tickets: TicketClaim[];
  offerings: ReadonlyMap<string, OfferingRecord>;
}

/** The amended order. Undefined if the order was changed since it was read. */
async function amendOnce(
  deps: AmendOrderDeps,
  by: Actor,
  record: OrderRecord,
  asked: AskedLines,
  input: AmendmentInput,
): Promise<OrderRecord | undefined> {
  if (input.mode === 'keep' && asked.added.length === 0 && !changesCodes(record, input)) {
    // Returning tickets at the prices that were paid needs no other service.
    return await write(
      deps,
      by.caller,
      record,
      changeOf(deps, by.caller, record, asked, input, kept(record, asked, input, mayStatePrices(by))),
    );
  }
  const { id, revision } = record;
  const attempt = new OrderAttempt(deps, by.caller, {
    id,
    number: numberOfRevision(by.caller.tenant, id, revision + 1),
    fingerprint: fingerprint(input).fingerprint,
    revision: revision + 1,
  });
  if (!(await attempt.enter())) return undefined;
  // The expired amendment's claims may still be held.
  if (record.lastAmendment?.state === 'expired') await followAmended(deps, by.caller, record);
  let change: Change;
  try {
    const prepared = await prepare(deps, by, record, asked, input, attempt);
    change = changeOf(deps, by.caller, record, asked, input, prepared);
  } catch (error) {
    // Another request may have got what this one was refused, and changed the order: then this one is judged again.
    const current = await leave(deps, by.caller, attempt, record);
    const isAsBefore = current.order.version === record.order.version && current.revision === record.revision;
    return isAsBefore ? throwAboutAmendment(error) : undefined;
  }
  // After an error here, the amendment may be written or not: its claims stay held until that is settled.
  const written = await write(deps, by.caller, record, change);
  if (written === undefined) await leave(deps, by.caller, attempt, record);
  else await attempt.releaseExcept(written);
  return written;
}

/** Rethrows another service's error with the field names of an amendment. */
export function throwAboutAmendment(error: unknown): never {
  throw error instanceof PlatformError ? aboutAmendment(error) : error;
}

/** An amendment that only returns tickets, at the prices that were paid. */
function kept(record: OrderRecord, asked: AskedLines, input: AmendmentInput, statesPrices: boolean): Prepared {
  const toPrice = amendmentToPrice(record, asked, input, { mayStatePrices: statesPrices, offerings: new Map() });
  const computed = amendmentOf(withoutStatedTotal(toPrice), keptGoods(toPrice));
  return { ...finalOf(record, toPrice, computed, input), claims: [], tickets: [], offerings: new Map() };
}

const RETURN = { mode: 'keep', chargeDifference: false } as const satisfies AmendmentInput;

function withoutLines({ order, amended }: OrderRecord, lineIds: readonly string[]): AskedLines {
  const asked = lineIds.map((lineId) => ({ lineId, quantity: 0 }));
  return askedLines(order.items, asked, amended.linesMade);
}

/** The refund for returning the tickets of some lines. @throws {PlatformError} as `returnTickets` */
export function refundOf(record: OrderRecord, lineIds: readonly string[]): number {
  return -kept(record, withoutLines(record, lineIds), RETURN, true).amendment.due;
}

/**
 * Returns the tickets of some lines of the order, not of all, at the prices that were paid. No caller waits, so only
 * the order's event tells the other services. Undefined if the order was changed.
 *
 * @throws {PlatformError} QUOTA_EXCEEDED, VALIDATION_FAILED, PRICE_CHANGED: the order then stays as it is
 */
export async function returnTickets(
  deps: Pick<AmendOrderDeps, 'orders' | 'amendments' | 'clock'>,
  by: Writer & Asking,
  record: OrderRecord,
  lineIds: readonly string[],
  callOff: NonNullable<AmendmentWithBefore['callOff']>,
): Promise<OrderRecord | undefined> {
  if (record.order.amendments === AMENDMENTS_MAX) throw orderAmendmentsFull(record.id);
  const asked = withoutLines(record, lineIds);
  const prepared = kept(record, asked, RETURN, true);
  return await store(deps, by, record, changeOf(deps, by, record, asked, { ...RETURN, callOff }, prepared));
}

/** Prices the amendment, and claims what it needs beyond what the order has. */
async function prepare(
  deps: AmendOrderDeps,
  by: Actor,
  record: OrderRecord,
  asked: AskedLines,
  input: AmendmentInput,
  attempt: OrderAttempt,
): Promise<Prepared> {
  const prepareOnce = async (): Promise<Prepared | undefined> => {
    const { offerings } = await offeringsOf(deps, by.caller, record, asked);
    const toPrice = amendmentToPrice(record, asked, input, { mayStatePrices: mayStatePrices(by), offerings });
    const request: ClaimRequest = {
      amend: { ...withoutStatedTotal(toPrice), mode: input.mode },
      tickets: ticketsFor(record, asked, offerings),
    };
    const { amended, tickets } = await attempt.claim(request);
    if (tickets?.changed !== undefined) {
      deps.offerings.learn(by.caller.tenant, tickets.changed);
      return undefined;
    }
    if (amended === undefined) throw new TypeError('an amendment was not priced');
    const { amendment, claims } = amended;
    return { ...finalOf(record, toPrice, amendment, input), claims, tickets: tickets?.claims ?? [], offerings };
  };
  return await retryOnConflict(prepareOnce, versionConflict('The order'));
}

/**
 * The offerings of an order and its amendment. `current`: only those that the amendment adds, as the catalogue has them
 * now, because the buyer will pay their current prices.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE
 */
export async function offeringsOf(
  { offerings }: Pick<AmendOrderDeps, 'offerings'>,
  caller: Caller,
  { order: { items } }: OrderRecord,
  { added }: AskedLines,
) {
  const [had, current] = await Promise.all([
    offerings.find(
      caller,
      items.flatMap(({ offeringId }) => offeringId ?? []),
    ),
    offerings.current(
      caller,
      added.map(({ offeringId }) => offeringId),
    ),
  ]);
  return { offerings: new Map<string, OfferingRecord>([...had, ...current]), current };
}

/** The tickets that an amendment adds. */
function ticketsFor(
  { order }: OrderRecord,
  { remaining, added }: AskedLines,
  offerings: ReadonlyMap<string, OfferingRecord>,
): ClaimRequest['tickets'] {
  if (added.length === 0) return undefined;
  const { id, email } = order.customer;
  return {
    customer: { id, email },
    items: added.map(({ index, offeringId, quantity }) => ({
      index,
      offeringId,
      quantity,
      version: offerings.get(offeringId)?.version ?? 0,
      besides: remainingOf(order.items, remaining, offeringId),
    })),
    exchanged: [...ticketsByEvent(returnedIn(order.items, remaining))].map(([eventId, quantity]) => ({
      eventId,
      quantity,
    })),
  };
}

/** The amendment with the stated total, if there is one; `computed` is without it. */
function finalOf(
  { order: { pricing } }: OrderRecord,
  toPrice: AmendmentToPrice,
  computed: PricedAmendment,
  { expectedTotal }: AmendmentInput,
): Pick<Prepared, 'amendment' | 'platformTotal'> {
  const amendment = withStatedTotal(toPrice, computed);
  const { total } = amendment.costs.after;
  if (expectedTotal !== undefined && expectedTotal !== total) {
    throw priceChanged({ expectedTotal, total, currency: toPrice.currency, path: 'expectedTotal' });
  }
  const isStated = pricing.source === 'stated';
  return { amendment, platformTotal: isStated ? pricing.total + computed.due : computed.costs.after.total };
}

/** What an amendment writes: at once, or as pending if it has a time to expire. */
type Change =
  | { applied: Parameters<OrderRepository['amend']>[2] }
  | { held: Parameters<OrderRepository['holdAmendment']>[2] };

/** @throws {PlatformError} VALIDATION_FAILED if the order with its former state is too large to be stored */
function changeOf(
  { clock }: Pick<AmendOrderDeps, 'clock'>,
  by: Writer & Asking,
  record: OrderRecord,
  asked: AskedLines,
  input: AmendmentInput & Pick<AmendmentWithBefore, 'callOff'>,
  { amendment, platformTotal, offerings, ...claimed }: Prepared,
): Change {
  const { order } = record;
  const returned = returnedIn(order.items, asked.remaining);
  const added = asked.added.map((line) => ({ ...line, eventId: offerings.get(line.offeringId)?.eventId }));
  const claims = [...keptRedemptions(record.claims, amendment.redemptions), ...claimed.claims];
  const tickets = [...keptTickets(record.tickets, { returned, added }), ...claimed.tickets];
  const seats = fewerSeats(record, input);
  const fields = amendedFields(record, amendment, {
    added: asked.added,
    codes: input.coupons ?? order.coupons.map(({ code }) => code),
    claims,
    tickets,
    offerings,
    seats,
    platformTotal,
  });
  const { items, costs, coupons } = order;
  const { expiresInSeconds } = input;
  const now = clock();
  const number = (order.amendments ?? 0) + 1;
  const last: Omit<AmendmentWithBefore, 'state'> = {
    id: by.attempt === undefined ? newId('amd') : `amd_${by.attempt.idSuffix}`,
    number,
    orderId: record.id,
    mode: input.mode,
    ...(input.reason === undefined ? {} : { reason: input.reason }),
    ...(input.callOff === undefined ? {} : { callOff: input.callOff }),
    ...(by.keyId === undefined ? {} : { actor: by.keyId }),
    created: now.toISOString(),
    ...shownAmendment(record, amendment, asked.added, seats),
    before: { items, costs, coupons },
  };
  if (expiresInSeconds === undefined) {
    const applied: AmendmentWithBefore = { ...last, state: 'applied', orderVersion: order.version + 1 };
    const amended = { ...fields.amended, last: applied };
    return refuseTooLarge(order, { applied: { ...fields, amended, amendments: number } });
  }
  const expiresAt = new Date(now.getTime() + expiresInSeconds * 1_000);
  const pending: AmendmentWithBefore = { ...last, state: 'pending', expiresAt: expiresAt.toISOString() };
  const held = {
    claims: [...record.claims, ...heldClaims(claimed.claims)],
    tickets: [...record.tickets, ...heldClaims(claimed.tickets)],
    amended: { ...record.amended, last: pending },
    amendments: number,
    pendingAmendment: { expiresAt, fields },
  };
  return refuseTooLarge(order, { held });
}

function refuseTooLarge(order: Order, change: Change): Change {
  const fields = 'held' in change ? change.held : change.applied;
  if (storedBytes({ ...order, ...fields }) <= DOCUMENT_BYTES_MAX) return change;
  throw invalidInput('items', 'make the order larger than one can be; place another order instead');
}

/** Writes the amendment. Undefined if the order was changed. */
async function store(
  { orders, amendments, clock }: Pick<AmendOrderDeps, 'orders' | 'amendments' | 'clock'>,
  by: Writer & Asking,
  record: OrderRecord,
  change: Change,
): Promise<OrderRecord | undefined> {
  await amendments.keepLast(by.tenant, record);
  return 'held' in change
    ? await orders.holdAmendment(by, record, change.held, clock())
    : await orders.amend(by, record, change.applied, clock());
}

/** Writes the amendment; if it is applied, releases what the order gives back. Undefined if the order was changed. */
async function write(
  deps: AmendOrderDeps,
  caller: Caller,
  record: OrderRecord,
  change: Change,
): Promise<OrderRecord | undefined> {
  const written = await store(deps, caller, record, change);
  if (written !== undefined && 'applied' in change) await followAmended(deps, caller, written);
  return written;
}

/** Tells the other services what an order has now. The order's event reaches those that miss this. */
export async function followAmended(deps: AmendOrderDeps, caller: Caller, amended: OrderRecord): Promise<void> {
  const { id: orderId, state, claims, tickets, order, revision: reopening } = amended;
  if (state !== 'pending' && state !== 'placed') return;
  const { cartSessionId: sessionId } = order;
  await Promise.all([
    deps.purchases.follow(caller, { orderId, standing: state, claims: [...claims] }),
    deps.tickets.follow(caller, { orderId, standing: state, claims: [...tickets] }),
    ...(sessionId === undefined ? [] : [deps.carts.followAmended(caller, { sessionId, orderId, reopening })]),
  ]);
}

/** Releases what an attempt holds and the order does not have. Returns the order as it is now. */
async function leave(
  deps: AmendOrderDeps,
  caller: Caller,
  attempt: OrderAttempt,
  { id, revision }: OrderRecord,
): Promise<OrderRecord> {
  const current = await currentOrder(deps, caller, id);
  await (current.revision <= revision ? attempt.leave() : attempt.releaseExcept(current));
  return current;
}

function isAlreadySo(
  record: OrderRecord,
  { remaining, added }: AskedLines,
  { costs = {}, ...input }: AmendmentInput,
): boolean {
  const { items, costs: current } = record.order;
  return (
    added.length === 0 &&
    items.every(({ lineId, quantity }) => remaining.get(lineId) === quantity) &&
    fewerSeats(record, input) === undefined &&
    !changesCodes(record, input) &&
    (['fees', 'tax', 'total'] as const).every((name) => (costs[name] ?? current[name]) === current[name])
  );
}

function changesCodes({ order }: OrderRecord, { coupons }: Pick<AmendmentInput, 'coupons'>): boolean {
  if (coupons === undefined) return false;
  const [had, has] = [order.coupons.map(({ code }) => codeKey(code)), coupons.map(codeKey)];
  return new Set(had).symmetricDifference(new Set(has)).size > 0;
}

/** How many tickets of an offering an order keeps. */
export function remainingOf(
  items: OrderRecord['order']['items'],
  remaining: ReadonlyMap<string, number>,
  offeringId: string,
): number {
  return items
    .filter((item) => item.offeringId === offeringId)
    .reduce((sum, { lineId }) => sum + (remaining.get(lineId) ?? 0), 0);
}

/** The tickets that an order returns. */
export function returnedIn(items: OrderRecord['order']['items'], remaining: ReadonlyMap<string, number>) {
  return items.flatMap(({ lineId, offeringId, eventId, quantity }) => {
    const returned = quantity - (remaining.get(lineId) ?? quantity);
    return offeringId === undefined || returned === 0 ? [] : [{ offeringId, eventId, quantity: returned }];
  });
}
