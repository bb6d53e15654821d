import { randomUUID } from 'node:crypto';
import {
  companyIdOf,
  DOMAIN_EVENTS,
  type DomainEvent,
  type DomainEventData,
  type DomainEventType,
  environmentOf,
  type Tenant,
} from '@event-commerce/contracts';
import { type Collection, type IndexDefinition, type IndexOptions, type Model, Schema } from 'mongoose';

/**
 * An event that still has to be published, kept in the document whose change it tells of and written with that change:
 * either both exist or neither. The event's data is made from the document when it is published.
 */
export interface OutboxEntry {
  /** The event's id, and its message id at the broker. */
  id: string;
  type: DomainEventType;
  at: Date;
  traceparent?: string;
  /** What the resulting state alone does not tell, such as which redemption was confirmed. */
  extra?: unknown;
}

/** A document that keeps its unpublished events. */
export interface WithOutbox {
  _id: string;
  outbox?: OutboxEntry[];
}

/** The `outbox` path of a mongoose schema. */
export const outboxPath = {
  type: [
    new Schema<OutboxEntry>(
      {
        id: { type: String, required: true },
        type: { type: String, required: true },
        at: { type: Date, required: true },
        traceparent: String,
        extra: Schema.Types.Mixed,
      },
      { _id: false },
    ),
  ],
  default: undefined,
};

/** The documents of `model` as keepers of events, whatever else they hold. */
export function outboxesOf<Doc extends WithOutbox>({ db, collection }: Model<Doc>): Collection<WithOutbox> {
  return db.collection<WithOutbox>(collection.name);
}

/** What the sweeper looks for; the index answers it, which holds only the documents that have unpublished events. */
export const UNPUBLISHED = { companyId: { $gt: '' }, 'outbox.0': { $exists: true } } as const;

/** The arguments of `schema.index`. Of indexes on the entries themselves, every write of a document would rewrite each. */
export const outboxIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1 },
  { name: 'unpublished', partialFilterExpression: { 'outbox.0': { $exists: true } } },
];

/** An entry for an event that happens `at`. */
export function outboxEntry(
  type: DomainEventType,
  at: Date,
  more: { traceparent?: string | undefined; extra?: unknown } = {},
): OutboxEntry {
  return {
    id: randomUUID(),
    type,
    at,
    ...(more.traceparent !== undefined && { traceparent: more.traceparent }),
    ...(more.extra !== undefined && { extra: more.extra }),
  };
}

/** Lists that an event carries while they are small: who misses one asks the service that published the event. */
const LISTS = ['items', 'offeringIds', 'contextIds'] as const;
const LISTS_LENGTH_MAX = 16 * 1024;

function withoutLargeLists<T extends object>(data: T): T {
  const lists: readonly string[] = LISTS.filter((name) => name in data);
  const length = JSON.stringify(lists.map((name) => (data as Record<string, unknown>)[name])).length;
  if (length <= LISTS_LENGTH_MAX) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !lists.includes(name))) as T;
}

/**
 * The event that `entry` stands for, with what its schema names of `data`, the state it results in, and without large lists.
 *
 * @throws {ZodError} when `data` lacks what the schema promises
 */
export function domainEvent<T extends DomainEventType>(
  entry: OutboxEntry & { type: T },
  about: { subject: string; tenant: Tenant; data: DomainEventData<T> },
): DomainEvent<T> {
  const { service, schemaVersion, data } = DOMAIN_EVENTS[entry.type];
  return {
    specversion: '1.0',
    id: entry.id,
    source: `/${service}`,
    type: entry.type,
    subject: about.subject,
    time: entry.at.toISOString(),
    datacontenttype: 'application/json',
    companyid: companyIdOf(about.tenant),
    environment: environmentOf(about.tenant),
    schemaversion: schemaVersion,
    ...(entry.traceparent === undefined ? {} : { traceparent: entry.traceparent }),
    data: withoutLargeLists(data.parse(about.data)) as DomainEventData<T>,
  };
}
