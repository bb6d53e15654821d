import {
  type AdjustmentInput,
  adjustmentNotFound,
  type AdjustmentPatch,
  changedAdjustment,
  PlatformError,
} from '@event-commerce/contracts';
import { type Caller, retryOnConflict, validate, versionConflict } from '@event-commerce/service-kit';
import type { AdjustmentRecord } from '../store/adjustment-record.ts';
import type { AdjustmentRepository } from '../store/adjustment.repository.ts';

/**
 * Changes an adjustment by a JSON merge patch at its top level and in `conditions` (null removes), and validates the
 * whole result as if it were created.
 *
 * @throws {PlatformError} ADJUSTMENT_NOT_FOUND, VALIDATION_FAILED, COUPON_CODE_TAKEN, QUOTA_EXCEEDED, VERSION_CONFLICT
 */
export async function changeAdjustment(
  deps: { adjustments: AdjustmentRepository; clock: () => Date },
  caller: Caller,
  id: string,
  patch: AdjustmentPatch,
): Promise<AdjustmentRecord> {
  return await retryOnConflict(async () => {
    const current = await deps.adjustments.find(caller.tenant, id);
    if (current === undefined) throw adjustmentNotFound(id);
    if (current.couponId !== undefined) throw keptForCoupon(current.couponId);
    return await deps.adjustments.replace(caller, current, merged(current, patch), deps.clock());
  }, versionConflict('The adjustment'));
}

function keptForCoupon(couponId: string): PlatformError {
  const detail = { path: 'id', message: `is kept for coupon ${couponId}; change the coupon instead` };
  return new PlatformError('VALIDATION_FAILED', `The adjustment ${detail.message}.`, { details: [detail] });
}

function merged(current: AdjustmentRecord, patch: AdjustmentPatch): AdjustmentInput {
  const { conditions } = patch;
  const whole = {
    ...current,
    ...patch,
    ...(conditions ? { conditions: withoutNulls({ ...current.conditions, ...conditions }) } : {}),
  };
  return validate(changedAdjustment, withoutNulls(whole));
}

function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}
