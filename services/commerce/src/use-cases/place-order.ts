import {
  type CheckoutReply,
  type Claim,
  type CodeResult,
  invalidInput,
  keyOfTenant,
  matchCode,
  type Order,
  type OrderCoupon,
  type OrderInput,
  orderNumberTaken,
  otherCompany,
  PlatformError,
  priceChanged,
  statedPriceDiffers,
} from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { type Caller, claimKey, newId, notShownYet, retryOnConflict } from '@event-commerce/service-kit';
import { fingerprint } from '../domain/fingerprint.ts';
import { type PricedOrder, priceOrder } from '../domain/order-costs.ts';
import { draftOrder, type OrderDraft, pricedLines } from '../domain/order-draft.ts';
import { redeemedBy } from '../domain/redeemed-by.ts';
import { searchTerms } from '../domain/search-terms.ts';
import type { Offerings } from '../offerings.ts';
import type { OrderDocument } from '../store/models.ts';
import { type OrderRecord, toOrder } from '../store/order-record.ts';
import type { OrderRepository } from '../store/order.repository.ts';
import { type AttemptDeps, type Granted, OrderAttempt, type Wanted } from './order-attempt.ts';

export interface PlaceOrderDeps extends AttemptDeps {
  orders: OrderRepository;
  offerings: Offerings;
  clock: () => Date;
}

/** Who places an order: may they state prices? */
export interface Buyer {
  caller: Caller;
  mayStatePrices: boolean;
}

export interface PlacedOrder {
  order: Order;
  /** Whether this order had been placed before, and is returned again. */
  repeated: boolean;
}

interface Sent {
  input: OrderInput;
  digest: string;
  characters: number;
}

/** Its modifiers may make an order larger than a document can be. */
const DOCUMENT_CHARACTERS_MAX = 8 * 1024 * 1024;
const MODIFIERS_WEIGHED = 5_000;

/**
 * Places an order: prices it, claims everything that it needs, and writes it together with its event: `order.placed` confirms the
 * claims, `order.pending` holds them. Repeating an order number with the same content returns the first order, even while that is
 * being placed: copies of an order share its claims and its id, and the first one written is the order.
 *
 * @throws {PlatformError} FORBIDDEN for another company; ORDER_NUMBER_TAKEN; PRICE_CHANGED; VALIDATION_FAILED for what cannot be priced;
 * the refusals of pricing, events and cart; SERVICE_UNAVAILABLE if one of them is needed and cannot be reached: then no order exists, and
 * nothing stays claimed
 */
export async function placeOrder(deps: PlaceOrderDeps, buyer: Buyer, input: OrderInput): Promise<PlacedOrder> {
  if (input.companyId !== buyer.caller.companyId) throw otherCompany('order.companyId');
  const sent = { input, ...fingerprint(input) };
  return await retryOnConflict(async (before) => placeOnce(deps, buyer, sent, before > 0), undone);
}

function undone(): PlatformError {
  return new PlatformError('SERVICE_UNAVAILABLE', 'Placing the order took too long and was undone; send it again.', {
    retryAfterSeconds: 1,
  });
}

/**
 * Undefined if it took so long that the order was declared void in the meantime, an offering was changed, or copies of the order have to
 * claim in turn.
 */
