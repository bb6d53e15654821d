import {
  changedByOthers,
  companyIdOf,
  type DomainEvent,
  type GroupMerge,
  type PageQuery,
  type PurchaseGroup,
  type PurchaseGroupInput,
  type PurchaseGroupStatus,
  type Tenant,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  countOf,
  type Caller,
  changesInTurn,
  collectionOf,
  DB_TIMEOUT_MS,
  findPage,
  inTransaction,
  pageRange,
  type Quotas,
  toPage,
  UNREAD,
  withOwnNames,
  withStoredNames,
} from '@event-commerce/service-kit';
import type { ClientSession } from 'mongoose';
import type { GroupRecord } from './domain/group-record.ts';
import type { EventsModels, PurchaseGroupDocument } from '../models.ts';

export type PurchaseGroupRepository = ReturnType<typeof purchaseGroupRepository>;

/** How many purchase groups a tenant has. */
export function purchaseGroupAmounts({ purchaseGroups }: EventsModels) {
  return { purchaseGroups: async (tenant: Tenant) => countOf(collectionOf(purchaseGroups), { companyId: tenant }) };
}

export function purchaseGroupRepository(
  { purchaseGroups }: EventsModels,
  relay: Relay<PurchaseGroupDocument>,
  quotas: Pick<Quotas<'purchaseGroups'>, 'use'>,
) {
  const collection = collectionOf(purchaseGroups);

  /** Writes a merge's changes of `group`, which must still be as it was read. */
  const save = async (
    session: ClientSession,
    group: GroupRecord,
    entry?: OutboxEntry,
  ): Promise<PurchaseGroupDocument> => {
    const { id, tenant, size, members, status, mergedInto, notes, history, version, changed } = group;
    const document = await collection.findOneAndUpdate(
      { _id: id, companyId: tenant, version: version - 1, status: 'active' },
      {
        $set: {
          size,
          members: withStoredNames(members),
          status,
          notes,
          history,
          version,
          changed: new Date(changed),
          ...(mergedInto === undefined ? {} : { mergedInto }),
        },
        ...(entry === undefined ? {} : { $push: { outbox: entry } }),
      },
      { session, returnDocument: 'after' },
    );
    if (document === null) throw changedByOthers('One of the groups');
    return document;
  };

  return {
    changeInTurn: changesInTurn('The group'),

    async create(
      caller: Caller,
      id: string,
      eventId: string,
      input: PurchaseGroupInput,
      now: Date,
    ): Promise<GroupRecord> {
      const document: PurchaseGroupDocument = {
        _id: id,
        companyId: caller.tenant,
        eventId,
        name: input.name,
        size: input.size ?? input.members.length,
        members: withStoredNames(input.members),
        status: 'active',
        notes: [],
        history: [],
        version: 1,
        created: now,
        changed: now,
      };
      await quotas.use(caller.tenant, { purchaseGroups: 1 }, async () => collection.insertOne(document));
      return toRecord(document);
    },

    async find(tenant: Tenant, eventId: string, id: string): Promise<GroupRecord | undefined> {
      const document = await collection.findOne(
        { _id: id, companyId: tenant, eventId },
        {
          projection: UNREAD,
        },
      );
      return document === null ? undefined : toRecord(document);
    },

    /** Replaces the caller's fields of a group if it is still at `current`'s version; undefined if it is not. */
    async replace(
      current: GroupRecord,
      fields: Pick<GroupRecord, 'name' | 'size' | 'members'>,
      now: Date,
    ): Promise<GroupRecord | undefined> {
      const { id, tenant, version } = current;
      const written = await collection.findOneAndUpdate(
        { _id: id, companyId: tenant, version },
        { $set: { ...withStoredNames(fields), changed: now }, $inc: { version: 1 } },
        { returnDocument: 'after', projection: UNREAD },
      );
      return written === null ? undefined : toRecord(written);
    },

    /**
     * Deletes a group if it is still at `current`'s version, and the event of its merge is published; undefined if not.
     */
    async delete({ id, tenant, version }: GroupRecord): Promise<GroupRecord | undefined> {
      const document = await quotas.use(tenant, { purchaseGroups: -1 }, async () => {
        const unless = { 'outbox.0': { $exists: false } };
        return (await collection.findOneAndDelete({ _id: id, companyId: tenant, version, ...unless })) ?? undefined;
      });
      return document && toRecord(document);
    },

    /** One page of the groups of an event, newest first. */
    async page(tenant: Tenant, eventId: string, query: PageQuery & { status?: PurchaseGroupStatus | undefined }) {
      const filter = {
        companyId: tenant,
        eventId,
        ...(query.status === undefined ? {} : { status: query.status }),
        ...pageRange(query, 'purchase-groups'),
      };
      const found = await findPage<PurchaseGroupDocument>(collection, 'pg', filter, query);
      return toPage(found, query, 'purchase-groups', toRecord);
    },

    /**
     * Reads two groups of one event, lets `decide` return their new state (it gets undefined for a missing group), and
     * writes both in one transaction: both change or neither does, even if this process dies in between. Two merges of
     * the same group are never decided on the same state: the loser reads and decides again.
     *
     * @throws {PlatformError} what `decide` throws, or VERSION_CONFLICT if others keep changing the
     * groups
     */
    async merge(
      caller: Caller,
      eventId: string,
      ids: { target: string; source: string },
      decide: (
        target: GroupRecord | undefined,
        source: GroupRecord | undefined,
      ) => { target: GroupRecord; source: GroupRecord; merge: GroupMerge },
      now: Date,
    ): Promise<GroupRecord> {
      const attempt = async (session: ClientSession): Promise<PurchaseGroupDocument> => {
        const found = await collection
          .find({ _id: { $in: [ids.target, ids.source] }, companyId: caller.tenant, eventId }, { session })
          .toArray();
        const groups = new Map(found.map((document) => [document._id, toRecord(document)]));
        const { target, source, merge } = decide(groups.get(ids.target), groups.get(ids.source));
        const before = groups.get(ids.target);
        const entry = outboxEntry('purchase_group.merged', now, {
          ...caller,
          extra: { merge },
          ...(before && { before: toPurchaseGroup(before) }),
          after: toPurchaseGroup(target),
        });
        // Always the smaller id first, so that two opposite merges do not wait for each other.
        if (source.id < target.id) await save(session, source);
        const written = await save(session, target, entry);
        if (target.id < source.id) await save(session, source);
        return written;
      };

      const written = await inTransaction(purchaseGroups.db, DB_TIMEOUT_MS, attempt);
      relay.publish(written);
      return toRecord(written);
    },
  };
}

/** What the API shows of a record. */
export function toPurchaseGroup({ tenant, id, ...shown }: GroupRecord): PurchaseGroup {
  return { id, companyId: companyIdOf(tenant), ...shown };
}

/** The domain event of a group's outbox entry: the group without members, name and notes, and the merge. */
export function purchaseGroupEvent(entry: OutboxEntry, document: PurchaseGroupDocument): DomainEvent {
  const { id, tenant, eventId, size, status, version, changed } = toRecord(document);
  const { merge } = entry.extra as { merge: GroupMerge };
  return domainEvent(entry as OutboxEntry & { type: 'purchase_group.merged' }, {
    subject: id,
    tenant,
    data: { id, companyId: companyIdOf(tenant), eventId, size, status, version, changed, merge },
  });
}

function toRecord(document: PurchaseGroupDocument): GroupRecord {
  const { _id, companyId: tenant, outbox: _outbox, created, changed, members, ...fields } = document;
  return {
    id: _id,
    tenant,
    ...fields,
    members: withOwnNames(members),
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}
