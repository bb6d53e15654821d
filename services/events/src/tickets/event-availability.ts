import type { PoolDefinition, PoolDocument } from '@event-commerce/claims';
import { type EventAvailability, type Money, type Tenant, whyNotForSale } from '@event-commerce/contracts';
import type { EventRecord } from '../events/domain/event-record.ts';
import type { OfferedPrice, OfferingRepository } from '../offerings/offering.repository.ts';
import { eventSale } from './ticket-limits.ts';
import { offeringPool, type TicketPools } from './ticket-pools.ts';

export interface EventAvailabilityDeps {
  offerings: Pick<OfferingRepository, 'pricesOf'>;
  pools: Pick<TicketPools, 'countsOf'>;
  clock: () => Date;
}

/** An event with its series if it is an instance. */
export interface WithSeries {
  record: EventRecord;
  series: EventRecord | undefined;
}

/** The most offerings that are read for a page of several events. */
const OFFERINGS_MAX = 10_000;

/**
 * What is left of the events, and from which price, by the event's id: read with their offerings, and then with what is
 * taken of all of them. Undefined if several events have too many offerings to be read together.
 */
export async function eventAvailabilities(
  { offerings, pools, clock }: EventAvailabilityDeps,
  tenant: Tenant,
  events: readonly WithSeries[],
): Promise<Map<string, EventAvailability> | undefined> {
  if (events.length === 0) return new Map();
  const limit = events.length === 1 ? undefined : OFFERINGS_MAX + 1;
  const offered = await offerings.pricesOf(
    tenant,
    events.map(({ record }) => record.id),
    limit,
  );
  if (offered.length === limit) return undefined;
  const byEvent = Map.groupBy(offered, ({ eventId }) => eventId);
  const limited = offered.filter(({ capacity }) => capacity !== undefined).map((one) => offeringPool(tenant, one).id);
  const sales = events.map(({ record, series }) => ({ record, sale: eventSale(record, series) }));
  const counts = await pools.countsOf([...sales.map(({ sale }) => sale.pool.id), ...limited]);
  const now = clock();
  return new Map(
    sales.map(({ record, sale }) => [record.id, availabilityIn(sale, byEvent.get(record.id) ?? [], counts, now)]),
  );
}

function availabilityIn(
  { pool, ...event }: ReturnType<typeof eventSale>,
  offered: readonly OfferedPrice[],
  counts: ReadonlyMap<string, Pick<PoolDocument, 'claimed' | 'confirmed'>>,
  now: Date,
): EventAvailability {
  const leftIn = ({ id, limit }: Pick<PoolDefinition, 'id' | 'limit'>) =>
    limit === undefined ? Infinity : Math.max(0, limit - (counts.get(id)?.claimed ?? 0));
  const { confirmed = 0, claimed = 0 } = counts.get(pool.id) ?? {};
  const ofEvent = leftIn(pool);
  const at = now.toISOString();
  let ofOfferings = offered.length === 0 ? Infinity : 0;
  const lowest = new Map<string, Money>();
  for (const offering of offered) {
    const { status, onSaleUntil = event.over, price } = offering;
    const left = leftIn(offeringPool(pool.companyId, offering));
    if (status === 'active' && (onSaleUntil === undefined || at < onSaleUntil)) ofOfferings += left;
    if (Math.min(left, ofEvent) === 0 || whyNotForSale({ ...offering, event }, 1, now) !== undefined) continue;
    const { amount } = lowest.get(price.currency) ?? { amount: Infinity };
    if (price.amount < amount) lowest.set(price.currency, price);
  }
  const left = Math.min(ofEvent, ofOfferings);
  return {
    sold: confirmed,
    held: claimed - confirmed,
    left: left === Infinity ? null : left,
    lowestPrices: [...lowest.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  };
}
