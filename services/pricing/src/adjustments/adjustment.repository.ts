import { setImmediate as turn } from 'node:timers/promises';
import {
  type AdjustmentInput,
  type AdjustmentListQuery,
  type CodeHolder,
  codeKey,
  codeTaken,
  LIVE_STATUSES,
  type Page,
  type Tenant,
} from '@event-commerce/contracts';
import { outboxEntry, type Relay } from '@event-commerce/outbox';
import {
  changesInTurn,
  collectionOf,
  findPage,
  LATEST,
  oneForEachKey,
  pageRange,
  type Quotas,
  toPage,
  UNREAD,
  type Writer,
} from '@event-commerce/service-kit';
import { type AdjustmentVersion, adjustmentVersions } from './adjustment-versions.ts';
import { hasEnded, keepsScheduledCode } from './domain/adjustment.ts';
import { searchTerms } from './domain/search-terms.ts';
import type { Change } from '../snapshot/change-log.repository.ts';
import { adjustmentFilter } from './adjustment-filter.ts';
import { type AdjustmentQuota, growth } from './adjustment-quota.ts';
import {
  type AdjustmentRecord,
  definition,
  toReadable,
  toRecord,
  type UnreadableAdjustment,
} from './adjustment-record.ts';
import type { AdjustmentDocument, PricingModels } from '../models.ts';
import { poolsOf, type RedemptionPools } from '../redemptions/redemption-pools.ts';

/** The link between an adjustment and its coupon. */
export interface CouponLink {
  couponId: string;
  couponVersion: number;
  codeConflict: boolean;
}

/** How many adjustments the database returns at once: each batch costs it much more than an adjustment does. */
const READ_AT_ONCE = 10_000;
/** How many of them are loaded before yielding to other work. */
const TAKEN_AT_ONCE = 500;
/** Fields that compiling an adjustment does not need. */
const UNCOMPILED = { ...UNREAD, codeKey: 0, heldCode: 0, codeConflict: 0, couponVersion: 0 } as const;

const liveOf = (companyId: Tenant) => ({ companyId, status: { $in: LIVE_STATUSES } });

export type AdjustmentRepository = ReturnType<typeof adjustmentRepository>;

