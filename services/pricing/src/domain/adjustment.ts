import type { Adjustment, AdjustmentInput } from '@event-commerce/contracts';

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

/** Whether `after` stays scheduled with the code of `before`. It takes no code then, whoever holds it by now. */
export function keepsScheduledCode(
  before: Pick<AdjustmentInput, 'status' | 'conditions'>,
  after: Pick<AdjustmentInput, 'status' | 'conditions'>,
): boolean {
  const areScheduled = before.status === 'scheduled' && after.status === 'scheduled';
  return areScheduled && before.conditions.code === after.conditions.code;
}
