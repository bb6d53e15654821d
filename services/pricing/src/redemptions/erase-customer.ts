import { eraseFromPools } from '@event-commerce/claims';
import type { EraseCustomerReply, EraseCustomerRequest } from '@event-commerce/contracts';
import { forgetInParked, waitingEvents } from '@event-commerce/outbox';
import { collectionOf } from '@event-commerce/service-kit';
import { ticketPoolOf } from '../adjustments/domain/pools-of.ts';
import type { PricingModels } from '../models.ts';
import { redemptionCollections } from './redemption-pools.ts';

/** How many adjustments are searched at a time. */
const SEARCHED = 200;

export type CustomerRedemptions = ReturnType<typeof customerRedemptions>;

/** The redemptions of a customer who is erased, and how much the customer has taken of each adjustment. */
export function customerRedemptions(models: PricingModels) {
  const adjustments = collectionOf(models.adjustments);
  const redemptions = collectionOf(models.redemptions);
  const collections = redemptionCollections(models);
  const { db } = models.usages;
  return {
    /** Erases the customer from the redemptions of one page of the company's adjustments. */
    async erase(request: EraseCustomerRequest): Promise<EraseCustomerReply> {
      const { tenant, customer, pseudonym, place } = request;
      const { ids } = customer;
      const page = await adjustments
        .find({ companyId: tenant, _id: { $gt: place } }, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(SEARCHED)
        .toArray();
      const last = page.at(-1)?._id;
      if (last === undefined) return { found: 0 };
      const adjustmentIds = page.map(({ _id }) => _id);
      const poolIds = adjustmentIds.flatMap((id) => [id, ticketPoolOf(id)]);
      const left = await eraseFromPools(collections, poolIds, { tenant, ids, pseudonym });
      if (left === 'more') return { found: 0, next: place };
      await forgetInParked(db, { collection: collections.pools.name, documentIds: poolIds }, { ids, pseudonym });
      const unpublished = await waitingEvents(models.usages, poolIds, ids);
      if (left === 'waits' || unpublished.size > 0) return { found: 0, next: place, waits: true };
      const found = await redemptions.countDocuments({ adjustmentId: { $in: adjustmentIds }, customerId: pseudonym });
      return { found, ...(page.length < SEARCHED ? {} : { next: last }) };
    },
  };
}
