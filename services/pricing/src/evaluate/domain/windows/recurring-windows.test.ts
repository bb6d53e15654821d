import { type RecurringWindow, WEEKDAYS } from '@event-commerce/contracts';
import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { aRequest } from '../adjustments.fixture.ts';
import { price, whyDropped } from '../price.fixture.ts';
import { compileWindows, isInWindow, nextBoundaryMs, nextOpening } from './recurring-windows.ts';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FIRST_MS = Date.UTC(2027, 0, 1);
/** In most zones clocks change twice a year; in none do they change twice within two weeks. */
const LOOKED_AT_MS = proofSize(1, 4) * 365 * DAY_MS;
const STEP_MS = 14 * DAY_MS;

const offsetIn = (timezone: string, ms: number) => DateTime.fromMillis(ms, { zone: timezone }).offset;

/** All zones, or one of those that have the same time all year. */
const ZONES = [
  ...new Map(
    Intl.supportedValuesOf('timeZone').map((timezone, n) => {
      const offsets = [0, 70, 100, 190, 280].map((day) => offsetIn(timezone, FIRST_MS + day * DAY_MS));
      return [JSON.stringify([...offsets, proofSize(0, n)]), timezone];
    }),
  ).values(),
];

/** Whether a window is open, according to a library that knows nothing of ours. */
function isOpenByLuxon(windows: readonly RecurringWindow[], atMs: number): boolean {
  return windows.some(({ days, from, to, timezone }) => {
    const local = DateTime.fromMillis(atMs, { zone: timezone });
    const time = local.toFormat('HH:mm');
    const isOn = (weekday: number) => days.some((day) => WEEKDAYS.indexOf(day) + 1 === weekday);
    const yesterday = local.weekday === 1 ? 7 : local.weekday - 1;
    if (from < to) return isOn(local.weekday) && from <= time && time < to;
    return (isOn(local.weekday) && from <= time) || (isOn(yesterday) && time < to);
  });
}

/** The changes of a zone's clocks, found by comparing its offsets and then halving. */
function clockChanges(timezone: string): number[] {
  const offsetAt = (ms: number) => offsetIn(timezone, ms);
  const changes: number[] = [];
  for (let ms = FIRST_MS; ms < FIRST_MS + LOOKED_AT_MS; ms += STEP_MS) {
    let [before, after] = [ms, ms + STEP_MS];
    if (offsetAt(before) === offsetAt(after)) continue;
    while (after - before > MINUTE_MS) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
      if (offsetAt(middle) === offsetAt(before)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

const timeOfDay = fc
  .integer({ min: 0, max: 95 })
  .map((quarters) => [Math.floor(quarters / 4), (quarters % 4) * 15].map((n) => String(n).padStart(2, '0')).join(':'));
const aWindow = (timezone: string): fc.Arbitrary<RecurringWindow> =>
  fc
    .record({
      days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
      from: timeOfDay,
      to: fc.oneof({ weight: 9, arbitrary: timeOfDay }, { weight: 1, arbitrary: fc.constant('24:00') }),
      timezone: fc.constant(timezone),
    })
    .filter(({ from, to }) => from !== to);
/** Times around which clocks are changed, so that they are often in what is skipped or shown twice. */
const nightly = (timezone: string): fc.Arbitrary<RecurringWindow> =>
  fc.tuple(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 1, max: 10 })).map(([from, length]): RecurringWindow => {
    const at = (quarters: number) =>
      [Math.floor(quarters / 4), (quarters % 4) * 15].map((n) => String(n).padStart(2, '0')).join(':');
    return { days: [...WEEKDAYS], from: at(from), to: at(from + length), timezone };
  });

describe('a recurring window', () => {
  test('is open when the clocks of its zone show a time in it, around every change of the clocks of every zone', () => {
    let changes = 0;
    for (const timezone of ZONES) {
      const around = clockChanges(timezone);
      changes += around.length;
      const [window] = fc.sample(fc.oneof(aWindow(timezone), nightly(timezone)), { numRuns: 1, seed: changes });
      const windows = window === undefined ? [] : [window];
      const compiled = compileWindows(windows);
      const instants = around.flatMap((ms) => [-8, -5, -4, -1, 0, 1, 4, 5, 8].map((n) => ms + n * QUARTER_MS));
      for (const atMs of [...instants, ...around.map((ms) => ms - 1), Date.UTC(2027, 6, 5, changes % 24)]) {
        const at = `${DateTime.fromMillis(atMs, { zone: timezone }).toISO()} ${timezone}`;
        expect([at, window, isInWindow(compiled, atMs)]).toEqual([at, window, isOpenByLuxon(windows, atMs)]);
      }
    }
    expect(changes).toBeGreaterThan(20);
  });

  test('is closed until the named opening, and open then; it changes only at a boundary', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Kathmandu',
      'Pacific/Apia',
    );
    const windows = fc.array(
      zone.chain((timezone) => fc.oneof(aWindow(timezone), nightly(timezone))),
      { minLength: 1, maxLength: 3 },
    );
    const change = fc.constantFrom(
      ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'].flatMap(clockChanges),
    );
    fc.assert(
      fc.property(windows, change, fc.integer({ min: -200, max: 8 }), (given, changeMs, quarters) => {
        const compiled = compileWindows(given);
        const fromMs = changeMs + quarters * QUARTER_MS;
        const next = nextOpening(compiled, fromMs);
        const open = next?.atMs ?? Infinity;
        expect(isOpenByLuxon(given, open)).toBe(true);
        for (let atMs = fromMs; atMs < open; atMs += QUARTER_MS) expect(isOpenByLuxon(given, atMs)).toBe(false);
        const boundaryMs = nextBoundaryMs(compiled, fromMs);
        expect(boundaryMs).toBeGreaterThan(fromMs);
        const isOpen = isOpenByLuxon(given, fromMs);
        for (let atMs = fromMs; atMs < boundaryMs; atMs += QUARTER_MS) expect(isOpenByLuxon(given, atMs)).toBe(isOpen);
      }),
      { numRuns: proofSize(60, 1_000) },
    );
  });
});

