import {
  alreadyExists,
  type Availability,
  companyIdOf,
  type DomainEvent,
  type Offering,
  type OfferingInput,
  type OfferingRecord as KnownOffering,
  type PageQuery,
  type Tenant,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  amountOf,
  type Caller,
  collectionOf,
  findPage,
  oneForEachKey,
  pageRange,
  type Quotas,
  retryLost,
  storedBytes,
  toPage,
  UNREAD,
} from '@event-commerce/service-kit';
import type { EventsModels, OfferingDocument } from './models.ts';

/** An offering, and whether its tickets are counted. */
export type OfferingRecord = KnownOffering & { counted: boolean; soldOut: boolean };

export type OfferingRepository = ReturnType<typeof offeringRepository>;

const OPTIONAL = ['capacity', 'maxPerOrder', 'onSaleFrom', 'onSaleUntil'] as const;

/** How many offerings a tenant has. */
export function offeringAmounts({ offerings }: EventsModels) {
  return { offerings: async (tenant: Tenant) => amountOf(collectionOf(offerings), { companyId: tenant }) };
}

export function offeringRepository(
  { offerings }: EventsModels,
  relay: Relay<OfferingDocument>,
  quotas: Pick<Quotas<'offerings'>, 'use'>,
) {
  const collection = collectionOf(offerings);
  const insertOne = oneForEachKey();

  return {
    /** @throws {PlatformError} ALREADY_EXISTS if the company has an offering with that id; QUOTA_EXCEEDED */
    async create(
      caller: Caller,
      key: string,
      eventId: string,
      input: OfferingInput,
      now: Date,
    ): Promise<OfferingRecord> {
      const { id = key, ...fields } = input;
      const document: OfferingDocument = {
        _id: key,
        companyId: caller.tenant,
        offeringId: id,
        eventId,
        ...fields,
        ...(fields.capacity === undefined ? {} : { counted: true }),
        version: 1,
        created: now,
        changed: now,
        outbox: [outboxEntry('offering.created', now, caller)],
      };
      const taken = (cause: unknown) => alreadyExists('offering', id, cause);
      await quotas.use(caller.tenant, { offerings: { count: 1, bytes: storedBytes(document) } }, async () =>
        insertOne(caller.tenant, id, async () => collection.insertOne(document), taken),
      );
      relay.publish(document);
      return toRecord(document);
    },

    /**
     * Replaces everything that can change if the offering is still at `current`'s version; undefined if it is not.
     *
     * @throws {PlatformError} QUOTA_EXCEEDED
     */
    async replace(
      caller: Caller,
      current: OfferingRecord,
      input: Omit<OfferingInput, 'id'>,
      now: Date,
    ): Promise<OfferingRecord | undefined> {
      const bytes = storedBytes({ ...current, ...input }) - storedBytes(current);
      const document = await quotas.use(caller.tenant, { offerings: { count: 0, bytes } }, async () => {
        const written = await collection.findOneAndUpdate(
          { companyId: caller.tenant, offeringId: current.id, version: current.version },
          {
            // Set once: tickets that are counted stay counted, so that a capacity that comes back finds none missing.
            $set: {
              ...input,
              changed: now,
              ...(current.counted || input.capacity !== undefined ? { counted: true } : {}),
            },
            $unset: Object.fromEntries(
              OPTIONAL.filter((member) => input[member] === undefined).map((member) => [member, '']),
            ),
            $inc: { version: 1 },
            $push: { outbox: outboxEntry('offering.updated', now, caller) },
          },
          { returnDocument: 'after' },
        );
        return written ?? undefined;
      });
      if (document === undefined) return undefined;
      relay.publish(document);
      return toRecord(document);
    },

    /** The offering with the key `key`, whatever its id in the API. */
    async findByKey(tenant: Tenant, key: string): Promise<OfferingRecord | undefined> {
      const document = await collection.findOne(
        { _id: key, companyId: tenant },
        {
          projection: UNREAD,
        },
      );
      return document === null ? undefined : toRecord(document);
    },

    async find(tenant: Tenant, id: string): Promise<OfferingRecord | undefined> {
      return (await this.findAll(tenant, [id]))[0];
    },

    /** The offerings of `ids` that exist, in any order. */
    async findAll(tenant: Tenant, ids: readonly string[]): Promise<OfferingRecord[]> {
      const found = await collection
        .find({ companyId: tenant, offeringId: { $in: [...ids] } }, { projection: UNREAD })
        .toArray();
      return found.map((document) => toRecord(document));
    },

    /**
     * One page of an event's offerings, newest first: sorted by the platform's own ids, because a caller's are not
     * ordered by time.
     */
    async page(tenant: Tenant, eventId: string, query: PageQuery & { status?: Offering['status'] | undefined }) {
      const filter = {
        companyId: tenant,
        eventId,
        ...(query.status === undefined ? {} : { status: query.status }),
        ...pageRange(query, 'offerings'),
      };
      return toPage(await findPage<OfferingDocument>(collection, 'off', filter, query), query, 'offerings', toRecord);
    },

    /** The ids of the offerings of the events. */
    async idsOf(tenant: Tenant, eventIds: readonly string[]): Promise<string[]> {
      const theirs = { companyId: tenant, eventId: { $in: [...eventIds] } };
      const found = await collection.find(theirs, { projection: { offeringId: 1 } }).toArray();
      return found.map(({ offeringId }) => offeringId);
    },

    /** Those of `eventIds` that have offerings. */
    async eventsOf(tenant: Tenant, eventIds: readonly string[]): Promise<string[]> {
      const theirs = { companyId: tenant, eventId: { $in: [...eventIds] } };
      const found = await collection.find(theirs, { projection: { eventId: 1 } }).toArray();
      return [...new Set(found.map(({ eventId }) => eventId))];
    },

    /**
     * Notes that nothing is left of the offering, or something again, with the event that tells of it. False if that
     * was noted.
     */
    async tellAvailability(tenant: Tenant, id: string, availability: Availability, now: Date): Promise<boolean> {
      const soldOut = availability.left === 0;
      const type = soldOut ? 'offering.sold_out' : 'offering.available';
      const document = await retryLost(async () =>
        collection.findOneAndUpdate(
          { companyId: tenant, offeringId: id, soldOut: soldOut ? { $ne: true } : true },
          {
            $set: { soldOut },
            $inc: { availabilityVersion: 1 },
            $push: { outbox: outboxEntry(type, now, { extra: availability }) },
          },
          { returnDocument: 'after' },
        ),
      );
      if (document === null) return false;
      relay.publish(document);
      return true;
    },
  };
}