/** `announce`: resolves when every replica uses the change. */
export function adjustmentRepository(
  models: PricingModels,
  pools: Pick<RedemptionPools, 'follow' | 'find'>,
  relay: Relay<AdjustmentDocument>,
  quotas: Pick<Quotas<AdjustmentQuota>, 'use'>,
  announce: (change: Change) => Promise<void>,
) {
  const collection = collectionOf(models.adjustments);
  const versions = adjustmentVersions(models);

  const makeKnown = async (record: AdjustmentRecord): Promise<void> => {
    // The first definition has no earlier one.
    if (record.version > 1) await Promise.all(poolsOf(record.tenant, record).map(async (pool) => pools.follow(pool)));
    await announce(record);
  };

  /** The change is published when every replica uses it, because a consumer may evaluate at once. */
  const makeKnownAndPublish = async (document: AdjustmentDocument): Promise<AdjustmentRecord> => {
    const record = toRecord(document);
    await makeKnown(record).finally(() => relay.publish(document));
    return record;
  };

  /** The adjustment that holds `code` at `now`, after all acknowledged writes. One that has ended holds none. */
  const findHolder = async (companyId: Tenant, code: string, now: Date): Promise<AdjustmentRecord | undefined> => {
    const document = await collection.findOne(
      { companyId, heldCode: codeKey(code) },
      { projection: UNREAD, ...LATEST },
    );
    return document === null || hasEnded(document, now) ? undefined : toRecord(document);
  };

  const describeHolder = async ({ id, name, couponId, conditions }: AdjustmentRecord): Promise<CodeHolder> => {
    const { maxRedemptions = Infinity } = conditions;
    const { claimed = 0 } = maxRedemptions === Infinity ? {} : ((await pools.find(id)) ?? {});
    return {
      name,
      adjustmentId: id,
      ...(couponId === undefined ? {} : { couponId }),
      usedUp: claimed >= maxRedemptions,
    };
  };

  /**
   * A scheduled adjustment holds no code, but must not be given one that is held. An adjustment that becomes active at
   * the same moment is not a conflict: it came later.
   */
  const refuseHeldCode = async (companyId: Tenant, id: string, { status, conditions }: AdjustmentInput, now: Date) => {
    if (status !== 'scheduled' || conditions.code === undefined) return;
    const holder = await findHolder(companyId, conditions.code, now);
    if (holder === undefined || holder.id === id) return;
    throw codeTaken(conditions.code, 'conditions.code', await describeHolder(holder));
  };

  /**
   * Runs a `write` that may give adjustment `id` a code. An adjustment ends without a write: one that has ended but
   * still holds the code loses it to this one, unless it is changed at the same moment.
   */
  const holdingCode = async <T>(
    companyId: Tenant,
    id: string,
    { conditions: { code } }: AdjustmentInput,
    now: Date,
    write: () => Promise<T>,
  ): Promise<T> => {
    if (code === undefined) return await write();
    const heldCode = codeKey(code);
    return await oneOfCode(companyId, heldCode, write, async (cause) => {
      const holder = await collection.findOne({ companyId, heldCode }, { projection: UNREAD, ...LATEST });
      if (holder === null || holder._id === id) return codeTaken(code, 'conditions.code', undefined, cause);
      if (!hasEnded(holder, now)) {
        return codeTaken(code, 'conditions.code', await describeHolder(toRecord(holder)), cause);
      }
      const asRead = { _id: holder._id, companyId, heldCode, version: holder.version };
      await collection.updateOne(asRead, { $unset: { heldCode: '' } });
      return undefined;
    });
  };

  return {
    changeInTurn: changesInTurn('The adjustment'),

    /**
     * Once this resolves, every replica uses the adjustment.
     *
     * @throws {PlatformError} COUPON_CODE_TAKEN, QUOTA_EXCEEDED
     */
    async create(
      caller: Writer,
      id: string,
      input: AdjustmentInput,
      now: Date,
      coupon?: CouponLink,
    ): Promise<AdjustmentRecord> {
      const defined = definition(caller.tenant, input, now);
      const document: AdjustmentDocument = {
        _id: id,
        ...defined,
        ...coupon,
        terms: searchTerms(defined),
        created: now,
        changed: now,
        version: 1,
        outbox: [outboxEntry('adjustment.created', now, { ...caller, after: { version: 1 } })],
      };
      await refuseHeldCode(caller.tenant, id, input, now);
      await quotas.use(caller.tenant, growth(undefined, defined), async () =>
        holdingCode(caller.tenant, id, input, now, async () => collection.insertOne(document)),
      );
      return await makeKnownAndPublish(document);
    },

    /**
     * Replaces the definition if it is still as in `current`; undefined if it is not. Once this resolves, every replica
     * uses it, and nothing more is claimed under the previous one.
     *
     * @throws {PlatformError} COUPON_CODE_TAKEN, QUOTA_EXCEEDED
     */
    async replace(
      caller: Writer,
      current: AdjustmentRecord,
      input: AdjustmentInput,
      now: Date,
      coupon?: CouponLink,
    ): Promise<AdjustmentRecord | undefined> {
      const { id, version } = current;
      const defined = definition(caller.tenant, input, now);
      const { codeKey: key, heldCode, ...fields } = defined;
      const codes = { codeKey: key, heldCode };
      const { codeKey: _key, heldCode: _held, ...before } = definition(caller.tenant, current, now);
      const changed = { before: { ...before, version }, after: { ...fields, version: version + 1 } };
      const type = input.status === 'archived' ? 'adjustment.archived' : 'adjustment.updated';
      if (!keepsScheduledCode(current, input)) await refuseHeldCode(caller.tenant, id, input, now);
      await versions.keep(current, input, now);
      const write = async () =>
        (await collection.findOneAndUpdate(
          { _id: id, companyId: caller.tenant, version },
          {
            $set: {
              ...fields,
              ...coupon,
              terms: searchTerms(fields),
              changed: now,
              ...(key === undefined ? {} : { codeKey: key }),
              ...(heldCode === undefined ? {} : { heldCode }),
            },
            ...unsetting(codes),
            $inc: { version: 1 },
            $push: { outbox: outboxEntry(type, now, { ...caller, ...changed }) },
          },
          { returnDocument: 'after', projection: { terms: 0 } },
        )) ?? undefined;
      const growing = growth(before, defined);
      const document = await quotas.use(caller.tenant, growing, async () =>
        holdingCode(caller.tenant, id, input, now, write),
      );
      // Only after its quota is released: a consumer of the change may be waiting for that.
      return document === undefined ? undefined : await makeKnownAndPublish(document);
    },

    /**
     * Resolves when nothing is claimed under an earlier definition of the adjustment, and every replica uses this one.
     * Its writer may not have got this far, or may have been killed.
     */
    makeKnown,

    async find(companyId: Tenant, id: string): Promise<AdjustmentRecord | undefined> {
      const document = await collection.findOne({ _id: id, companyId }, { projection: UNREAD });
      return document === null ? undefined : toRecord(document);
    },

    /** The adjustment of a coupon. */
    async findByCoupon(companyId: Tenant, couponId: string): Promise<AdjustmentRecord | undefined> {
      const document = await collection.findOne({ companyId, couponId }, { projection: UNREAD });
      return document === null ? undefined : toRecord(document);
    },

    findHolder,
    describeHolder,

    /** The keys among `keys` whose codes an adjustment holds. */
    async heldAmong(companyId: Tenant, keys: readonly string[]): Promise<Set<string>> {
      const filter = { companyId, heldCode: { $in: [...keys] } };
      const held = await collection.find(filter, { projection: { _id: 0, heldCode: 1 } }).toArray();
      return new Set(held.flatMap(({ heldCode }) => heldCode ?? []));
    },

    readVersions: async (companyId: Tenant, wanted: readonly AdjustmentVersion[]) => versions.read(companyId, wanted),

    /** Coupons' adjustments that wait for another adjustment to release their code. */
    async couponsInConflict(companyId: Tenant): Promise<string[]> {
      const found = await collection.find({ companyId, codeConflict: true }, { projection: { couponId: 1 } }).toArray();
      return found.flatMap(({ couponId }) => (couponId === undefined ? [] : [couponId]));
    },

    /** One page of the company's adjustments, newest first. */
    async page(companyId: Tenant, query: AdjustmentListQuery): Promise<Page<AdjustmentRecord>> {
      const filter = { ...adjustmentFilter(companyId, query), ...pageRange(query, 'adjustments') };
      const found = await findPage<AdjustmentDocument>(collection, 'adj', filter, query);
      return toPage(found, query, 'adjustments', toRecord);
    },

    /**
     * The company's active and scheduled adjustments, in batches; the database returns `atOnce` together. Leaves out
     * what only their writers need.
     */
    async *readLive(
      companyId: Tenant,
      atOnce = READ_AT_ONCE,
    ): AsyncIterable<(AdjustmentRecord | UnreadableAdjustment)[]> {
      // In order of a key that no write changes: a write in between may move a document to where an unsorted cursor has
      // been, which then misses it.
      const options = { projection: UNCOMPILED, batchSize: atOnce, sort: { _id: -1 } } as const;
      const cursor = collection.find(liveOf(companyId), options);
      while (await cursor.hasNext()) {
        yield cursor.readBufferedDocuments(TAKEN_AT_ONCE).map(toReadable);
        await turn();
      }
    },

    async countLive(companyId: Tenant): Promise<number> {
      return await collection.countDocuments(liveOf(companyId));
    },

    /** The company's adjustments with `ids`, live or not. Leaves out what only their writers need. */
    async readAll(companyId: Tenant, ids: readonly string[]): Promise<(AdjustmentRecord | UnreadableAdjustment)[]> {
      const filter = { _id: { $in: ids }, companyId };
      return (await collection.find(filter, { projection: UNCOMPILED }).toArray()).map(toReadable);
    },
  };
}

const oneOfCode = oneForEachKey();

/** The `$unset` of a write for the `fields` that have no value. */
function unsetting(fields: Record<string, unknown>) {
  const gone = Object.keys(fields).filter((name) => fields[name] === undefined);
  return gone.length === 0 ? {} : { $unset: Object.fromEntries(gone.map((name) => [name, '' as const])) };
}
