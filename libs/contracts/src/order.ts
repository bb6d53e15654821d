import { z } from 'zod';
import {
  ARRAY_LENGTH_MAX,
  couponCode,
  currencyCode,
  externalId,
  freeObject,
  instant,
  minorUnits,
  name,
  pageQuery,
  slug,
  text,
} from './primitives.ts';

const customer = z.object({
  id: externalId.optional(),
  email: z.email().max(254),
  firstName: text.max(256).optional(),
  lastName: text.max(256).optional(),
  phone: text.max(64).optional(),
});

/** A price as a caller may write it: minor units, or money in the order's currency. */
const price = z.union([minorUnits, z.object({ amount: minorUnits, currency: currencyCode })]);

const appliedAdjustment = z.union([externalId, z.looseObject({ adjustmentId: externalId })]);

const item = z.looseObject({
  offeringId: externalId.optional(),
  name: name.optional(),
  quantity: z.int().min(0).max(1_000_000).default(1),
  unitPrice: price.optional(),
  /** What the item costs altogether; absent, it is unitPrice x quantity. */
  total: price.optional(),
  /** The adjustments that made its price, by id: each is redeemed once by the order. */
  adjustments: z.array(appliedAdjustment).max(ARRAY_LENGTH_MAX).optional(),
});

const costs = z.object({
  subtotal: minorUnits.optional(),
  fees: minorUnits.optional(),
  tax: minorUnits.optional(),
  total: minorUnits.optional(),
  currency: currencyCode.optional(),
});

const context = z.looseObject({ urn: z.string().min(1).max(512) });

const order = z.object({
  orderNumber: z.string().trim().min(1).max(128),
  currency: currencyCode,
  companyId: externalId,
  organizerId: externalId,
  contextId: externalId.regex(/^(evt|ven|org)_/, 'must begin with evt_, ven_ or org_'),
  customer,
  status: slug.default('placed'),
  items: z.array(item).max(ARRAY_LENGTH_MAX).default([]),
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
  context: context.optional(),
});

/** The body of `POST /orders`. `context` may stand inside `order` or beside it. */
export const orderRequest = z
  .object({ order, context: context.optional() })
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
      message: 'prices must be in the currency of the order',
    },
  )
  .transform(({ order: given, context: beside }) => ({ ...given, context: given.context ?? beside }) as OrderInput);

export type OrderInput = z.output<typeof order> & { context: z.output<typeof context> };
export type OrderItem = z.output<typeof item>;

/** The query of the order list: `from` inclusive and `to` exclusive bound the time of creation. */
export const orderListQuery = pageQuery.extend({
  status: slug.optional(),
  contextId: externalId.optional(),
  customer: externalId.optional(),
  from: instant.optional(),
  to: instant.optional(),
});
export type OrderListQuery = z.output<typeof orderListQuery>;

function inCurrency(value: z.output<typeof price> | undefined, currency: string): boolean {
  return typeof value !== 'object' || value.currency === currency;
}

export interface OrderCosts {
  subtotal: number;
  fees: number;
  tax: number;
  total: number;
  currency: string;
}

/** A coupon that an order redeemed. */
export interface OrderCoupon {
  code: string;
  adjustmentId: string;
  redemptionId: string;
  [given: string]: unknown;
}

/** An order as the API answers it. */
export interface Order extends Omit<OrderInput, 'coupons' | 'costs'> {
  id: string;
  costs: OrderCosts;
  coupons: OrderCoupon[];
  createdAt: string;
}
