import { z } from 'zod';
import { cartLine } from '../adjustments/evaluation.ts';
import { tenantKey } from '../identity/tenant.ts';
import { eventContextRecord, redemptionClaim } from '../messages/rpc.ts';
import { priceBasis, purchaseRequest } from '../orders/purchase.ts';
import { ARRAY_LENGTH_MAX, externalId, instant, minorUnits, timestamp } from '../schema/primitives.ts';

/** What a rehearsal replays of an order. */
export const replayedOrder = z.object({
  orderId: z.string(),
  orderNumber: z.string(),
  createdAt: timestamp,
  /** When it was cancelled, or expired. Absent: it stands. */
  endedAt: timestamp.exactOptional(),
  currency: z.string(),
  total: z.int(),
  /** Fees and tax. */
  charges: z.int(),
  /** What adjustments add to it. */
  modifiers: z.int(),
  buyer: purchaseRequest.shape.cartContext,
  coupons: z.array(z.object({ code: z.string(), adjustmentId: z.string().exactOptional() })),
  /** The items of its basis. `price` is the list price. */
  lines: z.array(cartLine.extend({ lineId: z.string() })),
  claims: z.array(redemptionClaim),
  basis: priceBasis.exactOptional(),
  isAmended: z.boolean(),
  isStated: z.boolean(),
});
export type ReplayedOrder = z.output<typeof replayedOrder>;

/** `after`: the `next` of the previous reply. */
export const ordersCreatedRequest = z
  .object({
    tenant: tenantKey,
    from: instant,
    to: instant,
    after: externalId.optional(),
    limit: z.int().min(1).max(ARRAY_LENGTH_MAX),
  })
  .meta({ id: 'OrdersCreatedRequest' });
export type OrdersCreatedRequest = z.output<typeof ordersCreatedRequest>;
/** Oldest first. `next`: where to continue; absent after the last page. */
export const ordersCreatedReply = z
  .object({ orders: z.array(replayedOrder), next: z.string().exactOptional() })
  .meta({ id: 'OrdersCreatedReply' });
export type OrdersCreatedReply = z.output<typeof ordersCreatedReply>;

/** `max`: counting may stop there. */
export const countOrdersRequest = z
  .object({ tenant: tenantKey, from: instant, to: instant, max: minorUnits })
  .meta({ id: 'CountOrdersRequest' });
export const countOrdersReply = z.object({ count: z.int() }).meta({ id: 'CountOrdersReply' });

/** What adjustments know lines of orders by. */
export const placesOfRequest = z
  .object({
    tenant: tenantKey,
    eventIds: z.array(externalId).max(2 * ARRAY_LENGTH_MAX),
    offeringIds: z.array(externalId).max(2 * ARRAY_LENGTH_MAX),
  })
  .meta({ id: 'PlacesOfRequest' });
/** `events`: with the series of those that are instances. */
export const placesOfReply = z
  .object({
    offerings: z.array(z.object({ id: z.string(), tags: z.array(z.string()) })),
    events: z.array(eventContextRecord),
  })
  .meta({ id: 'PlacesOfReply' });
export type PlacesOf = z.output<typeof placesOfReply>;
