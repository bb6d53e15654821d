import {
  type CodeStatus,
  compactKey,
  type IssuedCodeListQuery,
  type Page,
  type ShownCode,
  type ShownCodeDetail,
  type Tenant,
} from '@event-commerce/contracts';
import { batched, collectionOf, findPage, insertEach, pageRange, toPage } from '@event-commerce/service-kit';
import { codePoolOf, codePoolsOf, poolNamed } from '../adjustments/domain/pools-of.ts';
import type { PresentedCode } from '../evaluate/domain/issued-adjustments.ts';
import type { CodeBatchDocument, PricingModels, UsageDocument } from '../models.ts';

/** How many orders of a code are shown. */
const ORDERS_MAX = 100;
/** Greater than any character of a code. */
const LAST = '\uffff';

type CodeFields = 'code' | 'batchId' | 'limit' | 'claimed' | 'confirmed' | 'definitionVersion';
type Code = Pick<UsageDocument, '_id' | CodeFields>;
const CODE_FIELDS = { code: 1, batchId: 1, limit: 1, claimed: 1, confirmed: 1, definitionVersion: 1 } as const;

/** What each status means: the first that matches. */
const IS: Record<CodeStatus, object> = {
  used: { confirmed: { $gt: 0 } },
  held: { confirmed: 0, claimed: { $gt: 0 } },
  revoked: { claimed: 0, limit: 0 },
  unused: { claimed: 0, limit: { $gt: 0 } },
};

/** An issued code as requests present it, with its batch. */
type FoundCode = PresentedCode & { batchId: string };

export type CodeRepository = ReturnType<typeof codeRepository>;

