import { DEFAULT_STATUS, type EventStatus, keyOfTenant, type Tenant } from '@event-commerce/contracts';
import { batched } from '@event-commerce/service-kit';
import { type EventRecord, mergedFields, overAt } from '../events/domain/event-record.ts';
import type { EventRepository } from '../events/event.repository.ts';
import type { Left, OfferingRecord } from '../offerings/offering-record.ts';
import type { OfferingRepository } from '../offerings/offering.repository.ts';
import { eventPool, offeringPool, type TicketPool, type TicketPools } from './ticket-pools.ts';
import { findWithSeries } from '../events/read-events.ts';

/** An offering with the pools of its tickets. */
interface Sellable {
  offering: OfferingRecord;
  own: TicketPool;
  /** The pool of the event, which all of its offerings share. */
  ofEvent: TicketPool;
  sale: Omit<EventSale, 'pool'>;
}

/** What the sale of an event's tickets depends on; an instance has what it inherits. */
interface EventSale {
  status: EventStatus;
  /** When it is over; absent if unknown. */
  over?: string;
  callOff?: { id: string; reason: string };
  pool: TicketPool;
}

/** Offerings with their pools, by the offering's id. */
export type Sellables = ReadonlyMap<string, Sellable>;

export interface LimitDeps {
  events: EventRepository;
  offerings: OfferingRepository;
  pools: TicketPools;
  /** The company's offerings of `ids` that exist, by id. Concurrent calls are read together. */
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
      return [event.id, eventSale(event, series)];
    }),
  );
}

/** The sale of an event; an instance needs its `series`. */
export function eventSale(event: EventRecord, series: EventRecord | undefined): EventSale {
  const { status = DEFAULT_STATUS, ...merged } = mergedFields(event.own, series?.own);
  // The times of a series are those of one of its dates; others follow.
  const over = event.kind === 'series' ? undefined : overAt(merged);
  const { callOff } = event;
  return {
    status,
    ...(over === undefined ? {} : { over }),
    ...(callOff === undefined ? {} : { callOff: { id: callOff.id, reason: callOff.reason } }),
    pool: eventPool(event, series),
  };
}

/** What is left of each of the offerings. */
export async function availabilities(
  { pools }: Pick<LimitDeps, 'pools'>,
  sellables: readonly Sellable[],
): Promise<(Left & { sellable: Sellable })[]> {
  const poolIds = new Set(sellables.flatMap(({ own, ofEvent }) => [own.id, ofEvent.id]));
  if (poolIds.size === 0) return [];
  const counts = await pools.countsOf([...poolIds]);
  const leftIn = ({ id, limit }: TicketPool) =>
    limit === undefined ? undefined : Math.max(0, limit - (counts.get(id)?.claimed ?? 0));
  return sellables.map((sellable) => {
    const { own, ofEvent } = sellable;
    const { confirmed = 0, claimed = 0 } = counts.get(own.id) ?? {};
    const [leftOfOwn, leftOfEvent] = [leftIn(own), leftIn(ofEvent)];
    const left = Math.min(leftOfOwn ?? Infinity, leftOfEvent ?? Infinity);
    const availability = { sold: confirmed, held: claimed - confirmed, left: left === Infinity ? null : left };
    const soldOutBy = leftOfOwn === 0 ? 'itself' : leftOfEvent === 0 ? 'event' : undefined;
    return { sellable, availability, soldOutBy, ofEvent: leftOfEvent };
  });
}

/** `offerings` with the pools of their tickets, by id. */
export async function withPools(
  deps: Pick<LimitDeps, 'events'>,
  tenant: Tenant,
  offerings: readonly OfferingRecord[],
): Promise<Map<string, Sellable>> {
  const sales = await eventSales(deps, tenant, [...new Set(offerings.map(({ eventId }) => eventId))]);
  return new Map(
    offerings.map((offering) => {
      const sale = sales.get(offering.eventId);
      // Events are never deleted.
      if (sale === undefined) throw new Error(`the event ${offering.eventId} of an offering is gone`);
      const { pool: ofEvent, ...ofSale } = sale;
      return [offering.id, { offering, own: offeringPool(tenant, offering), ofEvent, sale: ofSale }];
    }),
  );
}
