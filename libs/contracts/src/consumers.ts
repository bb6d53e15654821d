import type { DomainEventType } from './domain-events.ts';
import type { ProcessName } from './identity.ts';

/**
 * Who follows which domain events, by the name that metrics, logs and dead letters show. Replicas with the same name share the
 * work. The broker lets a process read the events of its own consumers and no others.
 */
export const CONSUMERS = {
  'cart-joins': { process: 'cart', types: ['cart.table_joined'] },
  'cart-orders': { process: 'cart', types: ['order.placed', 'order.cancelled'] },
  'commerce-redemptions': {
    process: 'commerce',
    types: ['redemption.confirmed', 'redemption.released', 'redemption.lapsed'],
  },
  'commerce-adjustments': {
    process: 'commerce',
    types: ['adjustment.created', 'adjustment.updated', 'adjustment.archived'],
  },
  'events-orders': { process: 'events', types: ['order.placed', 'order.cancelled'] },
  'pricing-orders': { process: 'pricing', types: ['order.placed', 'order.cancelled'] },
  'pricing-coupons': { process: 'pricing', types: ['coupon.created', 'coupon.updated', 'coupon.archived'] },
  'pricing-code-conflicts': {
    process: 'pricing',
    types: ['adjustment.created', 'adjustment.updated', 'adjustment.archived'],
  },
} as const satisfies Record<string, { process: ProcessName; types: readonly DomainEventType[] }>;

/** What a consumer of the platform is called, and the types of events it follows. */
export function consumerOf<Name extends keyof typeof CONSUMERS>(
  name: Name,
): { name: Name; types: (typeof CONSUMERS)[Name]['types'] } {
  return { name, types: CONSUMERS[name].types };
}
