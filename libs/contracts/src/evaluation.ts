import { z } from 'zod';
import type { Effect } from './adjustment.ts';
import { ARRAY_LENGTH_MAX, couponCode, currencyCode, externalId, instant, minorUnits, money } from './primitives.ts';

export const QUANTITY_MAX = 1_000_000;

/** The largest list price x quantity (minor units): leaves room for any surcharge within exact integers. */
const LINE_TOTAL_MAX = 100_000_000_000_000;
const PRICE_MAX = 1_000_000_000_000;

function lineTotalIsExact(price: { amount: number }, units: number): boolean {
  return price.amount * units <= LINE_TOTAL_MAX;
}
const lineTotalTooLarge = { path: ['offering', 'price', 'amount'], message: 'is too large for this quantity' };

const quantity = z.int().min(0).max(QUANTITY_MAX);

const offering = z.object({
  id: externalId,
  eventId: externalId.optional(),
  companyId: externalId.optional(),
  price: z.object({ amount: minorUnits.max(PRICE_MAX), currency: currencyCode.optional() }),
  tags: z.array(externalId).max(ARRAY_LENGTH_MAX).optional(),
});

const cartContext = z.object({
  quantity: quantity.default(1),
  now: instant.optional(),
  codes: z.array(couponCode).max(ARRAY_LENGTH_MAX).optional(),
  customerId: externalId.optional(),
  customerSegment: externalId.optional(),
  channelId: externalId.optional(),
  orderTotal: money.optional(),
});

/** The body of `POST /v1/pricing/adjustments/evaluate`. */
export const evaluateRequest = z
  .object({ offering, cartContext })
  .refine((r) => lineTotalIsExact(r.offering.price, r.cartContext.quantity), lineTotalTooLarge);
export type EvaluateRequest = z.output<typeof evaluateRequest>;

/** Many lines of one cart, priced together. Internal: the cart service asks for it over request-reply. */
export const evaluateCartRequest = z.object({
  lines: z
    .array(
      z.object({ offering, quantity }).refine((l) => lineTotalIsExact(l.offering.price, l.quantity), lineTotalTooLarge),
    )
    .max(ARRAY_LENGTH_MAX),
  cartContext: cartContext.omit({ quantity: true }),
});
export type EvaluateCartRequest = z.output<typeof evaluateCartRequest>;

export const DROP_REASONS = [
  'target-mismatch',
  'not-started',
  'ended',
  'quantity-below-minimum',
  'quantity-above-maximum',
  'order-total-below-minimum',
  'order-total-above-maximum',
  'order-total-missing',
  'segment-mismatch',
  'channel-mismatch',
  'tag-mismatch',
  'code-not-presented',
  'redemption-limit-reached',
  'customer-redemption-limit-reached',
  'customer-missing',
  'currency-mismatch',
  'replaced-within-category',
  'excluded-by-exclusive',
  'no-effect',
] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** An adjustment that counted. Amounts are signed minor units. */
export interface Modifier {
  adjustmentId: string;
  name: string;
  type: string;
  category: string;
  origin: string;
  code?: string;
  effect: Effect;
  /** What the effect was computed on: one unit's price, or the order's, as `effectBase` says. */
  base: number;
  /** Per unit in `perUnitModifiers`, per order in `perOrderModifiers`. */
  amount: number;
  /** What it adds to the order. */
  total: number;
}

/** An adjustment that did not count, and why. */
export interface DroppedAdjustment {
  adjustmentId: string;
  name: string;
  category: string;
  code?: string;
  reason: DropReason;
  /** The reason as a sentence for a merchant, with its numbers. */
  detail: string;
  /** The id of the adjustment that took its place. */
  replacedBy?: string;
}

/** What became of one code that the buyer presented. */
export interface CodeResult {
  code: string;
  status: 'applied' | 'dropped' | 'unknown';
  adjustmentId?: string;
  reason?: DropReason;
  detail?: string;
}

export interface PriceSummary {
  subtotal: number;
  modifiers: number;
  total: number;
  currency: string;
  clampedAtZero: boolean;
}

interface Amount {
  amount: number;
  currency: string;
}

/** The `data` of an evaluation of one offering. */
export interface Evaluation {
  basePrice: Amount;
  effectivePrice: Amount;
  perUnitModifiers: Modifier[];
  perOrderModifiers: Modifier[];
  summary: PriceSummary;
  droppedAdjustments: DroppedAdjustment[];
  codes: CodeResult[];
}

/** One line of a priced cart: its unit price after what counts per unit. Order-wide modifiers stand beside the lines. */
export interface CartLineEvaluation {
  offeringId: string;
  quantity: number;
  basePrice: Amount;
  effectivePrice: Amount;
  perUnitModifiers: Modifier[];
  /** effectivePrice x quantity. */
  total: number;
}

/** The `data` of an evaluation of a whole cart. */
export interface CartEvaluation {
  lines: CartLineEvaluation[];
  perOrderModifiers: Modifier[];
  summary: PriceSummary;
  droppedAdjustments: DroppedAdjustment[];
  codes: CodeResult[];
}
