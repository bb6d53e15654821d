import type { SettleOrderReply } from '@event-commerce/contracts';
import { confirmClaim, type SettleDeps } from './settle-claims.ts';

export interface ClaimSweepDeps extends SettleDeps {
  ttlMs: number;
  /** Asks commerce, for good, whether the order was written, and with what. */
  settleOrder: (orderId: string) => Promise<SettleOrderReply>;
}

/**
 * Ends claims that stayed pending too long: asks whether the order exists, then confirms or lapses the claim. If nobody
 * can be asked now, asks again later: no claim lapses on a guess. Returns a function that makes one run.
 */
export function createClaimSweep(deps: ClaimSweepDeps): () => Promise<void> {
  const { pools, logger, ttlMs, settleOrder } = deps;
  return pools.sweep({
    ttlMs,
    logger,
    async end(claim) {
      if (claim.settledBy === 'commerce') {
        const { outcome, redemptionIds } = await settleOrder(claim.orderId);
        // A claim that the order does not have belongs to a copy that was too late to be the order.
        if (outcome === 'placed' && (redemptionIds?.includes(claim.id) ?? true)) return await confirmClaim(deps, claim);
      }
      await pools.lapse(claim);
    },
  });
}
