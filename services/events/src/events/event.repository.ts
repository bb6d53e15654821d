import {
  alreadyExists,
  companyIdOf,
  type DomainEvent,
  type EventOverrides,
  type Tenant,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  countOf,
  type Caller,
  changesInTurn,
  collectionOf,
  insertEach,
  newId,
  oneForEachKey,
  pushAttempts,
  type Quotas,
  type SweepPosition,
  sweepPage,
  UNREAD,
  wasChangedBy,
  type Writer,
} from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import { asGiven } from './domain/change-of-date.ts';
import { type EventRecord, overridesOf, type StoredCallOff } from './domain/event-record.ts';
import { searchTerms } from './domain/search-terms.ts';
import { facetsOfEvents, pageOfEvents } from './event-list.ts';
import type { EventFilter } from './merged-filter.ts';
import { type EventDocument, type EventsModels, HAS_ZONE_CHANGE } from '../models.ts';
import { idOf, KEYS, toOwnFields, toRecord } from './stored-event.ts';

/** `id`: chosen by the caller; if absent, the event's id is its key. */
export type NewEvent = Pick<EventRecord, 'kind' | 'seriesId' | 'own' | 'timesZone' | 'given'> & {
  id?: string | undefined;
};

/** What a change makes of an event. */
export interface NextEvent {
  own: EventOverrides;
  timesZone: string | undefined;
  callOff: StoredCallOff | undefined;
  /** For a date that is changed with others: see `asGiven`. */
  given?: EventOverrides;
}

type EventFact =
  | { type: 'event.updated' }
  | { type: 'instance.reverted'; reverted: readonly string[] }
  | { type: 'event.called_off' | 'event.call_off_undone'; callOff: StoredCallOff };

/** A caller, or the follow-up of an earlier request. */
export type EventWriter = Writer & Pick<Caller, 'attempt'>;

/** How many instances of a series are read at a time. */
const INSTANCES_AT_ONCE = 500;

export type EventRepository = ReturnType<typeof eventRepository>;

/** How many events a tenant has. */
export function eventAmounts({ events }: EventsModels) {
  return { events: async (tenant: Tenant) => countOf(collectionOf(events), { companyId: tenant }) };
}

