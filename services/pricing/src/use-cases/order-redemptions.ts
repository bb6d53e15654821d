import { type Claim, createOrderClaims, type OrderClaims, type OrderClaimsDeps } from '@event-commerce/claims';
import type { Claim as OrderClaim } from '@event-commerce/contracts';

export type OrderRedemptions = OrderClaims<OrderClaim>;

/** The redemptions that orders hold. */
export function createOrderRedemptions(deps: OrderClaimsDeps): OrderRedemptions {
  return createOrderClaims({
    ...deps,
    toClaim: ({ redemptionId: id, adjustmentId: poolId, ...claim }: OrderClaim) => ({ ...claim, id, poolId }),
    claimsOf: ({ redemptionIds }) => redemptionIds,
  });
}

export function toOrderClaim({ id, poolId, customerId, code, quantity, perCustomer = false, key }: Claim): OrderClaim {
  return {
    redemptionId: id,
    adjustmentId: poolId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    quantity,
    perCustomer,
    ...(key === undefined ? {} : { key }),
  };
}
