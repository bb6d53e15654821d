import { z } from 'zod';
import { modifier } from '../adjustments/evaluation.ts';
import { couponState } from '../coupons/coupon.ts';
import { repliedRefusal, type RepliedRefusal } from '../errors/replied-refusal.ts';
import { offeringRecord } from '../offerings/offering.ts';
import { orderCosts, orderCoupon, pricedItem } from '../orders/order.ts';
import { ORDER_STATES } from '../orders/order-state.ts';
import { tenantKey } from '../identity/tenant.ts';
import { ARRAY_LENGTH_MAX, externalId, money, timestamp } from '../schema/primitives.ts';

/** The most claims of an order in one service: those of its placing, and of each amendment. */
export const CLAIMS_MAX = 10_000;

/** How much of a claim its order keeps, if that is not everything: 0 if nothing. */
const keeps = z.int().min(0);

/** Whether a claim is held for an amendment of its order that is pending. */
const held = z.literal(true);

/** Which revision of an order claims are for: each reopening and amendment makes the next. Absent: it is new. */
const revision = z.int().min(1);

/**
 * What an order claims of an adjustment: a redemption, whose id becomes the redemption's id when it is confirmed, one
 * use of the issued `code` that it was redeemed with, or tickets that it counts for; or what it takes from a budget, in
 * minor units.
 */
export const redemptionClaim = z
  .object({
    redemptionId: externalId,
    /** Absent for what it takes from a budget. */
    adjustmentId: externalId.exactOptional(),
    /** What it claims. Absent: a redemption. */
    pool: z.enum(['tickets', 'code', 'budget']).exactOptional(),
    budgetId: externalId.exactOptional(),
    /** For a budget per day: which day. */
    day: z.string().exactOptional(),
    customerId: externalId.exactOptional(),
    /** What it counts under besides its customer: keyed hashes. */
    shares: z.array(z.string()).exactOptional(),
    code: z.string().exactOptional(),
    /** The quantity as claimed. */
    quantity: z.int().min(1),
    keeps: keeps.exactOptional(),
    held: held.exactOptional(),
    revision: revision.exactOptional(),
  })
  .meta({ id: 'Claim' });
export type RedemptionClaim = z.output<typeof redemptionClaim>;

/** How many tickets of each adjustment an order has by its claims. */
export function ticketsIn(claims: readonly RedemptionClaim[]): Map<string, number> {
  const tickets = new Map<string, number>();
  for (const { adjustmentId = '', pool, quantity, keeps: kept = quantity } of claims) {
    if (pool === 'tickets') tickets.set(adjustmentId, (tickets.get(adjustmentId) ?? 0) + kept);
  }
  return tickets;
}

/** How much an order takes from each budget by its claims, on all days together. */
export function budgetsIn(claims: readonly RedemptionClaim[]): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const { budgetId, quantity, keeps: kept = quantity } of claims) {
    if (budgetId !== undefined) amounts.set(budgetId, (amounts.get(budgetId) ?? 0) + kept);
  }
  return amounts;
}

/** The redemptions among an order's claims. */
export function redemptionsIn(claims: readonly RedemptionClaim[]): (RedemptionClaim & { adjustmentId: string })[] {
  return claims.flatMap(({ adjustmentId, ...claim }) =>
    claim.pool === undefined && adjustmentId !== undefined ? [{ ...claim, adjustmentId }] : [],
  );
}

/** What all requests that claim something for an order have in common. */
export const claimRequest = z.object({
  /**
   * All copies of an order have one id, so that the others find what one of them has claimed, and claim nothing more.
   */
  orderId: externalId,
  revision: revision.optional(),
});

/** `spare`: what else is held for the order that it does not need. */
const claimsReply = <Told extends z.ZodType>(told: Told) =>
  z.object({ claims: z.array(told), spare: z.array(told).exactOptional() });
export const claimReply = claimsReply(redemptionClaim);
/** The request is refused, and `spare` is everything that is held for the order by then. */
export const claimsRefused = <Told extends z.ZodType>(told: Told) =>
  z.object({ refusal: repliedRefusal, spare: z.array(told) });
export interface ClaimsRefused<Told> {
  refusal: RepliedRefusal;
  spare: Told[];
}

/** `unwritten`: no order was written with these claims, and none will be. Absent: the order that had them is over. */
const unwritten = z.boolean().optional();

/** The order stands, and keeps of each claim what the claim says. */
const standing = z.enum(['pending', 'placed']).optional();

export const cancelClaimsRequest = z
  .object({
    orderId: externalId,
    claims: z.array(redemptionClaim).max(CLAIMS_MAX),
    unwritten,
    standing,
  })
  .meta({ id: 'CancelClaimsRequest' });
export type CancelClaimsRequest = z.output<typeof cancelClaimsRequest>;
export const cancelClaimsReply = z.object({ cancelled: z.int() }).meta({ id: 'CancelClaimsReply' });

