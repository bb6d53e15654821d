import {
  type Adjustment,
  type AdjustmentInput,
  companyIdOf,
  type DomainEvent,
  type DomainEventType,
  LIVE_STATUSES,
  type PageQuery,
  PlatformError,
  targetOf,
  type Tenant,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import { afterCursor, type Caller, isDuplicateKey } from '@event-commerce/service-kit';
import type { AdjustmentDocument, PricingModels } from './models.ts';
import type { UsageRepository } from './usage.repository.ts';

/** An adjustment with what is kept beside what the API shows. */
export interface AdjustmentRecord extends Adjustment {
  tenant: Tenant;
  version: number;
  couponVersion?: number;
  codeConflict?: boolean;
  touchedAt: Date;
}

/** That an adjustment was written, and when by the database's clock. */
export type Touch = Pick<AdjustmentRecord, 'id' | 'version' | 'touchedAt'>;

/** Whose write it is: a caller's, or a consumer's on behalf of a company. */
export type Writer = Pick<Caller, 'tenant' | 'traceparent'>;

/** What ties an adjustment to the coupon that it is kept for. */
export interface CouponLink {
  couponId: string;
  couponVersion: number;
  codeConflict: boolean;
}

export type AdjustmentRepository = ReturnType<typeof adjustmentRepository>;

export function adjustmentRepository(
  { adjustments }: PricingModels,
  usage: Pick<UsageRepository, 'follow'>,
  relay: Relay<AdjustmentDocument>,
) {
  const readAll = async (filter: Record<string, unknown>): Promise<AdjustmentRecord[]> => {
    const found = await adjustments.collection.find<AdjustmentDocument>(filter as never).toArray();
    return found.map(toRecord);
  };

  return {
    /** @throws {PlatformError} COUPON_CODE_TAKEN */
    async create(
      caller: Writer,
      id: string,
      input: AdjustmentInput,
      now: Date,
      coupon?: CouponLink,
    ): Promise<AdjustmentRecord> {
      const fields = {
        ...definition(caller.tenant, input),
        ...coupon,
        created: now,
        changed: now,
        version: 1,
        outbox: [outboxEntry('adjustment.created', now, caller)],
      };
      return await holdingCode(input, async () => {
        // An upsert, because only an update can take the database's own clock for `touchedAt`.
        const document = await adjustments
          .findOneAndUpdate(
            { _id: id },
            { $setOnInsert: fields, $currentDate: { touchedAt: true } },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<AdjustmentDocument>();
        relay.publish(document);
        return toRecord(document);
      });
    },

    /**
     * Replaces the definition if it is still at `version`; undefined when it is not. Once this resolves, nothing is claimed
     * under the previous one any more.
     *
     * @throws {PlatformError} COUPON_CODE_TAKEN
     */
    async replace(
      caller: Writer,
      id: string,
      version: number,
      input: AdjustmentInput,
      now: Date,
      coupon?: CouponLink,
    ): Promise<AdjustmentRecord | undefined> {
      const { heldCode, ...fields } = definition(caller.tenant, input);
      const type = input.status === 'archived' ? 'adjustment.archived' : 'adjustment.updated';
      return await holdingCode(input, async () => {
        const document = await adjustments
          .findOneAndUpdate(
            { _id: id, companyId: caller.tenant, version },
            {
              $set: { ...fields, ...coupon, changed: now, ...(heldCode === undefined ? {} : { heldCode }) },
              ...(heldCode === undefined ? { $unset: { heldCode: '' } } : {}),
              $inc: { version: 1 },
              $push: { outbox: outboxEntry(type, now, caller) },
              $currentDate: { touchedAt: true },
            },
            { returnDocument: 'after' },
          )
          .lean<AdjustmentDocument | null>();
        if (document === null) return undefined;
        relay.publish(document);
        const record = toRecord(document);
        await usage.follow(record.tenant, record);
        return record;
      });
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

    /** The live adjustment that holds `code` (in the form codes are compared in). */
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

    /** Newest first; one more than `query.limit`, so that the caller sees whether there is a next page. */
    async list(companyId: Tenant, filter: { status?: string; code?: string }, query: PageQuery) {
      const after = afterCursor(query, 'adjustments');
      const found = await adjustments.collection
        .find({
          companyId,
          ...(filter.status === undefined ? {} : { status: filter.status }),
          ...(filter.code === undefined ? {} : { 'conditions.code': filter.code }),
          ...(after === undefined ? {} : { _id: { $lt: after } }),
        } as never)
        .sort({ _id: -1 })
        .limit(query.limit + 1)
        .toArray();
      return found.map((document) => toRecord(document as unknown as AdjustmentDocument));
    },

    async listLive(companyId: Tenant): Promise<AdjustmentRecord[]> {
      return await readAll({ companyId, status: { $in: LIVE_STATUSES } });
    },

    async findAll(ids: readonly string[]): Promise<AdjustmentRecord[]> {
      return ids.length === 0 ? [] : await readAll({ _id: { $in: ids } });
    },

    /** Which of the company's adjustments were written at `since` or later by the database's clock. */
    async touchedSince(companyId: Tenant, since: Date): Promise<Touch[]> {
      const found = await adjustments.collection
        .find<AdjustmentDocument>(
          { companyId, touchedAt: { $gte: since } },
          { projection: { version: 1, touchedAt: 1 } },
        )
        .toArray();
      return found.map(({ _id, version, touchedAt }) => ({ id: _id, version, touchedAt }));
    },
  };
}

/** What the API shows of a record. */
export function toAdjustment({
  tenant: _tenant,
  version: _version,
  couponVersion: _couponVersion,
  codeConflict: _codeConflict,
  touchedAt: _touchedAt,
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
  const live = LIVE_STATUSES.includes(status);
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
    targets: input.targets.map((target) => {
      const { urn, eventId } = targetOf(companyIdOf(tenant), target);
      return { urn, ...(eventId === undefined ? {} : { eventId }) };
    }),
    conditions,
    effect: input.effect,
    status,
    ...(live && conditions.code !== undefined ? { heldCode: conditions.code } : {}),
  };
}

async function holdingCode<T>(input: AdjustmentInput, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!isDuplicateKey(cause)) throw cause;
    const code = input.conditions.code ?? '';
    throw new PlatformError('COUPON_CODE_TAKEN', `The code ${code} is already held by another active adjustment.`, {
      details: [
        { path: 'conditions.code', message: 'is held by another active adjustment; archive it or choose another' },
      ],
      cause,
    });
  }
}