export function eventRepository(
  models: EventsModels,
  relay: Relay<EventDocument>,
  quotas: Pick<Quotas<'events'>, 'use'>,
) {
  const events = collectionOf(models.events);

  const written = (document: EventDocument): EventRecord => {
    relay.publish(document);
    return toRecord(document);
  };

  const insertOne = oneForEachKey();

  /** The instances of a series that have these dates. */
  const datesOf = async (tenant: Tenant, seriesId: string, dates: readonly string[]) => {
    const found = await events
      .find(
        {
          companyId: tenant,
          seriesId,
          $or: [{ ruleDate: { $in: [...dates] } }, { 'own.startsAt': { $in: dates.map((date) => new Date(date)) } }],
        },
        { projection: { ownId: 1, ruleDate: 1, 'own.startsAt': 1, attempts: 1 } },
      )
      .toArray();
    const has = new Map<string, { eventId: string; isByRule: boolean; attempts: readonly string[] }>();
    for (const { ruleDate, own, attempts = [], ...event } of found) {
      const isByRule = ruleDate !== undefined;
      for (const date of [ruleDate, own.startsAt?.toISOString()]) {
        if (date !== undefined && (isByRule || !has.has(date)))
          has.set(date, { eventId: idOf(event), isByRule, attempts });
      }
    }
    return has;
  };

  return {
    changeInTurn: changesInTurn('The event'),
    datesOf,

    /** @throws {PlatformError} ALREADY_EXISTS if the company has an event with that `id`; QUOTA_EXCEEDED */
    async create(caller: Caller, key: string, event: NewEvent, now: Date): Promise<EventRecord> {
      const { id: ownId } = event;
      const own = toOwnFields(event.own);
      const document: EventDocument = {
        _id: key,
        companyId: caller.tenant,
        ...(ownId === undefined ? {} : { ownId }),
        kind: event.kind,
        ...(event.seriesId === undefined ? {} : { seriesId: event.seriesId }),
        own,
        ...(event.timesZone === undefined ? {} : { timesZone: event.timesZone }),
        ...(event.given === undefined ? {} : { given: event.given }),
        terms: searchTerms(own),
        version: 1,
        created: now,
        changed: now,
        outbox: [outboxEntry('event.created', now, { ...caller, after: { version: 1 } })],
      };
      // The unique index separates chosen ids; generated ids are too random to collide.
      if (ownId !== undefined && (await this.find(caller.tenant, ownId)) !== undefined)
        throw alreadyExists('event', ownId);
      const taken = (cause: unknown) => (ownId === undefined ? cause : alreadyExists('event', ownId, cause));
      await quotas.use(caller.tenant, { events: 1 }, async () =>
        insertOne(caller.tenant, ownId ?? key, async () => events.insertOne(document), taken),
      );
      return written(document);
    },

    /**
     * Makes the dates of a series that it does not have yet, in one write, and returns all of them. A series has a date
     * if an instance starts then, or a rule has made it for that date, even if it was moved since. Those that an
     * earlier attempt of the writer made count as new.
     *
     * @throws {PlatformError} QUOTA_EXCEEDED
     */
    async createDates(
      writer: EventWriter,
      seriesId: string,
      dates: readonly string[],
      { capacity, timesZone }: { capacity: number | undefined; timesZone: string | undefined },
      now: Date,
    ): Promise<{ startsAt: string; eventId: string; existed: boolean; isByRule: boolean }[]> {
      const had = await datesOf(writer.tenant, seriesId, dates);
      const documents = dates
        .filter((date) => !had.has(date))
        .map((date): EventDocument => {
          const fields = { startsAt: date, ...(capacity === undefined ? {} : { capacity }) };
          const own = toOwnFields(fields);
          return {
            _id: newId('evt'),
            companyId: writer.tenant,
            kind: 'instance',
            seriesId,
            own,
            ...(timesZone === undefined ? {} : { timesZone }),
            ruleDate: date,
            given: asGiven(fields, timesZone),
            ...(writer.attempt === undefined ? {} : { attempts: [writer.attempt.idSuffix] }),
            terms: searchTerms(own),
            version: 1,
            created: now,
            changed: now,
            outbox: [outboxEntry('event.created', now, { ...writer, after: { version: 1 } })],
          };
        });
      const inserted =
        documents.length === 0
          ? []
          : await quotas.use(writer.tenant, { events: documents.length }, async () => insertEach(events, documents));
      for (const [index, outcome] of inserted.entries()) {
        if (outcome instanceof Error) throw outcome;
        const document = documents[index];
        if (outcome && document !== undefined) relay.publish(document);
      }
      const has = documents.length === 0 ? had : await datesOf(writer.tenant, seriesId, dates);
      return dates.flatMap((startsAt) => {
        const found = has.get(startsAt);
        if (found === undefined) return [];
        return [{ startsAt, eventId: found.eventId, isByRule: found.isByRule, existed: !wasChangedBy(writer, found) }];
      });
    },

    /**
     * Replaces the own fields if the event is still at `current`'s version; undefined if it is not.
     */
    async replaceOwn(
      caller: EventWriter,
      current: EventRecord,
      { own, timesZone, callOff, given }: NextEvent,
      { type, ...extra }: EventFact,
      now: Date,
    ): Promise<EventRecord | undefined> {
      const changed = {
        before: { ...current.own, version: current.version },
        after: { ...own, version: current.version + 1 },
      };
      const ownFields = toOwnFields(own);
      const hasOtherZone = own.timezone !== current.own.timezone;
      const update = {
        $set: {
          own: ownFields,
          terms: searchTerms(ownFields),
          changed: now,
          ...(timesZone === undefined ? {} : { timesZone }),
          ...(given === undefined ? {} : { given }),
          ...(hasOtherZone ? { zoneChange: current.version + 1 } : {}),
          ...(callOff === undefined ? {} : { callOff }),
        },
        $unset: {
          ...(timesZone === undefined ? { timesZone: '' as const } : {}),
          ...(callOff === undefined ? { callOff: '' as const } : {}),
        },
        $inc: { version: 1 },
        $push: {
          outbox: outboxEntry(type, now, { ...caller, extra, ...changed }),
          ...pushAttempts(caller.attempt?.idSuffix),
        },
      };
      for (const key of KEYS) {
        const document = await events.findOneAndUpdate(
          { [key]: current.id, companyId: caller.tenant, version: current.version },
          update,
          { returnDocument: 'after' },
        );
        if (document !== null) return written(document);
      }
      return undefined;
    },

    /** The event with the key `key`, whatever its id in the API. */
    async findByKey(tenant: Tenant, key: string): Promise<EventRecord | undefined> {
      const document = await events.findOne({ _id: key, companyId: tenant }, { projection: UNREAD });
      return document === null ? undefined : toRecord(document);
    },

    async find(tenant: Tenant, id: string): Promise<EventRecord | undefined> {
      return (await this.findAll(tenant, [id])).get(id);
    },

    /** The events of `ids` by their id. */
    async findAll(tenant: Tenant, ids: readonly string[]): Promise<Map<string, EventRecord>> {
      const records = new Map<string, EventRecord>();
      for (const key of KEYS) {
        const missing = ids.filter((id) => !records.has(id));
        if (missing.length === 0) break;
        const found = await events
          .find({ [key]: { $in: missing }, companyId: tenant }, { projection: UNREAD })
          .toArray();
        for (const record of found.map(toRecord)) records.set(record.id, record);
      }
      return records;
    },

    /** The time zones of the events at `venueIds`; undefined for an event without one. */
    async zonesAt(tenant: Tenant, venueIds: readonly string[]): Promise<(string | undefined)[]> {
      const at = { companyId: tenant, 'own.venueId': { $in: [...venueIds] } };
      const without = { ...at, 'own.timezone': { $exists: false } };
      const zones: (string | undefined)[] = await events.distinct('own.timezone', at);
      if ((await events.findOne({ ...without, kind: { $ne: 'instance' } }, { projection: { _id: 1 } })) !== null) {
        zones.push(undefined);
      }
      const ofSeries = await events.distinct('seriesId', { ...without, kind: 'instance' });
      const series = await this.findAll(
        tenant,
        ofSeries.flatMap((id) => id ?? []),
      );
      return [...zones, ...[...series.values()].map(({ own }) => own.timezone)];
    },

    /**
     * Records that instances and offerings are updated to the time zone that an event got at the version `zoneChange`.
     */
    async zoneFollowed(tenant: Tenant, id: string, zoneChange: number): Promise<void> {
      for (const key of KEYS) {
        const asRead = { [key]: id, companyId: tenant, zoneChange };
        const { matchedCount } = await events.updateOne(asRead, { $unset: { zoneChange: '' } });
        if (matchedCount > 0) return;
      }
    },

    /** Events of all companies whose instances and offerings are not yet updated after a change of the time zone. */
    async zoneChanges(from: SweepPosition | undefined) {
      const { found, next } = await sweepPage(events, HAS_ZONE_CHANGE, ['ownId'], from);
      return { found: found.map(({ companyId, ...event }) => ({ id: idOf(event), companyId })), next };
    },

    /**
     * The ids of up to `limit` instances that use the zone of their series, but have times set in a zone other than
     * `zone`.
     */
    async instancesInOtherZone(tenant: Tenant, seriesId: string, zone: string | undefined, limit: number) {
      const filter = {
        companyId: tenant,
        seriesId,
        'own.timezone': null,
        timesZone: zone === undefined ? { $exists: true } : { $ne: zone },
        $or: [{ 'own.startsAt': { $exists: true } }, { 'own.endsAt': { $exists: true } }],
      } as mongo.Filter<EventDocument>;
      return (await events.find(filter, { projection: { ownId: 1 }, limit }).toArray()).map(idOf);
    },

    /** The ids of the instances of a series, in batches: there can be any number of them. */
    async *instancesOf(
      tenant: Tenant,
      seriesId: string,
      more: mongo.Filter<EventDocument> = {},
    ): AsyncGenerator<string[], void> {
      const options = { projection: { ownId: 1 }, sort: { _id: -1 }, batchSize: INSTANCES_AT_ONCE } as const;
      let ids: string[] = [];
      for await (const instance of events.find({ ...more, companyId: tenant, seriesId }, options)) {
        ids.push(idOf(instance));
        if (ids.length < INSTANCES_AT_ONCE) continue;
        yield ids;
        ids = [];
      }
      if (ids.length > 0) yield ids;
    },

    /**
     * The starts of a series' instances, in no order: own starts between `from` and `to`; undefined for an instance
     * that has the start of the series.
     */
    async *startsOf(
      tenant: Tenant,
      seriesId: string,
      { from, to }: { from?: Date | undefined; to?: Date | undefined },
    ): AsyncGenerator<{ id: string; startsAt?: string; timezone?: string }, void> {
      const between = { ...(from && { $gte: from }), ...(to && { $lte: to }) };
      const filter = { companyId: tenant, seriesId } as mongo.Filter<EventDocument>;
      if (from !== undefined || to !== undefined) {
        filter.$or = [{ 'own.startsAt': between }, { 'own.startsAt': { $exists: false } }];
      }
      const projection = { ownId: 1, 'own.startsAt': 1, 'own.timezone': 1 };
      for await (const { own, ...event } of events.find(filter, { projection, batchSize: INSTANCES_AT_ONCE })) {
        const { startsAt, timezone } = own;
        yield {
          id: idOf(event),
          ...(startsAt === undefined ? {} : { startsAt: startsAt.toISOString() }),
          ...(timezone === undefined ? {} : { timezone }),
        };
      }
    },

    /** One page of the company's events, in the order of `query.sort`. */
    page: async (tenant: Tenant, query: EventFilter) => pageOfEvents(events, tenant, query),

    /** How many of the events that match `query` are at each venue and have each status. */
    facets: async (tenant: Tenant, query: EventFilter) => facetsOfEvents(events, tenant, query),
  };
}

/** The domain event of an event's outbox entry: the event as it is stored, so an instance with only its overrides. */
export function eventEvent(entry: OutboxEntry, document: EventDocument): DomainEvent {
  const {
    own,
    tenant,
    attempts: _attempts,
    timesZone: _timesZone,
    given: _given,
    zoneChange: _zoneChange,
    callOff: _callOff,
    ...record
  } = toRecord(document);
  const about = { subject: record.id, tenant };
  const overrides = record.kind === 'instance' ? { overrides: overridesOf(own) } : {};
  const data = { companyId: companyIdOf(tenant), ...record, ...own, ...overrides };
  if (entry.type === 'instance.reverted') {
    const { reverted } = entry.extra as { reverted: string[] };
    return domainEvent(entry as OutboxEntry & { type: 'instance.reverted' }, { ...about, data: { ...data, reverted } });
  }
  if (entry.type === 'event.called_off' || entry.type === 'event.call_off_undone') {
    const { callOff } = entry.extra as { callOff: StoredCallOff };
    return domainEvent(entry as OutboxEntry & { type: 'event.called_off' }, { ...about, data: { ...data, callOff } });
  }
  return domainEvent(entry as OutboxEntry & { type: 'event.created' | 'event.updated' }, { ...about, data });
}
