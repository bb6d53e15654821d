import { type Client, type components } from '@event-commerce/client';
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { count } from '../format/format.ts';
import { instantOf, localOf } from '../format/zoned-time.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded } from '../ui/states.tsx';
import { eventAddress } from './addresses.ts';
import { calendarDates } from './calendar-days.ts';
import { Calendar, Legend } from './calendar.tsx';
import { ChangeForm } from './change-form.tsx';
import { DayPanel } from './day-panel.tsx';
import { RuleForm } from './rule-form.tsx';

type Event = components['schemas']['Event'];

const REFRESH_MS = 10_000;
const PAGE = 200;
const DAY_MS = 86_400_000;

/** The dates of a series in a year, and beside them one day, or a form that adds dates or changes many. */
export function DatesView({ series }: { series: Event }) {
  const { client } = useSession();
  const { query, route } = useLocation();
  const zone = series.timezone ?? 'UTC';
  const asked = /^\d{4}$/.test(query['year'] ?? '') ? Number(query['year']) : undefined;
  const [planned, setPlanned] = useState<readonly string[]>([]);
  const [isChanging, setIsChanging] = useState(false);
  const loaded = useResource(
    async (signal) => {
      const year = asked ?? (await firstYear(client, signal, series.id, zone));
      return { year, events: await datesIn(client, signal, series.id, zone, year) };
    },
    [client, series.id, zone, asked],
    { everyMs: REFRESH_MS },
  );
  return (
    <Loaded from={loaded}>
      {({ year, events }) => {
        const dates = calendarDates(events, year, Date.now());
        const day = query['day'];
        const ofDay = dates.filter((date) => date.day === day);
        const days = new Set(planned.map((instant) => localOf(instant, zone).slice(0, 10)));
        return (
          <div class="calendar">
            <section aria-label="Calendar">
              <div class="calendar-head">
                <a class="button" href={eventAddress(series.id, 'dates', { year: year - 1 })}>
                  <span aria-hidden="true">‹</span>
                  <span class="visually-hidden">The year {year - 1}</span>
                </a>
                <h2>{year}</h2>
                <a class="button" href={eventAddress(series.id, 'dates', { year: year + 1 })}>
                  <span aria-hidden="true">›</span>
                  <span class="visually-hidden">The year {year + 1}</span>
                </a>
                <p class="soft" role="status">
                  {dates.length === 0
                    ? 'No dates in this year.'
                    : `${count(dates.length, 'date')}. Arrow keys go from one to the next.`}
                </p>
              </div>
              <Legend />
              <Calendar
                year={year}
                dates={dates}
                planned={days}
                chosen={day}
                addressOf={(one) => eventAddress(series.id, 'dates', { year, day: one })}
              />
            </section>
            {day !== undefined && ofDay.length > 0 ? (
              <DayPanel
                key={day}
                series={series}
                day={day}
                dates={ofDay}
                onChanged={loaded.reload}
                onLeave={() => route(eventAddress(series.id, 'dates', { year }), true)}
              />
            ) : isChanging ? (
              <ChangeForm series={series} onChanged={loaded.reload} onLeave={() => setIsChanging(false)} />
            ) : (
              <RuleForm
                series={series}
                onPlanned={setPlanned}
                onChangeMany={() => setIsChanging(true)}
                onAdded={(first) => {
                  loaded.reload();
                  const shown = Number(localOf(first, zone).slice(0, 4));
                  if (shown !== year) route(eventAddress(series.id, 'dates', { year: shown }), true);
                }}
              />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

/** The year of the next date, or else this year. */
async function firstYear(client: Client, signal: AbortSignal, seriesId: string, zone: string): Promise<number> {
  const query = { seriesId, sort: 'startsAt', endsAfter: new Date().toISOString(), limit: 1 } as const;
  const { items } = await listOf(client.GET('/v1/events', { params: { query }, signal }));
  return Number(localOf(items[0]?.startsAt ?? new Date().toISOString(), zone).slice(0, 4));
}

/** All dates of a year, and of a day before and after it, which may be in the year in their own zones. */
async function datesIn(
  client: Client,
  signal: AbortSignal,
  seriesId: string,
  zone: string,
  year: number,
): Promise<Event[]> {
  const bound = (local: string, days: number) =>
    new Date(Date.parse(instantOf(local, zone) ?? '') + days * DAY_MS).toISOString();
  const filter = {
    seriesId,
    from: bound(`${year}-01-01T00:00`, -1),
    to: bound(`${year}-12-31T23:59`, 1),
    sort: 'startsAt',
    availability: 'true',
    limit: PAGE,
  } as const;
  const found: Event[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...filter, ...(cursor === undefined ? {} : { cursor }) };
    const page = await listOf(client.GET('/v1/events', { params: { query }, signal }));
    found.push(...page.items);
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}
