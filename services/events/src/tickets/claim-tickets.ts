import { holdAll, oneByOne, type PoolDefinition } from '@event-commerce/claims';
import type { ClaimTicketsReply, ClaimTicketsRequest, Tenant } from '@event-commerce/contracts';
import { newId, RESPOND_WITHIN_MS, retryOnConflict } from '@event-commerce/service-kit';
import { toOffering } from '../offerings/offering-record.ts';
import { type OrderTickets, toTicket } from './order-tickets.ts';
import type { TellAvailability } from './tell-availability.ts';
import type { LimitDeps, Sellables } from './ticket-limits.ts';
import { crowdedOut, keepsChanging, refuseNotForSale, type Wanted, whySoldOut } from './ticket-refusals.ts';

export interface ClaimTicketsDeps extends LimitDeps {
  orderTickets: Pick<OrderTickets, 'cancel'>;
  tellAvailability: Pick<TellAvailability, 'afterRead'>;
  clock: () => Date;
}

type Items = ClaimTicketsRequest['items'];

/**
 * Claims the tickets of an order: all, or none and the reason. Items of unknown offerings take none. A copy of the order that comes while its claims stand gets the same claims, and the order id
 * that they are held for. Nothing is claimed while an offering is at another version than the order knows: the reply
 * has what changed.
 *
 * @throws {PlatformError} NOT_FOR_SALE, SOLD_OUT; ORDER_NUMBER_TAKEN when an order with the same key and other content
 * is being placed; SERVICE_UNAVAILABLE, also when one with the same key was placed and is not shown yet
 */
export async function claimTickets(
  deps: ClaimTicketsDeps,
  tenant: Tenant,
  request: ClaimTicketsRequest,
): Promise<ClaimTicketsReply> {
  const { orderId, items, former = [] } = request;
  const { pools, orderTickets, tellAvailability } = deps;
  const untilMs = performance.now() + RESPOND_WITHIN_MS;
  await orderTickets.cancel({ tenant, id: orderId, claims: former });
  const ids = [...new Set(items.map(({ offeringId }) => offeringId))];
  const attempt = async (): Promise<ClaimTicketsReply | undefined> => {
    const sellables = await deps.sellables({ tenant, ids });
    refuseNotForSale(items, sellables, deps.clock());
    const changed = changedOf(items, sellables);
    if (changed.length > 0) return { orderId, claims: [], changed };
    const wanted = wantedOf(items, sellables);
    const outcome = await holdAll(pools, request, {
      tenant,
      steps: oneByOne(wanted),
      requestOf: ({ pool, quantity }, common) => ({
        claim: { id: newId('tkt'), poolId: pool.id, companyId: tenant, ...common, quantity },
        pool,
      }),
      crowdedOut,
      keepsChanging,
      untilMs,
    });
    if (outcome.kind === 'held') return { orderId: outcome.orderId, claims: outcome.claims.map(toTicket) };
    if (outcome.kind === 'outdated') return undefined;
    const { claimed, isContended } = outcome;
    // Otherwise it may have tickets again in a moment.
    if (!isContended) tellAvailability.afterRead(tenant, ids);
    const full = { poolId: outcome.wanted.pool.id, claimed, isContended };
    throw await whySoldOut(deps, items, sellables, wanted, full);
  };
  return await retryOnConflict(attempt, keepsChanging, untilMs);
}

/** The offerings that are at another version than the order's items know. */
function changedOf(items: Items, sellables: Sellables): NonNullable<ClaimTicketsReply['changed']> {
  const changed = new Set(
    items.flatMap(({ offeringId, version }) => {
      const offering = sellables.get(offeringId)?.offering;
      return offering === undefined || version === undefined || version === offering.version ? [] : [offering];
    }),
  );
  return [...changed].map(toOffering);
}

/**
 * What the items take of each pool. Those of offerings come first: whoever waits for the last ticket of an event then
 * waits only for orders that need nothing else of it.
 */
function wantedOf(items: Items, sellables: Sellables): Wanted[] {
  const [own, ofEvents] = [new Map<string, Wanted>(), new Map<string, Wanted>()];
  const add = (to: Map<string, Wanted>, pool: PoolDefinition, quantity: number) => {
    to.set(pool.id, { pool, quantity: quantity + (to.get(pool.id)?.quantity ?? 0) });
  };
  for (const { offeringId, quantity } of items) {
    const sellable = sellables.get(offeringId);
    if (sellable === undefined) continue;
    add(own, sellable.own, quantity);
    add(ofEvents, sellable.ofEvent, quantity);
  }
  return [own, ofEvents].flatMap((pools) => [...pools.values()].toSorted((a, b) => (a.pool.id < b.pool.id ? -1 : 1)));
}
