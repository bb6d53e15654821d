import { type RecurringWindow, WEEKDAYS } from '@event-commerce/contracts';
import { offsetSpanAt } from './zone-offsets.ts';

/** Times of the week, ready to be compared. Times are since midnight. */
export interface CompiledWindow {
  given: RecurringWindow;
  /** A bit for each day: 1 for Monday, 2 for Tuesday, 4 for Wednesday. */
  days: number;
  fromMs: number;
  /** At most `fromMs` if it is on the next day. */
  toMs: number;
  timezone: string;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = WEEKDAYS.indexOf('thu');

export function compileWindows(windows: readonly RecurringWindow[]): CompiledWindow[] {
  return windows.map((given) => ({
    given,
    days: given.days.reduce((mask, day) => mask | (1 << WEEKDAYS.indexOf(day)), 0),
    fromMs: sinceMidnight(given.from),
    toMs: sinceMidnight(given.to),
    timezone: given.timezone,
  }));
}

function sinceMidnight(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS;
}

/** What the clocks and the calendar of `timezone` show at `epochMs`. */
export function localTimeAt(timezone: string, epochMs: number) {
  const { offsetMs, untilMs } = offsetSpanAt(timezone, epochMs);
  const localMs = epochMs + offsetMs;
  const date = Math.floor(localMs / DAY_MS);
  return { date, weekday: modulo(date + FIRST_WEEKDAY, 7), timeMs: localMs - date * DAY_MS, clocksChangeMs: untilMs };
}

/** Whether one of the windows is open: whether its clock shows a time in it. */
export function isInWindow(windows: readonly CompiledWindow[], epochMs: number): boolean {
  return windows.some((window) => isIn(window, epochMs));
}

function isIn({ days, fromMs, toMs, timezone }: CompiledWindow, epochMs: number): boolean {
  const { weekday, timeMs } = localTimeAt(timezone, epochMs);
  const isOn = (day: number) => (days & (1 << day)) !== 0;
  if (fromMs < toMs) return isOn(weekday) && fromMs <= timeMs && timeMs < toMs;
  return (isOn(weekday) && fromMs <= timeMs) || (isOn(modulo(weekday - 1, 7)) && timeMs < toMs);
}

/** The next instant after `epochMs` at which a window may open or close. */
export function nextBoundaryMs(windows: readonly CompiledWindow[], epochMs: number): number {
  let nextMs = Infinity;
  for (const { fromMs, toMs, timezone } of windows) {
    const { timeMs, clocksChangeMs } = localTimeAt(timezone, epochMs);
    const untilMs = (boundaryMs: number) => epochMs + (boundaryMs > timeMs ? 0 : DAY_MS) + boundaryMs - timeMs;
    nextMs = Math.min(nextMs, clocksChangeMs, untilMs(fromMs), untilMs(toMs));
  }
  return nextMs;
}

/** Every window opens within three weeks, even if the clocks skip it on one day. */
const LOOKED_AHEAD_MS = 21 * DAY_MS;

/** When the next window opens after `epochMs`, at which none is open. Undefined if the clocks never show its times. */
export function nextOpening(
  windows: readonly CompiledWindow[],
  epochMs: number,
): { atMs: number; timezone: string } | undefined {
  for (let atMs = epochMs; atMs < epochMs + LOOKED_AHEAD_MS; atMs = nextBoundaryMs(windows, atMs)) {
    const opened = windows.find((window) => isIn(window, atMs));
    if (opened !== undefined) return { atMs, timezone: opened.timezone };
  }
  return undefined;
}

function modulo(n: number, by: number): number {
  return ((n % by) + by) % by;
}
