import type { z } from 'zod';
import {
  checkoutReply,
  checkoutRequest,
  endCheckoutReply,
  endCheckoutRequest,
  releaseCheckoutReply,
  releaseCheckoutRequest,
} from '../carts/checkout.ts';
import {
  callOffOfEventReply,
  callOffOfEventRequest,
  callOffOrdersReply,
  callOffOrdersRequest,
} from '../events/call-off.ts';
import { couponState } from '../coupons/coupon.ts';
import { evaluateCartsReply, evaluateCartsRequest, evaluateRequest, evaluation } from '../adjustments/evaluation.ts';
import {
  eraseCustomerReply,
  eraseCustomerRequest,
  findCustomerReply,
  findCustomerRequest,
} from '../customers/erasure.ts';
import type { ProcessName, Scope, ServiceName } from '../identity/identity.ts';
import { offeringsReply } from '../offerings/offering.ts';
import { amendReply, amendRequest } from '../orders/amend.ts';
import { purchaseReply, purchaseRequest } from '../orders/purchase.ts';
import {
  countOrdersReply,
  countOrdersRequest,
  ordersCreatedReply,
  ordersCreatedRequest,
  placesOfReply,
  placesOfRequest,
} from '../rehearsals/replayed-orders.ts';
import {
  cancelClaimsReply,
  cancelClaimsRequest,
  cancelTicketsRequest,
  claimTicketsReply,
  claimTicketsRequest,
  budgetExistsReply,
  budgetExistsRequest,
  codeHolderReply,
  codeHolderRequest,
  couponStateReply,
  couponStateRequest,
  eventContextsReply,
  eventContextsRequest,
  followCouponReply,
  namedPlaces,
  offeringsOfEventReply,
  offeringsOfEventRequest,
  offeringsRequest,
  ordersStandingReply,
  ordersStandingRequest,
  settleOrderReply,
  settleOrderRequest,
  timeZonesReply,
} from './rpc.ts';

/**
 * How long a caller waits for a reply. Longer than a responder waits for its database or for others
 * (`DB_TIMEOUT_MS`, `RESPOND_WITHIN_MS`), and shorter than the gateway waits for a service (`UPSTREAM_TIMEOUT_MS`), so
 * that each of them can still say why it failed.
 */
const DEADLINE_MS = 6_000;
/** Pricing requests contexts while its own caller waits, and must have time left to use those it knows. */
const CONTEXTS_DEADLINE_MS = 3_000;

/**
 * Request-reply between processes: who asks, and what the caller's token must allow. Each subject has one responder
 * group, that of the service in its name. The header `x-platform-identity` of a request has the caller's identity,
 * signed by the gateway, with one of `scopes`; if no caller waits, `scopes` is empty, and it has the identity of the
 * requesting process, signed by itself. A reply is `{"data":...}` or an error body with the header `status`. Large
 * replies are sent in parts.
 */
