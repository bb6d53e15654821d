import {
  alreadyExists,
  type Offering,
  type OfferingInput,
  type PageQuery,
  type Tenant,
} from '@event-commerce/contracts';
import { outboxEntry, type Relay } from '@event-commerce/outbox';
import {
  countOf,
  type Caller,
  changesInTurn,
  collectionOf,
  findPage,
  idFrom,
  insertEach,
  oneForEachKey,
  pageRange,
  type Quotas,
  retryLost,
  toPage,
  UNREAD,
  type Writer,
} from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import type { EventsModels, OfferingDocument } from '../models.ts';
import { type Left, type OfferingRecord, toOffering, toRecord } from './offering-record.ts';

export type OfferingRepository = ReturnType<typeof offeringRepository>;

const OPTIONAL = ['capacity', 'maxPerOrder', 'maxPerCustomer', 'onSaleFrom', 'onSaleUntil', 'windowZone'] as const;

/** The caller's fields of an offering, with its sale window in UTC. */
type SettledOffering = OfferingInput & Pick<OfferingRecord, 'windowZone'>;

/** The event of an offering, and the series that it is or belongs to. */
type OfEvent = Pick<OfferingRecord, 'eventId' | 'seriesId'>;

/** How many offerings a tenant has. */
export function offeringAmounts({ offerings }: EventsModels) {
  return { offerings: async (tenant: Tenant) => countOf(collectionOf(offerings), { companyId: tenant }) };
}

/** An offering as the availability of its event needs it. */
export type OfferedPrice = Pick<
  OfferingRecord,
  'id' | 'eventId' | 'version' | 'price' | 'tags' | 'status' | 'capacity' | 'onSaleFrom' | 'onSaleUntil'
>;
const OFFERED_PRICE = {
  offeringId: 1,
  eventId: 1,
  version: 1,
  price: 1,
  tags: 1,
  status: 1,
  capacity: 1,
  onSaleFrom: 1,
  onSaleUntil: 1,
} as const;

