import type { components } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { byDay, calendarDates, dayAfterKey, dayLabel, stateOfDay, weeksOf } from './calendar-days.ts';

type Event = components['schemas']['Event'];

const NOW = Date.parse('2026-12-01T00:00:00.000Z');

function date(startsAt: string, more: Partial<Event> = {}): Event {
  return {
    id: `evt_${startsAt}`,
    companyId: 'co',
    kind: 'instance',
    name: 'Jazz',
    startsAt,
    timezone: 'Europe/Berlin',
    status: 'published',
    overrides: ['startsAt'],
    version: 1,
    created: '',
    changed: '',
    ...more,
  };
}

it('a date is on the day that a clock in its zone shows', () => {
  const late = date('2026-12-31T23:30:00.000Z');
  expect(calendarDates([late], 2027, NOW)).toMatchObject([{ day: '2027-01-01', time: '00:30', differs: [] }]);
  expect(calendarDates([late], 2026, NOW)).toEqual([]);
});

it('says how a date differs from its series, and shows that it is called off as a state of its own', () => {
  const [named, off] = calendarDates(
    [
      date('2027-01-05T19:00:00.000Z', { overrides: ['startsAt', 'name'], name: 'Special' }),
      date('2027-01-12T19:00:00.000Z', { overrides: ['startsAt', 'status'], status: 'cancelled' }),
    ],
    2027,
    NOW,
  );
  expect(named).toMatchObject({ state: 'on-sale', differs: ['name'] });
  expect(off).toMatchObject({ state: 'called-off', differs: [] });
});

const price = { amount: 2500, currency: 'EUR' };
it.each<[string, Partial<Event>]>([
  ['on-sale', { availability: { sold: 4, held: 0, left: 2, lowestPrices: [price] } }],
  ['sold-out', { availability: { sold: 5, held: 1, left: 0, lowestPrices: [] } }],
  ['off-sale', { availability: { sold: 0, held: 0, left: 0, lowestPrices: [] } }],
  ['off-sale', { availability: { sold: 0, held: 0, left: null, lowestPrices: [] } }],
  ['off-sale', { status: 'draft' }],
  ['over', { status: 'completed' }],
  ['over', { endsAt: '2026-12-01T00:00:00.000Z' }],
  ['called-off', { status: 'cancelled', endsAt: '2026-12-01T00:00:00.000Z' }],
])('a date is %s with %j', (state, more) => {
  expect(calendarDates([date('2027-01-05T19:00:00.000Z', more)], 2027, NOW)).toMatchObject([{ state }]);
});

it('a day with several dates sells something if one of them does, and names them all', () => {
  const dates = calendarDates(
    [date('2027-01-05T14:00:00.000Z', { status: 'cancelled' }), date('2027-01-05T19:00:00.000Z')],
    2027,
    NOW,
  );
  expect([...byDay(dates).keys()]).toEqual(['2027-01-05']);
  expect(stateOfDay(dates)).toBe('on-sale');
  expect(dayLabel('2027-01-05', dates, true)).toBe(
    'Tuesday, January 5, 2027: 15:00 Jazz, called off; 20:00 Jazz, on sale; would be added',
  );
});

it.each([
  [2027, 1, 4, '2027-02-01', '2027-02-28'],
  [2028, 1, 5, undefined, undefined],
  [2027, 4, 6, undefined, undefined],
])('month %i-%i has %i weeks from Monday on', (year, month, count, first, last) => {
  const weeks = weeksOf(year, month);
  expect(weeks).toHaveLength(count);
  expect(weeks[0]?.[0]).toBe(first);
  expect(weeks.at(-1)?.[6]).toBe(last);
});

it('arrow keys lead from date to date, and a week or more away', () => {
  const days = ['2027-01-05', '2027-01-08', '2027-01-12', '2027-02-02'];
  const after = (key: string, day: string) => dayAfterKey(key, day, days);
  expect(after('ArrowRight', '2027-01-05')).toBe('2027-01-08');
  expect(after('ArrowDown', '2027-01-05')).toBe('2027-01-12');
  expect(after('ArrowUp', '2027-02-02')).toBe('2027-01-12');
  expect(after('ArrowLeft', '2027-01-05')).toBeUndefined();
  expect([after('Home', '2027-01-12'), after('End', '2027-01-12'), after('a', '2027-01-12')]).toEqual([
    '2027-01-05',
    '2027-02-02',
    undefined,
  ]);
});