/** Tickets that an order claims from one pool: that of an offering, or of all offerings of an event together. */
export const ticketClaim = z
  .object({
    claimId: externalId,
    poolId: z.string(),
    /** What the tickets are of. */
    of: z.union([z.object({ offeringId: externalId }), z.object({ eventId: externalId })]),
    /** What they count under, if the number for each customer is limited: keyed hashes. */
    shares: z.array(z.string()).exactOptional(),
    /** The quantity as claimed. */
    quantity: z.int().min(1),
    keeps: keeps.exactOptional(),
    held: held.exactOptional(),
    revision: revision.exactOptional(),
  })
  .meta({ id: 'TicketClaim' });
export type TicketClaim = z.output<typeof ticketClaim>;

export const claimTicketsRequest = claimRequest
  .extend({
    customer: z.object({ id: externalId.optional(), email: z.string() }),
    items: z
      .array(
        z.object({
          /** The item's index in the order. */
          index: z.int().min(0),
          offeringId: externalId,
          quantity: z.int().min(1),
          /** The version of the offering whose price the order uses; 0 if it knows no such offering. Absent: any. */
          version: z.int().min(0).optional(),
          /** For an amendment: how many tickets of the offering the order keeps in addition. */
          besides: z.int().min(0).optional(),
        }),
      )
      .max(ARRAY_LENGTH_MAX),
    /** For an amendment: how many tickets of events the order returns. As many others need no new place. */
    exchanged: z
      .array(z.object({ eventId: externalId, quantity: z.int().min(1) }))
      .max(ARRAY_LENGTH_MAX)
      .optional(),
    /** What a reopened order held before: released before anything is claimed. */
    former: z.array(ticketClaim).max(CLAIMS_MAX).optional(),
  })
  .meta({ id: 'ClaimTicketsRequest' });
export type ClaimTicketsRequest = z.output<typeof claimTicketsRequest>;
const ticketsClaimed = claimsReply(ticketClaim).extend({ changed: z.array(offeringRecord).exactOptional() });
/**
 * Like `claimReply` for redemptions. If offerings are at versions other than those of the order's items, nothing is
 * claimed, and `changed` has these offerings.
 */
export const claimTicketsReply = z
  .union([ticketsClaimed, claimsRefused(ticketClaim)])
  .meta({ id: 'ClaimTicketsReply' });
export type ClaimTicketsReply = z.output<typeof claimTicketsReply>;
export type ClaimedTickets = z.output<typeof ticketsClaimed>;

/**
 * An order with one item for each of at most 500 offerings claims from at most as many offerings and as many events.
 */
export const cancelTicketsRequest = cancelClaimsRequest
  .omit({ claims: true })
  .extend({ claims: z.array(ticketClaim).max(CLAIMS_MAX) })
  .meta({ id: 'CancelTicketsRequest' });
export type CancelTicketsRequest = z.output<typeof cancelTicketsRequest>;

/** `revision`: that of the claim. If it has not been written yet, it never will be. */
export const settleOrderRequest = claimRequest.meta({ id: 'SettleOrderRequest' });
export type SettleOrderRequest = z.output<typeof settleOrderRequest>;
/**
 * `void` is final: the order was not written, and never will be. Otherwise the order has the redemptions of
 * `redemptionIds` and the tickets of `ticketIds`, and never any other that was claimed before the request. `keeps`: for
 * those of these claims that it keeps only in part, or not at all. `held`: those that are held for a pending amendment.
 */
export const settleOrderReply = z
  .object({
    outcome: z.enum(['void', ...ORDER_STATES]),
    redemptionIds: z.array(z.string()).exactOptional(),
    ticketIds: z.array(z.string()).exactOptional(),
    keeps: z.record(z.string(), keeps).exactOptional(),
    held: z.array(z.string()).exactOptional(),
  })
  .meta({ id: 'SettleOrderReply' });
export type SettleOrderReply = z.output<typeof settleOrderReply>;
export type OrderOutcome = SettleOrderReply['outcome'];

export const couponStateRequest = z
  .object({ tenant: tenantKey, couponId: externalId })
  .meta({ id: 'CouponStateRequest' });
/** `state` is absent if the coupon was never written. Earlier states arrive with the coupon's events. */
export const couponStateReply = z.object({ state: couponState.optional() }).meta({ id: 'CouponStateReply' });

/** What an order costs, as the order shows it. */
export const orderPrice = z.object({
  items: z.array(
    pricedItem
      .pick({
        offeringId: true,
        name: true,
        quantity: true,
        unitPrice: true,
        effectiveUnitPrice: true,
        total: true,
        modifiers: true,
        priced: true,
      })
      .strip(),
  ),
  costs: orderCosts.pick({ subtotal: true, modifiers: true, fees: true, tax: true, total: true }),
  /** What changed the price of the order as a whole. */
  modifiers: z.array(modifier),
  coupons: z.array(orderCoupon),
  createdAt: timestamp,
});
export type OrderPrice = z.output<typeof orderPrice>;

