import { expect, it } from 'vitest';
import { bucketStarts, intervalOf, peakOf, valuesAt } from './sales-series.ts';

const berlin = { timezone: 'Europe/Berlin' };

it('there is a bucket for each day, however long it is', () => {
  const range = {
    ...berlin,
    interval: 'day',
    from: '2027-03-26T23:00:00.000Z',
    to: '2027-03-29T22:00:00.000Z',
  } as const;
  expect(bucketStarts(range)).toEqual([
    '2027-03-26T23:00:00.000Z',
    '2027-03-27T23:00:00.000Z',
    '2027-03-28T22:00:00.000Z',
  ]);
});

it('there is a bucket for each hour, also for the hour that comes twice', () => {
  const range = {
    ...berlin,
    interval: 'hour',
    from: '2027-10-30T22:00:00.000Z',
    to: '2027-10-31T23:00:00.000Z',
  } as const;
  expect(bucketStarts(range)).toHaveLength(25);
});

it('a bucket in which nothing happened is 0', () => {
  const range = {
    timezone: 'UTC',
    interval: 'day',
    from: '2027-07-01T00:00:00.000Z',
    to: '2027-07-04T00:00:00.000Z',
  } as const;
  const starts = bucketStarts(range);
  expect(valuesAt(starts, [{ start: '2027-07-02T00:00:00Z', sold: 4 }], ({ sold }) => sold)).toEqual([0, 4, 0]);
});

it('the peak is the first of the highest values; a line of zeros has none', () => {
  expect(peakOf([0, 3, 1, 3])).toBe(1);
  expect(peakOf([0, 0])).toBeUndefined();
});

it('a long range is counted by day, a single day by hour', () => {
  expect(intervalOf('1', 'day')).toBe('hour');
  expect(intervalOf('7', 'hour')).toBe('hour');
  expect(intervalOf('7', undefined)).toBe('day');
  expect(intervalOf('365', 'hour')).toBe('day');
});
