import { z } from 'zod';
import { proposedAdjustment } from './adjustment.ts';
import { DROP_REASONS, LIMIT_REASONS } from './conditions.ts';
import { shownEffect } from './effect.ts';
import { memberNotes, placed } from '../schema/member-notes.ts';
import { EMAIL_KEY_LENGTH_MAX } from '../schema/email.ts';
import { repliedRefusal } from '../errors/replied-refusal.ts';
import {
  ARRAY_LENGTH_MAX,
  currencyCode,
  externalId,
  instant,
  localTime,
  minorUnits,
  PRICE_MAX,
  QUANTITY_MAX,
  SUBTOTAL_MAX,
} from '../schema/primitives.ts';

export function lineTotalIsExact(price: { amount: number }, units: number): boolean {
  return price.amount * units <= SUBTOTAL_MAX;
}
const lineTotalTooLarge = { path: ['offering', 'price', 'amount'], message: 'is too large for this quantity' };

const quantity = z.int().min(0).max(QUANTITY_MAX);
const currency = currencyCode.optional();

const offering = z
  .object({
    id: externalId,
    eventId: externalId.optional(),
    companyId: externalId.optional(),
    /** Its location and seller, for an event that the platform does not know. */
    venueId: externalId.optional(),
    organizerId: externalId.optional(),
    price: z.object({ amount: minorUnits.max(PRICE_MAX), currency }),
    tags: z.array(externalId).max(ARRAY_LENGTH_MAX).optional(),
  })
  .register(memberNotes, {
    related: () => ({ offeringId: 'id', unitPrice: 'price', amount: 'price.amount', currency: 'price.currency' }),
  });

const cartContext = z.object({
  quantity: quantity.default(1),
  now: localTime
    .optional()
    .describe("When it is evaluated; by default now. Without a zone: local time of the offering's event, or UTC."),
  codes: z.array(z.string()).max(ARRAY_LENGTH_MAX).optional(),
  clientRef: externalId
    .optional()
    .describe(
      'Who enters the codes: an id of the session or device, of your choice. After ten unknown codes in a minute, its codes are `throttled`; nobody can guess codes then.',
    ),
  customerId: externalId.optional(),
  customerEmail: z
    .string()
    .max(EMAIL_KEY_LENGTH_MAX)
    .optional()
    .describe('Counts for limits per customer that go by the e-mail address.'),
  customerSegment: externalId.optional(),
  channelId: externalId.optional(),
  orderTotal: z
    .object({ amount: minorUnits, currency })
    .optional()
    .describe('Without a currency: in that of the prices.'),
});

/** More than any campaign needs; each takes as much work as a stored adjustment. */
const PROPOSED_MAX = 10;

const proposed = z
  .array(proposedAdjustment)
  .max(PROPOSED_MAX)
  .refine((all) => {
    const ids = all.flatMap(({ id }) => id ?? []);
    return new Set(ids).size === ids.length;
  }, 'must name each stored adjustment once')
  .describe(
    'Adjustments to try out, as you would create them. You get the price as if they were saved; nothing is. One with the `id` of a stored adjustment replaces it. Needs pricing:read.',
  );

/** The body of `POST /v1/pricing/adjustments/evaluate`. */
export const evaluateRequest = z
  .object({ offering, cartContext, proposed: proposed.optional() })
  .register(memberNotes, {
    related: () => ({
      ...placed(Object.keys(cartContext.shape), (member) => `cartContext.${member}`),
      ...placed(Object.keys(offering.shape), (member) => `offering.${member}`),
      context: 'cartContext',
    }),
  })
  .refine((r) => lineTotalIsExact(r.offering.price, r.cartContext.quantity), lineTotalTooLarge)
  .meta({ id: 'EvaluateRequest' });
export type EvaluateRequest = z.output<typeof evaluateRequest>;

/** One line of a cart, and what makes its total exact. */
export const cartLine = z.object({ offering, quantity });
const exactLine = cartLine.refine((l) => lineTotalIsExact(l.offering.price, l.quantity), lineTotalTooLarge);

