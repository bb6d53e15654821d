import { type Claim, createOrderClaims, type OrderClaims, type OrderClaimsDeps } from '@event-commerce/claims';
import type { RedemptionClaim } from '@event-commerce/contracts';

export type OrderRedemptions = OrderClaims<RedemptionClaim>;

/** The redemptions that orders hold. */
export function createOrderRedemptions(deps: OrderClaimsDeps): OrderRedemptions {
  return createOrderClaims({
    ...deps,
    toClaim: ({ redemptionId: id, adjustmentId: poolId, ...claim }: RedemptionClaim) => ({ ...claim, id, poolId }),
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
  revision,
}: Claim): RedemptionClaim {
  return {
    redemptionId: id,
    adjustmentId: poolId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(shares === undefined ? {} : { shares }),
    ...(code === undefined ? {} : { code }),
    quantity,
    ...(revision === undefined ? {} : { revision }),
  };
}
