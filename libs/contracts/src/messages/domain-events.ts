import { z } from 'zod';
import {
  erasureData,
  webhookData,
  adjustmentData,
  budgetData,
  exhaustedBudgetData,
  apiKeyData,
  availabilityData,
  calledOff,
  callOffData,
  cartData,
  couponData,
  eventData,
  amendedOrderData,
  offeringData,
  orderData,
  orderedCartData,
  purchaseGroupData,
  purchaseGroupMergedData,
  redemptionData,
  revokedApiKeyData,
  tableData,
} from './domain-event-data.ts';
import { codeBatchData } from '../coupons/issued-codes.ts';
import type { ServiceName } from '../identity/identity.ts';

const ORDER_INTERNAL = ['claims', 'tickets', 'reopenings', 'sale'] as const;

/** The services that have something to do for an order's event: most orders concern few of them. */
const ORDER_CONCERNS = {
  pricing: ({ claims }: DataOf<typeof orderData>) => claims.length > 0,
  events: ({ tickets }: DataOf<typeof orderData>) => tickets.length > 0,
  cart: ({ cartSessionId }: DataOf<typeof orderData>) => cartSessionId !== undefined,
} as const;
type DataOf<Schema extends z.ZodType> = z.output<Schema>;

/**
 * Every domain event: its publisher, the version of its data, and the data. Data is the resulting state with its
 * version, so that a consumer applies it only if it is newer, and repeats or reordering do no harm. An event contains
 * no more than its schema says.
 */
