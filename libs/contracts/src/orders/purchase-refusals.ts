import type { DropReason } from '../adjustments/conditions.ts';
import { type ErrorDetail, PlatformError, tryAgainShortly } from '../errors/errors.ts';
import { noRedemptionLeft, noLongerValid } from '../adjustments/redemption.ts';
import { type Refusal, refusal } from '../errors/refusal.ts';

/** The errors of a purchase: of orders, and of the tickets and redemptions that they claim. */

const NUMBER_TAKEN = [
  {
    path: 'order.orderNumber',
    message: 'is taken by an order with different content; use another number, or resend that content',
  },
];
export const orderNumberTaken = refusal(
  'ORDER_NUMBER_TAKEN',
  'The order number belongs to an order with other content.',
  (orderNumber: string) => ({
    message: `Order number ${orderNumber} is taken by an order with different content. Use another number, or resend that content.`,
    details: NUMBER_TAKEN,
  }),
  'SUMMER-1001',
);
export const orderBeingPlaced = refusal(
  'ORDER_NUMBER_TAKEN',
  'An order with this number and other content is being placed.',
  () => ({
    message: 'An order with this number but different content is being placed. Retry once it completes.',
    details: NUMBER_TAKEN,
    retryAfterSeconds: 1,
  }),
);

/** The order is so large that it waits for other large ones, and it waited too long. */
export function behindLargeOrders(): PlatformError {
  return tryAgainShortly('Other large orders of your company are being placed. Send the order again in a moment.');
}

/** The time is in milliseconds since the epoch. */
export const orderExpired = refusal(
  'ORDER_EXPIRED',
  'The order expired before it was confirmed, and released what it held.',
  (orderId: string, expiredAtMs: number) => ({
    message: `Order ${orderId} expired at ${new Date(expiredAtMs).toISOString()}. Reopen it, or place a new one.`,
  }),
  'ord_01k9q4m2x7f8vb3t6d5c0h0001',
  Date.UTC(2027, 4, 1, 18),
);
/** `hint`: what is possible instead. */
export const orderStatusConflict = refusal(
  'ORDER_STATUS_CONFLICT',
  "The order's status does not allow this.",
  (orderId: string, status: string, hint: string) => ({ message: `Order ${orderId} is ${status}: ${hint}.` }),
  'ord_01k9q4m2x7f8vb3t6d5c0h0001',
  'cancelled',
  'reopen it instead of confirming it',
);

interface UnavailableItem {
  offeringId: string;
  /** The item's index in the order. */
  index: number;
  /** The rest of a sentence that begins with the offering. */
  detail: string;
}
function unavailable(items: readonly (UnavailableItem & { left?: number })[]) {
  const sentences = items.map(({ offeringId, detail }) => `Offering ${offeringId} ${detail}`);
  return {
    message: `${[...new Set(sentences)].join('. ')}.`,
    details: items.map(({ index, detail, ...facts }) => ({
      path: `order.items[${index}]`,
      message: detail,
      ...facts,
    })),
  };
}
/** Why an item is sold out; `has`: what has so few tickets, as the rest of a sentence that begins with the offering. */
export function tooFewLeft(has: 'has' | 'belongs to an event that has', left: number, asked: number): string {
  const tickets = left === 0 ? 'no tickets' : left === 1 ? '1 ticket' : `${left} tickets`;
  return `${has} ${tickets} left, and the order asks for ${asked}`;
}
export const soldOut = refusal(
  'SOLD_OUT',
  'An offering, or its event, has fewer tickets left than the order asks for; `details` name each item with what is left.',
  (items: readonly (UnavailableItem & { left: number })[]) => unavailable(items),
  [{ offeringId: 'off_standing', index: 0, detail: 'has 1 ticket left, and the order asks for 2', left: 1 }],
);
/** A refusal that is not final: the caller may get what the others release. */
export function forNow({ message, details }: Pick<PlatformError, 'message' | 'details'>) {
  const why = 'Unconfirmed orders hold the rest and may release it. Try again in a moment.';
  return { message: `${message} ${why}`, details: details ?? [], retryAfterSeconds: 1 };
}
export const soldOutForNow = refusal(
  'SOLD_OUT',
  'Orders that are not confirmed yet hold the last tickets, and may release them. Try again in a moment.',
  (items: readonly (UnavailableItem & { left: number })[]) => forNow(unavailable(items)),
  [{ offeringId: 'off_standing', index: 0, detail: 'has no tickets left, and the order asks for 1', left: 0 }],
);
/** `left`: how many the customer may still have. */
export const customerLimitReached = refusal(
  'CUSTOMER_LIMIT_REACHED',
  'The customer has as many tickets of an offering, or of its event, as its `maxPerCustomer` allows, or would have more; `details` name each item with what is left for the customer.',
  (items: readonly (UnavailableItem & { left: number })[]) => unavailable(items),
  [
    {
      offeringId: 'off_standing',
      index: 0,
      detail: 'allows 4 tickets per customer; this one has 3, and the order asks for 2 more',
      left: 1,
    },
  ],
);
export const customerLimitReachedForNow = refusal(
  'CUSTOMER_LIMIT_REACHED',
  'Other orders of the customer that are being placed hold the last tickets that one customer may have, and may release them. Try again in a moment.',
  (items: readonly (UnavailableItem & { left: number })[]) => forNow(unavailable(items)),
  [
    {
      offeringId: 'off_standing',
      index: 0,
      detail: 'allows 4 tickets per customer; this one has 4, and the order asks for 1 more',
      left: 0,
    },
  ],
);
export const notForSale = refusal(
  'NOT_FOR_SALE',
  'An offering is inactive or outside its sale window, its event is over, or is a draft, cancelled, completed or archived, the order asks for more than its `maxPerOrder`, or an item has no price because its offering is not in the catalogue; `details` name each item.',
  (items: readonly UnavailableItem[]) => unavailable(items),
  [{ offeringId: 'off_standing', index: 0, detail: 'goes on sale at 2027-03-01T09:00:00.000Z' }],
);

