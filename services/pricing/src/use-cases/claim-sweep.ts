import type { SettleOrderReply } from '@event-commerce/contracts';
import { confirmClaim, type SettleDeps } from './settle-claims.ts';

export interface ClaimSweepDeps extends SettleDeps {
  ttlMs: number;
  /** Asks commerce, for good, whether the order was written, and with what. */
  settleOrder: (orderId: string) => Promise<SettleOrderReply>;
}

/**
 * Ends claims that stayed pending too long: asks whoever knows whether the order exists, then confirms or lapses. Whoever cannot be
 * asked now is asked again: no claim lapses on a guess. Returns what makes one run.
 */
export function createClaimSweep(deps: ClaimSweepDeps): () => Promise<void> {
  const { pools, logger, ttlMs, settleOrder } = deps;
  return pools.sweep({
    ttlMs,
    logger,
    async end(claim) {
      if (claim.settledBy === 'commerce') {
        const { outcome, redemptionIds } = await settleOrder(claim.orderId);
        // One that the order does not have was claimed by a copy of it that came too late to be the order.
        if (outcome === 'placed' && (redemptionIds?.includes(claim.id) ?? true)) return await confirmClaim(deps, claim);
      }
      await pools.lapse(claim);
    },
  });
}
