import { isFull, type PoolDocument } from '@event-commerce/claims';
import { keyOfTenant, type Tenant } from '@event-commerce/contracts';
import { batched, type Logger } from '@event-commerce/service-kit';
import { isTold } from '../offerings/offering-record.ts';
import { ownerOf } from './ticket-pools.ts';
import { availabilities, type LimitDeps } from './ticket-limits.ts';

/** How many offerings are read and reported at the same time: an event can have any number of them. */
const TOLD_AT_ONCE = 100;

/** Publishes that nothing is left of an offering, or something is again. */
export type TellAvailability = ReturnType<typeof availabilityTeller>;

/**
 * The offering stores what was published last. A process that changes what is left checks again after publishing, so
 * that if two publish different things, the last one is right. Selling out is published when the last claim is settled,
 * from what that reads anyway, or by the sweep while the claim is pending. If a crash prevented that, the next read of
 * the offering publishes it too.
 */
export function availabilityTeller(deps: LimitDeps & { clock: () => Date; logger: Logger }) {
  const { offerings, pools, sellables, clock, logger } = deps;

  const tellSome = async (tenant: Tenant, ids: readonly string[]): Promise<string[]> => {
    const found = await sellables({ tenant, ids });
    const wanted = ids.flatMap((id) => found.get(id) ?? []);
    const available = await availabilities({ pools }, wanted);
    const told = available.map(async ({ sellable: { offering }, ...left }) => {
      const { id } = offering;
      if (isTold(offering, left)) return [];
      return (await offerings.tellAvailability(tenant, id, left, clock())) ? [id] : [];
    });
    return (await Promise.all(told)).flat();
  };
  /** Publishes what changed. Resolves with the offerings for which something was published. */
  const tellOnce = async (tenant: Tenant, ids: readonly string[]): Promise<string[]> => {
    const told: string[] = [];
    for (let from = 0; from < ids.length; from += TOLD_AT_ONCE) {
      told.push(...(await tellSome(tenant, ids.slice(from, from + TOLD_AT_ONCE))));
    }
    return told;
  };
  const tellShared = batched(
    async (asks: readonly { tenant: Tenant; ids: readonly string[] }[]) => {
      const [first] = asks;
      let ids = [...new Set(asks.flatMap((ask) => ask.ids))];
      while (first !== undefined && ids.length > 0) ids = await tellOnce(first.tenant, ids);
      return asks.map(() => true);
    },
    { key: ({ tenant }) => keyOfTenant(tenant), itemsMax: 10_000 },
  );
  const ofOfferings = async (tenant: Tenant, ids: readonly string[]): Promise<void> => {
    if (ids.length > 0) await tellShared({ tenant, ids });
  };

  /** The offerings of events for which a change of the events' pools may matter. */
  const untoldIn = async (tenant: Tenant, poolIds: readonly string[]): Promise<string[]> => {
    if (poolIds.length === 0) return [];
    const counts = await pools.countsOf(poolIds);
    const byFull = Map.groupBy(poolIds, (id) => {
      const pool = counts.get(id);
      return pool !== undefined && isFull(pool);
    });
    const untold = [...byFull].map(async ([full, ids]) => {
      const eventIds = ids.map((id) => ownerOf(id).id);
      return await offerings.untoldOf(tenant, eventIds, full);
    });
    return (await Promise.all(untold)).flat();
  };

  /** Publishes what changed for the offerings of the pools, all of one company. */
  const ofPools = async (tenant: Tenant, poolIds: readonly string[]): Promise<void> => {
    const { offering = [], event = [] } = Object.groupBy(poolIds, (id) => ownerOf(id).kind);
    const ids = offering.map((id) => ownerOf(id).id);
    await ofOfferings(tenant, [...ids, ...(await untoldIn(tenant, event))]);
  };

  const soon = (telling: () => Promise<void>): void => {
    Promise.try(telling).catch((err: unknown) =>
      logger.warn({ err }, 'publishing whether an offering is sold out failed, the next sweep or read will retry'),
    );
  };
  const ofPoolsSoon = (tenant: Tenant, poolIds: readonly string[]): void => soon(async () => ofPools(tenant, poolIds));

  return {
    ofPools,
    ofPoolsSoon,

    /** Publishes soon what changed for offerings: a read found it unpublished, or an order was refused. */
    afterRead: (tenant: Tenant, ids: readonly string[]): void => soon(async () => ofOfferings(tenant, ids)),

    /** Publishes soon that pools have no place left, if that is not published yet. */
    afterSeen: (seen: readonly PoolDocument[]): void => {
      for (const [tenant, full] of Map.groupBy(seen.filter(isFull), ({ companyId }) => companyId)) {
        ofPoolsSoon(
          tenant,
          full.map(({ _id }) => _id),
        );
      }
    },
  };
}
