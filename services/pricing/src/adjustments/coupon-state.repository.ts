import type { CouponState, Tenant } from '@event-commerce/contracts';
import { collectionOf, updateOrInsert } from '@event-commerce/service-kit';
import type { PricingModels } from '../models.ts';

export type CouponStateRepository = ReturnType<typeof couponStateRepository>;

/** The newest state of each coupon according to commerce, whatever order its events arrived in. */
export function couponStateRepository({ couponStates }: PricingModels) {
  const collection = collectionOf(couponStates);
  return {
    /** Stores `state` unless a newer one is stored. */
    async keepNewest(tenant: Tenant, state: CouponState): Promise<void> {
      const { id: _id, version } = state;
      const older = { _id, version: { $lt: version } };
      await updateOrInsert(collection, older, { $set: { companyId: tenant, version, state } });
    },

    async find(tenant: Tenant, couponId: string): Promise<CouponState | undefined> {
      return (await collection.findOne({ _id: couponId, companyId: tenant }))?.state;
    },
  };
}
