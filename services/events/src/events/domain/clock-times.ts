import { sharedZone, timestampOf } from '@event-commerce/contracts';

/** The time zone of an event that has none. */
export const DEFAULT_ZONE = 'UTC';

/** How long an event without an end lasts: lists show it as running, and it sells, until then. */
export const LASTS_WITHOUT_END_MS = 24 * 60 * 60 * 1000;

const END_OF_TIME = '9999-12-31T23:59:59.999Z';

interface Lasts {
  startsAt: string;
  endsAt: string;
  timezone: string | undefined;
}

/**
 * The end of something that starts at `startsAt` and lasts as long as `like` on the clock: 22:00 to 04:00 is six hours
 * even in a night in which the clocks change.
 */
export function endAfterSameTime(startsAt: string, timezone: string | undefined, like: Lasts): string {
  const start = Temporal.Instant.from(startsAt);
  const lasts = clockTime(like.startsAt, like.timezone).until(clockTime(like.endsAt, like.timezone));
  // The clock goes back between the two passes of an hour that it shows twice.
  if (lasts.sign <= 0) return timestampOf(start.add(Temporal.Instant.from(like.startsAt).until(like.endsAt)));
  const end = clockTime(startsAt, timezone).add(lasts);
  const inZone = (disambiguation: 'compatible' | 'later') =>
    end.toZonedDateTime(timezone ?? DEFAULT_ZONE, { disambiguation }).toInstant();
  const first = inZone('compatible');
  return timestampOf(Temporal.Instant.compare(first, start) > 0 ? first : inZone('later'));
}

/** The start of something that lasts as long as `like` on the clock and ends at `endsAt`. */
export function startBeforeSameTime(endsAt: string, timezone: string | undefined, like: Lasts): string {
  const lasts = clockTime(like.startsAt, like.timezone).until(clockTime(like.endsAt, like.timezone));
  const elapsed = Temporal.Instant.from(like.startsAt).until(like.endsAt);
  if (lasts.sign <= 0) return timestampOf(Temporal.Instant.from(endsAt).subtract(elapsed));
  const start = clockTime(endsAt, timezone).subtract(lasts);
  return timestampOf(start.toZonedDateTime(timezone ?? DEFAULT_ZONE).toInstant());
}

/** The time that is as far from `startsAt`, on the clock in `timezone`, as `time` is from `from`. */
export function movedAlong(time: string, from: string, startsAt: string, timezone: string = DEFAULT_ZONE): string {
  const distance = clockTime(from, timezone).until(clockTime(time, timezone));
  return timestampOf(clockTime(startsAt, timezone).add(distance).toZonedDateTime(timezone).toInstant());
}

/**
 * `times` at the same clock times in the zone `to` as in `from`. If either zone is missing, there is no clock time to
 * keep, so the instants stay. The end of time always stays.
 */
export function keepClock<Times extends Readonly<Record<string, string | undefined>>>(
  times: Times,
  from: string | undefined,
  to: string | undefined,
): Times {
  if (from === undefined || to === undefined || sharedZone([from, to]) !== undefined) return times;
  const moved = Object.entries(times).map(([name, time]) => {
    if (time === undefined || time === END_OF_TIME) return [name, time];
    return [name, timestampOf(clockTime(time, from).toZonedDateTime(to).toInstant())];
  });
  return Object.fromEntries(moved) as Times;
}

/** What a clock in `timezone` shows at `time`. */
export function clockTime(time: string, timezone: string = DEFAULT_ZONE): Temporal.PlainDateTime {
  return Temporal.Instant.from(time).toZonedDateTimeISO(timezone).toPlainDateTime();
}