export const RPC = {
  /**
   * Option `dropped`: `all` or `candidates`. Option `kept`: the digest of the list that the requester has kept, or
   * `none`; a long reply then consists of pieces of that list (see `writePieces` of the bus).
   */
  evaluate: {
    subject: 'rpc.pricing.evaluate',
    summary: 'Price one offering.',
    timeoutMs: DEADLINE_MS,
    callers: ['gateway'],
    scopes: ['pricing:evaluate'],
    forwarded: true,
    request: evaluateRequest,
    reply: evaluation,
  },
  evaluateCarts: {
    subject: 'rpc.pricing.evaluate-carts',
    summary:
      'Price whole carts, each on its own. The reply has one member for each cart, its price or why it has none; with `withinMs`, only for the first carts that were priced in that time.',
    timeoutMs: DEADLINE_MS,
    callers: ['cart', 'events'],
    scopes: ['carts:read', 'events:read'],
    request: evaluateCartsRequest,
    reply: evaluateCartsReply,
  },
  purchase: {
    subject: 'rpc.pricing.purchase',
    summary:
      'Price an order, and claim every redemption that makes its price: all, or none. Refuses codes that do not count, and a price other than the expected one.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:write', 'orders:checkout'],
    request: purchaseRequest,
    reply: purchaseReply,
  },
  amend: {
    subject: 'rpc.pricing.amend',
    summary:
      'Price what is left of an order and what is added to it, in one mode or both. In one mode, claim the redemptions that it needs besides those it has.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:write', 'orders:checkout'],
    request: amendRequest,
    reply: amendReply,
  },
  cancelClaims: {
    subject: 'rpc.pricing.cancel-claims',
    summary: 'Release what an attempt at an order claimed, or a cancelled order had. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:write', 'orders:checkout'],
    request: cancelClaimsRequest,
    reply: cancelClaimsReply,
  },
  budgetExists: {
    subject: 'rpc.pricing.budget-exists',
    summary: 'Whether the company has a budget.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['coupons:write'],
    request: budgetExistsRequest,
    reply: budgetExistsReply,
  },
  codeHolder: {
    subject: 'rpc.pricing.code-holder',
    summary: 'The active adjustment that holds a code, unless it is that of the coupon that asks.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['coupons:write'],
    request: codeHolderRequest,
    reply: codeHolderReply,
  },
  /**
   * The request is the data of the coupon's event. Safe to repeat and to reorder. Waits even for replicas that are
   * gone.
   */
  followCoupon: {
    subject: 'rpc.pricing.follow-coupon',
    summary: "Make a coupon's adjustment follow the coupon before a change of it is answered.",
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['coupons:write'],
    request: couponState,
    reply: followCouponReply,
  },
  offerings: {
    subject: 'rpc.events.offerings',
    summary: 'What offerings cost. Unknown ids are left out of the reply.',
    timeoutMs: DEADLINE_MS,
    callers: ['cart', 'commerce'],
    scopes: ['carts:read', 'orders:write', 'orders:checkout'],
    request: offeringsRequest,
    reply: offeringsReply,
  },
  offeringsOfEvent: {
    subject: 'rpc.events.offerings-of-event',
    summary: 'The ids of the offerings of an event, in any order. An unknown event has none.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:read'],
    request: offeringsOfEventRequest,
    reply: offeringsOfEventReply,
  },
  callOffOfEvent: {
    subject: 'rpc.events.call-off-of-event',
    summary: 'The last call-off of an event.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:read'],
    request: callOffOfEventRequest,
    reply: callOffOfEventReply,
  },
  claimTickets: {
    subject: 'rpc.events.claim',
    summary: 'Claim the tickets of an order: all, or none. Nothing while an offering is at another version.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:write', 'orders:checkout'],
    request: claimTicketsRequest,
    reply: claimTicketsReply,
  },
  cancelTickets: {
    subject: 'rpc.events.cancel-claims',
    summary: 'Release the tickets of an attempt at an order, or of a cancelled order. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:write', 'orders:checkout'],
    request: cancelTicketsRequest,
    reply: cancelClaimsReply,
  },
  eventContexts: {
    subject: 'rpc.events.contexts',
    summary:
      'Which series, venue and organizer events have. Unknown ids are left out; the series of instances come along.',
    timeoutMs: CONTEXTS_DEADLINE_MS,
    callers: ['pricing'],
    scopes: ['pricing:evaluate', 'carts:read', 'events:read', 'orders:write', 'orders:checkout'],
    request: eventContextsRequest,
    reply: eventContextsReply,
  },
  timeZones: {
    subject: 'rpc.events.time-zones',
    summary: 'The time zones of events, of what is at venues, and of the events of offerings, each once.',
    timeoutMs: CONTEXTS_DEADLINE_MS,
    callers: ['pricing', 'commerce'],
    scopes: ['pricing:write', 'pricing:evaluate', 'coupons:write'],
    request: namedPlaces,
    reply: timeZonesReply,
  },
  checkout: {
    subject: 'rpc.cart.checkout',
    summary:
      'Reserve a cart session for an order, and tell what is in it. Nothing else changes or orders it meanwhile.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:write', 'orders:checkout'],
    request: checkoutRequest,
    reply: checkoutReply,
  },
  releaseCheckout: {
    subject: 'rpc.cart.release-checkout',
    summary: 'End the reservation of a session whose order was not written. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:write', 'orders:checkout'],
    request: releaseCheckoutRequest,
    reply: releaseCheckoutReply,
  },
  followAmendment: {
    subject: 'rpc.cart.follow-amendment',
    summary: 'Show the session of an order that was amended what the order costs now. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:write', 'orders:checkout'],
    request: endCheckoutRequest,
    reply: endCheckoutReply,
  },
  endCheckout: {
    subject: 'rpc.cart.end-checkout',
    summary: 'Open the session of an order that is cancelled or expired, and free its seat. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['commerce'],
    scopes: ['orders:write', 'orders:checkout'],
    request: endCheckoutRequest,
    reply: endCheckoutReply,
  },
  settleOrder: {
    subject: 'rpc.commerce.settle-order',
    summary: 'What became of an order whose claims nobody settled, and which claims it has.',
    timeoutMs: DEADLINE_MS,
    callers: ['pricing', 'events', 'cart'],
    scopes: [],
    request: settleOrderRequest,
    reply: settleOrderReply,
  },
  couponState: {
    subject: 'rpc.commerce.coupon-state',
    summary: 'A coupon as it is now: asked when its event tells of a version that pricing does not know.',
    timeoutMs: DEADLINE_MS,
    callers: ['pricing'],
    scopes: [],
    request: couponStateRequest,
    reply: couponStateReply,
  },
  /** Used for what a cart session shows of its order, and by sweeps and repairs of what orders hold. */
  ordersStanding: {
    subject: 'rpc.commerce.orders-standing',
    summary: 'Which of some orders stand now: they were written, and not cancelled since.',
    timeoutMs: DEADLINE_MS,
    callers: ['pricing', 'events', 'cart'],
    scopes: [],
    request: ordersStandingRequest,
    reply: ordersStandingReply,
  },
  countOrders: {
    subject: 'rpc.commerce.count-orders',
    summary: 'How many orders were created in a period.',
    timeoutMs: DEADLINE_MS,
    callers: ['pricing'],
    scopes: [],
    request: countOrdersRequest,
    reply: countOrdersReply,
  },
  ordersCreated: {
    subject: 'rpc.commerce.orders-created',
    summary: 'One page of the orders that were created in a period, for a rehearsal.',
    timeoutMs: DEADLINE_MS,
    callers: ['pricing'],
    scopes: [],
    request: ordersCreatedRequest,
    reply: ordersCreatedReply,
  },
  placesOf: {
    subject: 'rpc.events.places-of',
    summary: 'The tags of offerings, and what events are part of, for a rehearsal. Unknown ids are left out.',
    timeoutMs: DEADLINE_MS,
    callers: ['pricing'],
    scopes: [],
    request: placesOfRequest,
    reply: placesOfReply,
  },
  callOffOrders: {
    subject: 'rpc.commerce.call-off-orders',
    summary: 'Cancel or list one page of the orders of an event that was called off. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['events'],
    scopes: [],
    request: callOffOrdersRequest,
    reply: callOffOrdersReply,
  },
  findCustomer: {
    subject: 'rpc.commerce.find-customer',
    summary: 'By which ids and addresses a customer is known, and which orders of the customer are pending.',
    timeoutMs: DEADLINE_MS,
    callers: ['activity'],
    scopes: [],
    request: findCustomerRequest,
    reply: findCustomerReply,
  },
  eraseFromOrders: {
    subject: 'rpc.commerce.erase-customer',
    summary: 'Erase a customer from one page of orders. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['activity'],
    scopes: [],
    request: eraseCustomerRequest,
    reply: eraseCustomerReply,
  },
  eraseFromCarts: {
    subject: 'rpc.cart.erase-customer',
    summary: 'Erase a customer from one page of cart sessions. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['activity'],
    scopes: [],
    request: eraseCustomerRequest,
    reply: eraseCustomerReply,
  },
  eraseFromGroups: {
    subject: 'rpc.events.erase-customer',
    summary: 'Erase a customer from one page of purchase groups. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['activity'],
    scopes: [],
    request: eraseCustomerRequest,
    reply: eraseCustomerReply,
  },
  eraseFromRedemptions: {
    subject: 'rpc.pricing.erase-customer',
    summary: 'Erase a customer from the redemptions of one page of adjustments. Safe to repeat.',
    timeoutMs: DEADLINE_MS,
    callers: ['activity'],
    scopes: [],
    request: eraseCustomerRequest,
    reply: eraseCustomerReply,
  },
} as const satisfies Record<string, RpcEndpoint>;

export interface RpcEndpoint {
  subject: `rpc.${ServiceName}.${string}`;
  /** For people who read the documents. */
  summary: string;
  /** How long the caller waits for the reply, and for each further part of a large one. */
  timeoutMs: number;
  callers: readonly ProcessName[];
  /** The caller's token has at least one of these. */
  scopes: readonly Scope[];
  /** Whether the request is a caller's unchanged body: its errors are then reported as over HTTP. */
  forwarded?: true;
  /** Both have an id by which the documents name them. */
  request: z.ZodType;
  reply: z.ZodType;
}

/** The request to `Endpoint`, and its reply. */
export type RpcRequest<Endpoint extends RpcEndpoint> = z.input<Endpoint['request']>;
export type RpcReply<Endpoint extends RpcEndpoint> = z.output<Endpoint['reply']>;
