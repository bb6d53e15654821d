import { z } from 'zod';
import { email, emailKey } from '../schema/email.ts';
import { memberNotes, placed } from '../schema/member-notes.ts';
import { readOnly } from '../schema/merge-patch.ts';
import { amountOf } from '../orders/order-input.ts';
import { UNAVAILABLE_REASONS } from '../offerings/sale.ts';
import { codeResult, modifier, priceSummary } from '../adjustments/evaluation.ts';
import { codeKey, couponCode } from '../schema/codes.ts';
import {
  ARRAY_LENGTH_MAX,
  currencyCode,
  externalId,
  listQuery,
  minorUnits,
  name,
  PRICE_MAX,
  recordId,
  recordVersion,
  timestamp,
} from '../schema/primitives.ts';

const CART_QUANTITY_MAX = 10_000;

/** A price as a caller may write it: minor units of the cart's currency, or money. */
const price = z.union(
  [minorUnits.max(PRICE_MAX), z.object({ amount: minorUnits.max(PRICE_MAX), currency: currencyCode })],
  `must be whole minor units up to ${PRICE_MAX}, or {amount, currency} of an ISO 4217 currency`,
);

/** One item as a caller sets it. Quantity 0 removes it. */
export const cartItemInput = z
  .object({
    offeringId: externalId,
    quantity: z.int().min(0).max(CART_QUANTITY_MAX),
    price: price.optional().describe('Of an offering that the catalogue does not have; ignored for one that it has.'),
    amount: price.optional().describe('Another name of `price`.'),
    unitPrice: price.optional().describe('Another name of `price`; where both are sent, `price` counts.'),
    /** For an offering that is not in the catalogue; ignored for one that is. */
    name: name.optional(),
  })
  .register(memberNotes, {
    answer: () => cartItem.shape,
    related: () => ({
      currency: 'price.currency',
      ...placed(
        ['customerId', 'customerEmail', 'customerSegment', 'channelId', 'coupons'],
        (member) => `${member} of the cart session`,
      ),
    }),
  })
  .refine(
    ({ price: given, amount }) => given === undefined || amount === undefined || amountOf(given) === amountOf(amount),
    {
      path: ['amount'],
      message: 'contradicts price; send one of them',
    },
  )
  .transform(({ amount, unitPrice, ...item }) => {
    const given = item.price ?? amount ?? unitPrice;
    return given === undefined ? item : { ...item, price: given };
  })
  .meta({ id: 'CartItemInput' });
export type CartItemInput = z.output<typeof cartItemInput>;

const items = z
  .array(cartItemInput)
  .max(ARRAY_LENGTH_MAX)
  .refine((given) => new Set(given.map(({ offeringId }) => offeringId)).size === given.length, {
    message: 'must name each offering once',
  });

/** Codes as typed, each once in its first spelling. */
const coupons = z
  .array(couponCode)
  .max(ARRAY_LENGTH_MAX)
  .transform((codes) => [...Map.groupBy(codes, codeKey).values()].flatMap(([first]) => first ?? []));

/** The address in the form in which addresses are compared: a customer who is erased is found by it. */
const customerEmail = email.transform(emailKey);

/** The body of `POST /cart/sessions`. */
export const cartSessionInput = z
  .object({
    /** The caller's own id; one is made when it is absent. */
    id: recordId.optional(),
    contextId: externalId.optional(),
    /** By default, the currency of the first price. */
    currency: currencyCode.optional(),
    customerId: externalId.optional(),
    customerEmail: customerEmail.optional(),
    customerSegment: externalId.optional(),
    channelId: externalId.optional(),
    items: items.optional(),
    coupons: coupons.optional(),
  })
  .register(memberNotes, {
    answer: () => cartSession.shape,
    related: () => ({
      tableCommitmentId: 'POST /cart/sessions/{id}/join-table',
      ...placed(['offeringId', 'quantity', 'price', 'amount', 'unitPrice'], (member) => `items[].${member}`),
    }),
  })
  .prefault({})
  .meta({ id: 'CartSessionInput' });
export type CartSessionInput = z.output<typeof cartSessionInput>;

/** The body of `PATCH /cart/sessions/{id}`. An absent member stays as it is; null removes it. */
export const cartSessionPatch = z
  .object({
    /** Replaces all items; null removes them. */
    items: items.nullish(),
    /** Replaces all codes; null removes them. */
    coupons: coupons.nullish(),
    /** Null removes it; it is then the event of the first offering in the catalogue. */
    contextId: externalId.nullish(),
    /** Null removes it; the currency of the first price then applies. */
    currency: currencyCode.nullish(),
    customerId: externalId.nullish(),
    customerEmail: customerEmail.nullish(),
    customerSegment: externalId.nullish(),
    channelId: externalId.nullish(),
    ...readOnly('tableCommitmentId'),
  })
  .register(memberNotes, { answer: () => cartSession.shape, isPatch: true })
  .meta({ id: 'CartSessionPatch' });
export type CartSessionPatch = z.output<typeof cartSessionPatch>;