export const DOMAIN_EVENTS = {
  'adjustment.created': { service: 'pricing', schemaVersion: 1, data: adjustmentData },
  'adjustment.updated': { service: 'pricing', schemaVersion: 1, data: adjustmentData },
  'adjustment.archived': { service: 'pricing', schemaVersion: 1, data: adjustmentData },
  'redemption.confirmed': { service: 'pricing', schemaVersion: 1, data: redemptionData },
  'redemption.released': { service: 'pricing', schemaVersion: 1, data: redemptionData },
  'redemption.lapsed': { service: 'pricing', schemaVersion: 1, data: redemptionData },
  'budget.created': { service: 'pricing', schemaVersion: 1, data: budgetData },
  'budget.updated': { service: 'pricing', schemaVersion: 1, data: budgetData },
  'budget.exhausted': { service: 'pricing', schemaVersion: 1, data: exhaustedBudgetData },
  'coupon.created': { service: 'commerce', schemaVersion: 1, data: couponData },
  'coupon.updated': { service: 'commerce', schemaVersion: 1, data: couponData },
  'coupon.archived': { service: 'commerce', schemaVersion: 1, data: couponData },
  'coupon.codes_issued': { service: 'pricing', schemaVersion: 1, data: codeBatchData },
  'coupon.codes_revoked': { service: 'pricing', schemaVersion: 1, data: codeBatchData },
  'order.pending': {
    service: 'commerce',
    schemaVersion: 1,
    data: orderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'order.placed': {
    service: 'commerce',
    schemaVersion: 1,
    data: orderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'order.confirmed': {
    service: 'commerce',
    schemaVersion: 1,
    data: orderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'order.cancelled': {
    service: 'commerce',
    schemaVersion: 1,
    data: orderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'order.expired': {
    service: 'commerce',
    schemaVersion: 1,
    data: orderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'order.reopened': {
    service: 'commerce',
    schemaVersion: 1,
    data: orderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'order.amended': {
    service: 'commerce',
    schemaVersion: 1,
    data: amendedOrderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'order.amendment_pending': {
    service: 'commerce',
    schemaVersion: 1,
    data: amendedOrderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'order.amendment_ended': {
    service: 'commerce',
    schemaVersion: 1,
    data: amendedOrderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'order.updated': {
    service: 'commerce',
    schemaVersion: 1,
    data: orderData,
    internal: ORDER_INTERNAL,
    concerns: ORDER_CONCERNS,
  },
  'event.created': { service: 'events', schemaVersion: 1, data: eventData },
  'event.updated': { service: 'events', schemaVersion: 1, data: eventData },
  'instance.reverted': {
    service: 'events',
    schemaVersion: 1,
    data: eventData.extend({ reverted: z.array(z.string()) }),
  },
  'event.called_off': { service: 'events', schemaVersion: 1, data: eventData.extend({ callOff: calledOff }) },
  'event.call_off_undone': { service: 'events', schemaVersion: 1, data: eventData.extend({ callOff: calledOff }) },
  'event.call_off_finished': { service: 'events', schemaVersion: 1, data: callOffData },
  'purchase_group.created': { service: 'events', schemaVersion: 1, data: purchaseGroupData },
  'purchase_group.updated': { service: 'events', schemaVersion: 1, data: purchaseGroupData },
  'purchase_group.deleted': { service: 'events', schemaVersion: 1, data: purchaseGroupData },
  'purchase_group.merged': { service: 'events', schemaVersion: 1, data: purchaseGroupMergedData },
  'offering.created': { service: 'events', schemaVersion: 1, data: offeringData },
  'offering.updated': { service: 'events', schemaVersion: 1, data: offeringData },
  'offering.sold_out': { service: 'events', schemaVersion: 1, data: offeringData.extend(availabilityData) },
  'offering.available': { service: 'events', schemaVersion: 1, data: offeringData.extend(availabilityData) },
  'cart.updated': { service: 'cart', schemaVersion: 1, data: cartData },
  'cart.ordered': { service: 'cart', schemaVersion: 1, data: orderedCartData },
  'cart.table_joined': {
    service: 'cart',
    schemaVersion: 1,
    /**
     * The table, and the session that joined it, with its time of creation, because a session's id can be used again
     * after it expired.
     */
    data: tableData.extend({
      session: z.object({ id: z.string(), createdAt: z.iso.datetime(), leaves: z.int().optional(), seats: z.int() }),
    }),
  },
  'cart.table_left': {
    service: 'cart',
    schemaVersion: 1,
    /** The session, and the table that it left, where its seat is now free. */
    data: cartData.extend({
      left: z
        .object({
          tableCommitmentId: z.string(),
          sessionCreatedAt: z.iso.datetime(),
          /** How often it had given up its seats before: seats that it takes later are different ones. */
          leaves: z.int(),
        })
        .describe(
          'The seat that the session gave up, by leaving or because it expired. A seat that an order gives back after its session has expired is free without this event: the table says so.',
        ),
    }),
  },
  'table.created': { service: 'cart', schemaVersion: 1, data: tableData },
  'table.updated': { service: 'cart', schemaVersion: 1, data: tableData },
  'table.closed': { service: 'cart', schemaVersion: 1, data: tableData },
  'table.full': { service: 'cart', schemaVersion: 1, data: tableData },
  'webhook.created': { service: 'activity', schemaVersion: 1, data: webhookData },
  'webhook.updated': { service: 'activity', schemaVersion: 1, data: webhookData },
  'webhook.failing': { service: 'activity', schemaVersion: 1, data: webhookData },
  'webhook.paused': { service: 'activity', schemaVersion: 1, data: webhookData },
  'webhook.deleted': { service: 'activity', schemaVersion: 1, data: webhookData },
  'customer.erased': { service: 'activity', schemaVersion: 1, data: erasureData },
  'api_key.created': { service: 'gateway', schemaVersion: 1, data: apiKeyData },
  'api_key.rotated': { service: 'gateway', schemaVersion: 1, data: apiKeyData },
  'api_key.revoked': { service: 'gateway', schemaVersion: 1, data: revokedApiKeyData },
} as const satisfies Record<string, EventDeclaration>;

interface EventDeclaration {
  service: EventSource;
  schemaVersion: number;
  data: z.ZodType;
  /** The members that only services need, and that companies do not see. */
  internal?: readonly string[];
  /**
   * Whether an event with this data concerns a service. The event's subject ends with these services, so the broker
   * sends a consumer of one of them nothing in vain. Absent: it concerns every consumer.
   */
  concerns?: Readonly<Partial<Record<ServiceName, (data: never) => boolean>>>;
}

/** The publishers of events: the services, and the gateway, which owns the API keys. */
type EventSource = ServiceName | 'gateway';

export type DomainEventType = keyof typeof DOMAIN_EVENTS;
export type DomainEventData<T extends DomainEventType> = z.output<(typeof DOMAIN_EVENTS)[T]['data']>;
