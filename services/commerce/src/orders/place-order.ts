import {
  type CheckedOut,
  type ErrorDetail,
  hasCode,
  invalidInput,
  type OfferingRecord,
  type Order,
  type OrderInput,
  orderNumberTaken,
  otherCompany,
  PlatformError,
  priceChanged,
  priceReasons,
  type Purchased,
  statedPriceDiffers,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { type Caller, newId, notShownYet, retryOnConflict } from '@event-commerce/service-kit';
import { fingerprint } from './domain/fingerprint.ts';
import { chargesOf, type PricedOrder, priceOrder } from './domain/order-costs.ts';
import { draftOrder, type OrderDraft, pricedLines, redeemedBy, refuseUnpriced } from './domain/order-draft.ts';
import type { OrderDocument } from '../models.ts';
import type { Offerings } from './offerings.ts';
import { type OrderRecord, toOrder } from './order-record.ts';
import type { OrderRepository } from './order.repository.ts';
import { type AttemptDeps, type ClaimRequest, OrderAttempt } from './order-attempt.ts';
import { charactersOf, orderDocument, type SentOrder } from './order-document.ts';
import { numberOf } from './order-number.repository.ts';

export interface PlaceOrderDeps extends AttemptDeps {
  orders: OrderRepository;
  offerings: Offerings;
  clock: () => Date;
}

/** Who places an order, and whether they may state prices. `placedBy`: the id of the caller's original key. */
interface Buyer {
  caller: Caller;
  placedBy: string;
  mayStatePrices: boolean;
}

interface PlacedOrder {
  order: Order;
  /** Whether this order was already placed, and is returned again. */
  repeated: boolean;
}

/**
 * Places an order: prices it, claims everything that it needs, and writes it together with its event: `order.placed`
 * confirms the claims, `order.pending` holds them. Repeating an order number with the same content returns the first
 * order, even while that is being placed: copies of an order have one id and share what it holds, and the first one
 * written is the order. `body`: the request as it was sent.
 *
 * @throws {PlatformError} FORBIDDEN for another company; ORDER_NUMBER_TAKEN; PRICE_CHANGED; VALIDATION_FAILED for what
 * cannot be priced; NOT_FOR_SALE for an offering without a price; the refusals of pricing, events and cart;
 * SERVICE_UNAVAILABLE if one of them is needed and cannot be reached: then no order exists, and its claims are released
 * at once, or when they lapse
 */
export async function placeOrder(
  deps: PlaceOrderDeps,
  buyer: Buyer,
  { input, body }: { input: OrderInput; body: unknown },
): Promise<PlacedOrder> {
  if (input.companyId !== buyer.caller.companyId) throw otherCompany('order.companyId');
  const sent = { input, ...fingerprint(body) };
  return await retryOnConflict(async () => placeOnce(deps, buyer, sent), tookTooLong);
}

/** Undefined if it took so long that its order id was declared void. */
async function placeOnce(deps: PlaceOrderDeps, buyer: Buyer, sent: SentOrder): Promise<PlacedOrder | undefined> {
  const { caller } = buyer;
  const { orderNumber } = sent.input;
  const attempt = new OrderAttempt(deps, caller, {
    id: newId('ord'),
    number: numberOf(caller.tenant, orderNumber),
    fingerprint: sent.fingerprint,
  });
  let prepared: OrderDocument | PlacedOrder;
  try {
    prepared = await prepare(deps, buyer, sent, attempt);
  } catch (error) {
    await attempt.leave();
    // A copy of the order may have got what this one was refused, and placed it by now.
    const repeat = await findRepeat(deps, caller, sent);
    if (repeat === undefined) throw error;
    return repeat;
  }
  if ('repeated' in prepared) {
    await attempt.leave();
    return prepared;
  }

  // After an error here it is unknown whether the order was written: what it holds stays held until that is settled.
  const outcome = await deps.orders.insert(prepared, charactersOf(prepared, sent));
  if (outcome === 'void') {
    await attempt.leaveVoid();
    return undefined;
  }
  if (outcome === 'written') {
    await attempt.releaseExcept(prepared);
    return { order: toOrder(prepared), repeated: false };
  }
  const standing = await deps.orders.findByNumber(caller.tenant, orderNumber);
  if (standing === undefined) throw notShownYet();
  // A concurrent copy may have found other prices; an earlier order may have another id.
  await (standing.id === attempt.orderId ? attempt.releaseExcept(standing) : attempt.leave());
  return repeatOf(standing, sent);
}

/** The order to write, with everything claimed; or the order that was placed before. */
async function prepare(
  deps: PlaceOrderDeps,
  buyer: Buyer,
  sent: SentOrder,
  attempt: OrderAttempt,
): Promise<OrderDocument | PlacedOrder> {
  const { caller } = buyer;
  const { cartSessionId, cartVersion, items } = sent.input;
  const offeringIds = items.flatMap(({ offeringId }) => offeringId ?? []);
  // An order that claims nothing needs no look-up: the write itself detects a repeat.
  const claimsAnything = cartSessionId !== undefined || items.length > 0 || redeemedBy(sent.input).codes.length > 0;
  const [earlier, , catalogue] = await allOf([
    claimsAnything ? findRepeat(deps, caller, sent) : undefined,
    claimsAnything ? attempt.enter() : undefined,
    deps.offerings.find(caller, offeringIds),
  ]);
  if (earlier !== undefined) return earlier;

  const cart = cartSessionId === undefined ? undefined : await checkOut(attempt, cartSessionId, cartVersion);
  let known = catalogue;
  return await retryOnConflict(async () => {
    const inCart = deps.offerings.learn(caller.tenant, cart?.items.flatMap(({ offering }) => offering ?? []) ?? []);
    const offerings = inCart.length === 0 ? known : new Map([...known, ...inCart.map((one) => [one.id, one] as const)]);
    try {
      const document = await priceAndClaim(deps, buyer, sent, attempt, { cart, offerings });
      if (document !== undefined) return document;
      known = await deps.offerings.find(caller, offeringIds);
    } catch (error) {
      const unknown = offeringIds.some((id) => !offerings.has(id));
      if (offeringIds.length === 0 || !mayBeOfOldVersions(error, unknown)) throw error;
      const current = await deps.offerings.find(caller, offeringIds, { afresh: true });
      if (offeringIds.every((id) => current.get(id)?.version === offerings.get(id)?.version)) throw error;
      known = current;
    }
    return undefined;
  }, tookTooLong);
}

/** The order at the prices of `offerings`, with everything claimed. Undefined if one of them has changed. */
async function priceAndClaim(
  deps: PlaceOrderDeps,
  { caller, placedBy, mayStatePrices }: Buyer,
  sent: SentOrder,
  attempt: OrderAttempt,
  { cart, offerings }: { cart: CheckedOut | undefined; offerings: ReadonlyMap<string, OfferingRecord> },
): Promise<OrderDocument | undefined> {
  const { input } = sent;
  const { expectedTotal } = input;
  const draft = draftOrder(input, cart, offerings);
  refuseUnpriced(draft, mayStatePrices);
  const lines = pricedLines(draft, input.currency);
  const { purchase, tickets } = await attempt.claim(neededBy(input, draft, lines, mayStatePrices));
  if (tickets?.changed !== undefined) {
    deps.offerings.learn(caller.tenant, tickets.changed);
    return undefined;
  }
  const indexes = lines.map(({ index }) => index);
  const priced = priceOrder(input, draft, indexes, purchase ?? {});
  if (!mayStatePrices && priced.stated.length > 0) throw statedPriceDiffers(priced.stated);
  const { total, currency } = priced.costs;
  if (expectedTotal !== undefined && expectedTotal !== total) {
    throw priceChanged({ expectedTotal, total, currency, reasons: reasonsOf(priced.stated, purchase?.price) });
  }
  const ready = { id: attempt.orderId, placedBy, draft, priced, purchase, tickets: tickets?.claims ?? [], cart };
  return orderDocument(caller, sent, ready, deps.clock());
}

function tookTooLong(): PlatformError {
  return tryAgainShortly('Placing the order took too long and was undone; send it again.');
}

/**
 * Whether `error` may refuse an order because of old versions of offerings. Not SOLD_OUT or CUSTOMER_LIMIT_REACHED,
 * which events decides by current versions. Nor NOT_FOR_SALE, unless an offering was unknown here.
 */
function mayBeOfOldVersions(error: unknown, unknownOfferings: boolean): boolean {
  if (!(error instanceof PlatformError) || error.statusCode >= 500) return false;
  if (error.code === 'SOLD_OUT' || error.code === 'CUSTOMER_LIMIT_REACHED') return false;
  return error.code !== 'NOT_FOR_SALE' || unknownOfferings;
}

async function checkOut(
  attempt: OrderAttempt,
  sessionId: string,
  cartVersion: number | undefined,
): Promise<CheckedOut> {
  try {
    return await attempt.checkOut(sessionId, { cartVersion });
  } catch (error) {
    if (!hasCode(error, 'CART_SESSION_NOT_FOUND')) throw error;
    throw invalidInput(
      'order.cartSessionId',
      `is ${sessionId}, and there is no such cart session: check the id, or send items; sessions expire when they are idle`,
    );
  }
}

/** The values of the promises. Waits for all of them, so that nothing is claimed after this has failed. */
async function allOf<T extends readonly unknown[]>(all: [...T]): Promise<{ -readonly [N in keyof T]: Awaited<T[N]> }> {
  const settled = await Promise.allSettled(all);
  const failed = settled.find((one): one is PromiseRejectedResult => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return (await Promise.all(all)) as { -readonly [N in keyof T]: Awaited<T[N]> };
}

/** What the order requests from pricing and events. */
function neededBy(
  { cartSessionId, costs, customer: { email }, expectedTotal }: OrderInput,
  { items, codes, adjustmentIds, customerId, customerSegment, channelId }: OrderDraft,
  lines: ReturnType<typeof pricedLines>,
  mayStatePrices: boolean,
): ClaimRequest {
  const tickets = items.flatMap(({ item: { offeringId, quantity }, offering }, index) =>
    offeringId === undefined ? [] : [{ index, offeringId, quantity, version: offering?.version ?? 0 }],
  );
  const needsPricing = lines.length > 0 || codes.length > 0 || adjustmentIds.length > 0;
  // Pricing cannot know what an order with stated amounts will cost.
  const isPricedByPlatform =
    costs.total === undefined && costs.subtotal === undefined && items.every((one) => one.statedTotal === undefined);
  const expected = mayStatePrices && !isPricedByPlatform ? undefined : (expectedTotal ?? costs.total);
  return {
    purchase: needsPricing
      ? {
          lines: lines.map(({ line }) => line),
          cartContext: {
            ...(cartSessionId === undefined ? {} : { clientRef: cartSessionId }),
            ...(customerId === undefined ? {} : { customerId }),
            customerEmail: email,
            ...(customerSegment === undefined ? {} : { customerSegment }),
            ...(channelId === undefined ? {} : { channelId }),
          },
          codes,
          adjustmentIds,
          charges: chargesOf(costs),
          ...(expected === undefined ? {} : { expectedTotal: expected }),
          ...(expected === expectedTotal ? {} : { expectedPath: 'order.costs.total' }),
        }
      : undefined,
    tickets: tickets.length === 0 ? undefined : { customer: { id: customerId, email }, items: tickets },
  };
}

/** Why an order with stated prices costs what it does: first the whole price, then each stated one. */
function reasonsOf(stated: PricedOrder['stated'], price: Purchased['price']): ErrorDetail[] {
  return [
    ...(price === undefined ? [] : priceReasons(price)),
    ...stated.map((one) => ({ ...one, message: `is stated as ${one.stated}; without that it is ${one.price}` })),
  ];
}

async function findRepeat(deps: PlaceOrderDeps, caller: Caller, sent: SentOrder): Promise<PlacedOrder | undefined> {
  const stored = await deps.orders.findByNumber(caller.tenant, sent.input.orderNumber);
  return stored && repeatOf(stored, sent);
}

/** @throws {PlatformError} ORDER_NUMBER_TAKEN if the content of `stored` differs from the request */
function repeatOf(stored: OrderRecord, sent: SentOrder): PlacedOrder {
  if (stored.fingerprint === sent.fingerprint) return { order: stored.order, repeated: true };
  throw orderNumberTaken(sent.input.orderNumber);
}
