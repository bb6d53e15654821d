import { z } from 'zod';
import { DROP_REASONS } from './conditions.ts';
import { modifier } from './evaluation.ts';
import { memberNotes } from './members.ts';
import {
  ARRAY_LENGTH_MAX,
  couponCode,
  currencyCode,
  externalId,
  freeObject,
  isSmall,
  instant,
  listQuery,
  name,
  slug,
  text,
  timestamp,
  TOO_LARGE,
} from './primitives.ts';

const customer = z
  .looseObject({
    id: externalId.optional(),
    email: z.email().max(254),
    firstName: text.max(256).optional(),
    lastName: text.max(256).optional(),
    phone: text.max(64).optional(),
  })
  .refine(isSmall, TOO_LARGE);

const WHOLE = 'must be in whole minor units: 1050 for 10.50';
const amount = z.int(WHOLE).min(0, 'must not be negative').describe('Minor units (cents).');

/** A price as a caller may write it: minor units, or money in the order's currency. */
const price = z.union([amount, z.object({ amount, currency: currencyCode })], `${WHOLE}, or {amount, currency}`);

const appliedAdjustment = z.union([externalId, z.looseObject({ adjustmentId: externalId })]);

export const orderItem = z
  .looseObject({
    offeringId: externalId.optional(),
    name: name.optional(),
    quantity: z.int().min(0).max(1_000_000).default(1),
    unitPrice: price.optional(),
    /** Other names of `unitPrice`. */
    price: price.optional(),
    amount: price.optional(),
    total: price
      .optional()
      .describe(
        'What all units cost. `unitPrice` x `quantity` is the amount before adjustments; anything else is charged as it stands.',
      ),
    /** The adjustments that made its price, by id: each is redeemed once by the order. */
    adjustments: z.array(appliedAdjustment).max(ARRAY_LENGTH_MAX).optional(),
  })
  .meta({ id: 'OrderItemInput' });

/** An item with its price as `unitPrice`, whatever name it was sent under. */
const orderItemInput = orderItem.transform((item, ctx) => {
  const given = (['unitPrice', 'price', 'amount'] as const).filter((field) => item[field] !== undefined);
  const [first, ...others] = given;
  for (const other of others) {
    if (amountOf(item[other]) === amountOf(item[first as typeof other])) continue;
    ctx.addIssue({ code: 'custom', path: [other], message: `contradicts ${first}; send one of them` });
  }
  return first === undefined ? item : { ...item, unitPrice: item[first] };
});

function amountOf(value: z.output<typeof price> | undefined): number | undefined {
  return typeof value === 'object' ? value.amount : value;
}

const costs = z
  .looseObject({
    subtotal: amount.optional(),
    fees: amount.optional(),
    tax: amount.optional(),
    total: amount.optional(),
    currency: currencyCode.optional(),
  })
  .refine(isSmall, TOO_LARGE);

