import {
  adjustmentNotFound,
  heldByOrder,
  type Redemption,
  redemptionNotFound,
  type Usage,
} from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { usageOf } from '../store/redemption-pools.ts';
import type { RedeemDeps } from './redeem-adjustment.ts';

/**
 * Releases a redemption, so that somebody else can have it. Releasing a released one is not an error.
 *
 * @throws {PlatformError} ADJUSTMENT_NOT_FOUND, REDEMPTION_NOT_FOUND, REDEMPTION_HELD_BY_ORDER if an order of the
 * platform holds it
 */
export async function releaseRedemption(
  { adjustments, redemptions, pools }: RedeemDeps,
  caller: Caller,
  adjustmentId: string,
  redemptionId: string,
): Promise<{ redemption: Redemption; usage: Usage }> {
  const { tenant } = caller;
  const [record, found] = await Promise.all([
    adjustments.find(tenant, adjustmentId),
    redemptions.find(tenant, adjustmentId, redemptionId),
  ]);
  if (record === undefined) throw adjustmentNotFound(adjustmentId);
  if (found === undefined) {
    throw redemptionNotFound(adjustmentId, redemptionId);
  }
  const { orderId } = found.redemption;
  if (found.isHeldByOrder) {
    throw heldByOrder(orderId);
  }
  if (found.redemption.status === 'confirmed') await pools.giveBack(found.claim, caller);
  const [after, usage] = await Promise.all([
    redemptions.find(tenant, adjustmentId, redemptionId),
    usageOf(pools, record),
  ]);
  return { redemption: after?.redemption ?? found.redemption, usage };
}
