import type { Adjustment } from '@event-commerce/contracts';

/**
 * How often an adjustment was redeemed. `redeemed` counts what was confirmed; `claimed` counts pending claims as well
 * and is what stands against `maxRedemptions`, so that a buyer is not promised what another buyer is just paying for.
 */
export interface Usage {
  redeemed: number;
  claimed: number;
}

/** `version` counts the changes of the adjustment itself, not of its usage. */
export type StoredAdjustment = Adjustment & { version: number; usage: Usage };
