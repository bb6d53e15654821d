import {
  adjustmentNotFound,
  heldByOrder,
  type Redemption,
  redemptionNotFound,
  type Usage,
} from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { usageOf } from './redemption-pools.ts';
import type { RedeemDeps } from './redeem-adjustment.ts';

/**
 * Releases a redemption, so that others can have it. Releasing it again is not an error.
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
  const entry = async () => redemptions.find(tenant, adjustmentId, redemptionId);
  const [record, entered] = await Promise.all([adjustments.find(tenant, adjustmentId), entry()]);
  if (record === undefined) throw adjustmentNotFound(adjustmentId);
  if (entered === undefined) {
    // The order's event may still be on its way, although the caller knows its outcome already.
    const pending = await pools.pendingClaim(adjustmentId, redemptionId);
    if (pending?.settledBy === 'commerce') throw heldByOrder(pending.orderId);
  }
  const found = entered ?? (await entry());
  if (found === undefined) {
    throw redemptionNotFound(adjustmentId, redemptionId);
  }
  const { orderId } = found.redemption;
  if (found.isHeldByOrder) {
    throw heldByOrder(orderId);
  }
  // Also if it is released already: the earlier release may not have reached the counters.
  if (found.redemption.status !== 'lapsed') {
    await pools.release(found.claim, caller);
    for (const part of await redemptions.partsOf(tenant, redemptionId)) await pools.release(part, caller);
  }
  const [after, usage] = await Promise.all([
    redemptions.find(tenant, adjustmentId, redemptionId),
    usageOf(pools, record),
  ]);
  return { redemption: after?.redemption ?? found.redemption, usage };
}
