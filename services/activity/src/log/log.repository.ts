import {
  type ActivityEntry,
  companyIdOf,
  keyOfTenant,
  type RecordChange,
  type Tenant,
  tenantOfKey,
} from '@event-commerce/contracts';
import { collectionOf, insertEach } from '@event-commerce/service-kit';
import { type ActivityModels, type CompanyLogDocument, type EntryDocument, type HeadDocument } from '../models.ts';
import type { SaleEntry } from '../sales/sales.repository.ts';
import { BEGINNING, cursorOf, type Position } from './domain/position.ts';

/** Selects the entries that have at least one term of each list in `terms`. */
export interface EntryFilter {
  terms: readonly (readonly string[])[];
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Positions after `after`, up to `upTo`. */
export interface Span {
  after: Position;
  upTo: Position;
}

/** How much of the log is read first, in positions of all companies, and how much more each time that is too little. */
const FIRST_SPAN = 4_096;
const SPAN_GROWTH = 8;

export type LogRepository = ReturnType<typeof logRepository>;

/**
 * The log of what happened. Readers see everything up to the head, which is raised once everything before it is stored.
 */
export function logRepository(models: ActivityModels) {
  const entries = collectionOf(models.entries);
  const heads = collectionOf(models.heads);
  const companies = collectionOf(models.companies);
  const hours = collectionOf(models.hours);

  const find = (tenant: Tenant, { terms, from, to }: EntryFilter, { after, upTo }: Span) => {
    const at = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
    return entries.find({
      companyId: tenant,
      position: { $gt: after, $lte: upTo },
      ...(from || to ? { at } : {}),
      ...(terms.length === 0 ? {} : { $and: terms.map((some) => ({ terms: { $in: [...some] } })) }),
    });
  };

  /**
   * The first `limit` entries of `span`, in `direction`. They are read from parts of it, each larger than the one
   * before: a database that cannot take the order from an index sorts one part, not the company's whole log.
   */
  const read = async (
    tenant: Tenant,
    filter: EntryFilter,
    { after, upTo }: Span,
    { limit, direction }: { limit: number; direction: 'oldest-first' | 'newest-first' },
  ): Promise<EntryDocument[]> => {
    const found: EntryDocument[] = [];
    const isOldestFirst = direction === 'oldest-first';
    let left = { after, upTo };
    for (let length = FIRST_SPAN; left.after < left.upTo && found.length < limit; length *= SPAN_GROWTH) {
      const part = isOldestFirst
        ? { after: left.after, upTo: Math.min(left.upTo, left.after + length) }
        : { after: Math.max(left.after, left.upTo - length), upTo: left.upTo };
      const some = find(tenant, filter, part)
        .sort({ position: isOldestFirst ? 1 : -1 })
        .limit(limit - found.length);
      found.push(...(await some.toArray()));
      left = isOldestFirst ? { after: part.upTo, upTo } : { after, upTo: part.after };
    }
    return found;
  };

  return {
    read,

    /** The first `limit` entries of `span`, of any company, that sales count: oldest first. */
    async salesIn({ after, upTo }: Span, limit: number): Promise<SaleEntry[]> {
      const found = entries.find<SaleEntry>(
        { position: { $gt: after, $lte: upTo }, sale: { $exists: true } },
        { projection: { _id: 0, companyId: 1, position: 1, at: 1, sale: 1 } },
      );
      return await found.sort({ position: 1 }).limit(limit).toArray();
    },

    /** When the first event after `position` happened, if there is one up to `upTo`. */
    async timeAfter({ after, upTo }: Span): Promise<Date | undefined> {
      const found = entries.find({ position: { $gt: after, $lte: upTo } }, { projection: { at: 1 } });
      const [first] = await found.sort({ position: 1 }).limit(1).toArray();
      return first?.at;
    },

    /** When the last event up to `position` happened. */
    async timeUpTo(position: Position): Promise<Date | undefined> {
      // First in a part of the log: see `read`.
      for (const after of [position - FIRST_SPAN, BEGINNING]) {
        const found = entries.find({ position: { $gt: after, $lte: position } }, { projection: { at: 1 } });
        const [last] = await found.sort({ position: -1 }).limit(1).toArray();
        if (last !== undefined) return last.at;
      }
      return undefined;
    },

    /** The entry of the event `id`, if it is still shown. */
    async find(tenant: Tenant, id: string): Promise<EntryDocument | undefined> {
      return (await entries.findOne({ _id: id, companyId: tenant })) ?? undefined;
    },

    /** The companies that have entries after one position, up to another. */
    async companiesBetween({ after, upTo }: Span): Promise<Tenant[]> {
      return await entries.distinct('companyId', { position: { $gt: after, $lte: upTo } });
    },

    async head(): Promise<HeadDocument | undefined> {
      return (await heads.findOne({ _id: 'head' })) ?? undefined;
    },

    /** The position after which the company's entries are shown. */
    async forgottenTo(tenant: Tenant): Promise<Position> {
      return (await companies.findOne({ _id: keyOfTenant(tenant) }))?.forgottenTo ?? BEGINNING;
    },

    /** Stores entries, each once, and then shows them by raising the head. */
    async append(documents: readonly EntryDocument[], head: Omit<HeadDocument, '_id'>, now: Date): Promise<void> {
      if (documents.length > 0) {
        const written = await insertEach(entries, documents);
        const failed = written.find((one) => one instanceof Error);
        if (failed !== undefined) throw failed;
        const added = documents.filter((_, n) => written[n] === true);
        const ofCompanies = Map.groupBy(added, ({ companyId }) => keyOfTenant(companyId));
        const updates = [...ofCompanies].map(([_id, some]) => ({
          updateOne: {
            filter: { _id },
            update: {
              $inc: { bytes: some.reduce((sum, { bytes }) => sum + bytes, 0) },
              $setOnInsert: { forgottenTo: BEGINNING },
            },
            upsert: true,
          },
        }));
        if (updates.length > 0) await companies.bulkWrite(updates, { ordered: false });
      }
      const hour = now.toISOString().slice(0, 13);
      await hours.updateOne({ _id: hour }, { $set: { at: now, position: head.position } }, { upsert: true });
      await heads.updateOne({ _id: 'head', position: { $lt: head.position } }, { $set: head });
    },

    /** Creates the head of an empty log, or begins another epoch. */
    async setHead(head: Omit<HeadDocument, '_id'>): Promise<void> {
      await heads.updateOne({ _id: 'head' }, { $set: head }, { upsert: true });
    },

    /** Replaces entries, at their places. */
    async replace(
      tenant: Tenant,
      changes: readonly { entry: EntryDocument; erased: Partial<EntryDocument> & { bytes: number } }[],
    ): Promise<void> {
      if (changes.length === 0) return;
      const updates = changes.map(({ entry, erased }) => ({
        updateOne: { filter: { _id: entry._id, companyId: tenant }, update: { $set: erased } },
      }));
      await entries.bulkWrite(updates, { ordered: false });
      const bytes = changes.reduce((sum, { entry, erased }) => sum + erased.bytes - entry.bytes, 0);
      await companies.updateOne({ _id: keyOfTenant(tenant) }, { $inc: { bytes } });
    },

    /** Every company that has a log. */
    async companies(): Promise<CompanyLogDocument[]> {
      return await companies.find({}).toArray();
    },

    /** Where the log was at `time`, to the hour. */
    async positionAt(time: Date): Promise<Position> {
      const [last] = await hours
        .find({ at: { $lte: time } })
        .sort({ at: -1 })
        .limit(1)
        .toArray();
      return last?.position ?? BEGINNING;
    },

    /**
     * No longer shows the company's entries up to `position`, then deletes them. Only what is forgotten is summed up,
     * and each entry once, even if a process dies in between.
     */
    async forget({ _id, forgottenTo }: CompanyLogDocument, position: Position): Promise<void> {
      const companyId = tenantOfKey(_id);
      const [gone] = await entries
        .aggregate<{ bytes: number }>([
          { $match: { companyId, position: { $gt: forgottenTo, $lte: position } } },
          { $group: { _id: null, bytes: { $sum: '$bytes' } } },
        ])
        .toArray();
      const changes = { $set: { forgottenTo: position }, $inc: { bytes: -(gone?.bytes ?? 0) } };
      // Otherwise another replica has forgotten some meanwhile, and the next run forgets the rest.
      const { matchedCount } = await companies.updateOne({ _id, forgottenTo }, changes);
      if (matchedCount === 1) await entries.deleteMany({ companyId, position: { $lte: position } });
    },

    async forgetHours(before: Date): Promise<void> {
      await hours.deleteMany({ at: { $lt: before } });
    },
  };
}

/** An entry as its company sees it. */
export function toEntry(document: EntryDocument): ActivityEntry {
  const { id, ...message } = toMessage(document);
  return { id, cursor: cursorOf(document.position), ...message };
}

/** An entry without its place in the log, as it is sent. */
export function toMessage(document: EntryDocument): Omit<ActivityEntry, 'cursor'> {
  const { version, keyId, keyName, requestId, changes } = document;
  return {
    id: document._id,
    type: document.type,
    timestamp: document.at.toISOString(),
    companyId: companyIdOf(document.companyId),
    environment: document.environment,
    subject: document.subject,
    ...(version === undefined ? {} : { version }),
    ...(keyId === undefined ? {} : { actor: { keyId, ...(keyName === undefined ? {} : { name: keyName }) } }),
    ...(requestId === undefined ? {} : { requestId }),
    related: document.related,
    data: JSON.parse(document.data) as Record<string, unknown>,
    ...(changes === undefined ? {} : { changes: JSON.parse(changes) as RecordChange[] }),
  };
}
