import { z } from 'zod';
import type { ServiceName } from './identity.ts';
import { claim } from './rpc.ts';

const version = z.int().min(0);

const orderData = z.looseObject({
  id: z.string(),
  companyId: z.string(),
  orderNumber: z.string(),
  version,
  customer: z.looseObject({ id: z.string().optional() }),
  /** The redemptions that the order claimed; pricing confirms them when it sees the order placed. */
  claims: z.array(claim),
});

const adjustmentData = z.looseObject({ id: z.string(), companyId: z.string(), status: z.string(), version });

const redemptionData = z.object({
  redemption: z.object({
    id: z.string(),
    adjustmentId: z.string(),
    orderId: z.string(),
    customerId: z.string().optional(),
    code: z.string().optional(),
    quantity: z.int(),
    status: z.enum(['confirmed', 'released', 'lapsed']),
  }),
  /** The adjustment's usage after this fact, and the usage's version: of two, the higher is the newer. */
  usage: z.object({ redeemed: z.int(), claimed: z.int(), version }),
  /** Where the adjustment comes from: `coupon` for one that a coupon made. */
  origin: z.string(),
});

/**
 * Every domain event: who publishes it, the version of its data, and the data. Data is the resulting state with its
 * version, so that a consumer applies it only if it is newer, and repeats or reordering do no harm.
 */
export const DOMAIN_EVENTS = {
  'adjustment.created': { service: 'pricing', schemaVersion: 1, data: adjustmentData },
  'adjustment.updated': { service: 'pricing', schemaVersion: 1, data: adjustmentData },
  'adjustment.archived': { service: 'pricing', schemaVersion: 1, data: adjustmentData },
  'redemption.confirmed': { service: 'pricing', schemaVersion: 1, data: redemptionData },
  'redemption.released': { service: 'pricing', schemaVersion: 1, data: redemptionData },
  'redemption.lapsed': { service: 'pricing', schemaVersion: 1, data: redemptionData },
  'order.placed': { service: 'commerce', schemaVersion: 1, data: orderData },
} as const satisfies Record<string, { service: ServiceName; schemaVersion: number; data: z.ZodType }>;

export type DomainEventType = keyof typeof DOMAIN_EVENTS;
export type DomainEventData<T extends DomainEventType> = z.output<(typeof DOMAIN_EVENTS)[T]['data']>;

/** A domain event as it travels: CloudEvents 1.0, structured JSON. Extension attributes are lower case, as it demands. */
export interface DomainEvent<T extends DomainEventType = DomainEventType> {
  specversion: '1.0';
  id: string;
  /** `/pricing`, `/commerce`, ... */
  source: string;
  type: T;
  /** The id of the entity that the fact is about. */
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  companyid: string;
  schemaversion: number;
  traceparent?: string;
  data: DomainEventData<T>;
}

const envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.string().min(1),
  source: z.string().min(1),
  type: z.string(),
  subject: z.string().min(1),
  time: z.string(),
  companyid: z.string().min(1),
  schemaversion: z.int(),
  traceparent: z.string().optional(),
  data: z.unknown(),
});

/** The subject that events of `type` travel on: `domain.<service>.<entity>.<fact>`. */
export function subjectOf(type: DomainEventType): string {
  return `domain.${DOMAIN_EVENTS[type].service}.${type}`;
}

/** The domain event in `value`. Throws a ZodError when it is none, or its data is not what its type promises. */
export function parseDomainEvent(value: unknown): DomainEvent {
  const event = envelope.parse(value);
  const definition = DOMAIN_EVENTS[z.enum(Object.keys(DOMAIN_EVENTS) as DomainEventType[]).parse(event.type)];
  return { ...event, data: definition.data.parse(event.data) } as DomainEvent;
}
