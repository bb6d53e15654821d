import { z } from 'zod';
import { couponState } from './coupon.ts';
import type { ProcessName, Scope, ServiceName } from './identity.ts';
import { tenantKey } from './tenant.ts';
import { ARRAY_LENGTH_MAX, couponCode, externalId } from './primitives.ts';

/**
 * Request-reply between processes: who asks, and what the caller's token must allow. Each subject has one responder group, that of
 * the service in its name. A request carries in the header `x-platform-identity` the word of the gateway about the caller whose
 * request it is part of, with one of `scopes`; where no caller waits, `scopes` is empty, and it carries the asking process's own
 * word. An answer is `{"data":...}` or an error body with the header `status`. Large ones travel in parts.
 */
export const RPC = {
  /** Price one offering: asked by the gateway, with a caller's body as it came. Option `dropped`: `all` or `candidates`. */
  evaluate: {
    subject: 'rpc.pricing.evaluate',
    timeoutMs: 2_000,
    callers: ['gateway'],
    scopes: ['pricing:evaluate'],
  },
  /** Price whole carts of the caller's company, each by itself. */
  evaluateCarts: {
    subject: 'rpc.pricing.evaluate-carts',
    timeoutMs: 2_000,
    callers: ['cart'],
    scopes: ['carts:read', 'orders:write'],
  },
  /** Claim every redemption of an order, all or none. */
  claim: { subject: 'rpc.pricing.claim', timeoutMs: 3_000, callers: ['commerce'], scopes: ['orders:write'] },
  /** Give back claims whose order was not written. Safe to repeat. */
  cancelClaims: {
    subject: 'rpc.pricing.cancel-claims',
    timeoutMs: 3_000,
    callers: ['commerce'],
    scopes: ['orders:write'],
  },
  /** Whether an active adjustment of the caller's company holds a code, other than that of the coupon that asks. */
  codeHolder: {
    subject: 'rpc.pricing.code-holder',
    timeoutMs: 2_000,
    callers: ['commerce'],
    scopes: ['coupons:write'],
  },
  /**
   * Make a coupon's adjustment follow the coupon, as its event would, before a change is answered: the request is the event's
   * data. Safe to repeat and to reorder. Waits for replicas that are gone.
   */
  followCoupon: {
    subject: 'rpc.pricing.follow-coupon',
    timeoutMs: 4_000,
    callers: ['commerce'],
    scopes: ['coupons:write'],
  },
  /** What offerings of the caller's company cost; unknown ids are left out of the answer. */
  offerings: {
    subject: 'rpc.events.offerings',
    timeoutMs: 2_000,
    callers: ['cart'],
    scopes: ['carts:read', 'orders:write'],
  },
  /** What events of the caller's company are part of: series, venue, organizer; unknown ids are left out of the answer. */
  eventContexts: {
    subject: 'rpc.events.contexts',
    timeoutMs: 1_000,
    callers: ['pricing'],
    scopes: ['pricing:evaluate', 'carts:read', 'orders:write'],
  },
  /** What makes a cart's price now, and so what an order of it redeems. */
  cartRedemptions: {
    subject: 'rpc.cart.redemptions',
    timeoutMs: 3_000,
    callers: ['commerce'],
    scopes: ['orders:write'],
  },
  /** Asks, once and for all, whether an order whose claims nobody confirmed was written. */
  settleOrder: { subject: 'rpc.commerce.settle-order', timeoutMs: 3_000, callers: ['pricing'], scopes: [] },
  /** A coupon as it is now: asked when its event left out what it applies to. */
  couponState: { subject: 'rpc.commerce.coupon-state', timeoutMs: 3_000, callers: ['pricing'], scopes: [] },
  /** Which orders stand now: asked when it has to be known whose a seat is. */
  ordersStanding: { subject: 'rpc.commerce.orders-standing', timeoutMs: 3_000, callers: ['cart'], scopes: [] },
} as const satisfies Record<string, RpcEndpoint>;

export interface RpcEndpoint {
  subject: `rpc.${ServiceName}.${string}`;
  timeoutMs: number;
  callers: readonly ProcessName[];
  /** The caller's token holds one of these at least. */
  scopes: readonly Scope[];
}

/** A claimed redemption: its id is the redemption's id once it is confirmed. */
export const claim = z
  .object({
    redemptionId: externalId,
    adjustmentId: externalId,
    customerId: externalId.optional(),
    code: z.string().optional(),
    quantity: z.int().min(1),
    /** Whether the claim is counted for its customer too. */
    perCustomer: z.boolean(),
    /** See `claimRequest`. */
    key: z.string().optional(),
  })
  .meta({ id: 'Claim' });
export type Claim = z.output<typeof claim>;

