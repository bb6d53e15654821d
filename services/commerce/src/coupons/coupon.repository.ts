import {
  type CodeHolder,
  codeKey,
  codeTaken,
  type CouponDefinition,
  type CouponListQuery,
  type Page,
  type Tenant,
} from '@event-commerce/contracts';
import { outboxEntry, type Relay } from '@event-commerce/outbox';
import {
  countOf,
  batched,
  type Caller,
  changesInTurn,
  collectionOf,
  findPage,
  oneForEachKey,
  pageRange,
  type Quotas,
  toPage,
  LATEST,
  UNREAD,
} from '@event-commerce/service-kit';
import { hasEnded, isEffective } from './domain/coupon.ts';
import { couponTerms } from '../search-terms.ts';
import { couponFilter } from './coupon-filter.ts';
import { type CouponRecord, publishedOf, toCouponRecord } from './coupon-record.ts';
import type { CommerceModels, CouponDocument } from '../models.ts';

/** A coupon that was just written. Its writer publishes its event; if it fails to, a sweep does. */
export interface WrittenCoupon extends CouponRecord {
  publish: () => void;
}

export type CouponRepository = ReturnType<typeof couponRepository>;

/** How many coupons a tenant has. */
export function couponAmounts({ coupons }: CommerceModels) {
  return { coupons: async (tenant: Tenant) => countOf(collectionOf(coupons), { companyId: tenant }) };
}

