import { instantIn } from '@event-commerce/contracts';
import fc from 'fast-check';
import { RRule } from 'rrule';
import { describe, expect, it } from 'vitest';
import { datesByRule } from './dates-by-rule.ts';

const clocksOf = (dates: readonly string[], zone: string) =>
  dates.map((date) =>
    Temporal.Instant.from(date).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' }),
  );

const messageOf = (rule: string, startsAt = '2027-03-26T20:00:00.000'): string => {
  try {
    datesByRule({ rule, startsAt }, 'Europe/Berlin');
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the dates of a rule', () => {
  it('keep their clock time when the clocks change', () => {
    const dates = datesByRule(
      { rule: 'FREQ=WEEKLY;BYDAY=FR,SA;COUNT=4', startsAt: '2027-03-26T20:00:00.000' },
      'Europe/Berlin',
    );
    expect(dates).toEqual([
      '2027-03-26T19:00:00.000Z',
      '2027-03-27T19:00:00.000Z',
      '2027-04-02T18:00:00.000Z',
      '2027-04-03T18:00:00.000Z',
    ]);
  });

  it('include one at a time that the clocks skip, and each moment once', () => {
    const daily = (rule: string, startsAt: string) => datesByRule({ rule, startsAt }, 'Europe/Berlin');
    expect(clocksOf(daily('FREQ=DAILY;COUNT=3', '2027-03-27T02:30:00.000'), 'Europe/Berlin')).toEqual([
      '2027-03-27T02:30',
      '2027-03-28T03:30',
      '2027-03-29T02:30',
    ]);
    expect(daily('FREQ=DAILY;BYHOUR=2,3;COUNT=2', '2027-03-28T02:30:00.000')).toEqual(['2027-03-28T01:30:00.000Z']);
  });

  it('end with the day that UNTIL names, or at its time', () => {
    const lastOf = (end: string) =>
      datesByRule({ rule: `FREQ=DAILY;UNTIL=${end}`, startsAt: '2027-05-01T20:00:00.000' }, 'America/New_York').at(-1);
    expect(['20270503', '20270503T200000', '20270504T000000Z', '20270503T235959Z'].map(lastOf)).toEqual([
      '2027-05-04T00:00:00.000Z',
      '2027-05-04T00:00:00.000Z',
      '2027-05-04T00:00:00.000Z',
      '2027-05-03T00:00:00.000Z',
    ]);
  });

  it('leave out the days that are excluded, whether or not the rule has them', () => {
    const exclude = ['2027-12-25', '2027-12-26'];
    const dates = datesByRule(
      { rule: 'RRULE:FREQ=WEEKLY;COUNT=3', startsAt: '2027-12-18T23:30:00.000', exclude },
      'Asia/Tokyo',
    );
    expect(clocksOf(dates, 'Asia/Tokyo')).toEqual(['2027-12-18T23:30', '2028-01-01T23:30']);
  });

  it('begin with the first that the rule gives, not with a day that it does not', () => {
    const [first] = datesByRule({ rule: 'FREQ=MONTHLY;BYDAY=1SU;COUNT=2', startsAt: '2027-03-26T11:00:00Z' }, 'UTC');
    expect(first).toBe('2027-04-04T11:00:00.000Z');
  });

  it.each([
    ['', 'must have a FREQ of DAILY, WEEKLY, MONTHLY, YEARLY'],
    ['FREQ=HOURLY;COUNT=3', 'must have a FREQ'],
    ['FREQ=WEEKLY', 'must have an end'],
    ['FREQ=WEEKLY;COUNT=3;UNTIL=20271231', 'must have an end: either'],
    ['FREQ=WEEKLY;COUNT=0', 'has COUNT=0, which must be a whole number from 1'],
    ['FREQ=WEEKLY;COUNT=3;INTERVAL=x', 'has INTERVAL=X'],
    ['FREQ=WEEKLY;COUNT=3;COUNT=4', 'has COUNT twice'],
    ['FREQ=WEEKLY;COUNT=3;DTSTART=20270101', 'has "DTSTART", and its parts can be FREQ'],
    ['FREQ=WEEKLY;BYDAY=XX;COUNT=3', 'cannot be used: Invalid BYDAY value: XX'],
    ['FREQ=DAILY;UNTIL=tomorrow', 'has UNTIL=TOMORROW, which must be a day such as 20271231'],
    ['FREQ=DAILY;UNTIL=20270230', 'has UNTIL=20270230, and there is no such day or time'],
    ['FREQ=DAILY;UNTIL=20200101', 'gives no date from 2027-03-26T20:00:00.000 on'],
    ['FREQ=DAILY;UNTIL=20401231', 'gives more than 1200 dates; end it earlier with UNTIL or COUNT'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3', 'cannot be used: '],
  ])('are refused for %j with the reason', (rule, why) => {
    expect(messageOf(rule)).toMatch(/^rule /);
    expect(messageOf(rule)).toContain(why);
  });

  it('are found within a bounded time, whatever the rule', () => {
    const beganMs = performance.now();
    const every = (count: number) => Array.from({ length: count }, (_, n) => n).join(',');
    messageOf(`FREQ=YEARLY;BYHOUR=${every(24)};BYMINUTE=${every(60)};BYDAY=MO;BYMONTHDAY=31;BYMONTH=2;COUNT=9`);
    messageOf('FREQ=DAILY;INTERVAL=999999;COUNT=999999');
    expect(performance.now() - beganMs).toBeLessThan(2_000);
  });

  it('are those that another library gives, in every time zone that has changed its clocks lately', () => {
    const zones = Intl.supportedValuesOf('timeZone').filter(
      (zone) => Temporal.ZonedDateTime.from(`2024-01-01[${zone}]`).getTimeZoneTransition('next') !== null,
    );
    expect(zones.length).toBeGreaterThan(100);
    const days = fc.subarray(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], { minLength: 1 });
    const rules = fc.oneof(
      fc
        .tuple(days, fc.integer({ min: 1, max: 3 }))
        .map(([some, n]) => `FREQ=WEEKLY;INTERVAL=${n};BYDAY=${some.join(',')}`),
      fc.integer({ min: 1, max: 9 }).map((n) => `FREQ=DAILY;INTERVAL=${n}`),
      fc.integer({ min: 1, max: 31 }).map((day) => `FREQ=MONTHLY;BYMONTHDAY=${day}`),
      fc.constantFrom(
        'FREQ=MONTHLY;BYDAY=-1FR',
        'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=2',
        'FREQ=YEARLY;BYMONTH=3,10;BYDAY=SU',
      ),
    );
    const start = fc.integer({ min: 0, max: 3 * 365 * 24 * 4 - 1 });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        rules,
        start,
        fc.integer({ min: 1, max: 60 }),
        (zone, some, quarters, count) => {
          const rule = `${some};COUNT=${count}`;
          const at = Temporal.PlainDateTime.from('2024-01-01').add({ minutes: 15 * quarters });
          const dates = datesByRule({ rule, startsAt: at.toString({ fractionalSecondDigits: 3 }) }, zone);
          const dtstart = new Date(`${at.toString({ smallestUnit: 'second' })}Z`);
          const others = new RRule({ ...RRule.parseString(rule), dtstart }).all();
          const theirs = others.map((date) => instantIn(date.toISOString().slice(0, -1), zone));
          expect(dates).toEqual([...new Set(theirs)]);
        },
      ),
      { numRuns: 400 },
    );
  });
});
