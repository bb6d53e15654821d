import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settleTimes } from './settle-times.ts';
import { givenInZone, patchOfDate } from './change-of-date.ts';
import type { EventRecord } from './event-record.ts';

const recordOf = (own: EventRecord['own']): EventRecord => ({
  id: 'evt_1',
  tenant: { companyId: 'jazz', environment: 'live' } as unknown as EventRecord['tenant'],
  kind: 'instance',
  own,
  attempts: [],
  version: 1,
  created: '2027-01-01T00:00:00.000Z',
  changed: '2027-01-01T00:00:00.000Z',
});

describe('a clock time for many dates', () => {
  it('applies to each on its own day, in every zone, unless the clocks skip it', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
    const start = fc.integer({ min: 0, max: 3 * 365 * 24 * 60 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), start, minute, (timeZone, minutes, ofDay) => {
        // Not the platform's library.
        const written = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' });
        const startsAt = new Date(Date.UTC(2024, 0, 1) + minutes * 60_000).toISOString();
        const clock = [Math.floor(ofDay / 60), ofDay % 60].map((part) => String(part).padStart(2, '0')).join(':');
        const current = { record: recordOf({ startsAt }), series: recordOf({ timezone: timeZone }) };
        const patch = patchOfDate({ startsAt: clock }, current);
        const { startsAt: moved = '' } = settleTimes(patch, patch as EventRecord['own'], current.series.own);
        const [day] = written.format(new Date(startsAt)).split(', ');
        const shows = written.format(new Date(moved));
        if (shows === `${day}, ${clock}`) return;
        // Then no moment of a day before or after shows it either.
        for (let at = Date.parse(moved) - 30 * 3_600_000; at < Date.parse(moved) + 30 * 3_600_000; at += 60_000) {
          expect(written.format(new Date(at))).not.toBe(`${day}, ${clock}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['20:30', '23:00', '2027-06-04T20:30:00.000', '2027-06-04T23:00:00.000'],
    ['22:00', '04:00', '2027-06-04T22:00:00.000', '2027-06-05T04:00:00.000'],
    [undefined, '20:00', undefined, '2027-06-05T20:00:00.000'],
  ])('from %s ends at the next %s', (startsAt, endsAt, from, until) => {
    const current = {
      record: recordOf({ startsAt: '2027-06-04T18:00:00.000Z' }),
      series: recordOf({ timezone: 'Europe/Berlin' }),
    };
    const patch = patchOfDate({ ...(startsAt && { startsAt }), endsAt }, current);
    expect(patch).toEqual({ ...(from && { startsAt: from }), endsAt: until });
  });
});

describe('a start that a date was given', () => {
  const startsAt = '2027-06-04T20:00:00.000Z';

  it('stays one when its series gets a time zone, unlike a start that was set since', () => {
    const date = { ...recordOf({ startsAt }), given: { startsAt: '20:00' } };
    expect(givenInZone(date, date.own, 'Europe/Berlin')).toEqual({ given: { startsAt: '22:00' } });
    const moved = { ...date, given: { startsAt: '19:00' } };
    expect(givenInZone(moved, moved.own, 'Europe/Berlin')).toEqual({ given: { startsAt: '19:00' } });
    expect(givenInZone(recordOf({ startsAt }), { startsAt }, 'Europe/Berlin')).toEqual({});
  });
});
