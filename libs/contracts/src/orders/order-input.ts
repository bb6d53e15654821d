import { z } from 'zod';
import { type OrderState, orderStatus } from './order-state.ts';
import { email } from '../schema/email.ts';
import { couponCode } from '../schema/codes.ts';
import {
  ARRAY_LENGTH_MAX,
  currencyCode,
  externalId,
  freeObject,
  isSmall,
  line,
  name,
  plain,
  positive,
  recordId,
  TOO_LARGE,
} from '../schema/primitives.ts';

export const customer = z
  .looseObject({
    id: externalId.optional(),
    email,
    firstName: line(256).optional(),
    lastName: line(256).optional(),
    phone: line(64).optional(),
  })
  .refine(isSmall, TOO_LARGE);

export const ORDER_NUMBER_LENGTH_MAX = 128;
const WHOLE = 'must be in whole minor units: 1050 for 10.50';
export const amount = z.int(WHOLE).min(0, 'must not be negative').describe('Minor units (cents).');

/** A price as a caller may write it: minor units, or money in the order's currency. */
export const price = z.union([amount, z.object({ amount, currency: currencyCode })], `${WHOLE}, or {amount, currency}`);

const appliedAdjustment = z.union([externalId, z.looseObject({ adjustmentId: externalId })]);

export const orderItem = z
  .looseObject({
    offeringId: externalId.optional(),
    name: name.optional(),
    quantity: positive.default(1),
    unitPrice: price.optional(),
    /** Other names of `unitPrice`. */
    price: price.optional(),
    amount: price.optional(),
    total: price
      .optional()
      .describe(
        'What all units cost. `unitPrice` x `quantity` is the amount before adjustments; anything else is charged as it stands.',
      ),
    adjustments: z
      .array(appliedAdjustment)
      .max(ARRAY_LENGTH_MAX)
      .optional()
      .describe(
        'The adjustments that made its price, by id. The order redeems each once. One with a code needs that code in `coupons`, unless the API key has orders:write.',
      ),
  })
  .meta({ id: 'OrderItemInput' });
export type OrderItem = z.output<typeof orderItem>;

/** An item with its price as `unitPrice`, whatever name it was sent under. */
const orderItemInput = orderItem.transform((item, ctx) => {
  const given = (['unitPrice', 'price', 'amount'] as const).filter((field) => item[field] !== undefined);
  const [first, ...others] = given;
  // The caller's own id is accepted next to a price. Alone, it would be an item that costs nothing.
  if (item['id'] !== undefined && item.offeringId === undefined && first === undefined && item.total === undefined) {
    ctx.addIssue({ code: 'custom', path: ['id'], message: 'is unknown; did you mean offeringId?' });
  }
  if (Object.keys(item).every((member) => member === 'quantity')) {
    ctx.addIssue({
      code: 'custom',
      message: 'does not say what is bought; send an offeringId, or a name and a unitPrice',
    });
  }
  for (const other of others) {
    if (amountOf(item[other]) === amountOf(item[first as typeof other])) continue;
    ctx.addIssue({ code: 'custom', path: [other], message: `contradicts ${first}; send one of them` });
  }
  if (first !== undefined) return { ...item, unitPrice: item[first] };
  // An item without a price as a cart or an order returns it: its total is ignored.
  return item['priced'] === false ? { ...item, total: undefined } : item;
});

export function amountOf(value: z.output<typeof price> | undefined): number | undefined {
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

const ENDED: ReadonlySet<string> = new Set<OrderState>(['cancelled', 'expired']);

/** The longest that an order can stay pending. */
export const PENDING_SECONDS_MAX = 7 * 24 * 60 * 60;

export const expiresInSeconds = z
  .int()
  .min(60)
  .max(PENDING_SECONDS_MAX)
  .describe(
    'How long the order stays pending: what it needs is held for it, and released unless it is confirmed in time.',
  );

export const context = z.looseObject({ urn: plain(z.string().min(1).max(512)) }).refine(isSmall, TOO_LARGE);

export const orderInput = z.object({
  orderNumber: plain(z.string().trim().min(1).max(ORDER_NUMBER_LENGTH_MAX)),
  currency: currencyCode,
  companyId: externalId,
  organizerId: externalId.describe('Stored with the order; it does not change the price.'),
  contextId: externalId
    .regex(/^(evt|ven|org)_/, 'must begin with evt_, ven_ or org_')
    .describe('The event, venue or organization. It decides what applies to items that are not in the catalogue.'),
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
  coupons: z
    .array(z.union([couponCode, z.looseObject({ code: couponCode })]))
    .max(ARRAY_LENGTH_MAX)
    .default([])
    .describe('The codes that the buyer entered.'),
  agreements: freeObject.default({}),
  answers: freeObject.default({}),
  forwarded: freeObject.default({}),
  meta: freeObject.default({}),
  uid: externalId.optional(),
  cartSessionId: recordId
    .optional()
    .describe(
      "The cart session that becomes the order. Without `items` the order has the session's. Its codes, customer, segment and channel count, and its seat at a table becomes the order's.",
    ),
  cartVersion: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The `version` of the cart session that the buyer was shown. If the session has changed since, there is no order: 409 `CART_CHANGED`, with the cart as it is now.',
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

/** The body of `POST /orders`. `context` may be inside `order` or next to it. */
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
  .superRefine(({ order: { currency, items } }, ctx) => {
    for (const [index, item] of items.entries()) {
      // The other names first: an item that was sent with one of them also has `unitPrice` by now.
      const field = (['price', 'amount', 'unitPrice', 'total'] as const).find(
        (one) => !inCurrency(item[one], currency),
      );
      if (field === undefined) continue;
      const message = `must be ${currency}, the currency of the order`;
      ctx.addIssue({ code: 'custom', path: ['order', 'items', index, field, 'currency'], message });
    }
  })
  .refine(({ order }) => order.cartVersion === undefined || order.cartSessionId !== undefined, {
    path: ['order', 'cartVersion'],
    message: 'needs cartSessionId: it is the version of that cart session',
  })
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

function inCurrency(value: z.output<typeof price> | undefined, currency: string): boolean {
  return typeof value !== 'object' || value.currency === currency;
}
