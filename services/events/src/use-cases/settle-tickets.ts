import type { Claim } from '@event-commerce/claims';
import type {
  Cause,
  OrderOutcome,
  OrderState,
  SettleOrderReply,
  SettleOrderRequest,
  Tenant,
  TicketClaim,
} from '@event-commerce/contracts';
import type { Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import type { TicketPools } from '../store/ticket-pools.ts';
import type { TellAvailability } from './tell-availability.ts';

export interface SettleTicketsDeps {
  pools: TicketPools;
  tellAvailability: Pick<TellAvailability, 'ofPools' | 'afterSeen'>;
  logger: Logger;
}

/** An order as its events tell of it. */
export interface TicketOrder {
  tenant: Tenant;
  id: string;
  tickets: readonly TicketClaim[];
}

/** Settles the tickets of an order by its state. Safe to repeat, and for states that arrive in any order. */
export async function settleTickets(
  deps: SettleTicketsDeps,
  order: TicketOrder & { state: OrderState },
  cause?: Cause,
): Promise<void> {
  const claims = claimsOf(order);
  await Promise.all(claims.map(async (claim) => settleTicket(deps, claim, order.state, cause)));
  if (!keeps(order.state)) await tellOf(deps, order.tenant, claims);
}

/**
 * Gives back the tickets of a cancelled order, as its event does; with `attempt` those that it alone relies on. Safe to
 * repeat.
 */
export async function cancelTickets(deps: SettleTicketsDeps, order: TicketOrder, attempt?: string): Promise<void> {
  if (attempt === undefined) return await settleTickets(deps, { ...order, state: 'cancelled' });
  const claims = claimsOf(order);
  await Promise.all(claims.map(async (claim) => deps.pools.letGo(claim, attempt)));
  await tellOf(deps, order.tenant, claims);
}

/**
 * Settles tickets that stayed pending too long by what became of their orders. While commerce cannot be asked, nothing
 * lapses. Returns a function that makes one run.
 */
export function createTicketSweep(
  deps: SettleTicketsDeps & {
    ttlMs: number;
    /** Asks commerce what became of an order, and which tickets it has. */
    settleOrder: (request: SettleOrderRequest) => Promise<SettleOrderReply>;
  },
): () => Promise<void> {
  const { pools, tellAvailability, logger, ttlMs, settleOrder } = deps;
  return pools.sweep({
    ttlMs,
    logger,
    seeFull: (full) => tellAvailability.afterSeen(full),
    async end(claim) {
      const { orderId, reopening } = claim;
      const reply = await settleOrder({ orderId, reopening });
      // Tickets that the order does not have belong to a copy that was too late to be the order.
      const outcome = reply.ticketIds?.includes(claim.id) === true ? reply.outcome : 'void';
      await settleTicket(deps, claim, outcome);
      if (!keeps(outcome)) await tellOf(deps, claim.companyId, [claim]);
    },
  });
}

async function settleTicket(
  { pools, logger }: SettleTicketsDeps,
  claim: Claim,
  outcome: OrderOutcome,
  cause?: Cause,
): Promise<void> {
  const status = await pools.followOrder(claim, outcome, cause);
  if (status !== 'lapsed' || !keeps(outcome)) return;
  // Commerce declared the order void before the tickets lapsed, and then wrote it: that must not be possible.
  logger.error({ claim, traceId: traceIdOf(cause?.traceparent) }, 'an order was placed whose tickets had lapsed');
}

/** Whether an order has its tickets. */
function keeps(outcome: OrderOutcome): boolean {
  return outcome === 'pending' || outcome === 'placed';
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
