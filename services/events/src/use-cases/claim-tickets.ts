import { type AllHeld, type Claim, type ClaimingOrder, holdAll, type PoolDefinition } from '@event-commerce/claims';
import {
  type ClaimTicketsReply,
  type ClaimTicketsRequest,
  orderBeingPlaced,
  type Tenant,
  type TicketClaim,
} from '@event-commerce/contracts';
import { newId, retryOnConflict } from '@event-commerce/service-kit';
import { toOffering } from '../store/offering.repository.ts';
import { settleTickets, type SettleTicketsDeps } from './settle-tickets.ts';
import type { TellAvailability } from './tell-availability.ts';
import type { LimitDeps, Sellables } from './ticket-limits.ts';
import { crowdedOut, keepsChanging, refuseNotForSale, type Wanted, whySoldOut } from './ticket-refusals.ts';

export interface ClaimTicketsDeps extends LimitDeps, SettleTicketsDeps {
  tellAvailability: TellAvailability;
  clock: () => Date;
}

type Items = ClaimTicketsRequest['items'];

/** Why tickets cannot be claimed: a pool has no room, or is at another version than was read. */
type Obstacle = { kind: 'full'; poolId: string; claimed: number } | { kind: 'changed' };

/**
 * Claims the tickets of an order: all, or none and the reason. Items of unknown offerings, and of those where nothing
 * is counted, take none. A copy of the order that comes while its claims stand gets the same claims, and the order id
 * that they are held for. Nothing is claimed while an offering is at another version than the order knows: the reply
 * has what changed.
 *
 * @throws {PlatformError} NOT_FOR_SALE, SOLD_OUT; ORDER_NUMBER_TAKEN when an order with the same key has been placed a
 * moment ago, or one with other content is being placed; SERVICE_UNAVAILABLE
 */
export async function claimTickets(
  deps: ClaimTicketsDeps,
  tenant: Tenant,
  request: ClaimTicketsRequest,
): Promise<ClaimTicketsReply> {
  const { items, former = [] } = request;
  if (former.length > 0)
    await settleTickets(deps, { tenant, id: request.orderId, tickets: former, state: 'cancelled' });
  const ids = [...new Set(items.map(({ offeringId }) => offeringId))];
  let { orderId } = request;
  const attempt = async (): Promise<ClaimTicketsReply | undefined> => {
    const sellables = await deps.sellables({ tenant, ids });
    refuseNotForSale(items, sellables, deps.clock());
    const changed = changedOf(items, sellables);
    if (changed.length > 0) return { orderId, claims: [], changed };
    const wanted = wantedOf(items, sellables);
    if (wanted.length === 0) return { orderId, claims: [] };
    const outcome = await claimAll(deps, tenant, { ...request, orderId }, wanted);
    if (outcome.kind === 'held') return { orderId: outcome.orderId, claims: outcome.claims.map(toReply) };
    if (outcome.kind === 'full') {
      deps.tellAvailability.afterRead(tenant, ids);
      throw await whySoldOut(deps, items, sellables, wanted, outcome);
    }
    if (outcome.kind === 'other-copy') ({ orderId } = outcome);
    return undefined;
  };
  return await retryOnConflict(attempt, keepsChanging);
}

async function claimAll(
  { pools }: ClaimTicketsDeps,
  companyId: Tenant,
  order: ClaimingOrder,
  wanted: readonly Wanted[],
): Promise<AllHeld | Obstacle> {
  // One by one in one order everywhere, so that two orders that want the last of two pools do not each take half.
  const steps = wanted.map((one) => [one]);
  return await holdAll<Wanted, Obstacle>(pools, order, steps, async ({ pool, quantity }, common) => {
    const claim: Claim = { id: newId('tkt'), poolId: pool.id, companyId, ...common, quantity };
    const outcome = await pools.hold({ claim, pool, share: { limit: undefined, since: undefined } });
    switch (outcome.kind) {
      case 'held':
        return { claim: outcome.claim };
      case 'full':
      case 'share-full':
        return { obstacle: { kind: 'full', poolId: pool.id, claimed: outcome.claimed } };
      case 'confirmed':
        throw orderBeingPlaced(true);
      case 'other-content':
        throw orderBeingPlaced(false);
      case 'crowded':
        throw crowdedOut();
      case 'outdated':
      case 'changed':
        break;
    }
    return { obstacle: { kind: 'changed' } };
  });
}

function toReply({ id, poolId, quantity, key }: Claim): TicketClaim {
  return { claimId: id, poolId, quantity, ...(key === undefined ? {} : { key }) };
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
  const add = (to: Map<string, Wanted>, pool: PoolDefinition | undefined, quantity: number) => {
    if (pool !== undefined) to.set(pool.id, { pool, quantity: quantity + (to.get(pool.id)?.quantity ?? 0) });
  };
  for (const { offeringId, quantity } of items) {
    const sellable = sellables.get(offeringId);
    add(own, sellable?.own, quantity);
    add(ofEvents, sellable?.ofEvent, quantity);
  }
  return [own, ofEvents].flatMap((pools) => [...pools.values()].toSorted((a, b) => (a.pool.id < b.pool.id ? -1 : 1)));
}