/** The statuses that the platform sets. Any other one is the company's label on a placed order. */
export const ORDER_STATES = ['pending', 'placed', 'cancelled', 'expired'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What `status` says about an order, whatever label the company gave it. */
export function orderStateFrom(status: string): OrderState {
  return ORDER_STATES.find((state) => state === status) ?? 'placed';
}

/** As it is written: `Pending` is `pending`, and no label. */
const orderStatus = slug.transform((given) => ORDER_STATES.find((state) => state === given.toLowerCase()) ?? given);

const ENDED: ReadonlySet<string> = new Set<OrderState>(['cancelled', 'expired']);

const expiresInSeconds = z
  .int()
  .min(60)
  .max(7 * 24 * 60 * 60)
  .describe(
    'How long the order stays pending: what it needs is held for it, and given back unless it is confirmed in time.',
  );

const context = z.looseObject({ urn: z.string().min(1).max(512) }).refine(isSmall, TOO_LARGE);

const orderInput = z.object({
  orderNumber: z.string().trim().min(1).max(128),
  currency: currencyCode,
  companyId: externalId,
  organizerId: externalId,
  contextId: externalId.regex(/^(evt|ven|org)_/, 'must begin with evt_, ven_ or org_'),
  customer,
  status: orderStatus
    .refine(
      (status) => !ENDED.has(status),
      'cannot be cancelled or expired from the start: place the order, then cancel it',
    )
    .optional()
    .describe(
      '`pending`, or a label of your own on a placed order. Without `expiresInSeconds`, a pending order waits for ever.',
    ),
  expiresInSeconds: expiresInSeconds.optional(),
  items: z.array(orderItemInput).max(ARRAY_LENGTH_MAX).default([]),
  costs: costs.default({}),
  /** Codes that the order redeems. */
  coupons: z
    .array(z.union([couponCode, z.looseObject({ code: couponCode })]))
    .max(ARRAY_LENGTH_MAX)
    .default([]),
  agreements: freeObject.default({}),
  answers: freeObject.default({}),
  forwarded: freeObject.default({}),
  meta: freeObject.default({}),
  uid: externalId.optional(),
  cartSessionId: externalId
    .optional()
    .describe(
      "The cart session that becomes the order. Without `items` the order has the session's. Its codes, customer, segment and channel count, and its seat at a table becomes the order's.",
    ),
  customerSegment: externalId.optional(),
  channelId: externalId.optional(),
  expectedTotal: amount
    .optional()
    .describe(
      'What the buyer was shown, with fees and tax. If the order costs anything else, there is no order: 409 `PRICE_CHANGED`.',
    ),
  context: context.optional(),
});

/** The body of `POST /orders`. `context` may stand inside `order` or beside it. */
export const orderRequest = z
  .object({ order: orderInput, context: context.optional() })
  .refine((body) => body.order.context !== undefined || body.context !== undefined, {
    path: ['order', 'context'],
    message: 'is required, inside order or beside it',
  })
  .refine((body) => !body.order.context || !body.context || body.order.context.urn === body.context.urn, {
    path: ['context', 'urn'],
    message: 'contradicts order.context.urn',
  })
  .refine(
    (body) => body.order.items.every((i) => [i.unitPrice, i.total].every((p) => inCurrency(p, body.order.currency))),
    {
      path: ['order', 'items'],
      message: 'must have prices in the currency of the order',
    },
  )
  .refine(({ order }) => order.costs.currency === undefined || order.costs.currency === order.currency, {
    path: ['order', 'costs', 'currency'],
    message: 'must be the currency of the order',
  })
  .refine(({ order }) => order.expiresInSeconds === undefined || (order.status ?? 'pending') === 'pending', {
    path: ['order', 'status'],
    message: 'must be pending, or absent, beside expiresInSeconds',
  })
  .transform(
    ({ order: given, context: beside }) =>
      ({
        ...given,
        status: given.status ?? (given.expiresInSeconds === undefined ? 'placed' : 'pending'),
        context: given.context ?? beside,
      }) as OrderInput,
  )
  .meta({ id: 'OrderRequest' });

export type OrderInput = z.output<typeof orderInput> & { status: string; context: z.output<typeof context> };
export type OrderItem = z.output<typeof orderItem>;

/** The body of `POST /orders/{id}/reopen`. */
export const reopenOrderInput = z
  .object({ expiresInSeconds: expiresInSeconds.optional() })
  .register(memberNotes, { answer: () => order.shape })
  .prefault({})
  .meta({ id: 'ReopenOrder' });
export type ReopenOrderInput = z.output<typeof reopenOrderInput>;

/** What may be changed on an order, as it has to be afterwards. */
export const changedOrder = z.object({
  customer,
  agreements: freeObject,
  answers: freeObject,
  forwarded: freeObject,
  meta: freeObject,
});

const patchOfObject = z.record(z.string(), z.unknown());

/** The body of `PATCH /orders/{id}`: a JSON merge patch. Objects are merged member by member; null removes. */
export const orderPatch = z
  .object({
    status: orderStatus.nullish().describe('A label of your own on a placed order; null removes it.'),
    customer: patchOfObject.optional(),
    agreements: patchOfObject.nullish(),
    answers: patchOfObject.nullish(),
    forwarded: patchOfObject.nullish(),
    meta: patchOfObject.nullish(),
  })
  .register(memberNotes, { answer: () => order.shape, isPatch: true })
  .meta({ id: 'OrderPatch' });
export type OrderPatch = z.output<typeof orderPatch>;

/** The query of the order list: `from` inclusive and `to` exclusive bound the time of creation. */
export const orderListQuery = listQuery(
  {
    orderNumber: z.string().trim().min(1).max(128).optional(),
    email: z.string().trim().min(1).max(254).optional(),
    customerId: externalId.optional(),
    status: slug.optional(),
    contextId: externalId.optional(),
    offeringId: externalId.optional(),
    code: couponCode.optional().describe('A code that the order was placed with.'),
    q: text
      .max(256)
      .optional()
      .describe(
        "Beginnings of words in the order number or the customer's name, e-mail address or phone number: all of them.",
      ),
    from: instant.optional(),
    to: instant.optional(),
    format: z
      .enum(['ndjson', 'csv'])
      .optional()
      .describe('Streams everything that matches, whatever `limit` and `cursor` say: one order a line.'),
  },
  () => order,
).strict();
export type OrderListQuery = z.output<typeof orderListQuery>;

function inCurrency(value: z.output<typeof price> | undefined, currency: string): boolean {
  return typeof value !== 'object' || value.currency === currency;
}

/** subtotal + modifiers + fees + tax = total. */
export const orderCosts = z
  .looseObject({
    subtotal: z.int().describe('Before adjustments: unit prices x quantities.'),
    modifiers: z.int().describe('What adjustments add to the subtotal. Mostly negative.'),
    fees: z.int(),
    tax: z.int(),
    total: z.int(),
    currency: z.string(),
  })
  .meta({ id: 'OrderCosts' });
export type OrderCosts = z.output<typeof orderCosts>;

/** Where the price of an order comes from. */
export const orderPricing = z
  .object({
    source: z.enum(['platform', 'stated']).describe('`stated`: a key with `orders:write` sent a price of its own.'),
    total: z.int().describe("The platform's price, with fees and tax."),
    difference: z.int().describe('What the order costs more than that; negative if it costs less.'),
    modifiers: z.array(modifier).describe('What changed the price of the order as a whole.'),
  })
  .meta({ id: 'OrderPricing' });
export type OrderPricing = z.output<typeof orderPricing>;

/** A code of an order: it was redeemed, or lost against a better one. With whatever else the caller wrote about it. */
export const orderCoupon = z
  .looseObject({
    code: z.string(),
    adjustmentId: z.string().exactOptional(),
    redemptionId: z.string().exactOptional().describe('Absent from a code that lost: it was not redeemed.'),
    reason: z.enum(DROP_REASONS).exactOptional(),
    detail: z.string().exactOptional(),
  })
  .meta({ id: 'OrderCoupon' });
export type OrderCoupon = z.output<typeof orderCoupon>;

/** An item of an order with what it costs, in minor units; orders of earlier releases have it as it was sent. */
export const pricedItem = orderItem
  .extend({
    unitPrice: z.union([z.int(), price]).optional().describe('Before adjustments. Absent if the item has no price.'),
    effectiveUnitPrice: z.int().exactOptional().describe('After adjustments of single units.'),
    total: z.union([z.int(), price]).optional(),
    modifiers: z.array(modifier).exactOptional().describe('What changed the unit price.'),
    priced: z.boolean().exactOptional(),
  })
  .meta({ id: 'OrderItem' });
export type PricedItem = z.output<typeof pricedItem>;

/** An order as the API answers it. */
export const order = orderInput
  .omit({ expiresInSeconds: true, expectedTotal: true })
  .extend({
    id: z.string(),
    status: z.string().describe('`pending`, `placed`, `cancelled`, `expired`, or the label of a placed order.'),
    items: z.array(pricedItem),
    costs: orderCosts,
    pricing: orderPricing.exactOptional(),
    coupons: z.array(orderCoupon),
    agreements: freeObject,
    answers: freeObject,
    forwarded: freeObject,
    meta: freeObject,
    context,
    version: z.int().describe('Counts changes; also the ETag.'),
    createdAt: timestamp,
    changedAt: timestamp,
    expiresAt: timestamp
      .exactOptional()
      .describe('When a pending order expires, unless it is confirmed before; when an expired one did.'),
    cancelledAt: timestamp.exactOptional(),
  })
  .meta({ id: 'Order' });
export type Order = z.output<typeof order>;

/** The answer to `POST /v1/orders`. */
export const placedOrder = z.object({ order }).meta({ id: 'PlacedOrder' });
