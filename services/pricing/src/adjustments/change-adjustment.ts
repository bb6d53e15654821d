import { isDeepStrictEqual } from 'node:util';
import {
  type AdjustmentInput,
  adjustmentNotFound,
  type AdjustmentPatch,
  applyMergePatch,
  changedAdjustment,
  hasCode,
  PlatformError,
} from '@event-commerce/contracts';
import {
  type Caller,
  changedMembers,
  type IfMatch,
  refuseOtherVersion,
  validateRequest,
} from '@event-commerce/service-kit';
import { type BudgetDeps, refuseUnknownBudget } from '../budgets/change-budget.ts';
import { type AdjustmentRecord, definition, toAdjustment } from './adjustment-record.ts';
import type { AdjustmentRepository } from './adjustment.repository.ts';
import { settleTimes, type SettleTimesDeps } from './settle-times.ts';

/**
 * Changes an adjustment by a JSON merge patch, and validates the whole result as if it were created, unless the patch
 * only ends its effect. An effect of another kind replaces the present one. A field sent with its present value changes
 * nothing.
 *
 * @throws {PlatformError} ADJUSTMENT_NOT_FOUND, VALIDATION_FAILED, COUPON_CODE_TAKEN, QUOTA_EXCEEDED, VERSION_CONFLICT
 */
export async function changeAdjustment(
  deps: SettleTimesDeps & BudgetDeps & { adjustments: AdjustmentRepository; clock: () => Date },
  caller: Caller,
  id: string,
  patch: AdjustmentPatch,
  ifMatch: IfMatch,
): Promise<AdjustmentRecord> {
  return await deps.adjustments.changeInTurn(caller.tenant, id, async () => {
    const now = deps.clock();
    const current = await deps.adjustments.find(caller.tenant, id);
    if (current === undefined) throw adjustmentNotFound(id);
    const changes = changedMembers(patch, toAdjustment(current));
    const isSame = Object.keys(changes).length === 0;
    if (!isSame && current.couponId !== undefined) throw keptForCoupon(current.couponId);
    refuseOtherVersion(ifMatch, 'adjustment', current.version);
    const next = isSame ? current : await settleTimes(deps, caller, merged(current, changes));
    const { budgetId } = next.conditions;
    if (budgetId !== current.conditions.budgetId) {
      await refuseUnknownBudget(deps, caller, budgetId, 'conditions.budgetId');
    }
    if (isDeepStrictEqual(definition(caller.tenant, next, now), definition(caller.tenant, current, now))) {
      // An earlier attempt of this request may have made the change and lost its response: no second event is
      // published.
      await deps.adjustments.makeKnown(current);
      return current;
    }
    try {
      return await deps.adjustments.replace(caller, current, next, now);
    } catch (error) {
      // A copy of this request, written at the same time, may have used up the quota.
      if (!hasCode(error, 'QUOTA_EXCEEDED') || (await isAt(deps, caller, current))) throw error;
      return undefined;
    }
  });
}

/** The status that the patch sets, if that is all it does. */
function soleStatus({ status, ...others }: AdjustmentPatch): AdjustmentPatch['status'] {
  return Object.keys(others).length === 0 ? status : undefined;
}

/** Whether the adjustment is still at the version of `current`. */
async function isAt(
  { adjustments }: { adjustments: AdjustmentRepository },
  { tenant }: Caller,
  { id, version }: AdjustmentRecord,
): Promise<boolean> {
  return (await adjustments.find(tenant, id))?.version === version;
}

function keptForCoupon(couponId: string): PlatformError {
  const detail = { path: 'id', message: `is kept for coupon ${couponId}; change the coupon instead` };
  return new PlatformError('VALIDATION_FAILED', `The adjustment ${detail.message}.`, { details: [detail] });
}

/**
 * `current` with a caller's changes. `at`: where the request has them.
 *
 * @throws {PlatformError} VALIDATION_FAILED if the result is not valid
 */
export function merged(
  current: AdjustmentRecord,
  patch: AdjustmentPatch,
  at?: readonly PropertyKey[],
): AdjustmentInput {
  const status = soleStatus(patch);
  // Rules may have been added since it was stored: it must be possible to end an adjustment that breaks them.
  if (status === 'paused' || status === 'archived') return { ...current, status };
  const kind = patch.effect?.kind ?? current.effect.kind;
  // Nothing of an effect of another kind may remain: its `maxAmount` would cap a discount that the caller did not cap.
  const shown = toAdjustment(current);
  const base = kind === current.effect.kind ? shown : { ...shown, effect: {} };
  return validateRequest(changedAdjustment, applyMergePatch(base, patch), 'body', at);
}
