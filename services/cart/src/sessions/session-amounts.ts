import type { Tenant } from '@event-commerce/contracts';
import { collectionOf, countOf } from '@event-commerce/service-kit';
import { type CartModels, keysBefore } from '../models.ts';

/** How many open sessions a tenant has. Expired ones disappear on their own, and a recount notices. */
export function sessionAmounts({ sessions }: CartModels) {
  return {
    openCarts: async (tenant: Tenant) =>
      countOf(collectionOf(sessions), { companyId: tenant, _id: keysBefore(tenant) }),
  };
}
