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
  isDuplicateKey,
  pageRange,
  type Quotas,
  toPage,
  UNREAD,
  withOwnNames,
  withStoredNames,
  type Writer,
} from '@event-commerce/service-kit';
import type { ClientSession } from 'mongoose';
import type { GroupRecord } from './domain/group-record.ts';
import type { EventsModels, PurchaseGroupDocument } from '../models.ts';

export type PurchaseGroupRepository = ReturnType<typeof purchaseGroupRepository>;

const NOT_DELETED = { purgeAt: { $exists: false } } as const;
/** A deleted group is purged once its last event is surely published. */
const PURGED_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
/** The name of a group may be that of its members. */
const REDACTED = ['name'];

/** How many purchase groups a tenant has. */
export function purchaseGroupAmounts({ purchaseGroups }: EventsModels) {
  return {
    purchaseGroups: async (tenant: Tenant) =>
      countOf(collectionOf(purchaseGroups), { companyId: tenant, ...NOT_DELETED }),
  };
}

export function purchaseGroupRepository(
  { purchaseGroups }: EventsModels,
  relay: Relay<PurchaseGroupDocument>,
  quotas: Pick<Quotas<'purchaseGroups'>, 'use'>,
) {
  const collection = collectionOf(purchaseGroups);

  /** Writes a merge's changes of `group`, which must still be as it was read, and the event about them. */
  const save = async (
    session: ClientSession,
    group: GroupRecord,
    entry: OutboxEntry,
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
        $push: { outbox: entry },
      },
      { session, returnDocument: 'after' },
    );
    if (document === null) throw changedByOthers('One of the groups');
    return document;
  };

  return {
    changeInTurn: changesInTurn('The group'),

    /** Undefined if a group has this id, or had it. */
    async create(
      caller: Caller,
      id: string,
      eventId: string,
      input: PurchaseGroupInput,
      now: Date,
    ): Promise<GroupRecord | undefined> {
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
        outbox: [outboxEntry('purchase_group.created', now, { ...caller, after: { version: 1 } })],
      };
      try {
        await quotas.use(caller.tenant, { purchaseGroups: 1 }, async () => collection.insertOne(document));
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
      relay.publish(document);
      return toRecord(document);
    },

    async find(tenant: Tenant, eventId: string, id: string): Promise<GroupRecord | undefined> {
      const document = await collection.findOne(
        { _id: id, companyId: tenant, eventId, ...NOT_DELETED },
        { projection: UNREAD },
      );
      return document === null ? undefined : toRecord(document);
    },

    /** Replaces the caller's fields of a group if it is still at `current`'s version; undefined if it is not. */
    async replace(
      caller: Writer,
      current: GroupRecord,
      fields: Pick<GroupRecord, 'name' | 'size' | 'members'>,
      now: Date,
    ): Promise<GroupRecord | undefined> {
      const { id, tenant, version } = current;
      const after = toPurchaseGroup({ ...current, ...fields, version: version + 1 });
      const entry = outboxEntry('purchase_group.updated', now, {
        ...caller,
        before: toPurchaseGroup(current),
        after,
        redacted: REDACTED,
      });
      const written = await collection.findOneAndUpdate(
        { _id: id, companyId: tenant, version },
        { $set: { ...withStoredNames(fields), changed: now }, $inc: { version: 1 }, $push: { outbox: entry } },
        { returnDocument: 'after' },
      );
      if (written === null) return undefined;
      relay.publish(written);
      return toRecord(written);
    },

    /**
     * Deletes a group if it is still at `current`'s version, and returns it as it was; undefined if it is not. What it
     * says about people goes at once, the rest once its events are published.
     */
    async delete(caller: Writer, current: GroupRecord, now: Date): Promise<GroupRecord | undefined> {
      const { id, tenant, version } = current;
      const gone = { name: '', members: [], notes: [], history: [] };
      const document = await quotas.use(tenant, { purchaseGroups: -1 }, async () => {
        const deleted = await collection.findOneAndUpdate(
          { _id: id, companyId: tenant, version },
          {
            $set: { ...gone, changed: now, purgeAt: new Date(now.getTime() + PURGED_AFTER_MS) },
            $inc: { version: 1 },
            $push: {
              outbox: outboxEntry('purchase_group.deleted', now, { ...caller, after: { version: version + 1 } }),
            },
          },
          { returnDocument: 'after' },
        );
        return deleted ?? undefined;
      });
      if (document === undefined) return undefined;
      relay.publish(document);
      return current;
    },

    /** One page of the groups of an event, newest first. */
    async page(tenant: Tenant, eventId: string, query: PageQuery & { status?: PurchaseGroupStatus | undefined }) {
      const filter = {
        companyId: tenant,
        eventId,
        ...NOT_DELETED,
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
      const attempt = async (session: ClientSession): Promise<[PurchaseGroupDocument, PurchaseGroupDocument]> => {
        const found = await collection
          .find(
            { _id: { $in: [ids.target, ids.source] }, companyId: caller.tenant, eventId, ...NOT_DELETED },
            { session },
          )
          .toArray();
        const groups = new Map(found.map((document) => [document._id, toRecord(document)]));
        const { target, source, merge } = decide(groups.get(ids.target), groups.get(ids.source));
        const told = (group: GroupRecord) => {
          const before = groups.get(group.id);
          const after = toPurchaseGroup(group);
          return { ...caller, ...(before && { before: toPurchaseGroup(before) }), after, redacted: REDACTED };
        };
        const merged = outboxEntry('purchase_group.merged', now, { ...told(target), extra: { merge } });
        const saveSource = async () => save(session, source, outboxEntry('purchase_group.updated', now, told(source)));
        // Always the smaller id first: of two opposite merges one waits for the other, instead of each for the other.
        const first = source.id < target.id ? await saveSource() : undefined;
        const written = await save(session, target, merged);
        return [written, first ?? (await saveSource())];
      };

      const [target, source] = await inTransaction(purchaseGroups.db, DB_TIMEOUT_MS, attempt);
      relay.publish(target);
      relay.publish(source);
      return toRecord(target);
    },
  };
}

/** What the API shows of a record. */
export function toPurchaseGroup({ tenant, id, ...shown }: GroupRecord): PurchaseGroup {
  return { id, companyId: companyIdOf(tenant), ...shown };
}

/** The domain event of a group's outbox entry: the group without members, name and notes, and its merge. */
export function purchaseGroupEvent(entry: OutboxEntry, document: PurchaseGroupDocument): DomainEvent {
  const group = toRecord(document);
  const about = { subject: group.id, tenant: group.tenant };
  const data = toPurchaseGroup(group);
  if (entry.type === 'purchase_group.merged') {
    const { merge } = entry.extra as { merge: GroupMerge };
    return domainEvent({ ...entry, type: entry.type }, { ...about, data: { ...data, merge } });
  }
  return domainEvent(entry as OutboxEntry & { type: 'purchase_group.updated' }, { ...about, data });
}

function toRecord(document: PurchaseGroupDocument): GroupRecord {
  const { _id, companyId: tenant, outbox: _outbox, purgeAt: _purgeAt, created, changed, members, ...fields } = document;
  return {
    id: _id,
    tenant,
    ...fields,
    members: withOwnNames(members),
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}
