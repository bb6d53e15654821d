import {
  type Claim,
  createOrderClaims,
  keepsPlace,
  type OrderClaims,
  type OrderClaimsDeps,
} from '@event-commerce/claims';
import type { RedemptionClaim } from '@event-commerce/contracts';
import { poolNamed, poolOfBudget, poolOfClaim } from '../adjustments/domain/pools-of.ts';
import { redemptionOfPart } from './redemption-parts.ts';
import type { RedemptionPools } from './redemption-pools.ts';

export type OrderRedemptions = OrderClaims<RedemptionClaim>;

/** The redemptions that orders hold. */
export function createOrderRedemptions(
  deps: OrderClaimsDeps & { pools: Pick<RedemptionPools, 'stateOf'> },
): OrderRedemptions {
  return createOrderClaims({
    ...deps,
    toClaim: ({ redemptionId: id, adjustmentId, budgetId, day, pool, ...claim }: RedemptionClaim) => ({
      ...claim,
      id,
      poolId: poolOfClaim({ ...claim, adjustmentId, budgetId, day, pool }),
    }),
    claimsOf: ({ redemptionIds }) => redemptionIds,
    // A part of a manual redemption shares its outcome: a process may have been killed in between.
    ofLedger: async ({ id }) => {
      const redemptionId = redemptionOfPart(id);
      if (redemptionId === undefined) return 'void';
      const redemption = await deps.pools.stateOf(redemptionId);
      return redemption && (keepsPlace(redemption.status) ? 'placed' : 'void');
    },
  });
}

/** The pools of budgets in which an order has claims. */
export function budgetPoolsOf(claims: readonly RedemptionClaim[]): string[] {
  return claims.flatMap(({ budgetId, day }) => (budgetId === undefined ? [] : [poolOfBudget(budgetId, day)]));
}

export function toRedemptionClaim({
  id,
  poolId,
  customerId,
  shares,
  code,
  quantity,
  keeps,
  revision,
}: Claim): RedemptionClaim {
  const { pool, adjustmentId, budgetId, day } = poolNamed(poolId);
  return {
    redemptionId: id,
    ...(adjustmentId === undefined ? {} : { adjustmentId }),
    ...(budgetId === undefined ? {} : { budgetId }),
    ...(day === undefined ? {} : { day }),
    ...(pool === 'redemptions' ? {} : { pool }),
    ...(customerId === undefined ? {} : { customerId }),
    ...(shares === undefined ? {} : { shares }),
    ...(code === undefined ? {} : { code }),
    quantity,
    ...(keeps === undefined ? {} : { keeps }),
    ...(revision === undefined ? {} : { revision }),
  };
}
