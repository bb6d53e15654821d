import { setImmediate as turn } from 'node:timers/promises';
import {
  type Adjustment,
  type AdjustmentInput,
  type AdjustmentStatus,
  companyIdOf,
  keyOfTenant,
  type DomainEvent,
  type DomainEventType,
  LIVE_STATUSES,
  type PageQuery,
  PlatformError,
  targetOf,
  type Tenant,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  afterCursor,
  amountOf,
  collectionOf,
  type Caller,
  findPage,
  inTurn,
  isDuplicateKey,
  type Quotas,
  retryLost,
  storedBytes,
} from '@event-commerce/service-kit';
import { memoryBytesOf } from '../domain/compiled-adjustment.ts';
import type { AdjustmentDocument, PricingModels } from './models.ts';
import { poolOf, type RedemptionPools } from './redemption-pools.ts';

/** An adjustment with what is kept beside what the API shows. */
export interface AdjustmentRecord extends Adjustment {
  tenant: Tenant;
  version: number;
  couponVersion?: number;
  codeConflict?: boolean;
  /** The version that first capped what each customer may redeem. */
  customersSince?: number;
}

/** Whose write it is: a caller's, or a consumer's on behalf of a company. */
export type Writer = Pick<Caller, 'tenant' | 'traceparent'>;

/** What ties an adjustment to the coupon that it is kept for. */
export interface CouponLink {
  couponId: string;
  couponVersion: number;
  codeConflict: boolean;
}

/** How many adjustments the database hands out at once: each time costs it much more than an adjustment does. */
const READ_AT_ONCE = 10_000;
/** How many of them are taken in before others have their turn. */
const TAKEN_AT_ONCE = 500;
/** What compiling an adjustment does not need. */
const UNREAD = { outbox: 0, memoryBytes: 0, heldCode: 0, codeConflict: 0, couponVersion: 0 } as const;

const liveOf = (companyId: Tenant) => ({ companyId, status: { $in: LIVE_STATUSES } });

export type AdjustmentRepository = ReturnType<typeof adjustmentRepository>;