async function placeOnce(
  deps: PlaceOrderDeps,
  buyer: Buyer,
  sent: Sent,
  again: boolean,
): Promise<PlacedOrder | undefined> {
  const { caller } = buyer;
  const { input, digest, characters } = sent;
  const attempt = new OrderAttempt(deps, caller, {
    orderId: newId('ord'),
    key: claimKey('order number', keyOfTenant(caller.tenant), input.orderNumber),
    content: digest,
  });
  let ready: ReadyOrder | PlacedOrder | undefined;
  try {
    ready = await prepare(deps, buyer, sent, attempt, again);
  } catch (error) {
    await attempt.letGo();
    // A copy may have placed the order by now, with what this one was refused.
    const repeat = await findRepeat(deps, caller, sent);
    if (repeat === undefined) throw error;
    return repeat;
  }
  if (ready === undefined || 'repeated' in ready) {
    await attempt.letGo();
    return ready;
  }

  const document = documentOf(buyer, sent, ready, deps.clock());
  const { items, pricing } = document;
  const modifiers = items.reduce((sum, item) => sum + (item.modifiers?.length ?? 0), pricing?.modifiers.length ?? 0);
  if (modifiers > MODIFIERS_WEIGHED && JSON.stringify(document).length > DOCUMENT_CHARACTERS_MAX) {
    await attempt.letGo();
    throw invalidInput(
      'order.items',
      'have more price adjustments than one order can keep; split it into several orders',
    );
  }
  // After this error it is unknown whether the order was written: the claims stay, and are settled accordingly.
  const outcome = await deps.orders.insert(document, characters + 300 * items.length + 500 * modifiers);
  if (outcome === 'written') return { order: toOrder(document), repeated: false };
  if (outcome === 'void') {
    await attempt.letGo();
    return undefined;
  }
  const standing = await deps.orders.findByNumber(caller.tenant, input.orderNumber);
  if (standing === undefined) throw notShownYet();
  // A copy may have found other prices: claims outside the order's are released.
  await attempt.leaveTo(standing);
  return repeatOf(standing, sent);
}

/** An order that has everything it needs, and can be written. */
interface ReadyOrder {
  cart: CheckoutReply | undefined;
  draft: OrderDraft;
  granted: Granted;
  priced: PricedOrder;
}

/** The order, ready to be written; or the order that was placed before; undefined as of `placeOnce`. */
async function prepare(
  deps: PlaceOrderDeps,
  { caller, mayStatePrices }: Buyer,
  sent: Sent,
  attempt: OrderAttempt,
  again: boolean,
): Promise<ReadyOrder | PlacedOrder | undefined> {
  const { input } = sent;
  const { cartSessionId, items, expectedTotal } = input;
  const offeringIds = items.flatMap(({ offeringId }) => offeringId ?? []);
  // Whoever claims nothing needs no look-up: the write itself detects a repeat.
  const claims = cartSessionId !== undefined || items.length > 0 || redeemedBy(input).codes.length > 0;
  const [earlier, cart, catalogue] = await allOf([
    claims && !again ? findRepeat(deps, caller, sent) : undefined,
    cartSessionId === undefined ? undefined : attempt.checkOut(cartSessionId),
    offeringIds.length === 0 ? new Map() : deps.offerings.find(caller, offeringIds),
  ]);
  if (earlier !== undefined) return earlier;

  const inCart = deps.offerings.learn(caller.tenant, cart?.items.flatMap(({ offering }) => offering ?? []) ?? []);
  const known =
    inCart.length === 0 ? catalogue : new Map([...catalogue, ...inCart.map((one) => [one.id, one] as const)]);
  const draft = draftOrder(input, cart, known);
  const lines = pricedLines(draft, input.currency);
  const granted = await attempt.claim(wantedBy(input, draft, lines, mayStatePrices), again);
  if (granted === undefined) return undefined;
  if (granted.changed !== undefined) {
    deps.offerings.learn(caller.tenant, granted.changed);
    return undefined;
  }
  const indexes = lines.map(({ index }) => index);
  const priced = priceOrder(input, draft, indexes, granted.purchase ?? {});
  if (!mayStatePrices && priced.stated.length > 0) throw statedPriceDiffers(priced.stated);
  const { total, currency } = priced.costs;
  if (expectedTotal !== undefined && expectedTotal !== total) throw priceChanged({ expectedTotal, total, currency });
  return { cart, draft, granted, priced };
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
    offeringId === undefined || quantity === 0
      ? []
      : [{ index, offeringId, quantity, version: offering?.version ?? 0 }],
  );
  const pricing = lines.length > 0 || codes.length > 0 || adjustmentIds.length > 0;
  // Where amounts stand as they are stated, pricing cannot know what the order will cost.
  const charged =
    costs.total === undefined && costs.subtotal === undefined && items.every((one) => one.statedTotal === undefined);
  const expected = mayStatePrices && !charged ? undefined : (expectedTotal ?? costs.total);
  return {
    purchase: pricing
      ? {
          lines: lines.map(({ line }) => line),
          cartContext: {
            ...(customerId === undefined ? {} : { customerId }),
            ...(customerSegment === undefined ? {} : { customerSegment }),
            ...(channelId === undefined ? {} : { channelId }),
          },
          codes,
          adjustmentIds,
          charges: (costs.fees ?? 0) + (costs.tax ?? 0),
          ...(expected === undefined ? {} : { expectedTotal: expected }),
        }
      : undefined,
    tickets: tickets.length === 0 ? undefined : { items: tickets },
  };
}

