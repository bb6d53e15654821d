import type { Claim } from '@event-commerce/claims';
import type { Claim as OrderClaim, Tenant } from '@event-commerce/contracts';
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

/** Confirms the claims of an order that was placed. Safe to repeat. */
export async function confirmClaims(deps: SettleDeps, order: ClaimingOrder, traceparent?: string): Promise<void> {
  await Promise.all(claimsOf(order).map(async (claim) => confirmClaim(deps, claim, traceparent)));
}

/**
 * Releases the redemptions of a cancelled order, including unconfirmed ones, which can then never be confirmed. Safe to
 * repeat.
 */
export async function releaseClaims({ pools }: SettleDeps, order: ClaimingOrder, traceparent?: string): Promise<void> {
  for (const claim of claimsOf(order)) await pools.release(claim, traceparent);
}

/** Releases the claims of an order that was not written, or only those that `attempt` alone relies on. Safe to repeat. */
export async function cancelClaims(
  { pools }: Pick<SettleDeps, 'pools'>,
  order: ClaimingOrder,
  attempt?: string,
): Promise<void> {
  const cancel = async (claim: Claim) => (attempt === undefined ? pools.cancel(claim) : pools.letGo(claim, attempt));
  await Promise.all(claimsOf(order).map(cancel));
}

/** Confirms a claim whose order was placed. Safe to repeat. */
export async function confirmClaim({ pools, logger }: SettleDeps, claim: Claim, traceparent?: string): Promise<void> {
  if ((await pools.confirm(claim, traceparent)) !== 'lapsed') return;
  // Commerce declared the order void before the claim lapsed, and then placed it: that must not be possible.
  const traceId = traceIdOf(traceparent);
  logger.error({ claim, traceId }, 'an order was placed whose claim had lapsed; run the usage repair');
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