export function adjustmentRepository(
  { adjustments }: PricingModels,
  pools: Pick<RedemptionPools, 'follow'>,
  relay: Relay<AdjustmentDocument>,
  quotas: Pick<Quotas<AdjustmentQuota>, 'use'>,
) {
  const collection = collectionOf(adjustments);

  /**
   * A scheduled adjustment holds no code, but may not be given one that is held. One that becomes active in the same moment
   * is no conflict: it came after.
   */
  const refuseHeldCode = async (companyId: Tenant, id: string, { status, conditions }: AdjustmentInput) => {
    if (status !== 'scheduled' || conditions.code === undefined) return;
    const others = { companyId, heldCode: conditions.code, _id: { $ne: id } };
    if ((await collection.countDocuments(others, { limit: 1 })) > 0) throw codeTaken({ conditions });
  };

  return {
    /** @throws {PlatformError} COUPON_CODE_TAKEN, QUOTA_EXCEEDED */
    async create(
      caller: Writer,
      id: string,
      input: AdjustmentInput,
      now: Date,
      coupon?: CouponLink,
    ): Promise<AdjustmentRecord> {
      const defined = definition(caller.tenant, input);
      const document: AdjustmentDocument = {
        _id: id,
        ...defined,
        ...coupon,
        created: now,
        changed: now,
        version: 1,
        ...(capsCustomers(input) ? { customersSince: 1 } : {}),
        outbox: [outboxEntry('adjustment.created', now, caller)],
      };
      await refuseHeldCode(caller.tenant, id, input);
      await quotas.use(caller.tenant, growth(undefined, defined), async () =>
        holdingCode(caller.tenant, input, async () => collection.insertOne(document as never)),
      );
      relay.publish(document);
      return toRecord(document);
    },

    /**
     * Replaces the definition if it still is as in `current`; undefined when it is not. Once this resolves, nothing is claimed
     * under the previous one any more.
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
      const { heldCode, ...fields } = definition(caller.tenant, input);
      const type = input.status === 'archived' ? 'adjustment.archived' : 'adjustment.updated';
      await refuseHeldCode(caller.tenant, id, input);
      const write = async () => {
        const document = await adjustments
          .findOneAndUpdate(
            { _id: id, companyId: caller.tenant, version },
            {
              $set: { ...fields, ...coupon, changed: now, ...(heldCode === undefined ? {} : { heldCode }) },
              ...(heldCode === undefined ? { $unset: { heldCode: '' } } : {}),
              $inc: { version: 1 },
              // Set once: customers who are counted stay counted, so that a cap that comes back finds nothing missing.
              ...(capsCustomers(input) ? { $min: { customersSince: version + 1 } } : {}),
              $push: { outbox: outboxEntry(type, now, caller) },
            },
            { returnDocument: 'after' },
          )
          .lean<AdjustmentDocument | null>();
        if (document === null) return undefined;
        relay.publish(document);
        const record = toRecord(document);
        await pools.follow(poolOf(record.tenant, record));
        return record;
      };
      return await quotas.use(caller.tenant, growth(definition(caller.tenant, current), fields), async () =>
        holdingCode(caller.tenant, input, write),
      );
    },

    async find(companyId: Tenant, id: string): Promise<AdjustmentRecord | undefined> {
      const document = await adjustments.findOne({ _id: id, companyId }).lean<AdjustmentDocument | null>();
      return document === null ? undefined : toRecord(document);
    },

    /** The adjustment that is kept for a coupon. */
    async findByCoupon(companyId: Tenant, couponId: string): Promise<AdjustmentRecord | undefined> {
      const document = await adjustments.findOne({ companyId, couponId }).lean<AdjustmentDocument | null>();
      return document === null ? undefined : toRecord(document);
    },

    /** The active adjustment that holds `code` (in the form codes are compared in). */
    async findHolder(companyId: Tenant, code: string): Promise<AdjustmentRecord | undefined> {
      const document = await adjustments.findOne({ companyId, heldCode: code }).lean<AdjustmentDocument | null>();
      return document === null ? undefined : toRecord(document);
    },

    /** Coupons' adjustments that wait for somebody else to let go of their code. */
    async couponsInConflict(companyId: Tenant): Promise<string[]> {
      const found = await adjustments
        .find({ companyId, codeConflict: true }, { couponId: 1 })
        .lean<AdjustmentDocument[]>();
      return found.flatMap(({ couponId }) => (couponId === undefined ? [] : [couponId]));
    },

    /** Newest first. */
    async list(companyId: Tenant, filter: { status?: AdjustmentStatus; code?: string }, query: PageQuery) {
      const after = afterCursor(query, 'adjustments');
      const filters = {
        companyId,
        ...(filter.status === undefined ? {} : { status: filter.status }),
        ...(filter.code === undefined ? {} : { 'conditions.code': filter.code }),
        ...(after === undefined ? {} : { _id: { $lt: after } }),
      };
      const { records, more } = await findPage<AdjustmentDocument>(collection, filters, query);
      return { records: records.map(toRecord), more };
    },

    /** The company's active and scheduled adjustments as they are stored, some at a time. */
    async *readLive(companyId: Tenant): AsyncIterable<AdjustmentDocument[]> {
      const options = { projection: UNREAD, batchSize: READ_AT_ONCE };
      const cursor = collection.find<AdjustmentDocument>(liveOf(companyId) as never, options);
      while (await cursor.hasNext()) {
        yield cursor.readBufferedDocuments(TAKEN_AT_ONCE);
        await turn();
      }
    },

    async countLive(companyId: Tenant): Promise<number> {
      return await collection.countDocuments(liveOf(companyId));
    },

    /** Those of the company with `ids`, live or not, as they are stored. */
    async readAll(companyId: Tenant, ids: readonly string[]): Promise<AdjustmentDocument[]> {
      const filter = { _id: { $in: ids }, companyId };
      return await collection.find<AdjustmentDocument>(filter as never, { projection: UNREAD }).toArray();
    },
  };
}

export type AdjustmentQuota = 'adjustments' | 'liveAdjustments';

/** How many adjustments a tenant keeps, and how many of them are live: those count as what they take of pricing's memory. */
export function adjustmentAmounts({ adjustments }: PricingModels) {
  const collection = collectionOf(adjustments);
  const memoryBytes = { $ifNull: ['$memoryBytes', { $multiply: [2, { $bsonSize: '$$ROOT' }] }] };
  return {
    adjustments: async (tenant: Tenant) => amountOf(collection, { companyId: tenant }),
    liveAdjustments: async (tenant: Tenant) => amountOf(collection, liveOf(tenant), memoryBytes),
  };
}

