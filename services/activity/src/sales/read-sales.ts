import { type BusConnection, eventStreamState } from '@event-commerce/bus';
import {
  type AdjustmentSale,
  type AdjustmentSales,
  type AdjustmentSalesQuery,
  invalidInput,
  type SaleBucket,
  type SaleCounts,
  type Sales,
  type SalesQuery,
  type SalesRange,
  type Tenant,
  timestampOf,
} from '@event-commerce/contracts';
import { seqOf } from '../log/domain/position.ts';
import type { LogRepository } from '../log/log.repository.ts';
import type { CountedQuarter, SaleDayDocument } from '../models.ts';
import { bucketAt, type Buckets, bucketsBetween } from './domain/buckets.ts';
import { startOfQuarter } from './domain/quarters.ts';
import type { DaysFilter, SalesOf, SalesRepository } from './sales.repository.ts';

export interface ReadSalesDeps {
  bus: BusConnection;
  log: Pick<LogRepository, 'head' | 'timeAfter' | 'timeUpTo'>;
  sales: Pick<SalesRepository, 'days' | 'countedTo'>;
  clock: () => Date;
}

const DAY_MS = 86_400_000;
/** The most days, each of an adjustment, that are read for one response. */
const ADJUSTMENT_DAYS_MAX = 10_000;
/** More days of all currencies than a response can have. */
const DAYS_MAX = 100_000;

/**
 * What was sold and returned, by hours or days.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a range of too many buckets
 */
export async function readSales(deps: ReadSalesDeps, tenant: Tenant, query: SalesQuery): Promise<Sales> {
  const { range, buckets, days } = await readDays(deps, tenant, query, {}, DAYS_MAX);
  const isAll = salesOf(query) === 'all';
  const byCurrency = Map.groupBy(days, ({ currency }) => currency);
  const currencies = [...byCurrency.keys()].toSorted();
  const found = currencies.map((currency) => ({ currency, sums: sumsOf(byCurrency.get(currency) ?? [], buckets) }));
  const rows: SaleBucket[] = found.flatMap(({ currency, sums }) =>
    [...sums.byBucket].map(([index, sum]) => ({
      start: timestampAt(buckets.starts[index]),
      currency,
      ...saleNumbers(sum, isAll),
    })),
  );
  return {
    ...range,
    totals: found
      .filter(({ sums }) => sums.byBucket.size > 0)
      .map(({ currency, sums }) => ({ currency, ...saleNumbers(sums.total, isAll) })),
    buckets: rows.toSorted((a, b) => (a.start === b.start ? 0 : a.start < b.start ? -1 : 1)),
  };
}

/**
 * What each price adjustment did, by hours or days.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a range of too many buckets, or with too many adjustments
 */
export async function readAdjustmentSales(
  deps: ReadSalesDeps,
  tenant: Tenant,
  query: AdjustmentSalesQuery,
): Promise<AdjustmentSales> {
  const { range, buckets, days } = await readDays(
    deps,
    tenant,
    query,
    { ofAdjustments: true, adjustmentId: query.adjustmentId },
    ADJUSTMENT_DAYS_MAX + 1,
  );
  if (days.length > ADJUSTMENT_DAYS_MAX) {
    throw invalidInput('from', 'has too many price adjustments after it; send a shorter range, or an adjustmentId');
  }
  const oneByOne = Map.groupBy(days, ({ adjustmentId, currency }) => `${adjustmentId}\n${currency}`);
  const adjustments = [...oneByOne.values()].flatMap((some): AdjustmentSale[] => {
    const last = some.reduce((one, other) => (other.day > one.day ? other : one));
    const { adjustmentId = '', name = '', code, currency } = last;
    const sums = sumsOf(some, buckets);
    if (sums.byBucket.size === 0) return [];
    return [
      {
        adjustmentId,
        name,
        ...(code === undefined ? {} : { code }),
        currency,
        ...adjustmentNumbers(sums.total),
        buckets: [...sums.byBucket]
          .toSorted(([a], [b]) => a - b)
          .map(([index, sum]) => ({ start: timestampAt(buckets.starts[index]), ...adjustmentNumbers(sum) })),
      },
    ];
  });
  return {
    ...range,
    adjustments: adjustments.toSorted(
      (a, b) => b.redemptions.redeemed - a.redemptions.redeemed || (a.adjustmentId < b.adjustmentId ? -1 : 1),
    ),
  };
}

