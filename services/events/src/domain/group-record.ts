import type { PurchaseGroup, Tenant } from '@event-commerce/contracts';

/** A purchase group as it is stored; `version` counts its changes. */
export interface GroupRecord extends Omit<PurchaseGroup, 'companyId'> {
  tenant: Tenant;
  version: number;
}
