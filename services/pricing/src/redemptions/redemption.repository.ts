import { type Claim, KEEPS_PLACE, keepsPlace } from '@event-commerce/claims';
import type { Page, PageQuery, Redemption, Tenant } from '@event-commerce/contracts';
import { collectionOf, findPage, pageRange, toPage } from '@event-commerce/service-kit';
import { partIdsOf } from './redemption-parts.ts';
import type { PricingModels, RedemptionDocument } from '../models.ts';

export type RedemptionRepository = ReturnType<typeof redemptionRepository>;

/** Reads the ledger of redemptions. */
export function redemptionRepository({ redemptions }: PricingModels) {
  const collection = collectionOf(redemptions);
  return {
    /** The adjustment's redemption `id`, the claim behind it, and whether an order of the platform holds it. */
    async find(
      companyId: Tenant,
      adjustmentId: string,
      id: string,
    ): Promise<{ redemption: Redemption; claim: Claim; isHeldByOrder: boolean } | undefined> {
      const found = await collection.findOne({ _id: id, companyId, adjustmentId });
      if (found === null) return undefined;
      return {
        redemption: toRedemption(found),
        claim: toClaim(found),
        isHeldByOrder: keepsPlace(found.status) && found.settledBy === 'commerce',
      };
    },

    /** What a manual redemption took besides itself. */
    async partsOf(companyId: Tenant, redemptionId: string): Promise<Claim[]> {
      const found = await collection
        .find({ _id: { $in: Object.values(partIdsOf(redemptionId)) }, companyId })
        .toArray();
      return found.map(toClaim);
    },

    /** The redemption of the adjustment that `orderId` holds or has confirmed. */
    async findByOrder(companyId: Tenant, adjustmentId: string, orderId: string): Promise<Redemption | undefined> {
      const found = await collection.findOne({ adjustmentId, orderId, status: { $in: KEEPS_PLACE }, companyId });
      return found === null ? undefined : toRedemption(found);
    },

    /** A redemption of one of the adjustments that was made manually for `orderId`, and not released. */
    async findManual(
      companyId: Tenant,
      adjustmentIds: readonly string[],
      orderId: string,
    ): Promise<Redemption | undefined> {
      const kept = { adjustmentId: { $in: [...adjustmentIds] }, orderId, status: { $in: KEEPS_PLACE } };
      const found = await collection.findOne({ ...kept, settledBy: 'ledger', companyId });
      return found === null ? undefined : toRedemption(found);
    },

    /** How much placed orders of a customer took from a pool. */
    async spentBy(poolId: string, customerId: string): Promise<number> {
      const spent = { adjustmentId: poolId, customerId, status: 'confirmed' };
      const [sums] = await collection
        .aggregate<{ spent: number }>([{ $match: spent }, { $group: { _id: null, spent: { $sum: '$quantity' } } }])
        .toArray();
      return sums?.spent ?? 0;
    },

    /**
     * What was claimed before `before` and not released since: from the pools `inAll` by everybody, and from each pool
     * in `byShare` by the shares named there.
     */
    async keptBefore(
      companyId: Tenant,
      before: Date,
      inAll: readonly string[],
      byShare: ReadonlyMap<string, ReadonlySet<string>>,
    ): Promise<{ poolId: string; share?: string; quantity: number }[]> {
      const kept = { companyId, created: { $lt: before }, status: { $in: KEEPS_PLACE } };
      const quantity = { $sum: '$quantity' };
      const ofAll =
        inAll.length === 0
          ? []
          : await collection
              .aggregate<{ _id: string; quantity: number }>([
                { $match: { adjustmentId: { $in: [...inAll] }, ...kept } },
                { $group: { _id: '$adjustmentId', quantity } },
              ])
              .toArray();
      const ofShares = await Promise.all(
        [...byShare].flatMap(([poolId, shares]) =>
          (['customerId', 'shares'] as const).map(async (counted) => {
            const found = await collection
              .aggregate<{ _id: string; quantity: number }>([
                { $match: { adjustmentId: poolId, [counted]: { $in: [...shares] }, ...kept } },
                { $unwind: `$${counted}` },
                { $group: { _id: `$${counted}`, quantity } },
              ])
              .toArray();
            return found
              .filter(({ _id: share }) => shares.has(share))
              .map(({ _id: share, quantity: claimed }) => ({ poolId, share, quantity: claimed }));
          }),
        ),
      );
      return [
        ...ofAll.map(({ _id: poolId, quantity: claimed }) => ({ poolId, quantity: claimed })),
        ...ofShares.flat(),
      ];
    },

    /** One page of an adjustment's redemptions, newest first. */
    async page(companyId: Tenant, adjustmentId: string, query: PageQuery): Promise<Page<Redemption>> {
      const filter = { adjustmentId, companyId, ...pageRange(query, 'redemptions') };
      return toPage(await findPage(collection, 'rdm', filter, query), query, 'redemptions', toRedemption);
    },
  };
}

function toClaim({ _id, adjustmentId: poolId, created: _created, steps: _steps, ...claim }: RedemptionDocument): Claim {
  return { ...claim, id: _id, poolId };
}

function toRedemption(document: RedemptionDocument): Redemption {
  const {
    _id,
    companyId: _c,
    settledBy: _by,
    steps: _steps,
    revision: _revision,
    shares: _shares,
    created,
    ...fields
  } = document;
  return { id: _id, ...fields, created: created.toISOString() };
}
