import { expect, test } from 'vitest';
import { settleTimes } from './settle-times.ts';

const early = '2027-05-01T18:00:00.000Z';
const late = '2027-05-01T22:00:00.000Z';

test('an end after the start is accepted, and so is a single time', () => {
  const both = { startsAt: early, endsAt: late };
  expect(settleTimes(both, both)).toEqual(both);
  expect(settleTimes({ endsAt: early }, { endsAt: early })).toEqual({ endsAt: early });
});

test('an end at or before the start is refused', () => {
  for (const endsAt of [early, '2027-05-01T17:59:59.999Z']) {
    expect(() => settleTimes({ endsAt }, { startsAt: early, endsAt })).toThrow(/^endsAt must be after startsAt/);
  }
});

test('the refusal says which time comes from the series', () => {
  const own = { startsAt: late };
  expect(() => settleTimes(own, own, { endsAt: early })).toThrow(
    `(startsAt is ${late}; endsAt is ${early}, inherited from the series)`,
  );
});

test('a change of other fields is accepted, whatever the times are', () => {
  const own = { name: 'Gala', startsAt: late, endsAt: early };
  expect(settleTimes({ name: 'Gala' }, own)).toEqual(own);
});

test('a time without a zone is in the time zone of the event or its series, or else in UTC', () => {
  const startsAt = '2027-05-01T20:00:00.000';
  expect(settleTimes({ startsAt }, { startsAt, timezone: 'Europe/Berlin' }).startsAt).toBe(early);
  expect(settleTimes({ startsAt }, { startsAt }, { timezone: 'America/New_York' }).startsAt).toBe(
    '2027-05-02T00:00:00.000Z',
  );
  expect(settleTimes({ startsAt }, { startsAt }).startsAt).toBe('2027-05-01T20:00:00.000Z');
});

test.each([
  ['that the clocks skip is read as if they had not', '2027-03-28T02:30:00.000', '2027-03-28T01:30:00.000Z'],
  ['that occurs twice is the first', '2027-10-31T02:30:00.000', '2027-10-31T00:30:00.000Z'],
])('a local time %s', (_what, startsAt, instant) => {
  expect(settleTimes({ startsAt }, { startsAt, timezone: 'Europe/Berlin' }).startsAt).toBe(instant);
});
