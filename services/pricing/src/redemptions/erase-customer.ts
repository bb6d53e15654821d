import { type CustomerKeys, eraseFromPools } from '@event-commerce/claims';
import type { EraseCustomerReply, EraseCustomerRequest, Tenant } from '@event-commerce/contracts';
import { forgetInParked, waitingEvents } from '@event-commerce/outbox';
import { collectionOf } from '@event-commerce/service-kit';
import { isBudgetId, ticketPoolOf } from '../adjustments/domain/pools-of.ts';
import type { PricingModels } from '../models.ts';
import { redemptionCollections } from './redemption-pools.ts';

/** How many adjustments or budgets are searched at a time. */
const SEARCHED = 200;
/** The place before all budgets. */
const BUDGETS = 'bud_';

export type CustomerRedemptions = ReturnType<typeof customerRedemptions>;

/** The redemptions of a customer who is erased, and how much the customer has taken of each adjustment. */
export function customerRedemptions(models: PricingModels, customerKeys: Pick<CustomerKeys, 'ofEmail'>) {
  const adjustments = collectionOf(models.adjustments);
  const budgets = collectionOf(models.budgets);
  const redemptions = collectionOf(models.redemptions);
  const collections = redemptionCollections(models);
  const { db } = models.usages;

  /** A page of adjustments, and after the last of them, of budgets: their ids are greater. */
  const pageAfter = async (companyId: Tenant, place: string): Promise<{ owners: string[]; next?: string }> => {
    const [ofAdjustments, ofBudgets] = [
      { companyId, _id: { $gt: place } },
      { companyId, per: 'customer' as const, _id: { $gt: place } },
    ];
    const found = isBudgetId(place)
      ? budgets.find(ofBudgets, { projection: { _id: 1 } })
      : adjustments.find(ofAdjustments, { projection: { _id: 1 } });
    const owners = (await found.sort({ _id: 1 }).limit(SEARCHED).toArray()).map(({ _id }) => _id);
    const last = owners.at(-1);
    if (owners.length === SEARCHED && last !== undefined) return { owners, next: last };
    return { owners, ...(isBudgetId(place) ? {} : { next: BUDGETS }) };
  };

  return {
    /** Erases the customer from the claims of one page of the company's adjustments, or of its budgets per customer. */
    async erase(request: EraseCustomerRequest): Promise<EraseCustomerReply> {
      const { tenant, customer, pseudonym, place } = request;
      const { ids } = customer;
      const keys = customer.emails.map((address) => customerKeys.ofEmail(tenant, address));
      const { owners, next } = await pageAfter(tenant, place);
      const poolIds = owners.flatMap((id) => (isBudgetId(id) ? [id] : [id, ticketPoolOf(id)]));
      const left = await eraseFromPools(collections, poolIds, { tenant, ids, keys, pseudonym });
      if (left === 'more') return { found: 0, next: place };
      await forgetInParked(db, { collection: collections.pools.name, documentIds: poolIds }, { ids, pseudonym });
      const unpublished = await waitingEvents(models.usages, poolIds, ids);
      if (left === 'waits' || unpublished.size > 0) return { found: 0, next: place, waits: true };
      const found = await redemptions.countDocuments({ adjustmentId: { $in: owners }, customerId: pseudonym });
      return { found, ...(next === undefined ? {} : { next }) };
    },
  };
}
