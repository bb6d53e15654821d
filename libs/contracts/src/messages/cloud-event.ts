import { z } from 'zod';
import { DOMAIN_EVENTS, type DomainEventData, type DomainEventType } from './domain-events.ts';
import { type KeyEnvironment, keyEnvironment, type ProcessName, type ServiceName } from '../identity/identity.ts';
import { type Tenant, tenantOf } from '../identity/tenant.ts';

/**
 * A domain event as it travels: CloudEvents 1.0, structured JSON. Extension attributes are lower case, as the standard
 * requires.
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
   * The id of the API key whose request led to the fact, `root` for the operator's; absent if the platform acted by
   * itself.
   */
  actor?: string;
  /** The name that this key had then. */
  actorname?: string;
  /** The id of that request. */
  requestid?: string;
  traceparent?: string;
  /** The version of the record after the change; `data` may show a later one. */
  version?: number;
  /** The changes: JSON text of `RecordChange[]`, because an attribute cannot be a list. */
  changes?: string;
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
  actorname: z.string().optional(),
  requestid: z.string().optional(),
  traceparent: z.string().optional(),
  version: z.int().optional(),
  changes: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
});

/** The cause of a change: the API key, the request, and the trace that it belongs to. */
export interface Cause {
  keyId?: string | undefined;
  keyName?: string | undefined;
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

/** The cause of `event`, and so of what follows from it. */
export function causeOf({
  actor,
  actorname,
  requestid,
  traceparent,
}: Pick<DomainEvent, 'actor' | 'actorname' | 'requestid' | 'traceparent'>): Cause {
  return { keyId: actor, keyName: actorname, requestId: requestid, traceparent };
}

const eventType = z.enum(Object.keys(DOMAIN_EVENTS) as DomainEventType[]);

/** An event that the broker will never accept, however often it is sent, and why. */
export class UnpublishableEventError extends Error {
  override readonly name = 'UnpublishableEventError';
}

/**
 * What the subjects of events of `type` begin with: `domain.<service>.<entity>.<fact>`. Only those of orders have more:
 * see `subjectOfEvent`.
 */
export function subjectOf(type: DomainEventType): string {
  return `domain.${DOMAIN_EVENTS[type].service}.${type}`;
}

/** The services that an event of `type` may concern or not; none if it always concerns all. */
export function concernedBy(type: DomainEventType): readonly ServiceName[] {
  const definition = DOMAIN_EVENTS[type];
  return 'concerns' in definition ? (Object.keys(definition.concerns) as ServiceName[]) : [];
}

/**
 * The subject of an event. That of an order names the services that it concerns, each in its place:
 * `domain.commerce.order.placed.pricing.-.cart` claims a redemption, no tickets, and is the order of a cart.
 */
export function subjectOfEvent({ type, data }: Pick<DomainEvent, 'type' | 'data'>): string {
  const definition = DOMAIN_EVENTS[type];
  const concerns: object = 'concerns' in definition ? definition.concerns : {};
  const names = Object.entries(concerns).map(([name, isConcerned]) => (isConcerned(data) === true ? name : NOBODY));
  return [subjectOf(type), ...names].join('.');
}

/** The subjects of all events of `type` that concern `service`; of all, without one. */
export function subjectsOf(type: DomainEventType, service?: ProcessName): string {
  return [subjectOf(type), ...concernedBy(type).map((name) => (name === service ? name : '*'))].join('.');
}

/** Whether an event of `type` may travel on `subject`. */
export function isSubjectOf(type: DomainEventType, subject: string): boolean {
  return `${subject}.`.startsWith(`${subjectOf(type)}.`);
}

/** Stands in a subject for a service that the event does not concern. */
const NOBODY = '-';

/** What every event has, whatever its type, even one that a later release publishes. */
export type EventEnvelope = z.output<typeof envelope>;

/** The event in `value`, whatever its type. @throws {ZodError} if it is not one */
export function parseEnvelope(value: unknown): EventEnvelope {
  return envelope.parse(value);
}

/** A domain event with the tenant of its records. */
export type ReceivedEvent<T extends DomainEventType = DomainEventType> = DomainEvent<T> & { tenant: Tenant };

/** The domain event in `value`. Throws a ZodError if it is not one, or its data does not match its type. */
export function parseDomainEvent(value: unknown): ReceivedEvent {
  const event = envelope.parse(value);
  const definition = DOMAIN_EVENTS[eventType.parse(event.type)];
  const tenant = tenantOf({ companyId: event.companyid, environment: event.environment });
  return { ...event, tenant, data: definition.data.parse(event.data) } as ReceivedEvent;
}