export function offeringRepository(
  { offerings }: EventsModels,
  relay: Relay<OfferingDocument>,
  quotas: Pick<Quotas<'offerings'>, 'use'>,
) {
  const collection = collectionOf(offerings);
  const insertOne = oneForEachKey();

  return {
    changeInTurn: changesInTurn('The offering'),

    /** @throws {PlatformError} ALREADY_EXISTS if the company has an offering with that id; QUOTA_EXCEEDED */
    async create(caller: Caller, key: string, of: OfEvent, input: SettledOffering, now: Date): Promise<OfferingRecord> {
      const { id = key, ...fields } = input;
      const document: OfferingDocument = {
        _id: key,
        companyId: caller.tenant,
        offeringId: id,
        ...of,
        ...fields,
        version: 1,
        created: now,
        changed: now,
        outbox: [outboxEntry('offering.created', now, { ...caller, after: { version: 1 } })],
      };
      const taken = (cause: unknown) => alreadyExists('offering', id, cause);
      await quotas.use(caller.tenant, { offerings: 1 }, async () =>
        insertOne(caller.tenant, id, async () => collection.insertOne(document), taken),
      );
      relay.publish(document);
      return toRecord(document);
    },

    /**
     * Creates a date's copy of an offering of its series. The id is derived from both, so a date has it once.
     *
     * @throws {PlatformError} QUOTA_EXCEEDED
     */
    async copy(writer: Writer, sourceId: string, of: OfEvent, fields: SettledOffering, now: Date): Promise<void> {
      const _id = idFrom('off', of.eventId, sourceId);
      if ((await collection.findOne({ _id }, { projection: { _id: 1 } })) !== null) return;
      const document: OfferingDocument = {
        ...fields,
        _id,
        companyId: writer.tenant,
        offeringId: _id,
        ...of,
        version: 1,
        created: now,
        changed: now,
        outbox: [outboxEntry('offering.created', now, { ...writer, after: { version: 1 } })],
      };
      const [written] = await quotas.use(writer.tenant, { offerings: 1 }, async () =>
        insertEach(collection, [document]),
      );
      if (written instanceof Error) throw written;
      if (written === true) relay.publish(document);
    },

    /**
     * Replaces everything that can change if the offering is still at `current`'s version; undefined if it is not.
     */
    async replace(
      caller: Writer,
      current: OfferingRecord,
      input: Omit<SettledOffering, 'id'>,
      now: Date,
    ): Promise<OfferingRecord | undefined> {
      const before = toOffering(current);
      const { windowZone: _windowZone, ...said } = input;
      const gone = Object.fromEntries(OPTIONAL.map((member) => [member, undefined]));
      const after = { ...before, ...gone, ...said, version: current.version + 1 };
      const document = await collection.findOneAndUpdate(
        { companyId: caller.tenant, offeringId: current.id, version: current.version },
        {
          $set: { ...input, changed: now },
          $unset: Object.fromEntries(
            OPTIONAL.filter((member) => input[member] === undefined).map((member) => [member, '']),
          ),
          $inc: { version: 1 },
          $push: { outbox: outboxEntry('offering.updated', now, { ...caller, before, after }) },
        },
        { returnDocument: 'after' },
      );
      if (document === null) return undefined;
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

    /** The events' offerings, for their availability; with a `limit`, in one round trip. */
    async pricesOf(tenant: Tenant, eventIds: readonly string[], limit: number | undefined): Promise<OfferedPrice[]> {
      const theirs = { companyId: tenant, eventId: { $in: [...eventIds] } };
      const bounds = limit === undefined ? {} : { limit, batchSize: limit };
      const options = { projection: OFFERED_PRICE, ...bounds };
      const found = await collection.find<OfferingDocument>(theirs, options).toArray();
      return found.map(({ _id, offeringId: id, ...offered }) => ({ id, ...offered }));
    },

    /**
     * The ids of the events' offerings that may need a new event: for full events those not reported as sold out, for
     * events with room those reported as sold out only because of the event.
     */
    async untoldOf(tenant: Tenant, eventIds: readonly string[], isFull: boolean): Promise<string[]> {
      const untold = isFull ? { soldOut: { $ne: true } } : { soldOut: true, soldOutBy: 'event' as const };
      const theirs = { companyId: tenant, eventId: { $in: [...eventIds] }, ...untold };
      const found = await collection.find(theirs, { projection: { offeringId: 1 } }).toArray();
      return found.map(({ offeringId }) => offeringId);
    },

    /** The ids of up to `limit` of the events' offerings whose sale window was set in a zone other than `zone`. */
    async inOtherZone(tenant: Tenant, eventIds: readonly string[], zone: string | undefined, limit: number) {
      const filter = {
        companyId: tenant,
        eventId: { $in: [...eventIds] },
        windowZone: zone === undefined ? { $exists: true } : { $ne: zone },
        $or: [{ onSaleFrom: { $exists: true } }, { onSaleUntil: { $exists: true } }],
      } as mongo.Filter<OfferingDocument>;
      const found = await collection.find(filter, { projection: { offeringId: 1 }, limit }).toArray();
      return found.map(({ offeringId }) => offeringId);
    },

    /** The ids of an event's offerings, at most `limit`, in any order. */
    async idsOf(tenant: Tenant, eventId: string, limit: number): Promise<string[]> {
      const theirs = { companyId: tenant, eventId };
      const found = await collection.find(theirs, { projection: { offeringId: 1 }, limit }).toArray();
      return found.map(({ offeringId }) => offeringId);
    },

    /** The events among `eventIds` that have offerings. */
    async eventsOf(tenant: Tenant, eventIds: readonly string[]): Promise<string[]> {
      const theirs = { companyId: tenant, eventId: { $in: [...eventIds] } };
      return await collection.distinct('eventId', theirs);
    },

    /**
     * Records that nothing is left of the offering, or something is again, with the event about it. False if that was
     * already recorded.
     */
    async tellAvailability(tenant: Tenant, id: string, { availability, soldOutBy }: Left, now: Date): Promise<boolean> {
      const soldOut = soldOutBy !== undefined;
      const type = soldOut ? 'offering.sold_out' : 'offering.available';
      const document = await retryLost(async () =>
        collection.findOneAndUpdate(
          { companyId: tenant, offeringId: id, soldOut: soldOut ? { $ne: true } : true },
          {
            ...(soldOut ? { $set: { soldOut, soldOutBy } } : { $set: { soldOut }, $unset: { soldOutBy: '' } }),
            $inc: { availabilityVersion: 1 },
            $push: { outbox: outboxEntry(type, now, { extra: availability }) },
          },
          { returnDocument: 'after' },
        ),
      );
      if (document !== null) {
        relay.publish(document);
        return true;
      }
      if (!soldOut) return false;
      // This was already reported, but perhaps for another reason, which `untoldOf` searches by.
      const other = { companyId: tenant, offeringId: id, soldOut, soldOutBy: { $ne: soldOutBy } };
      return (await retryLost(async () => collection.updateOne(other, { $set: { soldOutBy } }))).modifiedCount === 1;
    },
  };
}