/** Many lines of one cart, priced together. */
export const evaluateCartRequest = z.object({
  lines: z.array(exactLine).max(ARRAY_LENGTH_MAX),
  cartContext: cartContext.omit({ quantity: true }).extend({ now: instant.optional() }),
});
export type EvaluateCartRequest = z.output<typeof evaluateCartRequest>;

/** How many lines the carts of one request may have together: as many as one cart, so that no response grows larger. */
export const CART_LINES_MAX = ARRAY_LENGTH_MAX;
export const CARTS_MAX = 100;
/** A price whose validator would be longer has none, and is requested every time. */
export const VALIDATOR_LENGTH_MAX = 2_048;
export const VALIDATORS_MAX = 200;

/**
 * Carts of one company, each priced separately. Internal: the cart service requests those that change at the same time.
 * How long that takes depends on the company's adjustments, which the caller does not know: with `withinMs`, the reply
 * has the first carts, at least one, that were priced within about that time. The others are requested again.
 *
 * `validators` came with earlier prices: while one holds, the same cart of the same company costs the same.
 */
export const evaluateCartsRequest = z
  .object({
    carts: z.array(evaluateCartRequest).max(CARTS_MAX),
    withinMs: z.int().min(0).optional(),
    validators: z.array(z.string().max(VALIDATOR_LENGTH_MAX)).max(VALIDATORS_MAX).optional(),
  })
  .refine(({ carts }) => carts.reduce((sum, { lines }) => sum + lines.length, 0) <= CART_LINES_MAX, {
    path: ['carts'],
    message: `must have at most ${CART_LINES_MAX} lines in all`,
  })
  .meta({ id: 'EvaluateCartsRequest' });
export type EvaluateCartsRequest = z.input<typeof evaluateCartsRequest>;

/** An adjustment that counted. Amounts are signed minor units. */
export const modifier = z
  .object({
    adjustmentId: z.string(),
    name: z.string(),
    type: z.string(),
    category: z.string(),
    origin: z.string(),
    code: z.string().exactOptional(),
    effect: shownEffect,
    base: z
      .int()
      .describe('What the effect is computed on: the price of one unit or of the order, as effectBase says.'),
    amount: z.int().describe('Per unit in perUnitModifiers, per order in perOrderModifiers.'),
    units: z.int().describe('How many tickets it changes the price of.'),
    total: z.int().describe('What it adds to the order.'),
    limited: z
      .object({
        wanted: z.int().describe('How many tickets it applies to.'),
        units: z.int().describe('For how many of these it counts.'),
        reason: z
          .enum(LIMIT_REASONS)
          .describe(
            'What allows no more: `units` of its effect, how many tickets are left in all or for the buyer, or its budget.',
          ),
      })
      .exactOptional()
      .describe(
        'Only if it counts for fewer tickets of the cart than it applies to. Also if it is per order, and its budget has less left than it would take off: it then counts for all tickets, with what is left.',
      ),
    budgetId: z.string().exactOptional().describe('The budget that pays for what it takes off.'),
    allocations: z
      .array(z.object({ line: z.int().describe('The index of the line.'), amount: z.int() }))
      .exactOptional()
      .describe(
        'For a modifier of a whole cart with several lines: what of `total` falls on each, in proportion to what they cost. An order has it as the `shares` of its items.',
      ),
  })
  .meta({ id: 'Modifier' });
export type Modifier = z.output<typeof modifier>;

/** An adjustment that did not count, and why. */
export const droppedAdjustment = z
  .object({
    adjustmentId: z.string(),
    name: z
      .string()
      .exactOptional()
      .describe(
        'Absent, like `code`, if the adjustment needs a code that was not presented and the API key lacks pricing:read.',
      ),
    category: z.string(),
    code: z.string().exactOptional(),
    reason: z.enum(DROP_REASONS),
    detail: z.string().describe('The reason as a sentence for a merchant, with its numbers.'),
    replacedBy: z.string().exactOptional().describe('The id of the adjustment that took its place.'),
  })
  .meta({ id: 'DroppedAdjustment' });
