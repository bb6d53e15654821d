import type { Claim } from '@event-commerce/claims';
import type { SettleOrderReply, Tenant, TicketClaim } from '@event-commerce/contracts';
import type { Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import type { TicketPools } from '../store/ticket-pools.ts';
import type { TellAvailability } from './tell-availability.ts';

export interface SettleTicketsDeps {
  pools: TicketPools;
  tellAvailability: Pick<TellAvailability, 'ofPools'>;
  logger: Logger;
}

/** An order as its events tell of it. */
export interface TicketOrder {
  tenant: Tenant;
  id: string;
  tickets: readonly TicketClaim[];
}

/** Makes the tickets of an order that was placed its own. Safe to repeat. */
export async function confirmTickets(deps: SettleTicketsDeps, order: TicketOrder, traceparent?: string): Promise<void> {
  await Promise.all(claimsOf(order).map(async (claim) => confirmTicket(deps, claim, traceparent)));
}

/** Gives the tickets of a cancelled order back, also those that were not confirmed yet and now never are. Safe to repeat. */
export async function releaseTickets(deps: SettleTicketsDeps, order: TicketOrder): Promise<void> {
  const claims = claimsOf(order);
  for (const claim of claims) await deps.pools.release(claim);
  await tellOf(deps, order.tenant, claims);
}

/** Gives back the tickets of an order that was not written, or only what `attempt` relies on. Safe to repeat. */
export async function cancelTickets(deps: SettleTicketsDeps, order: TicketOrder, attempt?: string): Promise<void> {
  const { pools } = deps;
  const claims = claimsOf(order);
  const cancel = async (claim: Claim) => (attempt === undefined ? pools.cancel(claim) : pools.letGo(claim, attempt));
  await Promise.all(claims.map(cancel));
  await tellOf(deps, order.tenant, claims);
}

/**
 * Ends tickets that stayed pending too long: asks commerce whether their order exists, then confirms them or lets them lapse. While commerce
 * cannot be asked, nothing lapses. Returns what makes one run.
 */
export function createTicketSweep(
  deps: SettleTicketsDeps & { ttlMs: number; settleOrder: (orderId: string) => Promise<SettleOrderReply> },
): () => Promise<void> {
  const { pools, logger, ttlMs, settleOrder } = deps;
  return pools.sweep({
    ttlMs,
    logger,
    async end(claim) {
      const { outcome, ticketIds = [] } = await settleOrder(claim.orderId);
      // One that the order does not have was claimed by a copy of it that came too late to be the order.
      if (outcome === 'placed' && ticketIds.includes(claim.id)) return await confirmTicket(deps, claim);
      await pools.lapse(claim);
      await tellOf(deps, claim.companyId, [claim]);
    },
  });
}

async function confirmTicket({ pools, logger }: SettleTicketsDeps, claim: Claim, traceparent?: string): Promise<void> {
  if ((await pools.confirm(claim, traceparent)) !== 'lapsed') return;
  // Commerce declared the order void before the claim lapsed, and then placed it: that must not be possible.
  logger.error({ claim, traceId: traceIdOf(traceparent) }, 'an order was placed whose tickets had lapsed');
}

async function tellOf({ tellAvailability }: SettleTicketsDeps, tenant: Tenant, claims: readonly Claim[]) {
  await tellAvailability.ofPools(
    tenant,
    claims.map(({ poolId }) => poolId),
  );
}

function claimsOf({ tenant, id: orderId, tickets }: TicketOrder): Claim[] {
  return tickets.map(({ claimId, poolId, quantity, key }) => ({
    id: claimId,
    poolId,
    companyId: tenant,
    orderId,
    quantity,
    ...(key === undefined ? {} : { key }),
    status: 'pending',
    settledBy: 'commerce',
  }));
}
