import { PlatformError, type Redemption, type Usage } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { notFound } from './change-adjustment.ts';
import type { ClaimDeps } from './claim-redemptions.ts';
import { usageOf } from './redeem-adjustment.ts';

/**
 * Gives a redemption back, so that somebody else can have it. Giving back what was given back is no error.
 *
 * @throws {PlatformError} ADJUSTMENT_NOT_FOUND, REDEMPTION_NOT_FOUND
 */
export async function releaseRedemption(
  deps: ClaimDeps,
  caller: Caller,
  adjustmentId: string,
  redemptionId: string,
): Promise<{ redemption: Redemption; usage: Usage }> {
  const { tenant, traceparent } = caller;
  const released = await deps.redemptions.release(tenant, adjustmentId, redemptionId, deps.clock(), traceparent);
  const [record, usage] = await Promise.all([
    deps.adjustments.find(tenant, adjustmentId),
    deps.usage.find(adjustmentId),
  ]);
  if (record === undefined) throw notFound(adjustmentId);
  if (released === undefined) {
    throw new PlatformError('REDEMPTION_NOT_FOUND', `Adjustment ${adjustmentId} has no redemption ${redemptionId}.`);
  }
  return { redemption: released.redemption, usage: usageOf(record, usage) };
}
