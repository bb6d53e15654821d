import { z } from 'zod';
import { DROP_REASONS } from '../adjustments/conditions.ts';
import { modifier } from '../adjustments/evaluation.ts';
import { calledOffBy } from '../events/call-off.ts';
import { EMAIL_LENGTH_MAX } from '../schema/email.ts';
import { memberNotes, placed } from '../schema/member-notes.ts';
import { readOnly } from '../schema/merge-patch.ts';
import {
  amount,
  context,
  customer,
  expiresInSeconds,
  ORDER_NUMBER_LENGTH_MAX,
  orderInput,
  orderItem,
} from './order-input.ts';
import { ORDER_STATES, orderStatus } from './order-state.ts';
import { couponCode } from '../schema/codes.ts';
import { externalId, freeObject, instant, listQuery, recordVersion, timestamp } from '../schema/primitives.ts';
import { searchText } from '../schema/words.ts';

// Registered here because the response schema is built from `orderInput`.
orderInput.register(memberNotes, {
  answer: () => order.shape,
  related: () => ({
    expiresAt: 'expiresInSeconds',
    tableCommitmentId: 'cartSessionId',
    ...placed(['lines', 'lineItems', 'orderItems'], () => 'items'),
    ...placed(['subtotal', 'fees', 'tax', 'total'], (cost) => `costs.${cost}`),
    ...placed(
      ['offeringId', 'quantity', 'unitPrice', 'price', 'amount', 'adjustments'],
      (member) => `items[].${member}`,
    ),
  }),
});

orderItem.register(memberNotes, { answer: () => pricedItem.shape });

/** The body of `POST /orders/{id}/reopen`. */
export const reopenOrderInput = z
  .object({ expiresInSeconds: expiresInSeconds.optional() })
  .register(memberNotes, { answer: () => order.shape, related: () => ({ expiresAt: 'expiresInSeconds' }) })
  .prefault({})
  .meta({ id: 'ReopenOrder' });
export type ReopenOrderInput = z.output<typeof reopenOrderInput>;

/** The body of `POST /orders/{id}/confirm`. */
export const confirmOrderInput = z
  .object({
    expectedTotal: amount
      .optional()
      .describe('What was paid. If the order costs anything else, it stays pending: 409 `PRICE_CHANGED`.'),
  })
  .register(memberNotes, { answer: () => order.shape, related: () => ({ total: 'expectedTotal' }) })
  .prefault({})
  .meta({ id: 'ConfirmOrder' });
export type ConfirmOrderInput = z.output<typeof confirmOrderInput>;

/** The body of `POST /orders/{id}/extend`. */
export const extendOrderInput = z
  .object({
    expiresInSeconds: expiresInSeconds.describe(
      'From now. An order that already has longer keeps that. At most 7 days after it became pending.',
    ),
  })
  .register(memberNotes, { answer: () => order.shape, related: () => ({ expiresAt: 'expiresInSeconds' }) })
  .meta({ id: 'ExtendOrder' });
export type ExtendOrderInput = z.output<typeof extendOrderInput>;

/** What may be changed on an order, as it must be afterwards. */
export const changedOrder = z.object({
  customer,
  agreements: freeObject,
  answers: freeObject,
  forwarded: freeObject,
  meta: freeObject,
});

const patchOfObject = z.record(z.string(), z.unknown());

const { id, email, firstName, lastName, phone } = customer.shape;
const patchOfCustomer = z
  .looseObject({
    id: id.nullable(),
    email: email.optional(),
    firstName: firstName.nullable(),
    lastName: lastName.nullable(),
    phone: phone.nullable(),
  })
  .register(memberNotes, { isPatch: true });

/** The body of `PATCH /orders/{id}`: a JSON merge patch. Objects are merged member by member; null removes. */
export const orderPatch = z
  .object({
    status: orderStatus.nullish().describe('A label of your own on a placed order; null removes it.'),
    customer: patchOfCustomer.optional(),
    agreements: patchOfObject.nullish(),
    answers: patchOfObject.nullish(),
    forwarded: patchOfObject.nullish(),
    meta: patchOfObject.nullish(),
    ...readOnly(
      'orderNumber',
      'currency',
      'organizerId',
      'contextId',
      'items',
      'costs',
      'coupons',
      'uid',
      'cartSessionId',
      'cartVersion',
      'customerSegment',
      'channelId',
      'context',
      'expectedTotal',
      'expiresInSeconds',
      'expiresAt',
    ),
  })
  .register(memberNotes, { answer: () => order.shape, isPatch: true })
  .meta({ id: 'OrderPatch' });
export type OrderPatch = z.output<typeof orderPatch>;