export const ordersStandingRequest = z
  .object({
    orderIds: z.array(externalId).max(ARRAY_LENGTH_MAX),
    /** The orders whose prices the reply contains. */
    pricesOf: z.array(externalId).max(ARRAY_LENGTH_MAX).optional(),
    /**
     * Whether the reply is only shown. Otherwise the requester acts on it, and for a single order it is never outdated.
     */
    isShown: z.boolean().optional(),
  })
  .meta({ id: 'OrdersStandingRequest' });
/**
 * `standing`: the orders that are pending or placed and so keep what they bought, with what each costs. `isPending`: it
 * waits to be confirmed. `over`: the orders that were cancelled or expired. `revision`: the order's last one, even if
 * it was declared void; 0 if there was none.
 */
export const ordersStandingReply = z
  .object({
    standing: z.array(
      z.object({
        orderId: z.string(),
        isPending: z.boolean(),
        revision: z.int(),
        total: money,
        /** How many seats it has at the table of its cart session. */
        seats: z.int().exactOptional(),
        price: orderPrice.exactOptional(),
      }),
    ),
    over: z.array(z.object({ orderId: z.string(), revision: z.int() })),
  })
  .meta({ id: 'OrdersStandingReply' });
export type OrdersStandingReply = z.output<typeof ordersStandingReply>;

export const offeringsRequest = z
  .object({ ids: z.array(externalId).max(ARRAY_LENGTH_MAX) })
  .meta({ id: 'OfferingsRequest' });

/** `limit`: the most ids to return. */
export const offeringsOfEventRequest = z
  .object({ eventId: externalId, limit: z.int().min(1) })
  .meta({ id: 'OfferingsOfEventRequest' });
export const offeringsOfEventReply = z.object({ ids: z.array(z.string()) }).meta({ id: 'OfferingsOfEventReply' });

export const eventContextsRequest = z
  .object({ ids: z.array(externalId).max(ARRAY_LENGTH_MAX) })
  .meta({ id: 'EventContextsRequest' });
/** An event's own fields: an instance without what it inherits from its series. `version` counts its changes. */
export const eventContextRecord = z.object({
  id: z.string(),
  seriesId: z.string().exactOptional(),
  venueId: z.string().exactOptional(),
  organizerId: z.string().exactOptional(),
  version: z.int(),
});
export type EventContextRecord = z.output<typeof eventContextRecord>;
/** The events that exist, and the series of those that are instances. */
export const eventContextsReply = z.object({ events: z.array(eventContextRecord) }).meta({ id: 'EventContextsReply' });

/** The ids that a record names: its times without a zone are in their zone. Series are events. */
export const namedPlaces = z
  .object({
    eventIds: z.array(externalId).max(2 * ARRAY_LENGTH_MAX),
    venueIds: z.array(externalId).max(2 * ARRAY_LENGTH_MAX),
    offeringIds: z.array(externalId).max(2 * ARRAY_LENGTH_MAX),
  })
  .meta({ id: 'NamedPlaces' });
export type NamedPlaces = z.output<typeof namedPlaces>;
export const timeZonesReply = z.object({ zones: z.array(z.string()) }).meta({ id: 'TimeZonesReply' });

/** A budget that a coupon names. */
export const budgetExistsRequest = z.object({ budgetId: externalId }).meta({ id: 'BudgetExistsRequest' });
export const budgetExistsReply = z.object({ exists: z.boolean() }).meta({ id: 'BudgetExistsReply' });

/** Says that anything known about a record below `version` is stale. */
export const recordNotice = z.object({ tenant: tenantKey, id: z.string(), version: z.int() });
export type RecordNotice = z.output<typeof recordNotice>;

/** The code is not validated: it may have been stored under earlier rules. */
export const codeHolderRequest = z
  .object({ code: z.string(), couponId: externalId.optional() })
  .meta({ id: 'CodeHolderRequest' });
const codeHolder = z
  .object({
    name: z.string(),
    adjustmentId: z.string().optional(),
    couponId: z.string().optional(),
    usedUp: z.boolean(),
  })
  .meta({ id: 'CodeHolder' });
/** Without `holder`, the code is free. */
export const codeHolderReply = z.object({ holder: codeHolder.optional() }).meta({ id: 'CodeHolderReply' });

/** The coupon's adjustment; `couponVersion` is absent if the coupon never had an effect. */
export const followCouponReply = z
  .object({
    /** The version of the coupon that the adjustment follows: the one that was sent, or a later one. */
    couponVersion: z.int().optional(),
    /** Whether another adjustment holds the coupon's code. */
    codeConflict: z.boolean(),
    /** What holds it, unless that was being changed at that moment. */
    codeHolder: codeHolder.optional(),
  })
  .meta({ id: 'FollowCouponReply' });
export type FollowCouponReply = z.output<typeof followCouponReply>;