/** An event of a pending order, with one of the order's offerings of it. */
interface CancelledEvent {
  eventId: string;
  offeringId: string;
}
export const eventCancelled = refusal(
  'NOT_FOR_SALE',
  'An event of the order was cancelled. That cancels the order too: refund the buyer.',
  (orderId: string, events: readonly CancelledEvent[]) => ({
    message: `${events.map(({ eventId }) => `Event ${eventId} was cancelled`).join('. ')}. Order ${orderId} is cancelled too: refund the buyer.`,
    details: events.map((one) => ({
      path: 'id',
      message: `has tickets for event ${one.eventId}, which was cancelled; refund the buyer`,
      ...one,
    })),
  }),
  'ord_01k9q4m2x7f8vb3t6d5c0h0001',
  [{ eventId: 'evt_summer_festival', offeringId: 'off_standing' }],
);
export const amendedEventCancelled = refusal(
  'NOT_FOR_SALE',
  'An event whose tickets the amendment adds was cancelled. That cancels the amendment too: refund the buyer.',
  (id: string, events: readonly CancelledEvent[]) => ({
    message: `${events.map(({ eventId }) => `Event ${eventId} was cancelled`).join('. ')}. Amendment ${id} is cancelled too: refund the buyer.`,
    details: events.map((one) => ({
      path: 'amendmentId',
      message: `adds tickets for event ${one.eventId}, which was cancelled; refund the buyer`,
      ...one,
    })),
  }),
  'amd_01h455vb4pex5vsknk084sn02q',
  [{ eventId: 'evt_summer_festival', offeringId: 'off_standing' }],
);

/** The key may only change and cancel what it holds for a buyer. */
export const onlyPendingOrders = refusal(
  'FORBIDDEN',
  'The key has `orders:checkout` without `orders:write`, and the order is not pending.',
  (orderId: string) => ({
    message: `Order ${orderId} is placed. Changing or cancelling a placed order needs the scope orders:write; orders:checkout is for pending ones.`,
  }),
  'ord_01k9q4m2x7f8vb3t6d5c0h0001',
);

export const cartEmpty = refusal(
  'NOT_FOR_SALE',
  'The order has no items of its own, and its cart session is empty.',
  (sessionId: string) => ({
    message: `Cart session ${sessionId} is empty. Add an item, then order it.`,
    details: [{ path: 'order.cartSessionId', message: 'is an empty session; add an item, then order it' }],
  }),
  'cart-ada-1',
);

interface NotRedeemable {
  adjustmentId: string;
  code?: string | undefined;
  reason: DropReason;
  /** The rest of a sentence that begins with the adjustment, `ended at ...`, or a sentence, `its budget has ...`. */
  detail: string;
  /** Where the request names it. */
  path: string;
}
const HAS_SUBJECT = /^(?:its|this|another) /;

function notRedeemable(about: NotRedeemable) {
  const { adjustmentId, code, reason, detail, path } = about;
  const subject = code === undefined ? `Adjustment ${adjustmentId}` : `Code ${code}`;
  return {
    message: `${subject} cannot be redeemed: ${HAS_SUBJECT.test(detail) ? detail : `it ${detail}`}.`,
    details: [{ path, message: detail, reason, detail, adjustmentId, ...(code === undefined ? {} : { code }) }],
  };
}
const SUMMER = { adjustmentId: 'adj_01k9q4m2x7f8vb3t6d5c0h0001', code: 'SUMMER20', path: 'order.coupons' };
const LIMIT_REACHED: NotRedeemable = {
  ...SUMMER,
  reason: 'redemption-limit-reached',
  detail: noRedemptionLeft({ allowed: 100, claimed: 100, wanted: 1 }),
};
export const redemptionLimitReached = refusal(
  'REDEMPTION_LIMIT_REACHED',
  'An adjustment of this order has reached its redemption limit, or its budget has too little left.',
  notRedeemable,
  LIMIT_REACHED,
);
export const redemptionLimitReachedForNow = refusal(
  'REDEMPTION_LIMIT_REACHED',
  'Orders that are not confirmed yet hold the last redemptions of an adjustment, and may release them. Try again in a moment.',
  (about: NotRedeemable) => forNow(notRedeemable(about)),
  LIMIT_REACHED,
);
/** Both, as described by an operation that names no code. */
export const LIMITS_BY_HAND = [redemptionLimitReached, redemptionLimitReachedForNow].map((kind) =>
  kind.shownWith({ ...LIMIT_REACHED, code: undefined, path: 'quantity' }),
);
export const adjustmentNotApplicable = refusal(
  'ADJUSTMENT_NOT_APPLICABLE',
  'A coupon code or adjustment does not apply to this order. `details` have the same `reason` and `detail` as an evaluation.',
  notRedeemable,
  { ...SUMMER, reason: 'ended', detail: noLongerValid(Date.UTC(2027, 8, 1), Date.UTC(2027, 8, 2, 10)) },
);