export type DroppedAdjustment = z.output<typeof droppedAdjustment>;

/** The result of one code that the buyer presented. */
export const codeResult = z
  .object({
    code: z.string(),
    status: z
      .enum(['applied', 'dropped', 'unknown', 'throttled'])
      .describe('`throttled`: not looked up, because too many unknown codes were entered in the last minute.'),
    adjustmentId: z.string().exactOptional(),
    reason: z.enum(DROP_REASONS).exactOptional(),
    detail: z
      .string()
      .exactOptional()
      .describe('Why it was dropped; for a code that was applied, that it is a surcharge, if it is one.'),
  })
  .meta({ id: 'CodeResult' });
export type CodeResult = z.output<typeof codeResult>;

export const priceSummary = z
  .object({
    subtotal: z.int().describe('List price x quantity.'),
    modifiers: z.int().describe('The sum of all modifiers.'),
    total: z.int().describe('subtotal + modifiers, not below 0.'),
    currency: z.string(),
    clampedAtZero: z
      .boolean()
      .describe(
        'True if a discount was larger than what was left to discount (of a ticket, the order, or the tickets of a "buy x get y"), and was cut to that. The total need not be 0.',
      ),
  })
  .meta({ id: 'PriceSummary' });
export type PriceSummary = z.output<typeof priceSummary>;

const amount = z.object({ amount: z.int(), currency: z.string() });

const ticketGroups = z
  .array(z.object({ quantity: z.int(), effectivePrice: amount, perUnitModifiers: z.array(modifier) }))
  .exactOptional()
  .describe(
    'Only if tickets of the line differ in price, because an adjustment counts for some of them: how many cost how much.',
  );

/** The `data` of an evaluation of one offering. */
export const evaluation = z
  .object({
    basePrice: amount,
    effectivePrice: amount.describe(
      'The price of one unit after perUnitModifiers; of the dearest, if they differ. Modifiers of the whole order are only in perOrderModifiers and summary.',
    ),
    perUnitModifiers: z.array(modifier),
    groups: ticketGroups,
    perOrderModifiers: z.array(modifier),
    summary: priceSummary,
    droppedAdjustments: z.array(droppedAdjustment),
    codes: z.array(codeResult),
  })
  .meta({ id: 'Evaluation' });
export type Evaluation = z.output<typeof evaluation>;

/** One line of a priced cart: its unit price after adjustments of single units, without order-wide modifiers. */
export const cartLineEvaluation = z
  .object({
    offeringId: z.string(),
    quantity: z.int(),
    basePrice: amount,
    listPrice: amount.exactOptional().describe('What adjustments at listing make of basePrice. Absent: the same.'),
    effectivePrice: amount.describe('Of the dearest ticket, if they differ.'),
    perUnitModifiers: z.array(modifier),
    groups: ticketGroups,
    total: z.int().describe('effectivePrice x quantity, or the sum over `groups`.'),
  })
  .meta({ id: 'CartLineEvaluation' });
export type CartLineEvaluation = z.output<typeof cartLineEvaluation>;

/** What a whole cart costs, with the results of its own codes; other adjustments that did not count are left out. */
export const cartEvaluation = z
  .object({
    lines: z.array(cartLineEvaluation),
    perOrderModifiers: z.array(modifier),
    summary: priceSummary,
    codes: z.array(codeResult),
  })
  .meta({ id: 'CartEvaluation' });
export type CartEvaluation = z.output<typeof cartEvaluation>;

/**
 * What each cart costs, or why it has no price, in order; with `withinMs`, perhaps not all of them. `valid` says for
 * each validator whether it holds.
 */
export const evaluateCartsReply = z
  .object({
    carts: z.array(
      z.union([
        z.object({ evaluation: cartEvaluation, validator: z.string().exactOptional() }),
        z.object({ refusal: repliedRefusal }),
      ]),
    ),
    valid: z.array(z.boolean()).exactOptional(),
  })
  .meta({ id: 'EvaluateCartsReply' });
export type EvaluateCartsReply = z.output<typeof evaluateCartsReply>;
