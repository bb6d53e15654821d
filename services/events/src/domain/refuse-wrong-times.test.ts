import { expect, test } from 'vitest';
import { refuseWrongTimes } from './refuse-wrong-times.ts';

const early = '2027-05-01T18:00:00.000Z';
const late = '2027-05-01T22:00:00.000Z';

test('an end after the start passes, and so does a single time', () => {
  expect(() => refuseWrongTimes({ startsAt: early }, {}, { startsAt: early, endsAt: late })).not.toThrow();
  expect(() => refuseWrongTimes({ endsAt: early }, {}, { endsAt: early })).not.toThrow();
});

test('an end at or before the start is refused', () => {
  for (const endsAt of [early, '2027-05-01T17:59:59.999Z']) {
    expect(() => refuseWrongTimes({ endsAt }, { endsAt }, { startsAt: early, endsAt })).toThrow(
      /^endsAt must be after startsAt/,
    );
  }
});

test('the refusal says which time comes from the series', () => {
  const own = { startsAt: late };
  expect(() => refuseWrongTimes(own, own, { startsAt: late, endsAt: early })).toThrow(
    `(startsAt is ${late}; endsAt is ${early}, inherited from the series)`,
  );
});

test('a change of something else passes, whatever the times are', () => {
  expect(() => refuseWrongTimes({ name: 'Gala' }, {}, { startsAt: late, endsAt: early })).not.toThrow();
});
