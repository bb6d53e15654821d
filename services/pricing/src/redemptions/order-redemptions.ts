import { type Claim, createOrderClaims, type OrderClaims, type OrderClaimsDeps } from '@event-commerce/claims';
import type { RedemptionClaim } from '@event-commerce/contracts';
import { poolNamed, poolOfBudget, poolOfClaim } from '../adjustments/domain/pools-of.ts';

export type OrderRedemptions = OrderClaims<RedemptionClaim>;

/** The redemptions that orders hold. */
export function createOrderRedemptions(deps: OrderClaimsDeps): OrderRedemptions {
  return createOrderClaims({
    ...deps,
    toClaim: ({ redemptionId: id, adjustmentId, budgetId, day, pool, ...claim }: RedemptionClaim) => ({
      ...claim,
      id,
      poolId: poolOfClaim({ ...claim, adjustmentId, budgetId, day, pool }),
    }),
    claimsOf: ({ redemptionIds }) => redemptionIds,
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
