import type { SettleOrderReply, SettleOrderRequest } from '@event-commerce/contracts';
import { settleClaim, type SettleDeps } from './settle-claims.ts';

export interface ClaimSweepDeps extends SettleDeps {
  ttlMs: number;
  /** Asks commerce what became of an order, and which claims it has. */
  settleOrder: (request: SettleOrderRequest) => Promise<SettleOrderReply>;
}

/**
 * Settles claims that stayed pending too long by what became of their orders. If nobody can be asked now, asks again
 * later: no claim lapses on a guess. Returns a function that makes one run.
 */
export function createClaimSweep(deps: ClaimSweepDeps): () => Promise<void> {
  const { pools, logger, ttlMs, settleOrder } = deps;
  return pools.sweep({
    ttlMs,
    logger,
    async end(claim) {
      const { orderId, reopening, settledBy } = claim;
      const { outcome, redemptionIds }: SettleOrderReply =
        settledBy === 'commerce' ? await settleOrder({ orderId, reopening }) : { outcome: 'void' };
      // A claim that the order does not have belongs to a copy that was too late to be the order.
      const isOrders = redemptionIds?.includes(claim.id) ?? true;
      await settleClaim(deps, claim, isOrders ? outcome : 'void');
    },
  });
}
