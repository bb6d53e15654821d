import { type Claim, createOrderClaims, type OrderClaims, type OrderClaimsDeps } from '@event-commerce/claims';
import type { RedemptionClaim } from '@event-commerce/contracts';
import { poolNamed, poolOfClaim } from '../adjustments/domain/pools-of.ts';

export type OrderRedemptions = OrderClaims<RedemptionClaim>;

/** The redemptions that orders hold. */
export function createOrderRedemptions(deps: OrderClaimsDeps): OrderRedemptions {
  return createOrderClaims({
    ...deps,
    toClaim: ({ redemptionId: id, adjustmentId, pool, ...claim }: RedemptionClaim) => ({
      ...claim,
      id,
      poolId: poolOfClaim({ ...claim, adjustmentId, pool }),
    }),
    claimsOf: ({ redemptionIds }) => redemptionIds,
  });
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
  const { adjustmentId, pool } = poolNamed(poolId);
  return {
    redemptionId: id,
    adjustmentId,
    ...(pool === 'redemptions' ? {} : { pool }),
    ...(customerId === undefined ? {} : { customerId }),
    ...(shares === undefined ? {} : { shares }),
    ...(code === undefined ? {} : { code }),
    quantity,
    ...(keeps === undefined ? {} : { keeps }),
    ...(revision === undefined ? {} : { revision }),
  };
}
