import { z } from 'zod';
import type { ErrorDetail } from '../errors/errors.ts';
import {
  type CartEvaluation,
  cartEvaluation,
  cartLine,
  codeResult,
  type DroppedAdjustment,
  evaluateCartRequest,
  lineTotalIsExact,
  type Modifier,
} from '../adjustments/evaluation.ts';
import { couponCode } from '../schema/codes.ts';
import { ARRAY_LENGTH_MAX, externalId, minorUnits, PRICE_MAX, timestamp } from '../schema/primitives.ts';
import { CLAIMS_MAX, claimReply, claimRequest, claimsRefused, redemptionClaim } from '../messages/rpc.ts';

const { clientRef, customerId, customerEmail, customerSegment, channelId } =
  evaluateCartRequest.shape.cartContext.shape;

/**
 * What an order buys. `offering.price` is the list price of one unit; `statedPrice` is charged instead, if the caller
 * states prices.
 */
export const purchaseLine = cartLine
  .extend({ statedPrice: minorUnits.max(PRICE_MAX).optional() })
  .refine(
    ({ offering, quantity, statedPrice = 0 }) =>
      lineTotalIsExact({ amount: Math.max(offering.price.amount, statedPrice) }, quantity),
    { path: ['quantity'], message: 'is too large for this price' },
  );

export const purchaseRequest = claimRequest
  .extend({
    /** What the order held before it was cancelled or expired: released first. */
    former: z.array(redemptionClaim).max(CLAIMS_MAX).optional(),
    /** Empty if nothing in the order has a price: then the windows and caps of what it names decide. */
    lines: z.array(purchaseLine).max(ARRAY_LENGTH_MAX),
    cartContext: z.object({ clientRef, customerId, customerEmail, customerSegment, channelId }),
    codes: z.array(couponCode).max(ARRAY_LENGTH_MAX),
    /** Adjustments that the order names. For a key with orders:write each counts as if its code had been presented. */
    adjustmentIds: z.array(externalId).max(ARRAY_LENGTH_MAX),
    /** Fees and tax, minor units. */
    charges: minorUnits,
    /** The total that the buyer was shown, with `charges`. Compared only if there are lines. */
    expectedTotal: minorUnits.optional(),
    /** Where the order states it. Absent: `order.expectedTotal`. */
    expectedPath: z.string().max(64).optional(),
  })
  .meta({ id: 'PurchaseRequest' });
export type PurchaseRequest = z.output<typeof purchaseRequest>;

/** The most adjustments in the basis of a price: the price of an order with more cannot be worked out again. */
export const BASIS_MAX = 200;

const basisOf = <Line extends z.ZodType>(line: Line) =>
  z.object({
    /** When the price was worked out. */
    at: timestamp,
    /** All lines, in the order in which the cascade took them: ties go to the same line again. */
    lines: z.array(line).max(2 * ARRAY_LENGTH_MAX),
    adjustments: z
      .array(
        z.object({
          id: externalId,
          version: z.int().min(1),
          /** The lines that it applies to. */
          lines: z.array(line).max(ARRAY_LENGTH_MAX),
        }),
      )
      .max(BASIS_MAX),
  });

/**
 * What the price of an order was worked out from: the adjustments that counted, and those that did not because of the
 * quantity, the order's total, their category or an exclusive, or because they changed nothing. Any other could not
 * count for the order, whatever is taken from it.
 */
export const priceBasis = basisOf(externalId).describe('`lines` are line ids of the order.');
export type PriceBasis = z.output<typeof priceBasis>;

/**
 * `claims` has every adjustment that makes `price`. `price`, without `charges`, is what is charged; `platformTotal` is
 * the total at list prices. `shares` has for each of the price's `perOrderModifiers` what it adds to each line, and
 * `units`, by adjustment, how many tickets of each line it changes the price of, if only some. All are absent without
 * lines. `basis` has the indexes of lines; it is absent if it would be too large. `codes` has each of the request's
 * codes: a dropped code lost against a better one.
 */
const purchased = claimReply.extend({
  price: cartEvaluation.omit({ codes: true }).exactOptional(),
  platformTotal: z.int().exactOptional(),
  shares: z.array(z.array(z.int())).exactOptional(),
  units: z.record(z.string(), z.array(z.int())).exactOptional(),
  basis: basisOf(z.int()).exactOptional(),
  codes: z.array(codeResult),
});
export const purchaseReply = z.union([purchased, claimsRefused(redemptionClaim)]).meta({ id: 'PurchaseReply' });
export type PurchaseReply = z.output<typeof purchaseReply>;
export type Purchased = z.output<typeof purchased>;

type PriceParts = Pick<CartEvaluation, 'lines' | 'perOrderModifiers'>;

/** What makes a price, what the items cost before, and what does not count, as details of an error. */
export function priceReasons(price: PriceParts & { droppedAdjustments?: readonly DroppedAdjustment[] }): ErrorDetail[] {
  return [
    ...modifierTotals(price).map(({ adjustmentId, name, code, total }) => ({
      path: pathOf(code),
      message: `"${name}" changes the total by ${total}`,
      adjustmentId,
      ...(code === undefined ? {} : { code }),
      total,
    })),
    ...price.lines.map(({ offeringId, quantity, basePrice: { amount } }) => ({
      path: 'order.items',
      message: `${offeringId} costs ${amount} a unit before adjustments`,
      offeringId,
      quantity,
      unitPrice: amount,
    })),
    ...(price.droppedAdjustments ?? []).map(({ adjustmentId, code, reason, detail }) => ({
      path: pathOf(code),
      message: detail,
      adjustmentId,
      ...(code === undefined ? {} : { code }),
      reason,
    })),
  ];
}

function pathOf(code: string | undefined): string {
  return code === undefined ? 'order.items' : 'order.coupons';
}

/** What each adjustment adds to a price, over its single tickets and the order. */
export function modifierTotals(price: PriceParts): Pick<Modifier, 'adjustmentId' | 'name' | 'code' | 'total'>[] {
  const totals = new Map<string, Modifier>();
  for (const modifier of modifiersOf(price)) {
    const total = (totals.get(modifier.adjustmentId)?.total ?? 0) + modifier.total;
    totals.set(modifier.adjustmentId, { ...modifier, total });
  }
  return [...totals.values()];
}

/** All modifiers that make a price. */
export function* modifiersOf({ lines, perOrderModifiers }: PriceParts): Generator<Modifier> {
  for (const { perUnitModifiers } of lines) yield* perUnitModifiers;
  yield* perOrderModifiers;
}
