import type { Claim } from '@event-commerce/claims';
import type { Cause, Claim as OrderClaim, OrderOutcome, OrderState, Tenant } from '@event-commerce/contracts';
import type { Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import type { RedemptionPools } from '../store/redemption-pools.ts';

export interface SettleDeps {
  pools: RedemptionPools;
  logger: Logger;
}

/** An order as described by its events. */
export interface ClaimingOrder {
  tenant: Tenant;
  id: string;
  claims: readonly OrderClaim[];
}

/** Settles the claims of an order by its state. Safe to repeat, and for states that arrive in any order. */
export async function settleClaims(
  deps: SettleDeps,
  order: ClaimingOrder & { state: OrderState },
  cause?: Cause,
): Promise<void> {
  await Promise.all(claimsOf(order).map(async (claim) => settleClaim(deps, claim, order.state, cause)));
}

/**
 * Releases the claims of a cancelled order, as its event does; with `attempt` those that it alone relies on. Safe to
 * repeat.
 */
export async function cancelClaims(
  deps: SettleDeps,
  order: ClaimingOrder,
  attempt: string | undefined,
  cause: Cause,
): Promise<void> {
  if (attempt === undefined) return await settleClaims(deps, { ...order, state: 'cancelled' }, cause);
  await Promise.all(claimsOf(order).map(async (claim) => deps.pools.letGo(claim, attempt)));
}

/** Settles a claim by what became of its order. Safe to repeat. */
export async function settleClaim(
  { pools, logger }: SettleDeps,
  claim: Claim,
  outcome: OrderOutcome,
  cause?: Cause,
): Promise<void> {
  const status = await pools.followOrder(claim, outcome, cause);
  if (status !== 'lapsed' || (outcome !== 'pending' && outcome !== 'placed')) return;
  // Commerce declared the order void before the claim lapsed, and then wrote it: that must not be possible.
  const traceId = traceIdOf(cause?.traceparent);
  logger.error({ claim, traceId }, 'an order was placed whose claim had lapsed');
}

function claimsOf({ tenant, id: orderId, claims }: ClaimingOrder): Claim[] {
  return claims.map(({ redemptionId, adjustmentId, customerId, code, key, quantity, perCustomer }) => ({
    id: redemptionId,
    poolId: adjustmentId,
    companyId: tenant,
    orderId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    ...(key === undefined ? {} : { key }),
    quantity,
    perCustomer,
    status: 'pending',
    settledBy: 'commerce',
  }));
}