/** The body of `POST /cart/sessions/{id}/join-table`. */
export const joinTableInput = z
  .object({
    tableCommitmentId: recordId,
    seats: z
      .int()
      .min(1)
      .max(ARRAY_LENGTH_MAX)
      .optional()
      .describe('How many seats the session takes: 1 by default. At the table where it sits, this many from now on.'),
  })
  .meta({ id: 'JoinTable' });

/** Why an item has no price and adds nothing to the total. */
const UNPRICED_REASONS = ['not-in-catalogue', 'not-for-sale', 'currency-mismatch', 'amount-too-large'] as const;
export type UnpricedReason = (typeof UNPRICED_REASONS)[number];

/** An item as the API returns it. Amounts are minor units of the cart's currency. */
const cartItem = z
  .object({
    offeringId: z.string().exactOptional().describe('Absent only if an item of the order has none.'),
    name: z.string().exactOptional(),
    quantity: z.int(),
    unitPrice: z.int().nullable().describe('The list price; null when there is none.'),
    effectiveUnitPrice: z
      .int()
      .nullable()
      .describe('After all per-unit modifiers; of the dearest ticket, if they differ.'),
    total: z.int().describe('effectiveUnitPrice x quantity, or the sum over `groups`.'),
    modifiers: z.array(modifier).describe('What changed the unit price.'),
    groups: z
      .array(z.object({ quantity: z.int(), effectiveUnitPrice: z.int() }))
      .exactOptional()
      .describe('Only if tickets of the item differ in price: how many cost how much.'),
    priced: z.boolean(),
    unpricedReason: z.enum(UNPRICED_REASONS).exactOptional(),
    available: z
      .boolean()
      .exactOptional()
      .describe(
        'Whether this quantity can be ordered, with what else the cart has of the event. The status of the event and the number of tickets left are at most 10 seconds old, and only the order is final. Absent for an offering that is not in the catalogue, and in a session that is ordered.',
      ),
    unavailableReason: z.enum(UNAVAILABLE_REASONS).exactOptional(),
  })
  .meta({ id: 'CartItem' });
export type CartItem = z.output<typeof cartItem>;

/** What a cart costs, or in an ordered session, what the order costs. */
const cartSummary = priceSummary
  .extend({
    fees: z.int().exactOptional().describe('Of the order, in a session that is ordered.'),
    tax: z.int().exactOptional().describe('Of the order, in a session that is ordered.'),
    total: z.int().describe('subtotal + modifiers, not below 0; in a session that is ordered with fees and tax.'),
    clampedAtZero: priceSummary.shape.clampedAtZero.exactOptional().meta({
      description: `${priceSummary.shape.clampedAtZero.description} Absent in a session that is ordered.`,
    }),
  })
  .meta({ id: 'CartSummary' });
export type CartSummary = z.output<typeof cartSummary>;

export const CART_STATUSES = ['open', 'ordered'] as const;

/** A cart session as the API returns it. */
export const cartSession = z
  .object({
    id: z.string(),
    companyId: z.string(),
    status: z
      .enum(CART_STATUSES)
      .describe(
        '`ordered` once an order was placed of it. It then shows what the order bought and costs, until the order is cancelled or expires: then the session is `open` again, with its items and codes, and without a seat.',
      ),
    orderId: z.string().exactOptional().describe('The order, of a session that is `ordered`.'),
    contextId: z.string().exactOptional(),
    items: z.array(cartItem),
    coupons: z.array(z.string()).describe('The codes attached, as typed.'),
    couponResults: z.array(codeResult).describe('What each code did, or why it did nothing.'),
    perOrderModifiers: z.array(modifier).describe('What changed the price of the cart as a whole.'),
    summary: cartSummary,
    total: z
      .int()
      .describe(
        "What the buyer pays now: the items' totals and the order-wide modifiers together. In a session that is ordered, the total of the order.",
      ),
    currency: z.string(),
    customerId: z.string().exactOptional(),
    customerEmail: z
      .string()
      .exactOptional()
      .describe('For limits per customer that go by the e-mail address. An order goes by its own.'),
    customerSegment: z.string().exactOptional(),
    channelId: z.string().exactOptional(),
    tableCommitmentId: z.string().exactOptional().describe('The table at which the session, or its order, has seats.'),
    seats: z.int().exactOptional().describe('How many seats it has there.'),
    seatHeldUntil: timestamp
      .exactOptional()
      .describe('When the seats are free for others, unless the session changes or is ordered before.'),
    version: recordVersion,
    createdAt: timestamp,
    changedAt: timestamp,
    expiresAt: timestamp.describe('When the session expires, unless it changes before.'),
    pricedAt: timestamp.describe(
      'When the prices were known to be right; for a session that is ordered, when the order was created. Not covered by the ETag.',
    ),
    priceStatus: z
      .enum(['current', 'stored'])
      .describe('`stored` if current prices were not available: these are the prices of pricedAt.'),
  })
  .meta({ id: 'CartSession' });
export type CartSession = z.output<typeof cartSession>;

/** The query of `GET /cart/sessions`. */
export const cartListQuery = listQuery({}, () => cartSession);