function documentOf(
  { caller }: Buyer,
  { input, digest }: Sent,
  { cart, draft, granted, priced: { items, costs, pricing } }: ReadyOrder,
  now: Date,
): OrderDocument {
  const { expiresInSeconds, expectedTotal: _, customer, ...said } = input;
  const { customerId, customerSegment, channelId } = draft;
  const buyer = { ...customer, ...(customerId === undefined ? {} : { id: customerId }) };
  const coupons = couponsOf(input, granted.purchase?.codes ?? [], granted.claims);
  return {
    _id: granted.orderId,
    ...said,
    companyId: caller.tenant,
    customer: buyer,
    ...(customerSegment === undefined ? {} : { customerSegment }),
    ...(channelId === undefined ? {} : { channelId }),
    ...(cart?.tableCommitmentId === undefined ? {} : { tableCommitmentId: cart.tableCommitmentId }),
    items,
    costs,
    pricing,
    coupons,
    terms: searchTerms({ orderNumber: said.orderNumber, customer: buyer, items, coupons }),
    fingerprint: digest,
    placedBy: caller.keyId,
    claims: [...granted.claims],
    tickets: [...granted.tickets],
    version: 1,
    createdAt: now,
    changedAt: now,
    ...(expiresInSeconds === undefined ? {} : { expiresAt: new Date(now.getTime() + expiresInSeconds * 1000) }),
    outbox: [outboxEntry(said.status === 'pending' ? 'order.pending' : 'order.placed', now, caller)],
  };
}

async function findRepeat(deps: PlaceOrderDeps, caller: Caller, sent: Sent): Promise<PlacedOrder | undefined> {
  const stored = await deps.orders.findByNumber(caller.tenant, sent.input.orderNumber);
  return stored && repeatOf(stored, sent);
}

/** @throws {PlatformError} ORDER_NUMBER_TAKEN if the content of `stored` differs from what was sent */
function repeatOf(stored: OrderRecord, { input, digest }: Sent): PlacedOrder {
  if (stored.fingerprint === digest) return { order: stored.order, repeated: true };
  throw orderNumberTaken(input.orderNumber);
}

/** Every code of the order and its cart: with what it redeemed, or why it lost. */
function couponsOf(input: OrderInput, codes: readonly CodeResult[], claims: readonly Claim[]): OrderCoupon[] {
  const given = new Map(
    input.coupons.map((coupon) => {
      const whole = typeof coupon === 'string' ? { code: coupon } : coupon;
      return [matchCode(whole.code), whole] as const;
    }),
  );
  return codes.map((result) => {
    const { code: spelt, status: _, adjustmentId, ...why } = result;
    const code = matchCode(spelt);
    const redemptionId = claims.find((claim) => claim.adjustmentId === adjustmentId)?.redemptionId;
    return {
      ...given.get(code),
      code,
      ...(adjustmentId === undefined ? {} : { adjustmentId }),
      ...(redemptionId === undefined ? why : { redemptionId }),
    };
  });
}
