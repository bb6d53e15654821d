import type { DropReason } from './conditions.ts';
import type { ErrorCode, ErrorDetail } from './errors.ts';
import { QUOTAS, type QuotaName } from './quota.ts';
import { noRedemptionLeft, noLongerValid } from './redemption.ts';
import { refusal } from './refusal.ts';

/** The errors of single operations. What any request can meet is in `general-refusals.ts`. */

function notFound(code: ErrorCode, noun: string, example: string, when = `The company has no ${noun} of this id.`) {
  return refusal(code, when, (id: string) => ({ message: `There is no ${noun} ${id}.` }), example);
}

export const couponNotFound = notFound('COUPON_NOT_FOUND', 'coupon', 'cpn_unknown');
export const adjustmentNotFound = notFound('ADJUSTMENT_NOT_FOUND', 'adjustment', 'adj_unknown');
export const orderNotFound = notFound('ORDER_NOT_FOUND', 'order', 'ord_unknown');
export const eventNotFound = notFound('EVENT_NOT_FOUND', 'event', 'evt_unknown');
export const seriesNotFound = notFound('SERIES_NOT_FOUND', 'event series', 'evt_unknown');
export const offeringNotFound = notFound('OFFERING_NOT_FOUND', 'offering', 'off_unknown');
export const tableNotFound = notFound('TABLE_COMMITMENT_NOT_FOUND', 'table commitment', 'tbl_unknown');
export const sessionNotFound = notFound(
  'CART_SESSION_NOT_FOUND',
  'cart session',
  'cs_unknown',
  'The company has no cart session of this id, or it has expired.',
);

export const instanceNotFound = refusal(
  'INSTANCE_NOT_FOUND',
  'The series has no instance of this id.',
  (seriesId: string, id: string) => ({ message: `Series ${seriesId} has no instance ${id}.` }),
  'evt_1',
  'evt_unknown',
);
export const groupNotFound = refusal(
  'PURCHASE_GROUP_NOT_FOUND',
  'The event has no purchase group of this id.',
  (id: string) => ({ message: `This event has no purchase group ${id}.` }),
  'pg_unknown',
);
export const redemptionNotFound = refusal(
  'REDEMPTION_NOT_FOUND',
  'The adjustment has no redemption of this id.',
  (adjustmentId: string, id: string) => ({ message: `Adjustment ${adjustmentId} has no redemption ${id}.` }),
  'adj_1',
  'rdm_unknown',
);
export const keyNotFound = refusal(
  'API_KEY_NOT_FOUND',
  'There is no API key of this id that yours can manage.',
  () => ({ message: 'There is no API key with this id.' }),
);

