import { randomUUID } from 'node:crypto';
import {
  type Cause,
  companyIdOf,
  DOMAIN_EVENTS,
  type DomainEvent,
  type DomainEventData,
  type DomainEventType,
  environmentOf,
  type Tenant,
} from '@event-commerce/contracts';
import { type Collection, type IndexDefinition, type IndexOptions, type Model, Schema } from 'mongoose';
import { changesOf } from './changes.ts';

/**
 * An event still to be published, stored in the document whose change it describes and written together with that
 * change: both exist or neither. The event's data is built from the document when it is published.
 */
export interface OutboxEntry {
  /** The event's id, and its message id at the broker. */
  id: string;
  type: DomainEventType;
  at: Date;
  /** The id of the API key that led to it. */
  actor?: string;
  /** The name of this key. */
  actorName?: string;
  requestId?: string;
  traceparent?: string;
  /** The version that the document gets by the write. */
  version?: number;
  /** What the write changes, as JSON text: the members of values may have names that the database does not store. */
  changes?: string;
  /** What the resulting state alone does not show, such as which redemption was confirmed. */
  extra?: unknown;
}

/** A document that stores its unpublished events. */
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
        actor: String,
        actorName: String,
        requestId: String,
        traceparent: String,
        version: Number,
        changes: String,
        extra: Schema.Types.Mixed,
      },
      { _id: false },
    ),
  ],
  default: undefined,
};

/** The documents of `model`, seen only as stores of events. */
export function outboxesOf<Doc extends WithOutbox>({ db, collection }: Model<Doc>): Collection<WithOutbox> {
  return db.collection<WithOutbox>(collection.name);
}

/** What the sweep looks for. Its index holds only documents that have unpublished events. */
export const UNPUBLISHED = { companyId: { $gt: '' }, 'outbox.0': { $exists: true } } as const;

/**
 * The arguments of `schema.index`. Indexes on the entries themselves would be rewritten by every write of a document.
 */
export const outboxIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1 },
  { name: 'unpublished', partialFilterExpression: { 'outbox.0': { $exists: true } } },
];

/** A record as the API shows it, or what the write may change of it. Some writes do not know its version. */
type Versioned = object & { version?: number };

/**
 * What an event is about, besides its document: the record as it was `before` the write and as it is `after` it. Both
 * are known only at the write: by the time that the event is published, the document may have changed again.
 */
interface About {
  extra?: unknown;
  before?: Versioned;
  after?: Versioned;
  /** Members that the event only reports as changed, besides those of all records that are about people. */
  redacted?: readonly string[];
}

/** An entry for an event that happens `at`, and what led to it. */
export function outboxEntry(
  type: DomainEventType,
  at: Date,
  { keyId, keyName, requestId, traceparent, extra, before, after, redacted }: Cause & About = {},
): OutboxEntry {
  return {
    id: randomUUID(),
    type,
    at,
    ...(keyId !== undefined && { actor: keyId }),
    ...(keyName !== undefined && { actorName: keyName }),
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && { traceparent }),
    ...(after?.version !== undefined && { version: after.version }),
    ...(before !== undefined && after !== undefined && { changes: JSON.stringify(changesOf(before, after, redacted)) }),
    ...(extra !== undefined && { extra }),
  };
}

/**
 * Lists that an event contains while they are small; a consumer that needs a missing one asks the service that
 * published the event.
 */
const LISTS = ['items', 'modifiers', 'offeringIds', 'contextIds'] as const;
const LISTS_LENGTH_MAX = 16 * 1024;

function withoutLargeLists<T extends object>(data: T): T {
  const lists: readonly string[] = LISTS.filter((name) => name in data);
  const length = JSON.stringify(lists.map((name) => (data as Record<string, unknown>)[name])).length;
  if (length <= LISTS_LENGTH_MAX) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !lists.includes(name))) as T;
}

/**
 * Builds the event of `entry` from `data`, the state it results in: the fields in its schema, without large lists.
 *
 * @throws {ZodError} if `data` lacks what the schema promises
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
    ...(entry.actor === undefined ? {} : { actor: entry.actor }),
    ...(entry.actorName === undefined ? {} : { actorname: entry.actorName }),
    ...(entry.requestId === undefined ? {} : { requestid: entry.requestId }),
    ...(entry.traceparent === undefined ? {} : { traceparent: entry.traceparent }),
    ...(entry.version === undefined ? {} : { version: entry.version }),
    ...(entry.changes === undefined ? {} : { changes: entry.changes }),
    data: withoutLargeLists(data.parse(about.data)) as DomainEventData<T>,
  };
}
