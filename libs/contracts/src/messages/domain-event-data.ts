import { z } from 'zod';
import { CART_STATUSES } from '../carts/cart.ts';
import { calledOffBy, callOffCounts } from '../events/call-off.ts';
import { erasureFound } from '../customers/erasure.ts';
import { budgetDefinition } from '../budgets/budget.ts';
import { couponDefinition } from '../coupons/coupon.ts';
import { money } from '../schema/primitives.ts';
import { availability } from '../offerings/offering.ts';
import { AMENDMENT_STATES } from '../orders/amendment.ts';
import { ORDER_STATES } from '../orders/order-state.ts';
import { orderSale } from '../sales/order-sale.ts';
import { redemptionClaim, ticketClaim } from './rpc.ts';
import { TABLE_STATUSES } from '../carts/table-commitment.ts';

/** The data of domain events: the resulting state of a record, with its version. */

const version = z.int().min(0);

/** One of `values`, or one that a later release adds: readers skip values that they do not know. */
function open<const V extends readonly [string, ...string[]]>(values: V) {
  return z.union([z.enum(values), z.string()]);
}

/**
 * The state of an order, without texts, free-form objects and the customer: a consumer that needs those asks commerce.
 */
export const orderData = z.object({
  id: z.string(),
  companyId: z.string(),
  orderNumber: z.string(),
  version,
  status: z.string().optional(),
  /** Decides the outcome of the claims. */
  state: open(ORDER_STATES),
  /** When a pending order expires. */
  expiresAt: z.string().optional(),
  /** Increases with each reopening of the order, which has new claims; 0 if it never was. */
  reopenings: z.int().min(0),
  organizerId: z.string().optional(),
  contextId: z.string().optional(),
  customer: z.object({ id: z.string().optional() }),
  currency: z.string().optional(),
  costs: z.object({ total: z.number() }).optional(),
  items: z
    .array(
      z.object({
        lineId: z.string().optional(),
        offeringId: z.string().optional(),
        quantity: z.number(),
        charged: z.number().optional(),
        shares: z.array(z.object({ adjustmentId: z.string(), total: z.number() })).optional(),
      }),
    )
    .optional(),
  cartSessionId: z.string().optional(),
  createdAt: z.string().optional(),
  /** The call-off that cancelled it. */
  callOff: calledOffBy.optional(),
  /** The redemptions that the order claimed, which pricing settles by the order's state. */
  claims: z.array(redemptionClaim),
  /** The tickets that the order claimed, which the events service settles in the same way. */
  tickets: z.array(ticketClaim),
  /** What this change adds to the counts of sales; absent if nothing. */
  sale: orderSale.optional(),
});

/** An order with its last amendment, which was applied, waits, or ended without effect. */
export const amendedOrderData = orderData.extend({
  amendment: z.object({
    id: z.string(),
    number: z.number(),
    state: open(AMENDMENT_STATES),
    mode: z.string(),
    due: z.number(),
    withheld: z.number(),
    callOff: calledOffBy.optional(),
    /** Until when a pending amendment can be confirmed. */
    expiresAt: z.string().optional(),
  }),
});

/** An adjustment without its targets and conditions: a consumer that needs them asks pricing. */
export const adjustmentData = z.object({
  id: z.string(),
  companyId: z.string(),
  name: z.string().optional(),
  type: z.string().optional(),
  category: z.string().optional(),
  origin: z.string().optional(),
  application: z.string().optional(),
  stacking: z.string().optional(),
  priority: z.number().optional(),
  status: z.string(),
  version,
  couponId: z.string().optional(),
  /**
   * For a coupon's adjustment: the version of the coupon that it follows, and whether another adjustment holds its
   * code.
   */
  couponVersion: version.optional(),
  codeConflict: z.boolean().optional(),
  created: z.string().optional(),
  changed: z.string().optional(),
});

export const budgetData = budgetDefinition;
/** `day`: for a budget per day, the day that has nothing left. */
export const exhaustedBudgetData = budgetDefinition.extend({ day: z.string().exactOptional() });

/** Long lists are left out. */
export const couponData = couponDefinition.partial({ offeringIds: true, contextIds: true });

export const redemptionData = z.object({
  redemption: z.object({
    id: z.string(),
    adjustmentId: z.string(),
    orderId: z.string(),
    customerId: z.string().optional(),
    code: z.string().optional(),
    quantity: z.int(),
    status: open(['confirmed', 'released', 'lapsed']),
  }),
  /** The adjustment's usage after this fact, with its version: the higher of two versions is the newer. */
  usage: z.object({ redeemed: z.int(), claimed: z.int(), version }),
  /** The origin of the adjustment: `coupon` for one that a coupon created. */
  origin: z.string(),
  /** The coupon that the adjustment belongs to. */
  couponId: z.string().optional(),
});

/**
 * An event as it is stored: an instance has only its overrides, which the events of its series complete. A series that
 * changes publishes one event, whatever the number of its instances. Without description and tags: a consumer that
 * needs those requests them.
 */
