import {
  type CheckoutReply,
  type ErrorDetail,
  hasCode,
  invalidInput,
  keyOfTenant,
  type Order,
  type OrderInput,
  orderNumberTaken,
  otherCompany,
  PlatformError,
  priceChanged,
  priceReasons,
  type PurchaseReply,
  statedPriceDiffers,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { type Caller, claimKey, newId, notShownYet, retryOnConflict } from '@event-commerce/service-kit';
import { fingerprint } from './domain/fingerprint.ts';
import { chargesOf, type PricedOrder, priceOrder } from './domain/order-costs.ts';
import { draftOrder, type OrderDraft, pricedLines, redeemedBy, refuseUnpriced } from './domain/order-draft.ts';
import type { Offerings } from './offerings.ts';
import { type OrderRecord, toOrder } from './order-record.ts';
import type { OrderRepository } from './order.repository.ts';
import { type AttemptDeps, type Divided, OrderAttempt, type Wanted } from './order-attempt.ts';
import { orderDocument, type SentOrder, type WeighedOrder } from './order-document.ts';

export interface PlaceOrderDeps extends AttemptDeps {
  orders: OrderRepository;
  offerings: Offerings;
  clock: () => Date;
}

/** Who places an order, and whether they may state prices. `placedBy`: the original of the caller's key. */
interface Buyer {
  caller: Caller;
  placedBy: string;
  mayStatePrices: boolean;
}

interface PlacedOrder {
  order: Order;
  /** Whether this order had been placed before, and is returned again. */
  repeated: boolean;
}

/**
 * Places an order: prices it, claims everything that it needs, and writes it together with its event: `order.placed`
 * confirms the claims, `order.pending` holds them. Repeating an order number with the same content returns the first
 * order, even while that is being placed: copies of an order share its claims and its id, and the first one written is
 * the order.
 *
 * @throws {PlatformError} FORBIDDEN for another company; ORDER_NUMBER_TAKEN; PRICE_CHANGED; VALIDATION_FAILED for what
 * cannot be priced; NOT_FOR_SALE for an offering without a price; the refusals of pricing, events and cart;
 * SERVICE_UNAVAILABLE if one of them is needed and cannot be reached: then no order exists, and nothing stays claimed
 */
export async function placeOrder(deps: PlaceOrderDeps, buyer: Buyer, input: OrderInput): Promise<PlacedOrder> {
  if (input.companyId !== buyer.caller.companyId) throw otherCompany('order.companyId');
  const sent = { input, ...fingerprint(input) };
  let again: Again | undefined;
  return await retryOnConflict(
    async () => {
      const outcome = await placeOnce(deps, buyer, sent, again);
      if ('order' in outcome) return outcome;
      again = outcome;
      return undefined;
    },
    () => tryAgainShortly('Placing the order took too long and was undone; send it again.'),
  );
}

/** An offering was changed meanwhile, or copies of the order have to claim in turn. */
type Again = { kind: 'again' } & Partial<Divided>;

type Prepared = ({ kind: 'new' } & WeighedOrder) | { kind: 'repeat'; placed: PlacedOrder } | Again;

/** One attempt. `Again` also if it took so long that its order id was declared void. */
async function placeOnce(
  deps: PlaceOrderDeps,
  buyer: Buyer,
  sent: SentOrder,
  again?: Again,
): Promise<PlacedOrder | Again> {
  const { caller } = buyer;
  const attempt = new OrderAttempt(deps, caller, {
    orderId: again?.nextFor ?? newId('ord'),
    key: claimKey('order number', keyOfTenant(caller.tenant), sent.input.orderNumber),
    fingerprint: sent.fingerprint,
  });
  let prepared: Prepared;
  try {
    prepared = await prepare(deps, buyer, sent, attempt, again !== undefined);
  } catch (error) {
    await attempt.letGo();
    // A copy may have placed the order by now, with what this one was refused.
    const repeat = await findRepeat(deps, caller, sent);
    if (repeat === undefined) throw error;
    return repeat;
  }
  if (prepared.kind !== 'new') {
    await attempt.letGo();
    return prepared.kind === 'repeat' ? prepared.placed : prepared;
  }

  const { document, characters } = prepared;
  // After this error it is unknown whether the order was written: the claims stay, and are settled accordingly.
  const outcome = await deps.orders.insert(document, characters);
  if (outcome === 'written') return { order: toOrder(document), repeated: false };
  if (outcome === 'void') {
    await attempt.letGo();
    return { kind: 'again' };
  }
  const standing = await deps.orders.findByNumber(caller.tenant, sent.input.orderNumber);
  if (standing === undefined) throw notShownYet();
  // A copy may have found other prices: claims outside the order's are released.
  await attempt.leaveTo(standing);
  return repeatOf(standing, sent);
}

/** The order as it is to be written, with everything claimed; or the order that was placed before. */
async function prepare(
  deps: PlaceOrderDeps,
  { caller, placedBy, mayStatePrices }: Buyer,
  sent: SentOrder,
  attempt: OrderAttempt,
  again: boolean,
): Promise<Prepared> {
  const { input } = sent;
  const { cartSessionId, cartVersion, items, expectedTotal } = input;
  const offeringIds = items.flatMap(({ offeringId }) => offeringId ?? []);
  // Whoever claims nothing needs no look-up: the write itself detects a repeat.
  const claimsAnything = cartSessionId !== undefined || items.length > 0 || redeemedBy(input).codes.length > 0;
  const [earlier, cart, catalogue] = await allOf([
    claimsAnything && !again ? findRepeat(deps, caller, sent) : undefined,
    cartSessionId === undefined ? undefined : checkOut(attempt, cartSessionId, cartVersion),
    offeringIds.length === 0 ? new Map() : deps.offerings.find(caller, offeringIds),
  ]);
  if (earlier !== undefined) return { kind: 'repeat', placed: earlier };

  const inCart = deps.offerings.learn(caller.tenant, cart?.items.flatMap(({ offering }) => offering ?? []) ?? []);
  const known =
    inCart.length === 0 ? catalogue : new Map([...catalogue, ...inCart.map((one) => [one.id, one] as const)]);
  try {
    const draft = draftOrder(input, cart, known);
    refuseUnpriced(draft, mayStatePrices);
    const lines = pricedLines(draft, input.currency);
    const granted = await attempt.claim(wantedBy(input, draft, lines, mayStatePrices), again);
    if ('nextFor' in granted) return { kind: 'again', ...granted };
    if (granted.changed !== undefined) {
      deps.offerings.learn(caller.tenant, granted.changed);
      return { kind: 'again' };
    }
    const indexes = lines.map(({ index }) => index);
    const priced = priceOrder(input, draft, indexes, granted.purchase ?? {});
    if (!mayStatePrices && priced.stated.length > 0) throw statedPriceDiffers(priced.stated);
    const { total, currency } = priced.costs;
    if (expectedTotal !== undefined && expectedTotal !== total) {
      const reasons = reasonsOf(priced.stated, granted.purchase?.price);
      throw priceChanged({ expectedTotal, total, currency, reasons });
    }
    return { kind: 'new', ...orderDocument(caller, sent, { placedBy, draft, priced, granted, cart }, deps.clock()) };
  } catch (error) {
    const unknown = offeringIds.some((id) => !known.has(id));
    if (offeringIds.length === 0 || !mayBeOfOldVersions(error, unknown)) throw error;
    const current = await deps.offerings.find(caller, offeringIds, { afresh: true });
    if (offeringIds.every((id) => current.get(id)?.version === known.get(id)?.version)) throw error;
    return { kind: 'again' };
  }
}

/**
 * Whether old versions of offerings may be why `error` refuses an order. Not SOLD_OUT, for which events judged the
 * current ones, nor NOT_FOR_SALE, unless an offering was unknown here.
 */
function mayBeOfOldVersions(error: unknown, unknownOfferings: boolean): boolean {
  if (!(error instanceof PlatformError) || error.statusCode >= 500) return false;
  return error.code !== 'SOLD_OUT' && (error.code !== 'NOT_FOR_SALE' || unknownOfferings);
}

async function checkOut(
  attempt: OrderAttempt,
  sessionId: string,
  cartVersion: number | undefined,
): Promise<CheckoutReply> {
  try {
    return await attempt.checkOut(sessionId, { cartVersion });
  } catch (error) {
    if (!hasCode(error, 'CART_SESSION_NOT_FOUND')) throw error;
    throw invalidInput('order.cartSessionId', `is ${sessionId}, and there is no such cart session`);
  }
}

/** The values of promises that all run to their end, so that nothing is taken after this failed. */
async function allOf<T extends readonly unknown[]>(all: [...T]): Promise<{ -readonly [N in keyof T]: Awaited<T[N]> }> {
  const settled = await Promise.allSettled(all);
  const failed = settled.find((one): one is PromiseRejectedResult => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return (await Promise.all(all)) as { -readonly [N in keyof T]: Awaited<T[N]> };
}

function wantedBy(
  { costs, expectedTotal }: OrderInput,
  { items, codes, adjustmentIds, customerId, customerSegment, channelId }: OrderDraft,
  lines: ReturnType<typeof pricedLines>,
  mayStatePrices: boolean,
): Wanted {
  const tickets = items.flatMap(({ item: { offeringId, quantity }, offering }, index) =>
    offeringId === undefined ? [] : [{ index, offeringId, quantity, version: offering?.version ?? 0 }],
  );
  const needsPricing = lines.length > 0 || codes.length > 0 || adjustmentIds.length > 0;
  // Where amounts stand as they are stated, pricing cannot know what the order will cost.
  const isPricedByPlatform =
    costs.total === undefined && costs.subtotal === undefined && items.every((one) => one.statedTotal === undefined);
  const expected = mayStatePrices && !isPricedByPlatform ? undefined : (expectedTotal ?? costs.total);
  return {
    purchase: needsPricing
      ? {
          lines: lines.map(({ line }) => line),
          cartContext: {
            ...(customerId === undefined ? {} : { customerId }),
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
    tickets: tickets.length === 0 ? undefined : { items: tickets },
  };
}

/** Why an order with prices of the caller's costs what it does: the price that they are part of, then each of them. */
function reasonsOf(stated: PricedOrder['stated'], price: PurchaseReply['price']): ErrorDetail[] {
  return [
    ...(price === undefined ? [] : priceReasons(price)),
    ...stated.map((one) => ({ ...one, message: `is stated as ${one.stated}; without that it is ${one.price}` })),
  ];
}

async function findRepeat(deps: PlaceOrderDeps, caller: Caller, sent: SentOrder): Promise<PlacedOrder | undefined> {
  const stored = await deps.orders.findByNumber(caller.tenant, sent.input.orderNumber);
  return stored && repeatOf(stored, sent);
}

/** @throws {PlatformError} ORDER_NUMBER_TAKEN if the content of `stored` differs from what was sent */
function repeatOf(stored: OrderRecord, sent: SentOrder): PlacedOrder {
  if (stored.fingerprint === sent.fingerprint) return { order: stored.order, repeated: true };
  throw orderNumberTaken(sent.input.orderNumber);
}
