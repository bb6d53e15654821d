import { type RecurringWindow, type Weekday, WEEKDAYS } from '@event-commerce/contracts';
import { DAY_MS, localTimeAt } from './recurring-windows.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const LISTED_MAX = 3;
const MINUTE_MS = 60 * 1000;

/** `Mon–Fri 17:00–19:00 and Sat 10:00–12:00 (Europe/Berlin)`; of many windows the first ones. */
export function windowsText(windows: readonly RecurringWindow[]): string {
  const zones = new Set(windows.map(({ timezone }) => timezone));
  const listed = windows.slice(0, LISTED_MAX).map(({ days, from, to, timezone }) => {
    const zone = zones.size === 1 ? '' : ` (${timezone})`;
    return `${daysText(days)} ${from}–${to}${zone}`;
  });
  if (windows.length > LISTED_MAX) listed.push(`${windows.length - LISTED_MAX} more times`);
  const last = listed.pop() ?? '';
  const all = listed.length === 0 ? last : `${listed.join(', ')} and ${last}`;
  return zones.size === 1 ? `${all} (${[...zones].join()})` : all;
}

/** `Mon–Fri`, `Sat, Sun`, `daily`. */
function daysText(days: readonly Weekday[]): string {
  if (days.length === WEEKDAYS.length) return 'daily';
  const numbers = days.map((day) => WEEKDAYS.indexOf(day)).toSorted((a, b) => a - b);
  const runs: number[][] = [];
  for (const day of numbers) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs
    .flatMap((run) => (run.length > 2 ? [`${dayName(run[0])}–${dayName(run.at(-1))}`] : run.map(dayName)))
    .join(', ');
}

function dayName(day = 0): string {
  const name = WEEKDAYS[day] ?? '';
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `Mon 5 July 2027 at 17:00`: what clock and calendar of `timezone` show. */
export function localTimeText(timezone: string, epochMs: number): string {
  const { date, weekday, timeMs } = localTimeAt(timezone, epochMs);
  const day = new Date(date * DAY_MS);
  const minutes = Math.floor(timeMs / MINUTE_MS);
  const time = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${dayName(weekday)} ${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()} at ${time}`;
}