/** The codes that were issued for coupons: each is a pool of its own. */
export function codeRepository({ usages, redemptions }: PricingModels) {
  const pools = collectionOf(usages);
  const ledger = collectionOf(redemptions);

  const read = batched(async (asked: readonly { tenant: Tenant; key: string }[]) => {
    const byKey = new Map<string, Code>();
    for (const [tenant, ofTenant] of Map.groupBy(asked, (one) => one.tenant)) {
      const keys = [...new Set(ofTenant.map(({ key }) => key))];
      const filter = { companyId: tenant, codeKey: { $in: keys } };
      const codes = await pools.find(filter, { projection: { ...CODE_FIELDS, codeKey: 1 } }).toArray();
      for (const code of codes) byKey.set(JSON.stringify([tenant, code.codeKey]), code);
    }
    return asked.map(({ tenant, key }) => byKey.get(JSON.stringify([tenant, key])));
  });

  const findOne = async (companyId: Tenant, adjustmentId: string, code: string): Promise<Code | undefined> =>
    (await pools.findOne({ _id: codePoolOf(adjustmentId, code), companyId }, { projection: CODE_FIELDS })) ?? undefined;

  const shownWithOrders = async (companyId: Tenant, code: Code): Promise<ShownCodeDetail> => {
    const entries = await ledger
      .find({ adjustmentId: code._id, companyId, status: { $ne: 'lapsed' } }, { projection: { orderId: 1 } })
      .sort({ _id: -1 })
      .limit(ORDERS_MAX)
      .toArray();
    return { ...shown(code), orderIds: [...new Set(entries.map(({ orderId }) => orderId))] };
  };

  return {
    /** The issued codes among `codes`, by their compact keys. Concurrent calls are batched. */
    async find(tenant: Tenant, codes: readonly string[]): Promise<Map<string, FoundCode>> {
      const keys = [...new Set(codes.map(compactKey))];
      const issued = await Promise.all(keys.map(async (key) => read({ tenant, key })));
      return new Map(
        keys.flatMap((key, index) => {
          const code = issued[index];
          return code === undefined ? [] : [[key, found(code)] as const];
        }),
      );
    },

    /**
     * Issues codes as a part of `batch`; `slot` is the place of a generated one. Resolves with whether each was issued:
     * `false` if the code, or another one in its slot, is issued already.
     */
    async issue(
      batch: Pick<CodeBatchDocument, '_id' | 'companyId' | 'couponId' | 'adjustmentId' | 'limitPerCode'>,
      codes: readonly { code: string; slot?: number }[],
    ): Promise<(boolean | Error)[]> {
      const { _id: batchId, companyId, couponId, adjustmentId, limitPerCode } = batch;
      return await insertEach<UsageDocument>(
        pools,
        codes.map(({ code, slot }) => ({
          _id: codePoolOf(adjustmentId, code),
          companyId,
          origin: 'coupon',
          couponId,
          code,
          codeKey: compactKey(code),
          batchId,
          ...(slot === undefined ? {} : { slot }),
          limit: limitPerCode,
          definitionVersion: 1,
          confirmed: 0,
          claimed: 0,
          pending: [],
          version: 0,
        })),
      );
    },

    /** The slots from `from` up to `until` that hold a code. */
    async slotsOf(batchId: string, from: number, until: number): Promise<Set<number>> {
      const filter = { batchId, slot: { $gte: from, $lt: until } };
      const filled = await pools.find(filter, { projection: { _id: 0, slot: 1 } }).toArray();
      return new Set(filled.flatMap(({ slot }) => slot ?? []));
    },

    countOf: async (batchId: string): Promise<number> => await pools.countDocuments({ batchId }),

    /**
     * Revokes up to `most` codes of a batch: claims under their former definition are no longer admitted. Resolves with
     * how many there were.
     */
    async revokeSome(batchId: string, after: string, most: number): Promise<{ revoked: number; last: string }> {
      const next = await pools
        .find({ batchId, _id: { $gt: after } }, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(most)
        .toArray();
      const ids = next.map(({ _id }) => _id);
      if (ids.length > 0) await pools.updateMany({ _id: { $in: ids }, limit: { $gt: 0 } }, REVOKING);
      return { revoked: ids.length, last: ids.at(-1) ?? after };
    },

    async revoke(companyId: Tenant, adjustmentId: string, code: string): Promise<ShownCodeDetail | undefined> {
      const _id = codePoolOf(adjustmentId, code);
      await pools.updateOne({ _id, companyId, codeKey: { $exists: true }, limit: { $gt: 0 } }, REVOKING);
      const revoked = await findOne(companyId, adjustmentId, code);
      return revoked && (await shownWithOrders(companyId, revoked));
    },

    async show(companyId: Tenant, adjustmentId: string, code: string): Promise<ShownCodeDetail | undefined> {
      const one = await findOne(companyId, adjustmentId, code);
      return one && (await shownWithOrders(companyId, one));
    },

    /** One page of an adjustment's codes. */
    async page(
      companyId: Tenant,
      adjustmentId: string,
      { batch, status, ...query }: Pick<IssuedCodeListQuery, 'batch' | 'status' | 'limit' | 'cursor'>,
    ): Promise<Page<ShownCode>> {
      const from = codePoolsOf(adjustmentId);
      const filter = {
        companyId,
        ...(batch === undefined ? {} : { batchId: batch }),
        ...(status === undefined ? {} : IS[status]),
        _id: { $gte: from, $lt: `${from}${LAST}`, ...pageRange(query, 'codes')._id },
      };
      return toPage(await findPage(pools, undefined, filter, query), query, 'codes', shown);
    },
  };
}

const REVOKING = { $set: { limit: 0 }, $inc: { definitionVersion: 1, version: 1 } };

function found({ _id, code = '', batchId = '', limit, claimed, definitionVersion: version }: Code): FoundCode {
  const { adjustmentId = '' } = poolNamed(_id);
  return { adjustmentId, code, batchId, limit: limit ?? 0, claimed, version };
}

function shown({ code = '', batchId = '', limit: most, claimed, confirmed: redeemed = 0 }: Code): ShownCode {
  const limit = most ?? 0;
  return { code, batchId, limit, redeemed, claimed, status: statusOf({ limit, claimed, redeemed }) };
}

function statusOf({ limit, claimed, redeemed }: Pick<ShownCode, 'limit' | 'claimed' | 'redeemed'>): CodeStatus {
  if (redeemed > 0) return 'used';
  if (claimed > 0) return 'held';
  return limit === 0 ? 'revoked' : 'unused';
}
