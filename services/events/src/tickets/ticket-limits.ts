import type { PoolDefinition } from '@event-commerce/claims';
import { type EventStatus, keyOfTenant, type Tenant } from '@event-commerce/contracts';
import { batched } from '@event-commerce/service-kit';
import type { EventRepository } from '../events/event.repository.ts';
import type { Left, OfferingRecord } from '../offerings/offering-record.ts';
import type { OfferingRepository } from '../offerings/offering.repository.ts';
import { eventPool, offeringPool, type TicketPools } from './ticket-pools.ts';
import { findWithSeries } from '../events/read-events.ts';

/** An offering with the pools that its tickets are taken from: none where nothing is counted. */
interface Sellable {
  offering: OfferingRecord;
  own: PoolDefinition | undefined;
  /** The pool of the event's capacity, which all of its offerings share. */
  ofEvent: PoolDefinition | undefined;
  eventStatus: EventStatus;
}

/** What the sale of an event's tickets depends on; an instance has what it inherits. */
interface EventSale {
  status: EventStatus;
  /** Undefined if its tickets are not counted. */
  pool: PoolDefinition | undefined;
}

/** Offerings with their pools, by the offering's id. */
export type Sellables = ReadonlyMap<string, Sellable>;

export interface LimitDeps {
  events: EventRepository;
  offerings: OfferingRepository;
  pools: TicketPools;
  /** The company's offerings of `ids` that exist, by id. What is asked for at once is read together. */
  sellables: (asked: { tenant: Tenant; ids: readonly string[] }) => Promise<Sellables>;
}

export function sellableReader(deps: Pick<LimitDeps, 'events' | 'offerings'>): LimitDeps['sellables'] {
  return batched(async (asks: readonly { tenant: Tenant; ids: readonly string[] }[]) => {
    const byTenant = Map.groupBy(asks, ({ tenant }) => keyOfTenant(tenant));
    const found = await Promise.all(
      [...byTenant].map(async ([key, [first, ...others]]) => {
        if (first === undefined) return [key, new Map<string, Sellable>()] as const;
        const ids = new Set([first, ...others].flatMap((ask) => ask.ids));
        const offerings = await deps.offerings.findAll(first.tenant, [...ids]);
        return [key, await withPools(deps, first.tenant, offerings)] as const;
      }),
    );
    const sellables = new Map(found);
    return asks.map(({ tenant }) => sellables.get(keyOfTenant(tenant)) ?? new Map<string, Sellable>());
  });
}

/** The sales of the events of `ids`, by the event's id. */
export async function eventSales(
  deps: Pick<LimitDeps, 'events'>,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Map<string, EventSale>> {
  const { found, all } = await findWithSeries(deps, tenant, ids);
  return new Map(
    [...found.values()].map((event) => {
      const series = event.seriesId === undefined ? undefined : all.get(event.seriesId);
      const status = event.own.status ?? series?.own.status ?? 'draft';
      return [event.id, { status, pool: eventPool(event, series) }];
    }),
  );
}

/** What is left of the offerings whose tickets are counted, by the offering's id. */
export async function availabilities(
  { pools }: Pick<LimitDeps, 'pools'>,
  sellables: readonly Sellable[],
): Promise<Map<string, Left>> {
  const poolIds = new Set(sellables.flatMap(({ own, ofEvent }) => [own?.id ?? [], ofEvent?.id ?? []].flat()));
  if (poolIds.size === 0) return new Map();
  const counts = await pools.countsOf([...poolIds]);
  const leftIn = (pool: PoolDefinition | undefined) =>
    pool?.limit === undefined ? undefined : Math.max(0, pool.limit - (counts.get(pool.id)?.claimed ?? 0));
  return new Map(
    sellables.flatMap(({ offering, own, ofEvent }) => {
      if (own === undefined) return [];
      const { confirmed = 0, claimed = 0 } = counts.get(own.id) ?? {};
      const [leftOfOwn, leftOfEvent] = [leftIn(own), leftIn(ofEvent)];
      const left = Math.min(leftOfOwn ?? Infinity, leftOfEvent ?? Infinity);
      const availability = { sold: confirmed, held: claimed - confirmed, left: left === Infinity ? null : left };
      const soldOutBy = leftOfOwn === 0 ? 'itself' : leftOfEvent === 0 ? 'event' : undefined;
      return [[offering.id, { availability, soldOutBy, ofEvent: leftOfEvent }]];
    }),
  );
}

/** `offerings` with the pools that their tickets are taken from, by id. */
export async function withPools(
  deps: Pick<LimitDeps, 'events'>,
  tenant: Tenant,
  offerings: readonly OfferingRecord[],
): Promise<Map<string, Sellable>> {
  const sales = await eventSales(deps, tenant, [...new Set(offerings.map(({ eventId }) => eventId))]);
  return new Map(
    offerings.map((offering) => {
      const { status: eventStatus = 'draft', pool: ofEvent } = sales.get(offering.eventId) ?? {};
      // One whose event has a capacity is counted too, to tell how many of it are sold.
      const own = offering.counted || ofEvent !== undefined ? offeringPool(tenant, offering) : undefined;
      return [offering.id, { offering, own, ofEvent, eventStatus }];
    }),
  );
}
