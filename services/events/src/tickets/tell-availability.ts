import { isFull, type PoolDocument } from '@event-commerce/claims';
import { keyOfTenant, type Tenant } from '@event-commerce/contracts';
import { batched, type Logger } from '@event-commerce/service-kit';
import { isTold } from '../offerings/offering-record.ts';
import { ownerOf } from './ticket-pools.ts';
import { availabilities, type LimitDeps } from './ticket-limits.ts';

/** How many offerings are read, and told of, at the same time: an event can have any number of them. */
const TOLD_AT_ONCE = 100;

/** Publishes that nothing is left of an offering, or something again. */
export type TellAvailability = ReturnType<typeof availabilityTeller>;

/**
 * The offering keeps what was told last. Whoever changes what is left looks again after telling, so that of two who
 * tell different things the last one is right. That nothing is left is told when the last claim is settled, with what
 * that reads anyway, or by the sweep while it is pending; what a crash kept from being told, also by whoever reads the
 * offering.
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
  /** Tells what changed. Resolves with the offerings of which something was told. */
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

  /** Tells what changed for the offerings of the pools, which are those of one company. */
  const ofPools = async (tenant: Tenant, poolIds: readonly string[]): Promise<void> => {
    const { offering = [], event = [] } = Object.groupBy(poolIds, (id) => ownerOf(id).kind);
    const ids = offering.map((id) => ownerOf(id).id);
    await ofOfferings(tenant, [...ids, ...(await untoldIn(tenant, event))]);
  };

  const soon = (telling: () => Promise<void>): void => {
    Promise.try(telling).catch((err: unknown) =>
      logger.warn({ err }, 'whether an offering is sold out could not be told; the next sweep or reader tells it'),
    );
  };
  const ofPoolsSoon = (tenant: Tenant, poolIds: readonly string[]): void => soon(async () => ofPools(tenant, poolIds));

  return {
    ofPools,
    ofPoolsSoon,

    /** Tells soon what changed for offerings: a reader saw that it was not told, or an order was refused. */
    afterRead: (tenant: Tenant, ids: readonly string[]): void => soon(async () => ofOfferings(tenant, ids)),

    /** Tells soon that pools have no place left, if that was not told. */
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
