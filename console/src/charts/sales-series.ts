import { instantOf, localOf } from '../format/zoned-time.ts';

/** Counts by hour or day, as `GET /v1/sales` returns them: without empty buckets. */
interface Counted {
  interval: 'hour' | 'day';
  timezone: string;
  from: string;
  to: string;
}

const HOUR_MS = 3_600_000;

/** The beginnings of all buckets between `from` and `to`, also of those in which nothing happened. */
export function bucketStarts({ interval, timezone, from, to }: Counted): string[] {
  const starts: string[] = [];
  const endMs = Date.parse(to);
  for (let at = from; Date.parse(at) < endMs; at = nextStart(at, interval, timezone)) {
    starts.push(new Date(at).toISOString());
  }
  return starts;
}

function nextStart(at: string, interval: Counted['interval'], timezone: string): string {
  if (interval === 'hour') return new Date(Date.parse(at) + HOUR_MS).toISOString();
  // A day is 23 or 25 hours long when clocks change.
  const date = new Date(`${localOf(at, timezone).slice(0, 10)}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return instantOf(date.toISOString().slice(0, 16), timezone) ?? at;
}

/** A line of a chart: a value for each bucket. */
export interface Line {
  name: string;
  values: readonly number[];
}

/** The values of `buckets` at each of `starts`; 0 where there is none. */
export function valuesAt<T extends { start: string }>(
  starts: readonly string[],
  buckets: readonly T[],
  valueOf: (bucket: T) => number,
): number[] {
  const byStart = new Map(buckets.map((bucket) => [Date.parse(bucket.start), valueOf(bucket)]));
  return starts.map((start) => byStart.get(Date.parse(start)) ?? 0);
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** The index of the highest value; undefined if all are 0. */
export function peakOf(values: readonly number[]): number | undefined {
  const highest = Math.max(0, ...values);
  return highest === 0 ? undefined : values.indexOf(highest);
}

/** How far back the charts can look. */
export const RANGES = [
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last year'],
] as const;
export type RangeDays = (typeof RANGES)[number][0];

/** More days than these have more hours than one can see, and than the platform counts at once. */
const BY_HOUR_MAX_DAYS = 30;

/** The interval by which a range is counted: the one asked for, if the range can show it. */
export function intervalOf(days: RangeDays, wanted: string | undefined): 'hour' | 'day' {
  if (days === '1') return 'hour';
  return wanted === 'hour' && Number(days) <= BY_HOUR_MAX_DAYS ? 'hour' : 'day';
}

/** Whether there is a choice between hours and days. */
export function canChooseInterval(days: RangeDays): boolean {
  return days !== '1' && Number(days) <= BY_HOUR_MAX_DAYS;
}
