import type { PoolDefinition } from '@event-commerce/claims';
import { keyOfTenant, type PlatformError, type Tenant, tryAgainShortly } from '@event-commerce/contracts';
import { batched, retryOnConflict } from '@event-commerce/service-kit';
import type { EventRecord } from '../events/domain/event-record.ts';
import type { OfferingRecord } from '../offerings/offering-record.ts';
import { offeringPool } from './ticket-pools.ts';
import type { TellAvailability } from './tell-availability.ts';
import { eventSales, type LimitDeps } from './ticket-limits.ts';

/** How many pools are updated to their series at once. */
const AT_ONCE = 50;
/** A series may have a million instances. */
const FOLLOWED_WITHIN_MS = 5 * 60_000;

interface FollowCapacityDeps extends LimitDeps {
  tellAvailability: Pick<TellAvailability, 'ofPoolsSoon'>;
}

/** Once this resolves, no order claims a ticket of the offering under an earlier capacity or limit. */
export async function followOffering(
  deps: FollowCapacityDeps,
  tenant: Tenant,
  offering: OfferingRecord,
): Promise<void> {
  const pool = offeringPool(tenant, offering);
  await deps.pools.follow(pool);
  deps.tellAvailability.ofPoolsSoon(tenant, [pool.id]);
}

/**
 * Once the returned function resolves, no order claims a ticket from the pool of the event, or of an instance of it,
 * under an earlier capacity, limit or status. It creates the pools of instances that have not sold yet: an order that
 * read the earlier capacity would create them with that. An instance that gets its first offering later is read after
 * this change, and so in its current state. Changes that are made during a run share the next run.
 */
export function createFollowEvent(deps: FollowCapacityDeps): (event: EventRecord) => Promise<void> {
  const { events, offerings } = deps;

  const follow = async ({ tenant, id, kind }: EventRecord): Promise<void> => {
    await followPools(deps, tenant, [id]);
    if (kind !== 'series') return;
    for await (const instances of events.instancesOf(tenant, id)) {
      await followPools(deps, tenant, await offerings.eventsOf(tenant, instances));
    }
  };

  return batched(
    async (changes: readonly EventRecord[]) => {
      const [event] = changes;
      if (event !== undefined) await follow(event);
      return changes.map(() => undefined);
    },
    { key: ({ tenant, id }) => `${keyOfTenant(tenant)}/${id}`, timeoutMs: FOLLOWED_WITHIN_MS },
  );
}

async function followPools(deps: FollowCapacityDeps, tenant: Tenant, eventIds: readonly string[]): Promise<void> {
  for (let from = 0; from < eventIds.length; from += AT_ONCE) {
    const some = eventIds.slice(from, from + AT_ONCE);
    const followOnce = async (): Promise<readonly PoolDefinition[] | undefined> => {
      const pools = [...(await eventSales(deps, tenant, some)).values()].map(({ pool }) => pool);
      const followed = await Promise.all(pools.map(async (pool) => deps.pools.follow(pool)));
      // The series or an instance was changed in the meantime.
      return followed.every(Boolean) ? pools : undefined;
    };
    const pools = await retryOnConflict(followOnce, capacityKeepsChanging);
    deps.tellAvailability.ofPoolsSoon(
      tenant,
      pools.map((pool) => pool.id),
    );
  }
}

function capacityKeepsChanging(): PlatformError {
  return tryAgainShortly('The event or its series is being changed; try again shortly.');
}
