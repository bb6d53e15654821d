import type { PurchaseGroup, Tenant } from '@event-commerce/contracts';

/** A purchase group as it is stored. */
export interface GroupRecord extends Omit<PurchaseGroup, 'companyId'> {
  tenant: Tenant;
}