interface PriceChange {
  /** What the caller expected, and what the order costs: minor units, with fees and tax. */
  expectedTotal: number;
  total: number;
  currency: string;
  /** Where the order says what is expected. */
  path?: string | undefined;
  /** What makes the price now, and what no longer counts. */
  reasons?: readonly ErrorDetail[];
}
export const priceChanged = refusal(
  'PRICE_CHANGED',
  'The order does not cost what `expectedTotal` says. `details` have both totals, and say what makes the price now and what does not count.',
  ({ reasons = [], path = 'order.expectedTotal', ...totals }: PriceChange) => {
    const { expectedTotal, total, currency } = totals;
    const field = path.replace(/^order\./, '');
    return {
      message: `The order now costs ${total}, not ${expectedTotal} as ${field} says (minor units of ${currency}). Show the buyer the new total.`,
      details: [
        {
          path,
          message: `is ${expectedTotal}, and the order costs ${total}; show the buyer the new total`,
          ...totals,
        },
        ...reasons,
      ],
    };
  },
  { expectedTotal: 8_000, total: 10_000, currency: 'EUR' },
);

interface StatedPrice {
  /** Where the request states it. */
  path: string;
  stated: number;
  price: number;
}
export const statedPriceDiffers = refusal(
  'PRICE_CHANGED',
  'The key has `orders:checkout` without `orders:write`, and a price that the order states is not the one that it costs.',
  (differing: readonly StatedPrice[]) => ({
    message: `This key cannot set prices: ${differing.map(({ path, stated, price }) => `${path} is ${stated}, and the price is ${price}`).join('; ')}. Leave it out, and send expectedTotal.`,
    details: differing.map((one) => ({
      ...one,
      message: `is ${one.stated}, and the price is ${one.price}; leave it out, and send expectedTotal`,
    })),
  }),
  [{ path: 'order.items[0].unitPrice', stated: 4_000, price: 5_000 }],
);
export const heldByOrder = refusal(
  'REDEMPTION_HELD_BY_ORDER',
  'An order placed here uses the redemption. Cancel the order instead.',
  (orderId: string) => ({
    message: `Order ${orderId} uses this redemption. Cancel the order to release it.`,
    details: [{ path: 'redemptionId', message: `is used by order ${orderId}; cancel the order`, orderId }],
  }),
  'ord_01k9q4m2x7f8vb3t6d5c0h0007',
);

/** A refusal of something in an order, for a request that only names the order by its `id`. */
export function aboutOrder(refused: PlatformError): PlatformError {
  const { code, message, details = [], retryAfterSeconds } = refused;
  return new PlatformError(code, message, {
    details: details.map((detail) => ({ ...detail, path: 'id' })),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: refused,
  });
}

/** A refusal of something in an order, for a request to amend it, whose body has what an order has as `order`. */
export function aboutAmendment(refused: PlatformError): PlatformError {
  const { code, message, details, retryAfterSeconds } = refused;
  const own = (text: string) => text.replace(/^order\./, '');
  return new PlatformError(code, own(message), {
    ...(details === undefined ? {} : { details: details.map((detail) => ({ ...detail, path: own(detail.path) })) }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: refused,
  });
}

/** How the documents show refusals that are told in another way. */
const shownAs =
  (told: (refused: PlatformError) => PlatformError) =>
  ({ code, when, example }: Refusal): Refusal => ({ code, when, example: () => told(example()) });
export const shownAboutOrder = shownAs(aboutOrder);
export const shownAboutAmendment = shownAs(aboutAmendment);

export const repriceUnavailable = refusal(
  'REPRICE_UNAVAILABLE',
  'The order cannot be priced again: its prices were stated, nothing in it had a price, or more adjustments apply to it than an order keeps.',
  (orderId: string, isStated: boolean) => {
    const why = isStated ? 'its prices were stated' : 'nothing in it had a price, or too many adjustments apply to it';
    return { message: `Order ${orderId} cannot be priced again: ${why}. Use mode keep.` };
  },
  'ord_01h455vb4pex5vsknk084sn02q',
  true,
);
