import { z } from 'zod';
import type { ServiceName } from './identity.ts';
import { CART_STATUSES } from './cart.ts';
import { couponState } from './coupon.ts';
import { money } from './primitives.ts';
import { availability } from './offering.ts';
import { ORDER_STATES, type OrderState } from './order.ts';
import { claim, ticketClaim } from './rpc.ts';
import { TABLE_STATUSES } from './table-commitment.ts';

const version = z.int().min(0);

/** One of `values`, or one that a later release adds: whoever reads it passes over what it does not know. */
function open<const V extends readonly [string, ...string[]]>(values: V) {
  return z.union([z.enum(values), z.string()]);
}

/** What became of an order, without its texts, its free objects and who bought: whoever needs those asks commerce. */
const orderData = z.object({
  id: z.string(),
  companyId: z.string(),
  orderNumber: z.string(),
  version,
  status: z.string().optional(),
  /** Decides what becomes of the claims. Missing in events of earlier releases: see `orderStateOf`. */
  state: open(ORDER_STATES).optional(),
  /** Until when a pending order is held. */
  expiresAt: z.string().optional(),
  /** How often a cancelled or expired order was reopened, each time with new claims. Missing for 0. */
  reopenings: z.int().min(0).optional(),
  organizerId: z.string().optional(),
  contextId: z.string().optional(),
  customer: z.object({ id: z.string().optional() }),
  currency: z.string().optional(),
  costs: z.object({ total: z.number() }).optional(),
  items: z.array(z.object({ offeringId: z.string().optional(), quantity: z.number() })).optional(),
  cartSessionId: z.string().optional(),
  createdAt: z.string().optional(),
  /** The redemptions that the order claimed, which pricing settles by the order's state. */
  claims: z.array(claim),
  /** The tickets that it claimed, which the events service settles likewise. Missing in orders of earlier releases. */
  tickets: z.array(ticketClaim).optional(),
});

/** What an adjustment is, without whom and what it is for: whoever needs that asks pricing. */
const adjustmentData = z.object({
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
  /** For a coupon's adjustment: the version of the coupon that it follows, and whether another adjustment holds its code. */
  couponVersion: version.optional(),
  codeConflict: z.boolean().optional(),
  created: z.string().optional(),
  changed: z.string().optional(),
});

/** Lists that make an event large are left out of it: whoever needs them asks commerce. */
const couponData = couponState.partial({ offeringIds: true, contextIds: true });

const redemptionData = z.object({
  redemption: z.object({
    id: z.string(),
    adjustmentId: z.string(),
    orderId: z.string(),
    customerId: z.string().optional(),
    code: z.string().optional(),
    quantity: z.int(),
    status: open(['confirmed', 'released', 'lapsed']),
  }),
  /** The adjustment's usage after this fact, and the usage's version: of two, the higher is the newer. */
  usage: z.object({ redeemed: z.int(), claimed: z.int(), version }),
  /** Where the adjustment comes from: `coupon` for one that a coupon made. */
  origin: z.string(),
  /** The coupon that the adjustment is kept for. */
  couponId: z.string().optional(),
});

/**
 * An event as it is kept: an instance tells only its overrides, which its series' own events complete. A series that changes
 * publishes one event, whatever the number of its instances. Without description and tags: whoever needs those asks.
 */
const eventData = z.object({
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
  status: z.string().optional(),
  created: z.string().optional(),
  changed: z.string().optional(),
});