describe('an adjustment with recurring windows', () => {
  const conditions = {
    recurring: [{ days: ['mon' as const], from: '17:00', to: '19:00', timezone: 'Europe/Berlin' }],
  };
  const at = (now: string) => aRequest(1000, { now: new Date(now).toISOString() });

  test('counts from the beginning of one up to its end', () => {
    const reason = 'outside-recurring-window';
    const runs = 'runs Mon 17:00–19:00 (Europe/Berlin)';
    expect(whyDropped({ conditions }, at('2027-07-05T16:59+02:00'))).toEqual({
      reason,
      detail: `${runs}, next on Mon 5 July 2027 at 17:00`,
    });
    expect(price([{ id: 'adj', conditions }], at('2027-07-05T17:00+02:00')).summary.total).toBe(900);
    expect(whyDropped({ conditions }, at('2027-07-05T19:00+02:00'))).toEqual({
      reason,
      detail: `${runs}, next on Mon 12 July 2027 at 17:00`,
    });
  });

  test.each<[string, RecurringWindow[], string]>([
    [
      'days in a row',
      [{ days: ['fri', 'mon', 'tue', 'wed', 'thu'], from: '17:00', to: '19:00', timezone: 'Europe/Berlin' }],
      'runs Mon–Fri 17:00–19:00 (Europe/Berlin), next on Mon 5 July 2027 at 17:00',
    ],
    [
      'every day, past midnight',
      [{ days: [...WEEKDAYS], from: '22:00', to: '02:00', timezone: 'UTC' }],
      'runs daily 22:00–02:00 (UTC), next on Mon 5 July 2027 at 22:00',
    ],
    [
      'several in one zone',
      [
        { days: ['sat', 'sun'], from: '10:00', to: '12:00', timezone: 'UTC' },
        { days: ['tue'], from: '00:00', to: '24:00', timezone: 'UTC' },
      ],
      'runs Sat, Sun 10:00–12:00 and Tue 00:00–24:00 (UTC), next on Tue 6 July 2027 at 00:00',
    ],
    [
      'several zones, of which the first ones are listed',
      Array.from({ length: 5 }, (_, n) => ({
        days: ['wed' as const],
        from: `1${n}:00`,
        to: '20:00',
        timezone: n === 0 ? 'Asia/Tokyo' : 'UTC',
      })),
      'runs Wed 10:00–20:00 (Asia/Tokyo), Wed 11:00–20:00 (UTC), Wed 12:00–20:00 (UTC) and 2 more times, next on Wed 7 July 2027 at 10:00',
    ],
  ])('says when it runs: %s', (_what, recurring, detail) => {
    expect(whyDropped({ conditions: { recurring } }, at('2027-07-05T14:00Z')).detail).toBe(detail);
  });

  test('does not promise a time at which it has ended', () => {
    const ending = { ...conditions, endsAt: '2027-07-05T15:00:00.000Z' };
    expect(whyDropped({ conditions: ending }, at('2027-07-05T16:59+02:00')).detail).toBe(
      'runs Mon 17:00–19:00 (Europe/Berlin), and not again before it ends',
    );
  });
});