/** What the API shows of a record, and other services know. */
export function toOffering({ counted: _counted, soldOut: _soldOut, ...shown }: OfferingRecord): KnownOffering {
  return shown;
}

/** The domain event of an offering's outbox entry: the offering as it is. */
export function offeringEvent(entry: OutboxEntry, document: OfferingDocument): DomainEvent {
  const { counted: _counted, soldOut: _soldOut, ...record } = toRecord(document);
  const about = { subject: record.id, tenant: document.companyId };
  if (entry.type === 'offering.sold_out' || entry.type === 'offering.available') {
    const availability = entry.extra as Availability;
    const { availabilityVersion = 0 } = document;
    return domainEvent(entry as OutboxEntry & { type: 'offering.sold_out' }, {
      ...about,
      data: { ...record, availability, availabilityVersion },
    });
  }
  return domainEvent(entry as OutboxEntry & { type: 'offering.created' | 'offering.updated' }, {
    ...about,
    data: record,
  });
}

function toRecord(document: OfferingDocument): OfferingRecord {
  const {
    _id,
    companyId: tenant,
    offeringId,
    outbox: _outbox,
    availabilityVersion: _availabilityVersion,
    counted,
    soldOut = false,
    created,
    changed,
    ...fields
  } = document;
  const companyId = companyIdOf(tenant);
  return {
    id: offeringId,
    companyId,
    ...fields,
    counted: counted === true || fields.capacity !== undefined,
    soldOut,
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}
