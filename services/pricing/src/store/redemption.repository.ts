import { type Claim, KEEPS_PLACE, keepsPlace } from '@event-commerce/claims';
import type { Page, PageQuery, Redemption, Tenant } from '@event-commerce/contracts';
import { collectionOf, findPage, pageRange, toPage } from '@event-commerce/service-kit';
import type { PricingModels, RedemptionDocument } from './models.ts';

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
      const {
        _id,
        adjustmentId: poolId,
        created: _created,
        confirmedBy: _confirmedBy,
        releasedBy: _releasedBy,
        ...claim
      } = found;
      return {
        redemption: toRedemption(found),
        claim: { ...claim, id: _id, poolId },
        isHeldByOrder: isHeldByOrder(found),
      };
    },

    /** The redemption of the adjustment that `orderId` holds or has confirmed. */
    async findByOrder(companyId: Tenant, adjustmentId: string, orderId: string): Promise<Redemption | undefined> {
      const found = await collection.findOne({ adjustmentId, orderId, status: { $in: KEEPS_PLACE }, companyId });
      return found === null ? undefined : toRedemption(found);
    },

    /** Newest first. */
    async page(companyId: Tenant, adjustmentId: string, query: PageQuery): Promise<Page<Redemption>> {
      const filter = { adjustmentId, companyId, ...pageRange(query, 'redemptions') };
      return toPage(await findPage(collection, 'rdm', filter, query), query, 'redemptions', toRedemption);
    },
  };
}

/** An order id of commerce: tells entries of earlier releases, which lack `settledBy`, apart. @until a migration */
const ORDER_ID = /^ord_[0-9a-z]{26}$/;

function isHeldByOrder({ status, settledBy, orderId }: RedemptionDocument): boolean {
  return keepsPlace(status) && (settledBy === undefined ? ORDER_ID.test(orderId) : settledBy === 'commerce');
}

function toRedemption(document: RedemptionDocument): Redemption {
  const {
    _id,
    companyId: _companyId,
    key: _key,
    settledBy: _settledBy,
    confirmedBy: _confirmedBy,
    releasedBy: _releasedBy,
    created,
    ...fields
  } = document;
  return { id: _id, ...fields, created: created.toISOString() };
}
