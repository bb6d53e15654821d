import { PlatformError, type Redemption, type Usage } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { notFound } from './change-adjustment.ts';
import type { ClaimDeps } from './claim-redemptions.ts';
import { usageOf } from './redeem-adjustment.ts';

/**
 * Gives a redemption back, so that somebody else can have it. Giving back what was given back is no error.
 *
 * @throws {PlatformError} ADJUSTMENT_NOT_FOUND, REDEMPTION_NOT_FOUND, REDEMPTION_HELD_BY_ORDER when an order of the platform has it
 */
export async function releaseRedemption(
  deps: ClaimDeps,
  caller: Caller,
  adjustmentId: string,
  redemptionId: string,
): Promise<{ redemption: Redemption; usage: Usage }> {
  const { tenant, traceparent } = caller;
  const [record, found] = await Promise.all([
    deps.adjustments.find(tenant, adjustmentId),
    deps.redemptions.find(tenant, adjustmentId, redemptionId),
  ]);
  if (record === undefined) throw notFound(adjustmentId);
  if (found === undefined) {
    throw new PlatformError('REDEMPTION_NOT_FOUND', `Adjustment ${adjustmentId} has no redemption ${redemptionId}.`);
  }
  const { orderId } = found.redemption;
  if (found.heldByOrder) {
    throw new PlatformError(
      'REDEMPTION_HELD_BY_ORDER',
      `Order ${orderId} uses this redemption. Cancel the order to give it back.`,
      { details: [{ path: 'redemptionId', message: `is used by order ${orderId}; cancel the order`, orderId }] },
    );
  }
  if (found.redemption.status === 'confirmed') await deps.redemptions.release(found.claim, deps.clock(), traceparent);
  const [after, usage] = await Promise.all([
    deps.redemptions.find(tenant, adjustmentId, redemptionId),
    deps.usage.find(adjustmentId),
  ]);
  return { redemption: after?.redemption ?? found.redemption, usage: usageOf(record, usage) };
}
