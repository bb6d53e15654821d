import type { components } from '@event-commerce/client';
import { localOf } from '../format/zoned-time.ts';
import type { EventField } from './event-draft.ts';

type Event = components['schemas']['Event'];

/** The state of a date of a series. */
export type DateState = 'on-sale' | 'sold-out' | 'off-sale' | 'over' | 'called-off';

export const STATE_TEXT: Record<DateState, string> = {
  'on-sale': 'on sale',
  'sold-out': 'sold out',
  'off-sale': 'not on sale',
  over: 'over',
  'called-off': 'called off',
};

/** An event without an end is over a day after its start. */
const LENGTH_MS = 86_400_000;

/** A date of a series in the calendar. */
export interface CalendarDate {
  event: Event;
  /** The day that a clock in its zone shows: `2027-01-05`. */
  day: string;
  /** The time that a clock in its zone shows: `20:00`. */
  time: string;
  state: DateState;
  /** How it differs from its series, apart from its own time and being called off. */
  differs: readonly EventField[];
}

/** The dates that start in a year of their own zones, soonest first. */
export function calendarDates(events: readonly Event[], year: number, nowMs: number): CalendarDate[] {
  return events.flatMap((event) => {
    if (event.startsAt === undefined) return [];
    const [day = '', time = ''] = localOf(event.startsAt, event.timezone ?? 'UTC').split('T');
    if (!day.startsWith(`${year}-`)) return [];
    const state = stateOf(event, nowMs);
    const differs = (event.overrides ?? []).filter(
      (field) => field !== 'startsAt' && !(field === 'status' && state === 'called-off'),
    );
    return [{ event, day, time, state, differs }];
  });
}

function stateOf({ status, startsAt, endsAt, availability }: Event, nowMs: number): DateState {
  if (status === 'cancelled') return 'called-off';
  const over = endsAt === undefined ? Date.parse(startsAt ?? '') + LENGTH_MS : Date.parse(endsAt);
  if (status === 'completed' || over <= nowMs) return 'over';
  if (status === 'draft' || status === 'archived') return 'off-sale';
  if (availability === undefined) return 'on-sale';
  const { sold, held, left, lowestPrices } = availability;
  if (left === 0 && sold + held > 0) return 'sold-out';
  return lowestPrices.length === 0 ? 'off-sale' : 'on-sale';
}

/** The dates by their days. */
export function byDay(dates: readonly CalendarDate[]): ReadonlyMap<string, readonly CalendarDate[]> {
  return Map.groupBy(dates, ({ day }) => day);
}

/** The state that a day with several dates shows: that it sells something, if it does. */
export function stateOfDay(dates: readonly CalendarDate[]): DateState {
  const order: readonly DateState[] = ['on-sale', 'sold-out', 'off-sale', 'over', 'called-off'];
  return order.find((state) => dates.some((date) => date.state === state)) ?? 'off-sale';
}

/** The weeks of a month, Monday first, each with its days (`2027-01-05`) or undefined outside of the month. */
export function weeksOf(year: number, month: number): (string | undefined)[][] {
  const first = new Date(Date.UTC(year, month, 1));
  const before = (first.getUTCDay() + 6) % 7;
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const weeks = Math.ceil((before + length) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_day, weekday) => {
      const date = week * 7 + weekday - before + 1;
      return date < 1 || date > length ? undefined : new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
    }),
  );
}

/** `Tuesday, January 5, 2027`. */
export function dayText(day: string): string {
  return new Date(`${day}T00:00Z`).toLocaleDateString(undefined, { dateStyle: 'full', timeZone: 'UTC' });
}

/** What a day of the calendar is called for those who do not see its marks. */
export function dayLabel(day: string, dates: readonly CalendarDate[], isPlanned: boolean): string {
  const each = dates.map(({ event, time, state, differs }) =>
    [
      `${time} ${event.name ?? event.id}`,
      STATE_TEXT[state],
      ...(differs.length === 0 ? [] : ['differs from the series']),
    ].join(', '),
  );
  return `${dayText(day)}: ${[...each, ...(isPlanned ? ['would be added'] : [])].join('; ')}`;
}

/**
 * The day that an arrow key leads to from `day`: the next or previous one with a date, or the nearest one a week or
 * more away. `days`: all with a date, soonest first. Undefined for other keys, and where there is none.
 */
export function dayAfterKey(key: string, day: string, days: readonly string[]): string | undefined {
  const weekAway = (weeks: number) =>
    new Date(Date.parse(`${day}T00:00Z`) + weeks * 7 * 86_400_000).toISOString().slice(0, 10);
  switch (key) {
    case 'ArrowRight':
      return days.find((one) => one > day);
    case 'ArrowLeft':
      return days.findLast((one) => one < day);
    case 'ArrowDown':
      return days.find((one) => one >= weekAway(1));
    case 'ArrowUp':
      return days.findLast((one) => one <= weekAway(-1));
    case 'Home':
      return days[0];
    case 'End':
      return days.at(-1);
    default:
      return undefined;
  }
}
