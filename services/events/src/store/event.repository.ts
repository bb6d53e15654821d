import type { DomainEvent, DomainEventType, EventOverrides, EventQuery } from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import { afterCursor, type Caller, newId } from '@event-commerce/service-kit';
import { type EventRecord, overridesOf } from '../domain/event-record.ts';
import { mergedFilter } from './merged-filter.ts';
import type { EventDocument, EventsModels, OwnFields } from './models.ts';

export type EventRepository = ReturnType<typeof eventRepository>;

const WITHOUT_OUTBOX = { outbox: 0 } as const;

export function eventRepository({ events }: EventsModels, relay: Relay<EventDocument>) {
  return {
    async create(
      caller: Caller,
      event: Pick<EventRecord, 'kind' | 'seriesId' | 'own'>,
      now: Date,
    ): Promise<EventRecord> {
      const document: EventDocument = {
        _id: newId('evt'),
        companyId: caller.companyId,
        kind: event.kind,
        ...(event.seriesId === undefined ? {} : { seriesId: event.seriesId }),
        own: toOwnFields(event.own),
        version: 1,
        created: now,
        changed: now,
        outbox: [outboxEntry('event.created', now, caller)],
      };
      await events.collection.insertOne(document as never);
      relay.publish(document);
      return toRecord(document);
    },

    /** Replaces the own fields if the event is still at `current`'s version; undefined when it is not. */
    async replaceOwn(
      caller: Caller,
      current: EventRecord,
      own: EventOverrides,
      fact: { type: 'event.updated' } | { type: 'instance.reverted'; reverted: readonly string[] },
      now: Date,
    ): Promise<EventRecord | undefined> {
      const extra = fact.type === 'instance.reverted' ? { extra: { reverted: fact.reverted } } : {};
      const document = (await events.collection.findOneAndUpdate(
        { _id: current.id, companyId: caller.companyId, version: current.version } as never,
        {
          $set: { own: toOwnFields(own), changed: now },
          $inc: { version: 1 },
          $push: { outbox: outboxEntry(fact.type, now, { traceparent: caller.traceparent, ...extra }) },
        } as never,
        { returnDocument: 'after' },
      )) as unknown as EventDocument | null;
      if (document === null) return undefined;
      relay.publish(document);
      return toRecord(document);
    },

    async find(companyId: string, id: string): Promise<EventRecord | undefined> {
      const document = await events.collection.findOne({ _id: id, companyId } as never, { projection: WITHOUT_OUTBOX });
      return document === null ? undefined : toRecord(document as unknown as EventDocument);
    },

    /** The events of `ids` by their id. */
    async findAll(companyId: string, ids: readonly string[]): Promise<Map<string, EventRecord>> {
      if (ids.length === 0) return new Map();
      const found = await events.collection
        .find({ _id: { $in: [...ids] }, companyId } as never, { projection: WITHOUT_OUTBOX })
        .toArray();
      return new Map(found.map((document) => [String(document._id), toRecord(document as unknown as EventDocument)]));
    },

    /** Newest first; one more than `query.limit`, so that the caller sees whether there is a next page. */
    async list(companyId: string, query: EventQuery): Promise<EventRecord[]> {
      const after = afterCursor(query);
      const filter = await mergedFilter(query, async (ofSeries) => {
        const found = await events.collection
          .find({ companyId, kind: 'series', ...ofSeries } as never, { projection: { _id: 1 } })
          .toArray();
        return found.map(({ _id }) => String(_id));
      });
      const found = await events.collection
        .find({ companyId, ...(after === undefined ? {} : { _id: { $lt: after } }), ...filter } as never, {
          projection: WITHOUT_OUTBOX,
        })
        .sort({ _id: -1 })
        .limit(query.limit + 1)
        .toArray();
      return found.map((document) => toRecord(document as unknown as EventDocument));
    },
  };
}

/** The domain event of an event's outbox entry: the event as it is kept, so an instance with its overrides only. */
export function eventEvent(entry: OutboxEntry, document: EventDocument): DomainEvent {
  const { own, ...record } = toRecord(document);
  const about = { subject: record.id, companyId: record.companyId };
  const overrides = record.kind === 'instance' ? { overrides: overridesOf({ ...record, own }) } : {};
  const data = { ...record, ...own, ...overrides };
  if (entry.type === 'instance.reverted') {
    const { reverted } = entry.extra as { reverted: string[] };
    return domainEvent(entry as OutboxEntry & { type: 'instance.reverted' }, { ...about, data: { ...data, reverted } });
  }
  return domainEvent(entry as OutboxEntry & { type: Extract<DomainEventType, `event.${string}`> }, { ...about, data });
}

export function toRecord(document: EventDocument): EventRecord {
  const { _id, companyId, kind, seriesId, own, version, created, changed } = document;
  const { startsAt, endsAt, ...fields } = own;
  return {
    id: _id,
    companyId,
    kind,
    ...(seriesId === undefined ? {} : { seriesId }),
    own: {
      ...fields,
      ...(startsAt && { startsAt: startsAt.toISOString() }),
      ...(endsAt && { endsAt: endsAt.toISOString() }),
    },
    version,
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}

function toOwnFields({ startsAt, endsAt, ...fields }: EventOverrides): OwnFields {
  return {
    ...fields,
    ...(startsAt !== undefined && { startsAt: new Date(startsAt) }),
    ...(endsAt !== undefined && { endsAt: new Date(endsAt) }),
  };
}