function salesOf({ eventId, seriesId }: Pick<SalesQuery, 'eventId' | 'seriesId'>): SalesOf {
  if (eventId !== undefined) return { eventId };
  return seriesId === undefined ? 'all' : { seriesId };
}

async function readDays(
  deps: ReadSalesDeps,
  tenant: Tenant,
  query: Omit<SalesQuery, 'format'>,
  which: Pick<DaysFilter, 'ofAdjustments' | 'adjustmentId'>,
  limit: number,
): Promise<{ range: SalesRange; buckets: Buckets; days: SaleDayDocument[] }> {
  const { interval, timezone, from, to = deps.clock().toISOString() } = query;
  const buckets = bucketsBetween(from, to, interval, timezone);
  const beginsMs = buckets.starts[0] ?? buckets.endMs;
  const within = { from: new Date(Math.floor(beginsMs / DAY_MS) * DAY_MS), to: new Date(buckets.endMs) };
  // Read first: what is counted meanwhile may be among the days or not.
  const countedUntil = await timeCounted(deps);
  const days = await deps.sales.days(tenant, { of: salesOf(query), ...which, ...within }, limit);
  const range = {
    interval,
    timezone,
    from: timestampAt(beginsMs),
    to: timestampAt(buckets.endMs),
    countedUntil: countedUntil.toISOString(),
  };
  return { range, buckets, days };
}

/**
 * Until when everything that happened is counted: now, unless the log has more than is counted, or the broker's stream
 * has more than the log.
 */
async function timeCounted({ bus, log, sales, clock }: ReadSalesDeps): Promise<Date> {
  const now = clock();
  const [stream, head, counted] = await Promise.all([
    eventStreamState(bus).catch(() => undefined),
    log.head(),
    sales.countedTo(),
  ]);
  if (head === undefined) return new Date(0);
  if (counted < head.position) {
    const first = await log.timeAfter({ after: counted, upTo: head.position });
    if (first !== undefined) return first;
  }
  const isCurrent = stream?.created === head.streamCreated && stream.lastSeq <= seqOf(head.position);
  return isCurrent ? now : ((await log.timeUpTo(head.position)) ?? new Date(0));
}

type Sum = { added: SaleCounts; returned: SaleCounts; expired: number };

/** The sums of what is counted in each bucket, by its index, and of all. */
function sumsOf(days: readonly SaleDayDocument[], buckets: Buckets) {
  const total = noSum();
  const byBucket = new Map<number, Sum>();
  for (const { day, quarters } of days) {
    for (const [quarter, counted] of Object.entries(quarters)) {
      const index = bucketAt(buckets, startOfQuarter(day, Number(quarter)));
      if (index === undefined) continue;
      const sum = byBucket.get(index) ?? noSum();
      byBucket.set(index, sum);
      addTo(sum, counted);
      addTo(total, counted);
    }
  }
  return { total, byBucket };
}

function noSum(): Sum {
  return { added: {}, returned: {}, expired: 0 };
}

function addTo(sum: Sum, { added = {}, returned = {}, expired = 0 }: CountedQuarter): void {
  for (const [counts, more] of [
    [sum.added, added],
    [sum.returned, returned],
  ] as const) {
    for (const [field, by] of Object.entries(more) as [keyof SaleCounts, number][]) {
      counts[field] = (counts[field] ?? 0) + by;
    }
  }
  sum.expired += expired;
}

function saleNumbers({ added, returned, expired }: Sum, isAll: boolean): Omit<Sales['totals'][number], 'currency'> {
  const charge = (field: 'fees' | 'tax') => ({ charged: added[field] ?? 0, refunded: returned[field] ?? 0 });
  return {
    orders: { placed: added.orders ?? 0, cancelled: returned.orders ?? 0, expired },
    tickets: { sold: added.tickets ?? 0, returned: returned.tickets ?? 0 },
    charged: added.charged ?? 0,
    refunded: returned.charged ?? 0,
    discounts: { given: added.discounts ?? 0, returned: returned.discounts ?? 0 },
    ...(isAll ? { fees: charge('fees'), tax: charge('tax') } : {}),
  };
}

function adjustmentNumbers({ added, returned }: Sum) {
  return {
    redemptions: { redeemed: added.orders ?? 0, released: returned.orders ?? 0 },
    discounts: { given: added.discounts ?? 0, returned: returned.discounts ?? 0 },
    surcharges: { given: added.surcharges ?? 0, returned: returned.surcharges ?? 0 },
  };
}

function timestampAt(ms: number = 0): string {
  return timestampOf(Temporal.Instant.fromEpochMilliseconds(ms));
}
