import { z } from 'zod';
import { DOMAIN_EVENTS, type DomainEventData, type DomainEventType } from './domain-events.ts';
import { type KeyEnvironment, keyEnvironment } from '../identity/identity.ts';
import { type Tenant, tenantOf } from '../identity/tenant.ts';

/**
 * A domain event as it travels: CloudEvents 1.0, structured JSON. Extension attributes are lower case, as it demands.
 */
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
  /**
   * The id of the API key whose request led to the fact, `root` for the operator's; none where the platform acts by
   * itself.
   */
  actor?: string;
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
  environment: keyEnvironment,
  schemaversion: z.int(),
  actor: z.string().optional(),
  traceparent: z.string().optional(),
  data: z.unknown(),
});

/** What led to a change: the API key that asked for it, and the trace that it belongs to. */
export interface Cause {
  keyId?: string | undefined;
  traceparent?: string | undefined;
}

/** What led to `event`, and so to what follows from it. */
export function causeOf({ actor, traceparent }: Pick<DomainEvent, 'actor' | 'traceparent'>): Cause {
  return { keyId: actor, traceparent };
}

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