type Definition = Omit<ReturnType<typeof definition>, 'heldCode'>;

/** What more is kept when `before` becomes `after`. */
function growth(before: Definition | undefined, after: Definition) {
  const [liveBefore, liveAfter] = [liveBytes(before), liveBytes(after)];
  return {
    liveAdjustments: {
      count: Number(liveAfter > 0) - Number(liveBefore > 0),
      bytes: liveAfter - liveBefore,
    },
    adjustments: {
      count: before === undefined ? 1 : 0,
      bytes: storedBytes(after) - (before === undefined ? 0 : storedBytes(before)),
    },
  };
}

function liveBytes(defined: Definition | undefined): number {
  return defined !== undefined && LIVE_STATUSES.includes(defined.status) ? defined.memoryBytes : 0;
}

/** What the API shows of a record. */
export function toAdjustment({
  tenant: _tenant,
  version: _version,
  couponVersion: _couponVersion,
  codeConflict: _codeConflict,
  customersSince: _customersSince,
  ...shown
}: AdjustmentRecord): Adjustment {
  return shown;
}

export function toRecord(document: AdjustmentDocument): AdjustmentRecord {
  const {
    _id,
    companyId: tenant,
    outbox: _outbox,
    heldCode: _heldCode,
    memoryBytes: _memoryBytes,
    created,
    changed,
    targets,
    ...fields
  } = document;
  const companyId = companyIdOf(tenant);
  return {
    id: _id,
    tenant,
    companyId,
    ...fields,
    targets: targets.map((target) => ({ ...target, companyId })),
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}

/** The domain event of an adjustment's outbox entry. */
export function adjustmentEvent(entry: OutboxEntry, document: AdjustmentDocument): DomainEvent {
  const record = toRecord(document);
  return domainEvent(entry as OutboxEntry & { type: AdjustmentEventType }, {
    subject: document._id,
    tenant: document.companyId,
    data: {
      ...toAdjustment(record),
      version: record.version,
      ...(record.couponVersion === undefined ? {} : { couponVersion: record.couponVersion }),
      ...(record.codeConflict === undefined ? {} : { codeConflict: record.codeConflict }),
    },
  });
}

type AdjustmentEventType = Extract<DomainEventType, `adjustment.${string}`>;

/** The fields of a document that `input` decides; what else a caller or a record brings along stays out. */
function definition(tenant: Tenant, input: AdjustmentInput) {
  const { conditions, status } = input;
  const targets = input.targets.map((target) => {
    const { companyId: _companyId, ...kept } = targetOf(companyIdOf(tenant), target);
    return kept;
  });
  return {
    companyId: tenant,
    name: input.name,
    type: input.type,
    category: input.category,
    origin: input.origin,
    application: input.application,
    stacking: input.stacking,
    effectBase: input.effectBase,
    priority: input.priority,
    targets,
    conditions,
    effect: input.effect,
    status,
    memoryBytes: memoryBytesOf(input.name, conditions, targets),
    ...(status === 'active' && conditions.code !== undefined ? { heldCode: conditions.code } : {}),
  };
}

function capsCustomers({ conditions }: AdjustmentInput): boolean {
  return conditions.maxRedemptionsPerCustomer !== undefined;
}

const oneOfCode = inTurn();

async function holdingCode<T>(tenant: Tenant, input: AdjustmentInput, write: () => Promise<T>): Promise<T> {
  const { code } = input.conditions;
  try {
    // Of writes that meet at the index, the database may turn all but one away before one is there to be a duplicate of.
    if (code === undefined) return await retryLost(write);
    return await oneOfCode(`${keyOfTenant(tenant)} ${code}`, async () => retryLost(write));
  } catch (cause) {
    if (!isDuplicateKey(cause)) throw cause;
    throw codeTaken(input, cause);
  }
}

function codeTaken(input: Pick<AdjustmentInput, 'conditions'>, cause?: unknown): PlatformError {
  const code = input.conditions.code ?? '';
  return new PlatformError('COUPON_CODE_TAKEN', `The code ${code} is already held by another active adjustment.`, {
    details: [
      { path: 'conditions.code', message: 'is held by another active adjustment; archive it or choose another' },
    ],
    cause,
  });
}
