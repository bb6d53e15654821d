import { type Client, type components, dataOf } from '@event-commerce/client';
import { useLocation } from 'preact-iso';
import { saveCsv } from '../data/download.ts';
import { loadEvent } from '../data/load-events.ts';
import { useResource } from '../data/resource.ts';
import { useActions } from '../data/use-actions.ts';
import { day, money, number, OWN_ZONE } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import { Title } from '../shell/title.tsx';
import { EventPicker } from '../ui/event-picker.tsx';
import { ChoiceField, SelectField } from '../ui/fields.tsx';
import { Loaded, Notice } from '../ui/states.tsx';
import { Chart } from './chart.tsx';
import {
  bucketStarts,
  canChooseInterval,
  intervalOf,
  type RangeDays,
  RANGES,
  sumOf,
  valuesAt,
} from './sales-series.ts';

type Schemas = components['schemas'];
type Event = Schemas['Event'];

const REFRESH_MS = 30_000;
const DAY_MS = 86_400_000;
/** More lines than these cannot be told apart. */
const CODES_MAX = 5;

/** What is asked for: the members that all counts have in common. */
interface Asked {
  from: string;
  interval: 'hour' | 'day';
  timezone: string;
  eventId?: string;
  seriesId?: string;
}

/** How orders, tickets, revenue and codes went over time: of all events or of one. */
export function ChartsView() {
  const { client } = useSession();
  const { query, route } = useLocation();
  const wanted = query['event'] ?? '';
  const days: RangeDays = RANGES.find(([one]) => one === query['days'])?.[0] ?? '30';
  const interval = intervalOf(days, query['by']);
  const show = (changed: Record<string, string>) => {
    const address = { event: wanted, days, by: interval, ...changed };
    const kept = Object.entries(address).filter(([, value]) => value !== '');
    route(`/console/charts?${new URLSearchParams(kept).toString()}`, true);
  };
  const loaded = useResource(
    async (signal) => {
      const event = wanted === '' ? undefined : await loadEvent(client, signal, wanted);
      if (wanted !== '' && event === undefined) return { event, counts: undefined };
      const asked = askedFor(event, Number(days), interval);
      const [sales, codes] = await Promise.all([
        dataOf(client.GET('/v1/sales', { params: { query: asked }, signal })),
        dataOf(client.GET('/v1/sales/adjustments', { params: { query: asked }, signal })),
      ]);
      return { event, counts: { asked, sales, codes } };
    },
    [client, wanted, days, interval],
    { everyMs: REFRESH_MS },
  );
  return (
    <>
      <Title text="Charts">
        <EventPicker
          label="Of"
          none="All events"
          value={wanted}
          known={loaded.value?.event}
          onPick={(event) => show({ event: event?.id ?? '' })}
        />
        <SelectField label="Time" value={days} onChange={(value) => show({ days: value })} options={RANGES} />
        {canChooseInterval(days) && (
          <ChoiceField
            label="Counted by"
            value={interval}
            onChange={(by) => show({ by })}
            options={[
              ['day', 'By day'],
              ['hour', 'By hour'],
            ]}
          />
        )}
      </Title>
      <Loaded from={loaded}>
        {({ event, counts }) =>
          counts === undefined ? (
            <Notice title="There is no such event">Choose another one.</Notice>
          ) : (
            <Charts {...counts} event={event} />
          )
        }
      </Loaded>
    </>
  );
}

function askedFor(event: Event | undefined, days: number, interval: Asked['interval']): Asked {
  // A range of days begins with a whole day.
  const back = interval === 'hour' && days === 1 ? DAY_MS - 3_600_000 : (days - 1) * DAY_MS;
  return {
    from: new Date(Date.now() - back).toISOString(),
    interval,
    timezone: event?.timezone ?? (event === undefined ? OWN_ZONE : 'UTC'),
    ...(event === undefined ? {} : event.kind === 'series' ? { seriesId: event.id } : { eventId: event.id }),
  };
}