export const claimRequest = z
  .object({
    orderId: externalId,
    /** What all copies of the order have in common: they find each other's claims, and none of them claims a second time. */
    key: z.string().max(64).optional(),
    /** A digest of what the order says. Another order under the same key gets nothing while the first one's claims stand. */
    content: z.string().max(64).optional(),
    customerId: externalId.optional(),
    codes: z.array(couponCode).max(ARRAY_LENGTH_MAX),
    adjustmentIds: z.array(externalId).max(ARRAY_LENGTH_MAX),
  })
  .meta({ id: 'ClaimRequest' });
export type ClaimRequest = z.output<typeof claimRequest>;
/** `orderId` is the id that the claims are held for: that of the copy of the order which came first. */
export const claimReply = z.object({ orderId: z.string(), claims: z.array(claim) }).meta({ id: 'ClaimReply' });
export type ClaimReply = z.output<typeof claimReply>;

export const cancelClaimsRequest = z
  .object({ orderId: externalId, claims: z.array(claim).max(ARRAY_LENGTH_MAX) })
  .meta({ id: 'CancelClaimsRequest' });
export type CancelClaimsRequest = z.output<typeof cancelClaimsRequest>;
export const cancelClaimsReply = z.object({ cancelled: z.int() }).meta({ id: 'CancelClaimsReply' });

export const settleOrderRequest = z.object({ orderId: externalId }).meta({ id: 'SettleOrderRequest' });
export type SettleOrderRequest = z.output<typeof settleOrderRequest>;
/**
 * `void` is final: the order was not written, and never will be. An order that was placed has the redemptions of `redemptionIds`; a claim
 * that is not among them was never used.
 */
export const settleOrderReply = z
  .object({
    outcome: z.enum(['placed', 'void']),
    redemptionIds: z.array(z.string()).exactOptional(),
  })
  .meta({ id: 'SettleOrderReply' });
export type SettleOrderReply = z.output<typeof settleOrderReply>;

export const couponStateRequest = z
  .object({ tenant: tenantKey, couponId: externalId })
  .meta({ id: 'CouponStateRequest' });
/** What went before is for the coupon's events to tell: a coupon that is not there never was. */
export const couponStateReply = z.object({ state: couponState.optional() }).meta({ id: 'CouponStateReply' });
export type CouponStateReply = z.output<typeof couponStateReply>;

export const ordersStandingRequest = z
  .object({ orderIds: z.array(externalId).max(ARRAY_LENGTH_MAX) })
  .meta({ id: 'OrdersStandingRequest' });
export type OrdersStandingRequest = z.output<typeof ordersStandingRequest>;
/** Those of the orders that were written and not cancelled since: what they bought is theirs. */
export const ordersStandingReply = z.object({ standing: z.array(z.string()) }).meta({ id: 'OrdersStandingReply' });
export type OrdersStandingReply = z.output<typeof ordersStandingReply>;

export const offeringsRequest = z
  .object({ ids: z.array(externalId).max(ARRAY_LENGTH_MAX) })
  .meta({ id: 'OfferingsRequest' });
export type OfferingsRequest = z.output<typeof offeringsRequest>;

export const eventContextsRequest = z
  .object({ ids: z.array(externalId).max(ARRAY_LENGTH_MAX) })
  .meta({ id: 'EventContextsRequest' });
export type EventContextsRequest = z.output<typeof eventContextsRequest>;
/** An event by itself: an instance without what it takes from its series. `version` counts its changes. */
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
export type EventContextsReply = z.output<typeof eventContextsReply>;

/** Says that what is known of an event below `version` is stale. */
export const eventNotice = z.object({ tenant: tenantKey, id: z.string(), version: z.int() });

/** The code may be one that was kept when the rules for codes were others. */
export const codeHolderRequest = z
  .object({ code: z.string(), couponId: externalId.optional() })
  .meta({ id: 'CodeHolderRequest' });
export type CodeHolderRequest = z.output<typeof codeHolderRequest>;
export const codeHolderReply = z.object({ held: z.boolean() }).meta({ id: 'CodeHolderReply' });
export type CodeHolderReply = z.output<typeof codeHolderReply>;

/** What became of the coupon's adjustment; nothing is there of a coupon that never had an effect. */
export const followCouponReply = z
  .object({
    /** The version of the coupon that the adjustment follows: the one that was sent, or a later one. */
    couponVersion: z.int().optional(),
    /** Whether another adjustment holds the coupon's code. */
    codeConflict: z.boolean(),
  })
  .meta({ id: 'FollowCouponReply' });
export type FollowCouponReply = z.output<typeof followCouponReply>;

export const cartRedemptionsRequest = z.object({ sessionId: externalId }).meta({ id: 'CartRedemptionsRequest' });
export type CartRedemptionsRequest = z.output<typeof cartRedemptionsRequest>;
export const cartRedemptionsReply = z
  .object({
    adjustments: z.array(z.object({ adjustmentId: z.string(), code: z.string().exactOptional() })),
  })
  .meta({ id: 'CartRedemptionsReply' });
export type CartRedemptionsReply = z.output<typeof cartRedemptionsReply>;