/** The query of the order list: `from` inclusive and `to` exclusive bound the time of creation. */
export const orderListQuery = listQuery(
  {
    orderNumber: z.string().trim().min(1).max(ORDER_NUMBER_LENGTH_MAX).optional(),
    // An address has no blanks: a blank in a query is a plus that was not encoded.
    email: z
      .string()
      .trim()
      .min(1)
      .max(EMAIL_LENGTH_MAX)
      .overwrite((given) => given.replaceAll(' ', '+'))
      .optional(),
    customerId: externalId.optional(),
    status: orderStatus
      .optional()
      .describe('The `status` that an order shows. A placed order with a label shows that instead of `placed`.'),
    state: z
      .enum(ORDER_STATES)
      .optional()
      .describe('The state of an order, whatever its label: `placed` finds all that are sold.'),
    contextId: externalId.optional().describe('What an order says that it is for. Nothing checks that.'),
    eventId: externalId
      .optional()
      .describe(
        "Orders with an item of this event's offerings in the catalogue, whatever their `contextId`. The offerings of a series and of its instances are each their own.",
      ),
    offeringId: externalId.optional(),
    code: couponCode.optional().describe('A code that the order was placed with.'),
    q: searchText("the order number or the customer's name, e-mail address or phone number"),
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
const orderPricing = z
  .object({
    source: z.enum(['platform', 'stated']).describe('`stated`: a key with `orders:write` sent a price of its own.'),
    total: z.int().describe("The platform's price, with fees and tax."),
    difference: z.int().describe('What the order costs more than that; negative if it costs less.'),
    modifiers: z.array(modifier).describe('What changed the price of the order as a whole.'),
    withheld: z
      .int()
      .exactOptional()
      .describe(
        'What the order costs more because returned tickets were not paid back at their price. Absent: nothing.',
      ),
  })
  .meta({ id: 'OrderPricing' });
export type OrderPricing = z.output<typeof orderPricing>;

/** A code of an order that was redeemed, or lost against a better one, with the caller's other data about it. */
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

/** An item's part of what an adjustment adds to the order as a whole. */
export const orderShare = z
  .object({
    adjustmentId: z.string(),
    name: z.string(),
    code: z.string().exactOptional(),
    total: z.int().describe('Signed minor units.'),
    units: z
      .int()
      .exactOptional()
      .describe(
        'Only of an adjustment that changes the price of some tickets of the item: of how many. Each ticket has an even part of `total`, whichever is returned.',
      ),
  })
  .meta({ id: 'OrderShare' });
export type OrderShare = z.output<typeof orderShare>;

/** An item of an order with what it costs, in minor units. */
export const pricedItem = orderItem
  .extend({
    lineId: z.string().describe('Names the item within its order: `ln_1`, `ln_2` and so on.'),
    eventId: z.string().exactOptional().describe('The event of its offering. Absent if that is not in the catalogue.'),
    seriesId: z.string().exactOptional().describe('The series that this event is, or is an instance of.'),
    unitPrice: z.int().exactOptional().describe('Before adjustments. Absent if the item has no price.'),
    effectiveUnitPrice: z.int().exactOptional().describe('After adjustments of single units.'),
    total: z.int(),
    modifiers: z.array(modifier).describe('What changed the unit price.'),
    shares: z
      .array(orderShare)
      .describe(
        "The item's part of each of `pricing.modifiers` of the order. If its tickets differ in price, because an adjustment counts for some of them, every adjustment of the item is here, and none in `modifiers`.",
      ),
    withheld: z
      .int()
      .exactOptional()
      .describe('What it costs more because returned tickets were not paid back at their price. Absent: nothing.'),
    charged: z
      .int()
      .describe(
        "What the order charges for the item: `total` and `shares`, or its part of what the order states. With the other items, fees and tax it is the order's total.",
      ),
    priced: z
      .boolean()
      .describe('False if neither the catalogue nor the order has a price for the item: it adds nothing to the total.'),
  })
  .meta({ id: 'OrderItem' });
export type PricedItem = z.output<typeof pricedItem>;

/** What an order shows of the amendment that waits to be confirmed. */
const pendingAmendment = z
  .object({
    id: z.string(),
    due: z.int().describe('To be paid before it is confirmed; negative: to be paid back. Minor units.'),
    total: z.int().describe('What the order costs once it is confirmed.'),
    expiresAt: timestamp,
  })
  .meta({ id: 'PendingAmendment' });
export type PendingAmendment = z.output<typeof pendingAmendment>;

/** An order as the API returns it. */
export const order = orderInput
  .omit({ expiresInSeconds: true, expectedTotal: true, cartVersion: true })
  .extend({
    id: z.string(),
    status: z.string().describe('`pending`, `placed`, `cancelled`, `expired`, or the label of a placed order.'),
    items: z.array(pricedItem),
    costs: orderCosts,
    pricing: orderPricing,
    coupons: z.array(orderCoupon),
    agreements: freeObject,
    answers: freeObject,
    forwarded: freeObject,
    meta: freeObject,
    context,
    version: recordVersion,
    createdAt: timestamp,
    changedAt: timestamp,
    expiresAt: timestamp
      .exactOptional()
      .describe('When a pending order expires, unless it is confirmed before; when an expired one did.'),
    cancelledAt: timestamp.exactOptional(),
    callOff: calledOffBy
      .extend({
        eventId: z.string(),
        stateBefore: z.enum(['pending', 'placed']).describe('`placed`: it is to be paid back.'),
      })
      .exactOptional()
      .describe('Of an order that was cancelled because its event was called off.'),
    amendments: z
      .int()
      .exactOptional()
      .describe('How many amendments it has, with those that ended without effect. Absent: none.'),
    pendingAmendment: pendingAmendment
      .exactOptional()
      .describe('The amendment that waits to be confirmed. Until then the order stays as it is.'),
  })
  .meta({ id: 'Order' });
export type Order = z.output<typeof order>;

/** The response to `POST /v1/orders`. */
export const placedOrder = z.object({ order }).meta({ id: 'PlacedOrder' });
