import { z } from 'zod';
import { cartEvaluation, cartLine, codeResult, evaluateCartRequest, lineTotalIsExact } from './evaluation.ts';
import { ARRAY_LENGTH_MAX, couponCode, externalId, minorUnits, PRICE_MAX } from './primitives.ts';
import { claim, claimReply, claimRequest } from './rpc.ts';

const { customerId, customerSegment, channelId } = evaluateCartRequest.shape.cartContext.shape;

/**
 * What an order buys. `offering.price` is the list price of one unit; `statedPrice` is charged instead, if the caller
 * states prices.
 */
const purchaseLine = cartLine
  .extend({ statedPrice: minorUnits.max(PRICE_MAX).optional() })
  .refine(
    ({ offering, quantity, statedPrice = 0 }) =>
      lineTotalIsExact({ amount: Math.max(offering.price.amount, statedPrice) }, quantity),
    { path: ['quantity'], message: 'is too large for this price' },
  );

export const purchaseRequest = claimRequest
  .extend({
    /** What the order held before it was cancelled or expired: released first. */
    former: z.array(claim).max(ARRAY_LENGTH_MAX).optional(),
    /** Empty if nothing of the order has a price: then the windows and caps of what it names decide. */
    lines: z.array(purchaseLine).max(ARRAY_LENGTH_MAX),
    cartContext: z.object({ customerId, customerSegment, channelId }),
    codes: z.array(couponCode).max(ARRAY_LENGTH_MAX),
    /** Adjustments that the order names. For a key with orders:write each counts as if its code had been presented. */
    adjustmentIds: z.array(externalId).max(ARRAY_LENGTH_MAX),
    /** Fees and tax, minor units. */
    charges: minorUnits,
    /** What the buyer was shown, with `charges`. Compared only if there are lines. */
    expectedTotal: minorUnits.optional(),
    /** Where the order says that. Absent: `order.expectedTotal`. */
    expectedPath: z.string().max(64).optional(),
  })
  .meta({ id: 'PurchaseRequest' });
export type PurchaseRequest = z.output<typeof purchaseRequest>;

/**
 * `orderId` and `claims` as in `claimReply`: every adjustment that makes `price`. `price`, without `charges`, is what
 * is charged; `platformTotal` is the total at list prices. Both are absent without lines. `codes` answers each of the
 * request's codes: a code that is dropped lost against a better one.
 */
export const purchaseReply = claimReply
  .extend({
    price: cartEvaluation.omit({ codes: true }).exactOptional(),
    platformTotal: z.int().exactOptional(),
    codes: z.array(codeResult),
  })
  .meta({ id: 'PurchaseReply' });
export type PurchaseReply = z.output<typeof purchaseReply>;