export function couponRepository(
  models: CommerceModels,
  relay: Relay<CouponDocument>,
  quotas: Pick<Quotas<'coupons'>, 'use'>,
) {
  const coupons = collectionOf(models.coupons);
  const written = (document: CouponDocument): WrittenCoupon => ({
    ...toCouponRecord(document),
    publish: () => relay.publish(document),
  });
  // Every order with a coupon stores the coupon's usage. Only the newest waiting one needs a write.
  const setNewestUsage = batched(
    async (usages: readonly { tenant: Tenant; id: string; quantitySold: number; usageVersion: number }[]) => {
      const [{ tenant: companyId, id: _id, quantitySold, usageVersion }] = usages.toSorted(
        (a, b) => b.usageVersion - a.usageVersion,
      ) as [(typeof usages)[number]];
      const older = { _id, companyId, usageVersion: { $lt: usageVersion } };
      await coupons.updateOne(older, { $set: { quantitySold, usageVersion } });
      return usages.map(() => true);
    },
    { key: ({ tenant, id }) => JSON.stringify([tenant, id]) },
  );

  /**
   * Runs a `write` that may give a coupon its code. Coupons end by time, without a write: one that has ended but still
   * holds the code loses it to this one, unless it is changed at the same moment.
   */
  const holdingCode = async <T>(
    companyId: Tenant,
    definition: CouponDefinition,
    now: Date,
    write: () => Promise<T>,
  ): Promise<T> => {
    const { code = '' } = definition;
    const { heldCode } = codesOf(definition, now);
    if (heldCode === undefined) return await write();
    return await oneOfCode(companyId, heldCode, write, async (cause) => {
      const holder = await coupons.findOne({ companyId, heldCode }, { projection: UNREAD, ...LATEST });
      if (holder === null) return codeTaken(code, 'code', undefined, cause);
      if (!hasEnded(holder.definition, now)) return codeTaken(code, 'code', describeHolder(holder), cause);
      const asRead = { _id: holder._id, companyId, heldCode, version: holder.version };
      await coupons.updateOne(asRead, { $unset: { heldCode: '' } });
      return undefined;
    });
  };

  return {
    changeInTurn: changesInTurn('The coupon'),

    /** @throws {PlatformError} COUPON_CODE_TAKEN if another coupon of the company holds the code; QUOTA_EXCEEDED */
    async create(caller: Caller, id: string, definition: CouponDefinition, now: Date): Promise<WrittenCoupon> {
      const document: CouponDocument = {
        _id: id,
        companyId: caller.tenant,
        definition,
        ...codesOf(definition, now),
        terms: couponTerms(definition),
        quantitySold: 0,
        usageVersion: -1,
        codeConflict: false,
        archived: false,
        version: 1,
        created: now,
        changed: now,
        outbox: [outboxEntry('coupon.created', now, { ...caller, after: { version: 1 } })],
      };
      await quotas.use(caller.tenant, { coupons: 1 }, async () =>
        holdingCode(caller.tenant, definition, now, async () => coupons.insertOne(document)),
      );
      return written(document);
    },

    /**
     * Replaces the definition if the coupon is still at the version of `current`; undefined if it is not, or if its
     * creation can no longer be undone.
     *
     * @throws {PlatformError} COUPON_CODE_TAKEN if another coupon of the company holds the code
     */
    async replace(
      caller: Caller,
      current: CouponRecord,
      next: { definition: CouponDefinition; archived: boolean; undone?: boolean },
      now: Date,
    ): Promise<WrittenCoupon | undefined> {
      const codes = codesOf(next.definition, now);
      const gone = (['heldCode', 'codeKey'] as const).filter((name) => codes[name] === undefined);
      const type = next.archived ? 'coupon.archived' : 'coupon.updated';
      const after = publishedOf({ ...next, _id: current.id, companyId: caller.tenant, version: current.version + 1 });
      const write = async () =>
        coupons.findOneAndUpdate(
          {
            _id: current.id,
            companyId: caller.tenant,
            version: current.version,
            ...(next.undone === true ? { kept: { $exists: false } } : {}),
          },
          {
            $set: {
              definition: next.definition,
              terms: couponTerms(next.definition),
              archived: next.archived,
              undone: next.undone ?? false,
              // Whether the new code is free is known once pricing has processed it.
              codeConflict: false,
              changed: now,
              ...codes,
            },
            ...(gone.length === 0 ? {} : { $unset: Object.fromEntries(gone.map((name) => [name, ''])) }),
            $inc: { version: 1 },
            $push: { outbox: outboxEntry(type, now, { ...caller, before: current.published, after }) },
          },
          { returnDocument: 'after' },
        );
      const document = await holdingCode(caller.tenant, next.definition, now, write);
      return document === null ? undefined : written(document);
    },

    /**
     * From now on, the coupon's creation cannot be undone. Resolves with whether it is still at the version of
     * `current`.
     */
    async keep(tenant: Tenant, { id, version }: CouponRecord): Promise<boolean> {
      const asRead = { _id: id, companyId: tenant, version };
      return (await coupons.updateOne(asRead, { $set: { kept: true } })).matchedCount > 0;
    },

    async find(tenant: Tenant, id: string): Promise<CouponRecord | undefined> {
      const document = await coupons.findOne({ _id: id, companyId: tenant }, { projection: UNREAD });
      return document === null ? undefined : toCouponRecord(document);
    },

    /** Coupons that match `query` at `now`, newest first, no archived ones. */
    async page(tenant: Tenant, query: CouponListQuery, now: Date): Promise<Page<CouponRecord>> {
      const { limit: _limit, cursor: _cursor, ...asked } = query;
      const filter = {
        companyId: tenant,
        archived: false,
        ...couponFilter(asked, now),
        ...pageRange(query, 'coupons'),
      };
      const about = { companyId: tenant, ...asked };
      const found = await findPage<CouponDocument>(coupons, 'cpn', filter, query, about);
      return toPage(found, query, 'coupons', toCouponRecord);
    },

    /** Stores how often the coupon was redeemed, unless something newer is known. Concurrent calls are batched. */
    async setQuantitySold(tenant: Tenant, id: string, quantitySold: number, usageVersion: number): Promise<void> {
      await setNewestUsage({ tenant, id, quantitySold, usageVersion });
    },

    /**
     * Stores whether another adjustment holds the code, as the coupon's adjustment reported at its version, if the
     * report is about the coupon's current state and nothing newer is known.
     */
    async setCodeConflict(companyId: Tenant, id: string, said: SaidOfCode): Promise<void> {
      const { couponVersion, adjustmentVersion, codeConflict } = said;
      const older = { $not: { $gte: adjustmentVersion } };
      await coupons.updateOne(
        { _id: id, companyId, version: couponVersion, adjustmentVersion: older },
        { $set: { codeConflict, adjustmentVersion } },
      );
    },
  };
}

/** What an event of a coupon's adjustment says about the code. */
interface SaidOfCode {
  couponVersion: number;
  adjustmentVersion: number;
  codeConflict: boolean;
}

function codesOf(definition: CouponDefinition, now: Date): Pick<CouponDocument, 'heldCode' | 'codeKey'> {
  if (definition.code === undefined) return {};
  const key = codeKey(definition.code);
  return { codeKey: key, ...(isEffective(definition) && !hasEnded(definition, now) ? { heldCode: key } : {}) };
}

function describeHolder({ _id, definition, quantitySold }: CouponDocument): CodeHolder {
  const { description, code = '', limit = Infinity } = definition;
  return { couponId: _id, name: description?.trim() || code, usedUp: quantitySold >= limit };
}

const oneOfCode = oneForEachKey();
