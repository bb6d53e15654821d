import type { PurchaseGroup } from '@event-commerce/contracts';

/** A purchase group as it is kept; `version` counts its changes. */
export interface GroupRecord extends PurchaseGroup {
  version: number;
}
