import { z } from 'zod';
import { DOMAIN_EVENTS, type DomainEventData, type DomainEventType } from './domain-events.ts';
import { type KeyEnvironment, keyEnvironment } from './identity.ts';
import { type Tenant, tenantOf } from './tenant.ts';

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
  environment: KeyEnvironment;
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
  /** An event from before there were two worlds names none. */
  environment: keyEnvironment.default('live'),
  schemaversion: z.int(),
  traceparent: z.string().optional(),
  data: z.unknown(),
});

const eventType = z.enum(Object.keys(DOMAIN_EVENTS) as DomainEventType[]);

/** An event that the broker will never take, however often it is sent, and why. */
export class UnpublishableEventError extends Error {
  override readonly name = 'UnpublishableEventError';
}

/** The subject that events of `type` travel on: `domain.<service>.<entity>.<fact>`. */
export function subjectOf(type: DomainEventType): string {
  return `domain.${DOMAIN_EVENTS[type].service}.${type}`;
}

/** A domain event with the tenant whose records it is about. */
export type ReceivedEvent<T extends DomainEventType = DomainEventType> = DomainEvent<T> & { tenant: Tenant };

/** The domain event in `value`. Throws a ZodError when it is none, or its data is not what its type promises. */
export function parseDomainEvent(value: unknown): ReceivedEvent {
  const event = envelope.parse(value);
  const definition = DOMAIN_EVENTS[eventType.parse(event.type)];
  const tenant = tenantOf({ companyId: event.companyid, environment: event.environment });
  return { ...event, tenant, data: definition.data.parse(event.data) } as ReceivedEvent;
}
