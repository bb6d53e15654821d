import { expect, it } from 'vitest';
import { instantOf, localOf } from './zoned-time.ts';

it.each([
  ['2027-01-15T20:00', 'Europe/Berlin', '2027-01-15T19:00:00.000Z'],
  ['2027-07-15T20:00', 'Europe/Berlin', '2027-07-15T18:00:00.000Z'],
  // The hour before and after clocks go forward at 02:00.
  ['2027-03-28T01:30', 'Europe/Berlin', '2027-03-28T00:30:00.000Z'],
  ['2027-03-28T03:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
  ['2027-07-15T20:00', 'America/New_York', '2027-07-16T00:00:00.000Z'],
  ['2027-07-15T20:00', 'Asia/Kathmandu', '2027-07-15T14:15:00.000Z'],
  ['2027-07-15T20:00', 'UTC', '2027-07-15T20:00:00.000Z'],
])('%s in %s is %s, and back', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant);
  expect(localOf(instant, zone)).toBe(local);
});

it("the end of time is the API's last time in every zone", () => {
  for (const zone of ['America/New_York', 'UTC', 'Asia/Kathmandu']) {
    expect(instantOf('9999-12-31T23:59', zone)).toMatch(/^9999-12-31T/);
  }
});

it('text that is not a time has no instant', () => {
  expect(instantOf('', 'UTC')).toBeUndefined();
});
