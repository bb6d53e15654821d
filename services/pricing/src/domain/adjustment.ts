import type { Adjustment } from '@event-commerce/contracts';

/**
 * `customersSince` is the version that first capped redemptions per customer: from then on customers are counted,
 * whether they are capped at the moment or not.
 */
export type StoredAdjustment = Adjustment & { customersSince?: number };

/** The fields of a compiled adjustment that an evaluation or a claim needs: each stored field costs memory. */
export type KeptAdjustment = Pick<
  StoredAdjustment,
  | 'id'
  | 'name'
  | 'type'
  | 'category'
  | 'origin'
  | 'priority'
  | 'status'
  | 'conditions'
  | 'effect'
  | 'couponId'
  | 'created'
  | 'version'
  | 'customersSince'
>;
