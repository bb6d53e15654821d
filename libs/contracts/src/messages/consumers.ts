import type { DomainEventType } from './domain-events.ts';
import type { ProcessName } from '../identity/identity.ts';

/** The events that change what an order has claimed. */
const ORDER_CHANGES = [
  'order.pending',
  'order.placed',
  'order.confirmed',
  'order.cancelled',
  'order.expired',
  'order.reopened',
  'order.amended',
  'order.amendment_pending',
  'order.amendment_ended',
] as const satisfies readonly DomainEventType[];
export type OrderChange = (typeof ORDER_CHANGES)[number];

/**
 * The consumers of domain events, by the names that metrics, logs and dead letters show. Replicas with the same name
 * share the work. The broker lets a process read only the events of its own consumers.
 */
export const CONSUMERS = {
  'cart-joins': { process: 'cart', types: ['cart.table_joined'] },
  'cart-leaves': { process: 'cart', types: ['cart.table_left'] },
  'cart-orders': { process: 'cart', types: ORDER_CHANGES },
  'commerce-redemptions': {
    process: 'commerce',
    types: ['redemption.confirmed', 'redemption.released', 'redemption.lapsed'],
  },
  'commerce-adjustments': {
    process: 'commerce',
    types: ['adjustment.created', 'adjustment.updated', 'adjustment.archived'],
  },
  'events-call-offs': { process: 'events', types: ['event.called_off'] },
  'events-orders': { process: 'events', types: ORDER_CHANGES },
  'pricing-orders': { process: 'pricing', types: ORDER_CHANGES },
  'pricing-coupons': { process: 'pricing', types: ['coupon.created', 'coupon.updated', 'coupon.archived'] },
  'pricing-code-conflicts': {
    process: 'pricing',
    types: ['adjustment.created', 'adjustment.updated', 'adjustment.archived'],
  },
} as const satisfies Record<string, { process: ProcessName; types: readonly DomainEventType[] }>;

/** The name of a consumer, the types of events that it follows, and the process that they must concern. */
export function consumerOf<Name extends keyof typeof CONSUMERS>(
  name: Name,
): { name: Name; types: (typeof CONSUMERS)[Name]['types']; process: ProcessName } {
  const { types, process } = CONSUMERS[name];
  return { name, types, process };
}