export const eventData = z.object({
  id: z.string(),
  companyId: z.string(),
  kind: open(['single', 'series', 'instance']),
  seriesId: z.string().optional(),
  overrides: z.array(z.string()).optional(),
  version,
  name: z.string().optional(),
  startsAt: z.string().optional(),
  endsAt: z.string().optional(),
  timezone: z.string().optional(),
  venueId: z.string().optional(),
  organizerId: z.string().optional(),
  capacity: z.number().optional(),
  maxPerCustomer: z.number().optional(),
  status: z.string().optional(),
  created: z.string().optional(),
  changed: z.string().optional(),
});

/** The call-off of an event, as the events about it have it. */
export const calledOff = calledOffBy.extend({ cancelOrders: z.boolean() });

/** The event that was called off, and what became of its orders. */
export const callOffData = z.object({
  id: z.string(),
  companyId: z.string(),
  callOff: calledOff,
  report: callOffCounts.extend({ emails: z.int().optional() }),
});

/** A group without members, names and notes: those are about people, and available only from the API. */
export const purchaseGroupData = z.object({
  id: z.string(),
  companyId: z.string(),
  eventId: z.string(),
  size: z.int(),
  status: z.string().optional(),
  mergedInto: z.string().optional(),
  created: z.string().optional(),
  changed: z.string().optional(),
  version,
});

/** The group that took in the other. */
export const purchaseGroupMergedData = purchaseGroupData.extend({
  merge: z.object({
    sourceGroupId: z.string(),
    targetGroupId: z.string().optional(),
    sourceSize: z.int(),
    targetSize: z.int(),
    combinedSize: z.int().optional(),
    at: z.string().optional(),
    by: z.string().optional(),
  }),
});

/** An offering without its tags: a consumer that needs those requests them. */
export const offeringData = z.object({
  id: z.string(),
  companyId: z.string(),
  eventId: z.string(),
  seriesId: z.string().optional(),
  name: z.string().optional(),
  price: money,
  status: z.string(),
  capacity: z.number().optional(),
  maxPerOrder: z.number().optional(),
  maxPerCustomer: z.number().optional(),
  onSaleFrom: z.string().optional(),
  onSaleUntil: z.string().optional(),
  created: z.string().optional(),
  changed: z.string().optional(),
  version,
});

/**
 * `availabilityVersion` counts how often the offering was sold out and available again: the higher of two is the newer.
 */
export const availabilityData = { availability, availabilityVersion: version };

/** The content of a cart and what it costs, without the price's explanation and the codes that were tried. */
export const cartData = z.object({
  id: z.string(),
  companyId: z.string(),
  status: open(CART_STATUSES).optional(),
  /** The order of a session that is ordered. */
  orderId: z.string().optional(),
  contextId: z.string().nullish(),
  items: z.array(z.object({ offeringId: z.string().optional(), quantity: z.int(), total: z.int() })).optional(),
  total: z.int(),
  currency: z.string(),
  customerId: z.string().optional(),
  tableCommitmentId: z.string().optional(),
  version,
  createdAt: z.string().optional(),
  changedAt: z.string().optional(),
  expiresAt: z.string().optional(),
});

/** The session with what its order bought and costs, as the order shows it. */
export const orderedCartData = cartData.required({ orderId: true }).extend({
  summary: z.object({
    subtotal: z.int(),
    modifiers: z.int(),
    fees: z.int().optional(),
    tax: z.int().optional(),
    total: z.int(),
  }),
  /** What each adjustment added to the order. */
  modifiers: z.array(z.object({ adjustmentId: z.string(), total: z.int() })).optional(),
});

/** A table without the list of its sessions. */
export const tableData = z.object({
  id: z.string(),
  companyId: z.string(),
  contextId: z.string(),
  offeringId: z.string().optional(),
  seats: z.int(),
  seatsTaken: z.int(),
  status: open(TABLE_STATUSES),
  createdAt: z.string().optional(),
  version,
});

/** An API key: never its secret, nor the secret's hash. */
export const apiKeyData = z.object({
  id: z.string(),
  companyId: z.string(),
  name: z.string(),
  version,
  scopes: z.array(z.string()).optional(),
  environment: z.string().optional(),
  createdBy: z.string().optional(),
  expires: z.string().optional(),
  /** The id of the key that replaces it. */
  rotatedTo: z.string().optional(),
});

/** The key that no longer opens anything. */
export const revokedApiKeyData = apiKeyData.extend({ revoked: z.iso.datetime() });

/** The erasure of a customer, who is now known by the pseudonym. */
export const erasureData = z.object({
  id: z.string(),
  companyId: z.string(),
  pseudonym: z.string(),
  found: erasureFound,
});

/** A webhook, without its secrets. */
export const webhookData = z.object({
  id: z.string(),
  companyId: z.string(),
  url: z.string(),
  types: z.array(z.string()),
  status: z.string(),
  pausedBy: z.string().optional(),
  statusReason: z.string().optional(),
  failingSince: z.string().optional(),
  version,
});