/** The group that took in the other, without members, names and notes: those are about people, who are read from the API. */
const purchaseGroupMergedData = z.object({
  id: z.string(),
  companyId: z.string(),
  eventId: z.string(),
  size: z.int(),
  status: z.string().optional(),
  changed: z.string().optional(),
  version,
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

/** An offering without its tags: whoever needs those asks. */
const offeringData = z.object({
  id: z.string(),
  companyId: z.string(),
  eventId: z.string(),
  name: z.string().optional(),
  price: money,
  status: z.string(),
  capacity: z.number().optional(),
  maxPerOrder: z.number().optional(),
  onSaleFrom: z.string().optional(),
  onSaleUntil: z.string().optional(),
  created: z.string().optional(),
  changed: z.string().optional(),
  version,
});

/** `availabilityVersion` counts how often the offering was sold out and available again: of two, the higher is the newer. */
const availabilityData = { availability, availabilityVersion: version };

/** What is in a cart and what it costs, without how the price came about and the codes that were tried. */
const cartData = z.object({
  id: z.string(),
  companyId: z.string(),
  status: open(CART_STATUSES).optional(),
  /** The order, of a session that is ordered. */
  orderId: z.string().optional(),
  contextId: z.string().nullish(),
  items: z.array(z.object({ offeringId: z.string(), quantity: z.int(), total: z.int() })).optional(),
  total: z.int(),
  currency: z.string(),
  customerId: z.string().optional(),
  tableCommitmentId: z.string().optional(),
  version,
  createdAt: z.string().optional(),
  changedAt: z.string().optional(),
  expiresAt: z.string().optional(),
});

/** A table without the list of those who sit there. */
const tableData = z.object({
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

/** The key that no longer opens anything: never its secret, nor the secret's hash. */
const apiKeyData = z.object({
  id: z.string(),
  companyId: z.string(),
  name: z.string(),
  revoked: z.iso.datetime(),
  version,
  scopes: z.array(z.string()).optional(),
  environment: z.string().optional(),
});

/**
 * Every domain event: who publishes it, the version of its data, and the data. Data is the resulting state with its
 * version, so that a consumer applies it only if it is newer, and repeats or reordering do no harm. An event carries no
 * more than its schema says.
 */
export const DOMAIN_EVENTS = {
  'adjustment.created': { service: 'pricing', schemaVersion: 1, data: adjustmentData },
  'adjustment.updated': { service: 'pricing', schemaVersion: 1, data: adjustmentData },
  'adjustment.archived': { service: 'pricing', schemaVersion: 1, data: adjustmentData },
  'redemption.confirmed': { service: 'pricing', schemaVersion: 1, data: redemptionData },
  'redemption.released': { service: 'pricing', schemaVersion: 1, data: redemptionData },
  'redemption.lapsed': { service: 'pricing', schemaVersion: 1, data: redemptionData },
  'coupon.created': { service: 'commerce', schemaVersion: 1, data: couponData },
  'coupon.updated': { service: 'commerce', schemaVersion: 1, data: couponData },
  'coupon.archived': { service: 'commerce', schemaVersion: 1, data: couponData },
  'order.pending': { service: 'commerce', schemaVersion: 1, data: orderData },
  'order.placed': { service: 'commerce', schemaVersion: 1, data: orderData },
  'order.confirmed': { service: 'commerce', schemaVersion: 1, data: orderData },
  'order.cancelled': { service: 'commerce', schemaVersion: 1, data: orderData },
  'order.expired': { service: 'commerce', schemaVersion: 1, data: orderData },
  'order.reopened': { service: 'commerce', schemaVersion: 1, data: orderData },
  'order.updated': { service: 'commerce', schemaVersion: 1, data: orderData },
  'event.created': { service: 'events', schemaVersion: 1, data: eventData },
  'event.updated': { service: 'events', schemaVersion: 1, data: eventData },
  'instance.reverted': {
    service: 'events',
    schemaVersion: 1,
    data: eventData.extend({ reverted: z.array(z.string()) }),
  },
  'purchase_group.merged': { service: 'events', schemaVersion: 1, data: purchaseGroupMergedData },
  'offering.created': { service: 'events', schemaVersion: 1, data: offeringData },
  'offering.updated': { service: 'events', schemaVersion: 1, data: offeringData },
  'offering.sold_out': { service: 'events', schemaVersion: 1, data: offeringData.extend(availabilityData) },
  'offering.available': { service: 'events', schemaVersion: 1, data: offeringData.extend(availabilityData) },
  'cart.updated': { service: 'cart', schemaVersion: 1, data: cartData },
  'cart.ordered': { service: 'cart', schemaVersion: 1, data: cartData.required({ orderId: true }) },
  'cart.table_joined': {
    service: 'cart',
    schemaVersion: 1,
    /** The table, and who joined it; a session's id can be used again after it expired, hence when it was created. */
    data: tableData.extend({
      session: z.object({ id: z.string(), createdAt: z.iso.datetime(), leaves: z.int().optional() }),
    }),
  },
  'cart.table_left': {
    service: 'cart',
    schemaVersion: 1,
    /** The session, and the table that it left, where its seat is free again. */
    data: cartData.extend({
      left: z.object({
        tableCommitmentId: z.string(),
        sessionCreatedAt: z.iso.datetime(),
        /** How many seats it had given up before: one that it takes later is another one. */
        leaves: z.int(),
      }),
    }),
  },
  'table.full': { service: 'cart', schemaVersion: 1, data: tableData },
  'api_key.revoked': { service: 'gateway', schemaVersion: 1, data: apiKeyData },
} as const satisfies Record<string, { service: EventSource; schemaVersion: number; data: z.ZodType }>;

/** Who publishes events: the services, and the gateway, which owns the API keys. */
type EventSource = ServiceName | 'gateway';

export type DomainEventType = keyof typeof DOMAIN_EVENTS;
export type DomainEventData<T extends DomainEventType> = z.output<(typeof DOMAIN_EVENTS)[T]['data']>;

/**
 * The state of the order that an event is about. Undefined for a state of a later release, on which nobody here acts.
 * Events of earlier releases have only their type.
 */
export function orderStateOf(event: { type: string; data: { state?: string | undefined } }): OrderState | undefined {
  const { state = event.type === 'order.cancelled' ? 'cancelled' : 'placed' } = event.data;
  return ORDER_STATES.find((known) => known === state);
}
