import { type Claim, type CustomerKeys, type HeldClaims, holdAll, oneByOne } from '@event-commerce/claims';
import type { ClaimedTickets, ClaimTicketsRequest, Tenant } from '@event-commerce/contracts';
import { newId, RESPOND_WITHIN_MS, retryOnConflict } from '@event-commerce/service-kit';
import { toOffering } from '../offerings/offering-record.ts';
import type { OrderTickets } from './order-tickets.ts';
import type { TellAvailability } from './tell-availability.ts';
import { ownerOf, type TicketPool } from './ticket-pools.ts';
import type { LimitDeps, Sellables } from './ticket-limits.ts';
import {
  type ClaimRequest,
  crowdedOut,
  keepsChanging,
  refuseNotForSale,
  whyLimitReached,
  whySoldOut,
} from './ticket-refusals.ts';

export interface ClaimTicketsDeps extends LimitDeps {
  orderTickets: Pick<OrderTickets, 'cancel'>;
  tellAvailability: Pick<TellAvailability, 'afterRead'>;
  customerKeys: CustomerKeys;
  clock: () => Date;
}

type Items = ClaimTicketsRequest['items'];

/**
 * Claims all tickets of an order, and records in `held` what it claims; or says why not. Items of unknown offerings
 * need none. Nothing more is claimed if an offering is at a version other than the order knows: the result then has
 * what changed.
 *
 * @throws {PlatformError} NOT_FOR_SALE, SOLD_OUT, CUSTOMER_LIMIT_REACHED; SERVICE_UNAVAILABLE, also if the order was
 * placed and is not visible yet
 */
export async function claimTickets(
  deps: ClaimTicketsDeps,
  tenant: Tenant,
  request: ClaimTicketsRequest,
  held: HeldClaims,
): Promise<{ claims: Claim[] } & Pick<ClaimedTickets, 'changed'>> {
  const { orderId, customer, items, former = [], exchanged } = request;
  const { pools, orderTickets, tellAvailability, customerKeys } = deps;
  const untilMs = performance.now() + RESPOND_WITHIN_MS;
  await orderTickets.cancel({ tenant, id: orderId, claims: former });
  const ids = [...new Set(items.map(({ offeringId }) => offeringId))];
  const claimOnce = async () => {
    const sellables = await deps.sellables({ tenant, ids });
    refuseNotForSale(items, sellables, deps.clock());
    const changed = changedOf(items, sellables);
    if (changed.length > 0) return { claims: [], changed };
    const requests = requestsOf(items, sellables, exchanged);
    const outcome = await holdAll(pools, request, {
      tenant,
      steps: oneByOne(requests),
      holdRequestOf: ({ pool, quantity }, common) => ({
        claim: {
          id: newId('tkt'),
          poolId: pool.id,
          companyId: tenant,
          ...common,
          // Customers are counted only where it matters: elsewhere an order costs no more than its tickets.
          ...(pool.perCustomer === undefined ? {} : { shares: customerKeys.of(tenant, customer) }),
          quantity,
        },
        pool,
        customerLimit: pool.perCustomer,
      }),
      held,
      crowdedOut,
      keepsChanging,
      untilMs,
    });
    if (outcome.kind === 'held') return { claims: outcome.claims };
    if (outcome.kind === 'outdated') return undefined;
    if (outcome.kind === 'share-full') throw whyLimitReached(items, sellables, outcome);
    const { claimed, isContended } = outcome;
    // Otherwise there may be tickets again shortly.
    if (!isContended) tellAvailability.afterRead(tenant, ids);
    const full = { poolId: outcome.request.pool.id, claimed, isContended };
    throw await whySoldOut(deps, items, sellables, requests, full);
  };
  return await retryOnConflict(claimOnce, keepsChanging, untilMs);
}

/** The offerings that are at a version other than the order's items know. */
function changedOf(items: Items, sellables: Sellables): NonNullable<ClaimedTickets['changed']> {
  const changed = new Set(
    items.flatMap(({ offeringId, version }) => {
      const offering = sellables.get(offeringId)?.offering;
      return offering === undefined || version === undefined || version === offering.version ? [] : [offering];
    }),
  );
  return [...changed].map(toOffering);
}

/**
 * What the items take from each pool; for events, without what the order gives back to them. Pools of offerings come
 * first, so that an order waiting for the last ticket of an event waits only for orders that need nothing else of it.
 */
function requestsOf(
  items: Items,
  sellables: Sellables,
  exchanged: NonNullable<ClaimTicketsRequest['exchanged']> = [],
): ClaimRequest[] {
  const [own, ofEvents] = [new Map<string, ClaimRequest>(), new Map<string, ClaimRequest>()];
  const add = (to: Map<string, ClaimRequest>, pool: TicketPool, quantity: number) => {
    to.set(pool.id, { pool, quantity: quantity + (to.get(pool.id)?.quantity ?? 0) });
  };
  for (const { offeringId, quantity } of items) {
    const sellable = sellables.get(offeringId);
    if (sellable === undefined) continue;
    add(own, sellable.own, quantity);
    add(ofEvents, sellable.ofEvent, quantity);
  }
  for (const { eventId, quantity } of exchanged) {
    const request = [...ofEvents.values()].find(({ pool }) => ownerOf(pool.id).id === eventId);
    if (request === undefined) continue;
    if (request.quantity > quantity) request.quantity -= quantity;
    else ofEvents.delete(request.pool.id);
  }
  return [own, ofEvents].flatMap((pools) => [...pools.values()].toSorted((a, b) => (a.pool.id < b.pool.id ? -1 : 1)));
}