function Charts({
  asked,
  sales,
  codes,
  event,
}: {
  asked: Asked;
  sales: Schemas['Sales'];
  codes: Schemas['AdjustmentSales'];
  event: Event | undefined;
}) {
  const starts = bucketStarts(sales);
  const about = {
    starts,
    timezone: sales.timezone,
    whenText: (start: string) => bucketText(start, sales),
  };
  const currencies = sales.totals.map(({ currency }) => currency);
  const line = (name: string, valueOf: (bucket: Schemas['SaleBucket']) => number, currency?: string) => ({
    name,
    values: valuesAt(starts, added(sales.buckets, currency, valueOf), ({ value }) => value),
  });
  const used = codes.adjustments.slice(0, CODES_MAX);
  const name = event?.name ?? 'all-events';
  return (
    <div class="charts">
      <Chart
        {...about}
        title="Orders"
        text={number}
        lines={[
          line('Placed', ({ orders }) => orders.placed),
          line('Cancelled', ({ orders }) => orders.cancelled),
          line('Expired unpaid', ({ orders }) => orders.expired),
        ]}
      >
        <Download label="Orders, tickets and revenue as CSV" file={`sales-${name}`} load={salesFile} asked={asked} />
      </Chart>
      <Chart
        {...about}
        title="Tickets"
        text={number}
        lines={[line('Sold', ({ tickets }) => tickets.sold), line('Returned', ({ tickets }) => tickets.returned)]}
      />
      {currencies.map((currency) => (
        <Chart
          key={currency}
          {...about}
          title={currencies.length === 1 ? 'Revenue' : `Revenue in ${currency}`}
          text={(amount) => money(amount, currency)}
          lines={[
            line('Charged', ({ charged }) => charged, currency),
            line('Due back', ({ refunded }) => refunded, currency),
            line('Discounts', ({ discounts }) => discounts.given, currency),
          ]}
        />
      ))}
      <Chart
        {...about}
        title="Codes and campaigns"
        text={number}
        lines={used.map((adjustment) => ({
          name: adjustment.code ?? adjustment.name,
          values: valuesAt(starts, adjustment.buckets, ({ redemptions }) => redemptions.redeemed),
        }))}
      >
        <Download label="Codes and campaigns as CSV" file={`codes-${name}`} load={codesFile} asked={asked} />
      </Chart>
      {codes.adjustments.length > CODES_MAX && (
        <p class="soft">
          These {CODES_MAX} were redeemed most. {number(codes.adjustments.length - CODES_MAX)} others are in the CSV.
        </p>
      )}
      <p class="soft">
        Times are those of {sales.timezone}.{' '}
        {event !== undefined && 'Of one event, amounts are those of its tickets, without fees and tax. '}
        Cancelled orders and returned tickets count when that happened.
      </p>
    </div>
  );
}

/** Buckets of a currency, or of all together: one for each time. */
function added(
  buckets: readonly Schemas['SaleBucket'][],
  currency: string | undefined,
  valueOf: (bucket: Schemas['SaleBucket']) => number,
): { start: string; value: number }[] {
  const sums = new Map<string, number>();
  for (const bucket of buckets) {
    if (currency !== undefined && bucket.currency !== currency) continue;
    sums.set(bucket.start, sumOf([sums.get(bucket.start) ?? 0, valueOf(bucket)]));
  }
  return [...sums].map(([start, value]) => ({ start, value }));
}

function bucketText(start: string, { interval, timezone }: Pick<Asked, 'interval' | 'timezone'>): string {
  if (interval === 'day') return day(start, timezone);
  return new Date(start).toLocaleString(undefined, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timezone,
  });
}

type LoadFile = (client: Client, asked: Asked) => Parameters<typeof saveCsv>[1];

const salesFile: LoadFile = async (client, asked) =>
  await client.GET('/v1/sales', { params: { query: { ...asked, format: 'csv' } }, parseAs: 'text' });

const codesFile: LoadFile = async (client, asked) =>
  await client.GET('/v1/sales/adjustments', { params: { query: { ...asked, format: 'csv' } }, parseAs: 'text' });

/** The numbers behind a chart as a file. */
function Download({
  label,
  file,
  load,
  asked,
}: {
  label: string;
  /** Its name, without the extension. */
  file: string;
  load: LoadFile;
  asked: Asked;
}) {
  const { client } = useSession();
  const { busy, problem, run } = useActions(() => undefined);
  const download = async () => {
    await saveCsv(`${file.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.csv`, load(client, asked));
  };
  return (
    <>
      <p class="problem" role="alert">
        {problem}
      </p>
      <button type="button" aria-label={label} disabled={busy} onClick={() => void run({ run: download })}>
        CSV
      </button>
    </>
  );
}
