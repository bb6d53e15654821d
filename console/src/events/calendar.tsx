import { useRef, useState } from 'preact/hooks';
import { type CalendarDate, byDay, dayAfterKey, dayLabel, STATE_TEXT, stateOfDay, weeksOf } from './calendar-days.ts';

interface Props {
  year: number;
  dates: readonly CalendarDate[];
  /** Days that would be added. */
  planned: ReadonlySet<string>;
  /** The day that is open. */
  chosen: string | undefined;
  addressOf: (day: string) => string;
}

const MONTHS = Array.from({ length: 12 }, (_, month) => month);
/** A Monday, and the days after it. */
const WEEK = Array.from({ length: 7 }, (_, weekday) => new Date(Date.UTC(2024, 0, 1 + weekday)));

/** A year with the dates of a series. Its days are marked by shape and text, and reached with the arrow keys. */
export function Calendar({ year, dates, planned, chosen, addressOf }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string>();
  const days = byDay(dates);
  const inOrder = [...days.keys()].toSorted();
  // One of the days is reached with the tab key, the others from there.
  const entry = [focused, chosen].find((day) => day !== undefined && days.has(day)) ?? inOrder[0];
  return (
    <div
      class="months"
      ref={root}
      onKeyDown={(event) => {
        const from = event.target instanceof HTMLElement ? event.target.dataset['day'] : undefined;
        const to = from === undefined ? undefined : dayAfterKey(event.key, from, inOrder);
        if (to === undefined) return;
        event.preventDefault();
        setFocused(to);
        root.current?.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus();
      }}
    >
      {MONTHS.map((month) => (
        <table key={month} class="month">
          <caption>{monthName(year, month)}</caption>
          <thead>
            <tr>
              {WEEK.map((weekday) => (
                <th key={weekday.getTime()} scope="col" abbr={weekdayName(weekday, 'long')}>
                  {weekdayName(weekday, 'short').slice(0, 2)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeksOf(year, month).map((week, index) => (
              <tr key={index}>
                {week.map((day, weekday) => {
                  const here = day === undefined ? [] : (days.get(day) ?? []);
                  const isPlanned = day !== undefined && planned.has(day);
                  return (
                    <td key={weekday}>
                      {day !== undefined && here.length === 0 && (
                        <span class={isPlanned ? 'day planned' : 'day'}>
                          {dateOf(day)}
                          {isPlanned && <span class="visually-hidden"> would be added</span>}
                        </span>
                      )}
                      {day !== undefined && here.length > 0 && (
                        <a
                          class={`day ${stateOfDay(here)}${here.some(({ differs }) => differs.length > 0) ? ' differs' : ''}`}
                          href={addressOf(day)}
                          data-day={day}
                          tabIndex={day === entry ? 0 : -1}
                          aria-label={dayLabel(day, here, isPlanned)}
                          aria-current={day === chosen ? 'true' : undefined}
                          onFocus={() => setFocused(day)}
                        >
                          {dateOf(day)}
                          {here.length > 1 && <small>×{here.length}</small>}
                        </a>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

/** What the marks of the calendar mean. */
export function Legend() {
  return (
    <ul class="legend" aria-label="What the marks mean">
      {(['on-sale', 'sold-out', 'off-sale', 'over', 'called-off'] as const).map((state) => (
        <li key={state}>
          <span class={`day ${state}`} aria-hidden="true">
            5
          </span>
          {STATE_TEXT[state]}
        </li>
      ))}
      <li>
        <span class="day on-sale differs" aria-hidden="true">
          5
        </span>
        differs from the series
      </li>
    </ul>
  );
}

function dateOf(day: string): number {
  return Number(day.slice(8));
}

function monthName(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toLocaleDateString(undefined, { month: 'long', timeZone: 'UTC' });
}

function weekdayName(weekday: Date, form: 'long' | 'short'): string {
  return weekday.toLocaleDateString(undefined, { weekday: form, timeZone: 'UTC' });
}