export const alreadyExists = refusal(
  'ALREADY_EXISTS',
  'The id is taken by another record of the company.',
  (noun: string, id: string, cause?: unknown) => ({
    message: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id} already exists.`,
    details: [{ path: 'id', message: `is the id of another ${noun}; change that one or choose another id` }],
    cause,
  }),
  'offering',
  'off_standing',
);

export const changedByOthers = refusal(
  'VERSION_CONFLICT',
  'Others kept changing the record. Try again.',
  (what: string) => ({
    message: `${what} is being changed by others; read it and try again.`,
    retryAfterSeconds: 1,
  }),
  'The record',
);

/** `what`: `cart session`. `version`: undefined if there is none. */
export const otherVersion = refusal(
  'VERSION_CONFLICT',
  'The record is not at a version that `If-Match` names.',
  (what: string, version: number | undefined) => {
    const now = version === undefined ? 'it does not exist' : `it is at version ${version}`;
    return {
      message: `The ${what} is not what If-Match expects: ${now}. Read it and try again.`,
      details: [{ path: 'If-Match', message: now, ...(version === undefined ? {} : { version }) }],
    };
  },
  'cart session',
  3,
);
export const keyNotRotatable = refusal(
  'VERSION_CONFLICT',
  'The key was already rotated or revoked, or has expired.',
  () => ({ message: 'This key was already rotated or revoked, or has expired.' }),
);

/** `path`: where the request has the code. */
export const codeTaken = refusal(
  'COUPON_CODE_TAKEN',
  'Another active coupon or adjustment of the company has the code.',
  (code: string, path: string, cause?: unknown) => ({
    message: `The code ${code} is already held by another active coupon or adjustment.`,
    details: [{ path, message: 'is held by another active coupon or adjustment; archive that or choose another' }],
    cause,
  }),
  'SUMMER20',
  'code',
);

const NUMBER_TAKEN = [
  { path: 'order.orderNumber', message: 'is taken; choose another, or send the same content again' },
];
export const orderNumberTaken = refusal(
  'ORDER_NUMBER_TAKEN',
  'The order number belongs to an order with other content.',
  (orderNumber: string) => ({
    message: `Order number ${orderNumber} belongs to an order with other content.`,
    details: NUMBER_TAKEN,
  }),
  'SUMMER-1001',
);
export const orderBeingPlaced = refusal(
  'ORDER_NUMBER_TAKEN',
  'An order with this number and other content is being placed.',
  (isPlaced: boolean) => ({
    message: isPlaced
      ? 'An order with this number has just been placed.'
      : 'An order with this number and other content is being placed.',
    details: NUMBER_TAKEN,
  }),
  false,
);

/** Milliseconds since the epoch. */
export const orderExpired = refusal(
  'ORDER_EXPIRED',
  'The order expired before it was confirmed, and gave back what it held.',
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

/** `path`: where the request names the company. */
export const otherCompany = refusal(
  'FORBIDDEN',
  'The body names another company than that of the key.',
  (path: string) => ({
    message: `${path} is not the company of this API key.`,
    details: [{ path, message: 'is not the company of this API key; leave it out or send that one' }],
  }),
  'order.companyId',
);

interface UnavailableItem {
  offeringId: string;
  /** The item's place in the order. */
  index: number;
  /** To be read after the offering. */
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
export const soldOut = refusal(
  'SOLD_OUT',
  'An offering, or its event, has fewer tickets left than the order asks for; `details` name each item with what is left.',
  (items: readonly (UnavailableItem & { left: number })[]) => unavailable(items),
  [{ offeringId: 'off_standing', index: 0, detail: 'has 1 ticket left, and the order asks for 2', left: 1 }],
);
export const notForSale = refusal(
  'NOT_FOR_SALE',
  'An offering is inactive, outside its sale window, or the order asks for more than its `maxPerOrder`; `details` name each item.',
  (items: readonly UnavailableItem[]) => unavailable(items),
  [{ offeringId: 'off_standing', index: 0, detail: 'is sold from 2027-03-01T09:00:00.000Z on' }],
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
  /** To be read after the adjustment: `ended at ...`. */
  detail: string;
  /** Where the request asks for it. */
  path: string;
}
function notRedeemable(about: NotRedeemable) {
  const { adjustmentId, code, reason, detail, path } = about;
  const subject = code === undefined ? `Adjustment ${adjustmentId}` : `Code ${code}`;
  return {
    message: `${subject} cannot be redeemed: it ${detail}.`,
    details: [{ path, message: detail, reason, adjustmentId, ...(code === undefined ? {} : { code }) }],
  };
}
const SUMMER = { adjustmentId: 'adj_01k9q4m2x7f8vb3t6d5c0h0001', code: 'SUMMER20', path: 'order.coupons' };
export const LIMIT_REACHED: NotRedeemable = {
  ...SUMMER,
  reason: 'redemption-limit-reached',
  detail: noRedemptionLeft({ allowed: 100, claimed: 100, wanted: 1 }),
};
export const redemptionLimitReached = refusal(
  'REDEMPTION_LIMIT_REACHED',
  'A cap of what is to be redeemed is reached.',
  notRedeemable,
  LIMIT_REACHED,
);
export const adjustmentNotApplicable = refusal(
  'ADJUSTMENT_NOT_APPLICABLE',
  'What the order is to redeem does not count for it; `details` have the `reason` that an evaluation gives.',
  notRedeemable,
  { ...SUMMER, reason: 'ended', detail: noLongerValid(Date.UTC(2027, 8, 1), Date.UTC(2027, 8, 2, 10)) },
);

interface PriceChange {
  /** What the caller expected, and what the order costs: minor units, with fees and tax. */
  expectedTotal: number;
  total: number;
  currency: string;
  /** What makes the price now, and what does not count any more. */
  reasons?: readonly ErrorDetail[];
}
export const priceChanged = refusal(
  'PRICE_CHANGED',
  'The order does not cost what `expectedTotal` says. `details` have both totals, and say what makes the price now and what does not count.',
  ({ reasons = [], ...totals }: PriceChange) => {
    const { expectedTotal, total, currency } = totals;
    return {
      message: `The order costs ${total} now, and expectedTotal is ${expectedTotal} (minor units of ${currency}).`,
      details: [
        {
          path: 'order.expectedTotal',
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
    message: `This key cannot set prices: ${differing.map(({ path, stated, price }) => `${path} is ${stated}, and the price is ${price}`).join('; ')}.`,
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
    message: `Order ${orderId} uses this redemption. Cancel the order to give it back.`,
    details: [{ path: 'redemptionId', message: `is used by order ${orderId}; cancel the order`, orderId }],
  }),
  'ord_01k9q4m2x7f8vb3t6d5c0h0007',
);

/** `path`: where the request names the session. */
export const cartAlreadyOrdered = refusal(
  'CART_ALREADY_ORDERED',
  'The cart session makes one order, and `details` name the order that it made.',
  (sessionId: string, orderId: string, path: string) => ({
    message: `Cart session ${sessionId} has become order ${orderId}. Open a new session, or cancel the order.`,
    details: [{ path, message: `is the session of order ${orderId}; open a new one, or cancel the order`, orderId }],
  }),
  'cart-ada-1',
  'ord_01k9q4m2x7f8vb3t6d5c0h0007',
  'id',
);
export const cartBeingOrdered = refusal(
  'CART_ALREADY_ORDERED',
  'An order of the cart session is being placed. Try again when it was placed or refused.',
  (sessionId: string, orderId: string, path: string) => ({
    message: `Cart session ${sessionId} is being ordered, as order ${orderId}. Try again in a moment.`,
    details: [{ path, message: `is being ordered, as order ${orderId}; try again in a moment`, orderId }],
    retryAfterSeconds: 1,
  }),
  'cart-ada-1',
  'ord_01k9q4m2x7f8vb3t6d5c0h0007',
  'id',
);

/** Why a session cannot take a seat, as a sentence. */
export const joinRefusals = {
  otherContext: (table: string, its: string, own: string) =>
    `Table ${table} is for ${its}, and this session is for ${own}.`,
  closed: (table: string) => `Table ${table} is closed.`,
  full: (table: string, seats: number) => `All ${seats} seats of table ${table} are taken.`,
  left: (table: string) =>
    `The cart session has left table ${table}. Join it with the session again, then reopen the order.`,
  elsewhere: (table: string) => `This session has already joined table ${table}, and a session can join only one.`,
};
export const tableNotJoinable = refusal(
  'TABLE_NOT_JOINABLE',
  'The table is full, closed or for another context, or the session sits elsewhere.',
  (why: string) => ({ message: why, details: [{ path: 'tableCommitmentId', message: why }] }),
  joinRefusals.full('table-7', 8),
);

/** `used`: how much the company keeps already. */
export const quotaExceeded = refusal(
  'QUOTA_EXCEEDED',
  'The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.',
  (name: QuotaName, unit: 'count' | 'bytes', limit: number, used: number) => {
    const { what, relief } = QUOTAS[name];
    const shown = limit.toLocaleString('en');
    const most = unit === 'count' ? `at most ${shown} ${what}` : `${what} of at most ${shown} bytes together`;
    return {
      message: `Your company may have ${most}. ${relief}, or ask the operator to raise the quota ${name}.`,
      details: [{ path: name, message: `may be ${most}`, quota: name, unit, limit, used }],
    };
  },
  'offerings',
  'count',
  1_000_000,
  1_000_000,
);
export const tooManyKeys = refusal(
  'QUOTA_EXCEEDED',
  'The company has as many API keys that work as it may have.',
  (most: number) => ({
    message: `The company has ${most} API keys that work, and may have no more (quota apiKeys). Revoke keys that you no longer need.`,
  }),
  100,
);
const CACHE = 'ADJUSTMENT_CACHE_MB';
export const adjustmentsTooLarge = refusal(
  'QUOTA_EXCEEDED',
  "The company's active and scheduled adjustments take more memory than one company may have.",
  () => ({
    message: `Your active and scheduled adjustments need more memory than one company may have (${CACHE}). Archive those that you no longer need, or ask the operator to raise it.`,
    details: [{ path: 'pricing.adjustments', message: `exceed the quota ${CACHE}`, quota: CACHE }],
  }),
);

export const otherCompanysKeys = refusal('FORBIDDEN', '`companyId` is not that of the key.', () => ({
  message: 'Your key administers the keys of its own company only.',
}));
export const otherWorldsKeys = refusal(
  'FORBIDDEN',
  '`environment` is not that of the key.',
  (environment: string) => ({
    message: `Your key is a ${environment} key and administers ${environment} keys only.`,
  }),
  'live',
);
export const scopeNotHeld = refusal(
  'FORBIDDEN',
  'The new key would have more than the key that asks: a scope, a rate limit or a longer life.',
  (missing: string) => ({ message: `A key can only be given scopes that yours holds; yours lacks ${missing}.` }),
  'orders:write',
);
