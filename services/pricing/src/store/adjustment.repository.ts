import {
  type Adjustment,
  type AdjustmentInput,
  type DomainEvent,
  type DomainEventType,
  LIVE_STATUSES,
  type PageQuery,
  PlatformError,
  targetOf,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import { afterCursor, type Caller, isDuplicateKey, newId } from '@event-commerce/service-kit';
import type { AdjustmentDocument, PricingModels } from './models.ts';

/** An adjustment with what evaluation and claims need beside what the API shows. */
export interface AdjustmentRecord extends Adjustment {
  version: number;
  couponVersion?: number;
  codeConflict?: boolean;
  usage: { redeemed: number; claimed: number; version: number };
  touchedAt: Date;
}

/** Whose write it is: a caller's, or a consumer's on behalf of a company. */
export type Writer = Pick<Caller, 'companyId' | 'traceparent'>;

/** What ties an adjustment to the coupon that it is kept for. */
export interface CouponLink {
  couponId: string;
  couponVersion: number;
  codeConflict: boolean;
}

/** What a snapshot needs of a document; the claims and unpublished events of a busy adjustment stay behind. */
const WITHOUT_CLAIMS = { 'usage.pending': 0, outbox: 0 } as const;

export type AdjustmentRepository = ReturnType<typeof adjustmentRepository>;

export function adjustmentRepository({ adjustments }: PricingModels, relay: Relay<AdjustmentDocument>) {
  return {
    /** @throws {PlatformError} COUPON_CODE_TAKEN */
    async create(caller: Writer, input: AdjustmentInput, now: Date, coupon?: CouponLink): Promise<AdjustmentRecord> {
      const id = newId('adj');
      const fields = {
        ...definition(caller.companyId, input),
        ...coupon,
        created: now,
        changed: now,
        version: 1,
        usage: { confirmed: 0, claimed: 0, pending: [], version: 0 },
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
     * Replaces the definition if it is still at `version`; undefined when it is not.
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
      const { heldCode, ...fields } = definition(caller.companyId, input);
      const type = input.status === 'archived' ? 'adjustment.archived' : 'adjustment.updated';
      return await holdingCode(input, async () => {
        const document = await adjustments
          .findOneAndUpdate(
            { _id: id, companyId: caller.companyId, version },
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
        return toRecord(document);
      });
    },

    async find(companyId: string, id: string): Promise<AdjustmentRecord | undefined> {
      const document = await adjustments
        .findOne({ _id: id, companyId }, WITHOUT_CLAIMS)
        .lean<AdjustmentDocument | null>();
      return document === null ? undefined : toRecord(document);
    },

    /** The adjustment that is kept for a coupon. */
    async findByCoupon(companyId: string, couponId: string): Promise<AdjustmentRecord | undefined> {
      const document = await adjustments
        .findOne({ companyId, couponId }, WITHOUT_CLAIMS)
        .lean<AdjustmentDocument | null>();
      return document === null ? undefined : toRecord(document);
    },

    /** The live adjustment that holds `code` (in the form codes are compared in). */
    async findHolder(companyId: string, code: string): Promise<AdjustmentRecord | undefined> {
      const document = await adjustments
        .findOne({ companyId, heldCode: code }, WITHOUT_CLAIMS)
        .lean<AdjustmentDocument | null>();
      return document === null ? undefined : toRecord(document);
    },

    /** Coupons' adjustments that wait for somebody else to let go of their code. */
    async couponsInConflict(companyId: string): Promise<string[]> {
      const found = await adjustments
        .find({ companyId, codeConflict: true }, { couponId: 1 })
        .lean<AdjustmentDocument[]>();
      return found.flatMap(({ couponId }) => (couponId === undefined ? [] : [couponId]));
    },

    /** Newest first; one more than `query.limit`, so that the caller sees whether there is a next page. */
    async list(companyId: string, filter: { status?: string; code?: string }, query: PageQuery) {
      const after = afterCursor(query);
      const found = await adjustments.collection
        .find(
          {
            companyId,
            ...(filter.status === undefined ? {} : { status: filter.status }),
            ...(filter.code === undefined ? {} : { 'conditions.code': filter.code }),
            ...(after === undefined ? {} : { _id: { $lt: after } }),
          } as never,
          { projection: WITHOUT_CLAIMS },
        )
        .sort({ _id: -1 })
        .limit(query.limit + 1)
        .toArray();
      return found.map((document) => toRecord(document as unknown as AdjustmentDocument));
    },

    /** The company's adjustments that were written, or whose usage changed, at `since` or later by the database's clock. */
    async touchedSince(companyId: string, since: Date | undefined): Promise<AdjustmentRecord[]> {
      const found = await adjustments.collection
        .find(
          since === undefined
            ? { companyId, status: { $in: LIVE_STATUSES as string[] } }
            : { companyId, touchedAt: { $gte: since } },
          { projection: WITHOUT_CLAIMS },
        )
        .toArray();
      return found.map((document) => toRecord(document as unknown as AdjustmentDocument));
    },
  };
}

/** What the API shows of a record. */
export function toAdjustment({
  version: _version,
  couponVersion: _couponVersion,
  codeConflict: _codeConflict,
  usage: _usage,
  touchedAt: _touchedAt,
  ...shown
}: AdjustmentRecord): Adjustment {
  return shown;
}

export function toRecord(document: AdjustmentDocument): AdjustmentRecord {
  const { _id, outbox: _outbox, heldCode: _heldCode, usage, created, changed, targets, ...fields } = document;
  return {
    id: _id,
    ...fields,
    targets: targets.map((target) => ({ ...target, companyId: document.companyId })),
    usage: { redeemed: usage.confirmed, claimed: usage.claimed, version: usage.version },
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}

/** The domain event of an adjustment's or a redemption's outbox entry. */
export function adjustmentEvent(entry: OutboxEntry, document: AdjustmentDocument): DomainEvent {
  const about = { subject: document._id, companyId: document.companyId };
  if (isRedemptionEntry(entry)) {
    const { confirmed, claimed, version } = document.usage;
    const data = {
      redemption: entry.extra as never,
      usage: { redeemed: confirmed, claimed, version },
      origin: document.origin,
      ...(document.couponId === undefined ? {} : { couponId: document.couponId }),
    };
    return domainEvent(entry, { ...about, data });
  }
  const record = toRecord(document);
  return domainEvent(entry as OutboxEntry & { type: AdjustmentEventType }, {
    ...about,
    data: {
      ...toAdjustment(record),
      version: record.version,
      ...(record.couponVersion === undefined ? {} : { couponVersion: record.couponVersion }),
      ...(record.codeConflict === undefined ? {} : { codeConflict: record.codeConflict }),
    },
  });
}

type AdjustmentEventType = Extract<DomainEventType, `adjustment.${string}`>;
type RedemptionEventType = Extract<DomainEventType, `redemption.${string}`>;

function isRedemptionEntry(entry: OutboxEntry): entry is OutboxEntry & { type: RedemptionEventType } {
  return entry.type.startsWith('redemption.');
}

/** The fields of a document that `input` decides; what else a caller or a record brings along stays out. */
function definition(companyId: string, input: AdjustmentInput) {
  const { conditions, status } = input;
  const live = LIVE_STATUSES.includes(status);
  return {
    companyId,
    name: input.name,
    type: input.type,
    category: input.category,
    origin: input.origin,
    application: input.application,
    stacking: input.stacking,
    effectBase: input.effectBase,
    priority: input.priority,
    targets: input.targets.map((target) => {
      const { urn, eventId } = targetOf(companyId, target);
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
