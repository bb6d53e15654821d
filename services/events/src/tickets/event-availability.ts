import type { PoolDefinition, PoolDocument } from '@event-commerce/claims';
import { type EventAvailability, type Money, whyNotForSale } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import type { EventRecord } from '../events/domain/event-record.ts';
import type { OfferedPrice, OfferingRepository } from '../offerings/offering.repository.ts';
import { eventSale } from './ticket-limits.ts';
import { offeringPool, type TicketPools } from './ticket-pools.ts';

export interface EventAvailabilityDeps {
  offerings: Pick<OfferingRepository, 'pricesOf'>;
  pools: Pick<TicketPools, 'countsOf'>;
  /** What offerings are listed at, by id; without those that cannot be priced. */
  listedPrices: (caller: Caller, offerings: readonly OfferedPrice[]) => Promise<ReadonlyMap<string, Money>>;
  clock: () => Date;
}

/** An event with its series if it is an instance. */
export interface WithSeries {
  record: EventRecord;
  series: EventRecord | undefined;
}

/** The most offerings that are read and priced for a page of several events. */
const OFFERINGS_MAX = 2_000;

/**
 * What is left of the events, and from which price, by the event's id: read with their offerings, and then with what is
 * taken of all of them. Undefined if several events have too many offerings for one page.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if pricing does not respond
 */
export async function eventAvailabilities(
  { offerings, pools, listedPrices, clock }: EventAvailabilityDeps,
  caller: Caller,
  events: readonly WithSeries[],
): Promise<Map<string, EventAvailability> | undefined> {
  if (events.length === 0) return new Map();
  const { tenant } = caller;
  const limit = events.length === 1 ? undefined : OFFERINGS_MAX + 1;
  const offered = await offerings.pricesOf(
    tenant,
    events.map(({ record }) => record.id),
    limit,
  );
  if (offered.length === limit) return undefined;
  const byEvent = Map.groupBy(offered, ({ eventId }) => eventId);
  const limited = offered.filter(({ capacity }) => capacity !== undefined).map((one) => offeringPool(tenant, one).id);
  const sales = events.map(({ record, series }) => ({ id: record.id, sale: eventSale(record, series) }));
  const counts = await pools.countsOf([...sales.map(({ sale }) => sale.pool.id), ...limited]);
  const now = clock();
  const counted = sales.map(({ id, sale }) => ({ id, ...countedIn(sale, byEvent.get(id) ?? [], counts, now) }));
  const onSale = counted.flatMap((event) => event.onSale);
  const prices = onSale.length === 0 ? new Map<string, Money>() : await listedPrices(caller, onSale);
  return new Map(
    counted.map(({ id, onSale: ofEvent, ...tickets }) => [
      id,
      { ...tickets, lowestPrices: lowestOf(ofEvent.map((offering) => prices.get(offering.id) ?? offering.price)) },
    ]),
  );
}

/** What is taken and left of an event, and its offerings that are on sale and not sold out. */
function countedIn(
  { pool, ...event }: ReturnType<typeof eventSale>,
  offered: readonly OfferedPrice[],
  counts: ReadonlyMap<string, Pick<PoolDocument, 'claimed' | 'confirmed'>>,
  now: Date,
): Omit<EventAvailability, 'lowestPrices'> & { onSale: OfferedPrice[] } {
  const leftIn = ({ id, limit }: Pick<PoolDefinition, 'id' | 'limit'>) =>
    limit === undefined ? Infinity : Math.max(0, limit - (counts.get(id)?.claimed ?? 0));
  const { confirmed = 0, claimed = 0 } = counts.get(pool.id) ?? {};
  const ofEvent = leftIn(pool);
  const at = now.toISOString();
  let ofOfferings = offered.length === 0 ? Infinity : 0;
  const onSale: OfferedPrice[] = [];
  for (const offering of offered) {
    const { status, onSaleUntil = event.over } = offering;
    const left = leftIn(offeringPool(pool.companyId, offering));
    if (status === 'active' && (onSaleUntil === undefined || at < onSaleUntil)) ofOfferings += left;
    const isLeft = Math.min(left, ofEvent) > 0;
    if (isLeft && whyNotForSale({ ...offering, event }, 1, now) === undefined) onSale.push(offering);
  }
  const left = Math.min(ofEvent, ofOfferings);
  return { sold: confirmed, held: claimed - confirmed, left: left === Infinity ? null : left, onSale };
}

function lowestOf(prices: readonly Money[]): Money[] {
  const lowest = new Map<string, Money>();
  for (const price of prices) {
    const { amount } = lowest.get(price.currency) ?? { amount: Infinity };
    if (price.amount < amount) lowest.set(price.currency, price);
  }
  return [...lowest.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}
