import type { EventRecord } from '../domain/event-record.ts';
import type { OfferingRecord } from '../store/offering-record.ts';
import { offeringPool } from '../store/ticket-pools.ts';
import type { Tenant } from '@event-commerce/contracts';
import type { TellAvailability } from './tell-availability.ts';
import { eventSales, type LimitDeps } from './ticket-limits.ts';

/** How many pools follow their series at once. */
const AT_ONCE = 50;

interface FollowCapacityDeps extends LimitDeps {
  tellAvailability: Pick<TellAvailability, 'ofPoolsSoon'>;
}

/** Once this resolves, no order takes a ticket of the offering by an earlier capacity. */
export async function followOffering(
  deps: FollowCapacityDeps,
  tenant: Tenant,
  offering: OfferingRecord,
): Promise<void> {
  if (!offering.counted) return;
  const pool = offeringPool(tenant, offering);
  await deps.pools.follow(pool);
  deps.tellAvailability.ofPoolsSoon(tenant, [pool.id]);
}

/**
 * Once this resolves, no order takes a ticket of the pool of the event, or of an instance of it, by an earlier capacity
 * or status. It makes the pools of instances that have not sold yet: an order that read the earlier capacity would make
 * them with that. An instance that gets its first offering later is read after that, and so as it is now.
 */
export async function followEvent(deps: FollowCapacityDeps, { tenant, id, kind }: EventRecord): Promise<void> {
  const { events, offerings } = deps;
  const instances = kind === 'series' ? await offerings.eventsOf(tenant, await events.instancesOf(tenant, id)) : [];
  const ids = [id, ...instances];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const sales = await eventSales(deps, tenant, ids.slice(from, from + AT_ONCE));
    const pools = [...sales.values()].flatMap(({ pool }) => pool ?? []);
    await Promise.all(pools.map(async (pool) => deps.pools.follow(pool)));
    deps.tellAvailability.ofPoolsSoon(
      tenant,
      pools.map((pool) => pool.id),
    );
  }
}
