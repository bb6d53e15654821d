import { describe, expect, test } from 'vitest';
import { bucketAt, bucketsBetween } from './buckets.ts';
import { quarterAt, startOfQuarter } from './quarters.ts';

const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 16);
const between = (from: string, to: string, interval: 'hour' | 'day', timezone = 'UTC') => {
  const { starts, endMs } = bucketsBetween(`${from}:00.000Z`, `${to}:00.000Z`, interval, timezone);
  return [...starts, endMs].map(isoOf);
};

describe('buckets', () => {
  test('are whole hours or days: the first contains the beginning of the range, the last its end', () => {
    expect(between('2027-05-01T10:20', '2027-05-01T12:01', 'hour')).toEqual([
      '2027-05-01T10:00',
      '2027-05-01T11:00',
      '2027-05-01T12:00',
      '2027-05-01T13:00',
    ]);
    expect(between('2027-05-01T00:00', '2027-05-02T00:00', 'day')).toEqual(['2027-05-01T00:00', '2027-05-02T00:00']);
  });

  test('follow the clocks of the time zone, also through a day of 23 hours', () => {
    expect(between('2027-03-27T12:00', '2027-03-29T12:00', 'day', 'Europe/Berlin')).toEqual([
      '2027-03-26T23:00',
      '2027-03-27T23:00',
      '2027-03-28T22:00',
      '2027-03-29T22:00',
    ]);
    expect(between('2027-10-31T00:10', '2027-10-31T01:50', 'hour', 'Europe/Berlin')).toEqual([
      '2027-10-31T00:00',
      '2027-10-31T01:00',
      '2027-10-31T02:00',
    ]);
  });

  test.each([
    ['Asia/Kolkata', '30'],
    ['Asia/Kathmandu', '15'],
    ['America/St_Johns', '30'],
  ])('of %s begin at whole hours there, which are quarters in UTC', (timezone, minute) => {
    const starts = between('2027-05-01T10:20', '2027-05-01T12:00', 'hour', timezone);
    expect(starts.every((start) => start.endsWith(`:${minute}`))).toBe(true);
  });

  test('begin anew where clocks are turned back by half an hour', () => {
    const starts = between('2027-04-03T13:00', '2027-04-03T17:00', 'hour', 'Australia/Lord_Howe');
    expect(starts).toEqual(starts.toSorted());
    expect(new Set(starts).size).toBe(starts.length);
  });

  test('are at most 1,000', () => {
    expect(between('2027-01-01T00:00', '2029-09-27T00:00', 'day')).toHaveLength(1_001);
    expect(() => between('2027-01-01T00:00', '2029-09-27T00:01', 'day')).toThrow('to must be at most 2029-09-27');
    expect(() => between('0001-01-01T00:00', '9999-01-01T00:00', 'hour')).toThrow('or send interval=day');
    expect(() => between('2027-01-01T00:00', '2027-01-01T00:00', 'day')).toThrow('must be after from');
  });

  test('contain each time from their start until the next one', () => {
    const buckets = bucketsBetween('2027-05-01T00:00:00.000Z', '2027-05-04T00:00:00.000Z', 'day', 'UTC');
    const at = (time: string) => bucketAt(buckets, Date.parse(time));
    expect(at('2027-04-30T23:59:59Z')).toBe(undefined);
    expect(at('2027-05-01T00:00:00Z')).toBe(0);
    expect(at('2027-05-02T23:59:59Z')).toBe(1);
    expect(at('2027-05-03T00:00:00Z')).toBe(2);
    expect(at('2027-05-04T00:00:00Z')).toBe(undefined);
  });
});

test('a time is in the quarter that it is counted in', () => {
  for (const [time, quarter] of [
    ['2027-05-01T00:00:00.000Z', 0],
    ['2027-05-01T00:14:59.999Z', 0],
    ['2027-05-01T10:15:00.000Z', 41],
    ['2027-05-01T23:59:59.999Z', 95],
    ['1969-12-31T23:59:59.999Z', 95],
  ] as const) {
    const counted = quarterAt(new Date(time));
    expect(counted.quarter).toBe(quarter);
    const after = Date.parse(time) - startOfQuarter(counted.day, quarter);
    expect([after >= 0, after < 15 * 60_000]).toEqual([true, true]);
  }
});
