import { BUCKETS_MAX, invalidInput, type SalesInterval, timestampOf } from '@event-commerce/contracts';

/** The hours or days of a range. */
export interface Buckets {
  /** When each begins, soonest first: epoch milliseconds. */
  starts: readonly number[];
  /** When the last one ends. */
  endMs: number;
}

/**
 * The hours or days, on the clocks of `timezone`, from the one with `from` to the one with the last moment before `to`.
 *
 * @throws {PlatformError} VALIDATION_FAILED if `to` is not after `from`, or there are too many
 */
export function bucketsBetween(from: string, to: string, interval: SalesInterval, timezone: string): Buckets {
  if (to <= from) throw invalidInput('to', 'must be after from');
  const endsMs = Date.parse(to);
  const starts: number[] = [];
  let start = beginningOf(Temporal.Instant.from(from).toZonedDateTimeISO(timezone), interval);
  while (start.epochMilliseconds < endsMs) {
    if (starts.length === BUCKETS_MAX) throw tooMany(interval, start);
    starts.push(start.epochMilliseconds);
    start = next(start, interval);
  }
  return { starts, endMs: start.epochMilliseconds };
}

function beginningOf(time: Temporal.ZonedDateTime, interval: SalesInterval): Temporal.ZonedDateTime {
  return interval === 'day' ? time.startOfDay() : time.round({ smallestUnit: 'hour', roundingMode: 'floor' });
}

function next(start: Temporal.ZonedDateTime, interval: SalesInterval): Temporal.ZonedDateTime {
  const later = interval === 'day' ? start.add({ days: 1 }) : start.add({ hours: 1 });
  const begins = beginningOf(later, interval);
  // Where clocks are turned back by half an hour, an hour begins twice.
  return Temporal.ZonedDateTime.compare(begins, start) > 0 ? begins : later;
}

function tooMany(interval: SalesInterval, end: Temporal.ZonedDateTime) {
  const latest = timestampOf(end.toInstant());
  const instead = interval === 'hour' ? ', or send interval=day' : '';
  return invalidInput(
    'to',
    `must be at most ${latest} with this from: a response has at most ${BUCKETS_MAX} ${interval}s; ask for less at a time${instead}`,
  );
}

/** The index of the bucket with the time `atMs`; undefined if there is none. */
export function bucketAt({ starts, endMs }: Buckets, atMs: number): number | undefined {
  if (atMs >= endMs || atMs < (starts[0] ?? endMs)) return undefined;
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
