import type { Claim } from '@event-commerce/claims';
import {
  adjustmentNotFound,
  invalidInput,
  type PlatformError,
  type Redemption,
  type RedemptionInput,
  type Usage,
} from '@event-commerce/contracts';
import { type Caller, newId, retryOnConflict } from '@event-commerce/service-kit';
import { capRefusal } from '../evaluate/domain/eligibility/redemption-caps.ts';
import type { AdjustmentRecord } from '../adjustments/adjustment-record.ts';
import type { AdjustmentRepository } from '../adjustments/adjustment.repository.ts';
import { isFullForNow, poolOf, type RedemptionPools, usageOf } from './redemption-pools.ts';
import type { RedemptionRepository } from './redemption.repository.ts';
import { countsWhenFull, crowdedOut, keepsChanging, limitReached, refused } from '../purchase/claim-refusals.ts';

export interface RedeemDeps {
  adjustments: Pick<AdjustmentRepository, 'find'>;
  redemptions: RedemptionRepository;
  pools: RedemptionPools;
}

interface Redeemed {
  redemption: Redemption;
  usage: Usage;
  /** Whether this order had redeemed the adjustment before; the first redemption is then returned again. */
  repeated: boolean;
}

/**
 * Redeems an adjustment for an order in another system. Repeating this for the same adjustment and order returns the
 * first redemption. Only the caps decide: such an order has already been placed, whatever the window says now.
 *
 * @throws {PlatformError} ADJUSTMENT_NOT_FOUND, REDEMPTION_LIMIT_REACHED, VALIDATION_FAILED if a cap per customer needs
 * a customerId, or SERVICE_UNAVAILABLE if others keep changing the adjustment
 */
export async function redeemAdjustment(
  deps: RedeemDeps,
  caller: Caller,
  adjustmentId: string,
  input: RedemptionInput,
): Promise<Redeemed> {
  return await retryOnConflict(async () => redeemOnce(deps, caller, adjustmentId, input), keepsChanging);
}

/** Undefined if it must be retried from the start: what it read was changed meanwhile, or its claim lapsed. */
async function redeemOnce(
  deps: RedeemDeps,
  caller: Caller,
  adjustmentId: string,
  input: RedemptionInput,
): Promise<Redeemed | undefined> {
  const { adjustments, redemptions, pools } = deps;
  const { tenant } = caller;
  const { orderId, customerId, quantity } = input;
  const [record, earlier] = await Promise.all([
    adjustments.find(tenant, adjustmentId),
    redemptions.findByOrder(tenant, adjustmentId, orderId),
  ]);
  if (record === undefined) throw adjustmentNotFound(adjustmentId);
  if (earlier !== undefined) return { redemption: earlier, usage: await usageOf(pools, record), repeated: true };
  const { conditions } = record;
  const max = conditions.maxRedemptionsPerCustomer;
  if (max !== undefined && customerId === undefined) {
    throw invalidInput('customerId', 'is required: the adjustment has a limit per customer');
  }
  const claim: Claim = {
    id: newId('rdm'),
    poolId: adjustmentId,
    companyId: tenant,
    orderId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(conditions.code === undefined ? {} : { code: conditions.code }),
    quantity,
    status: 'pending',
    settledBy: 'ledger',
  };
  const standingOr = async (refusal: PlatformError): Promise<Redeemed> => {
    const redeemed = await standingRedemption(deps, record, claim);
    if (redeemed === undefined) throw refusal;
    return redeemed;
  };
  if (max !== undefined && customerId !== undefined) {
    const byCustomer = (await pools.claimedBy(customerId, [adjustmentId])).get(adjustmentId) ?? 0;
    // This order's own claim may hold the last place. A pending one is confirmed below.
    if (byCustomer + quantity > max && !(await pools.pendingOf(claim, [adjustmentId])).has(adjustmentId)) {
      const counts = { claimed: 0, byCustomer };
      return await standingOr(refusedByCaps(record, claim, counts, await isFullForNow(pools, record, claim)));
    }
  }
  const outcome = await pools.hold({ claim, pool: poolOf(tenant, record), customerLimit: max });
  switch (outcome.kind) {
    case 'held': {
      // The order may be one of the platform, which was reopened with the adjustment since the first look-up.
      const other = await redemptions.findByOrder(tenant, adjustmentId, orderId);
      if (other !== undefined && other.id !== outcome.claim.id) {
        await pools.followOrder(outcome.claim, 'void', caller);
        return undefined;
      }
      // Another request for the same order may hold the claim: then both continue with that one, and the ledger
      // decides.
      const standing = await pools.confirm(outcome.claim, caller);
      // This took longer than a claim may be pending.
      if (standing === 'lapsed') return undefined;
      return await standingRedemption(deps, record, claim, outcome.claim);
    }
    case 'crowded':
      throw crowdedOut({ poolId: adjustmentId });
    case 'full':
    case 'share-full':
      return await standingOr(
        refusedByCaps(record, claim, countsWhenFull(outcome, { adjustment: record }), outcome.isContended),
      );
    case 'outdated':
    case 'confirmed':
    case 'changed':
    case 'later-revision':
      break;
  }
  return undefined;
}

/** The order's confirmed redemption, from `held` or from another request; undefined if there is none. */
async function standingRedemption(
  { redemptions, pools }: RedeemDeps,
  record: AdjustmentRecord,
  { companyId, poolId, orderId, id }: Claim,
  held?: Claim,
): Promise<Redeemed | undefined> {
  const [redemption, usage] = await Promise.all([
    redemptions.findByOrder(companyId, poolId, orderId),
    usageOf(pools, record),
  ]);
  if (redemption === undefined) return undefined;
  return { redemption, usage, repeated: redemption.id !== id || held?.id !== id };
}

function refusedByCaps(
  { conditions: { maxRedemptions = Infinity, maxRedemptionsPerCustomer } }: AdjustmentRecord,
  claim: Claim,
  { claimed, byCustomer }: { claimed: number; byCustomer: number },
  isContended: boolean,
): PlatformError {
  const { poolId, quantity, customerId } = claim;
  const redeemed = { claimed, quantity, customerId, claimedByCustomer: () => byCustomer };
  const refusal = capRefusal({ maxRedemptions, maxRedemptionsPerCustomer }, redeemed) ?? limitReached;
  const path = refusal.reason === 'customer-redemption-limit-reached' ? 'customerId' : 'quantity';
  // The caller named no code, and may not know it.
  return refused(refusal, { adjustmentId: poolId }, { path, isContended });
}
