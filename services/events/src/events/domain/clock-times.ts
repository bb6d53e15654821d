import { sharedZone, timestampOf } from '@event-commerce/contracts';

/** The time zone of an event that has none. */
export const DEFAULT_ZONE = 'UTC';

/** How long an event lasts that says nothing of its end: it is on for a list, and sells, until then. */
export const LASTS_WITHOUT_END_MS = 24 * 60 * 60 * 1000;

const END_OF_TIME = '9999-12-31T23:59:59.999Z';

interface Lasts {
  startsAt: string;
  endsAt: string;
  timezone: string | undefined;
}

/**
 * When something ends that starts at `startsAt` and lasts as long as `like` on the clock: from 22:00 to 04:00 is six
 * hours also in a night in which the clocks change.
 */
export function endAfterSameTime(startsAt: string, timezone: string | undefined, like: Lasts): string {
  const start = Temporal.Instant.from(startsAt);
  const lasts = clockTime(like.startsAt, like.timezone).until(clockTime(like.endsAt, like.timezone));
  // Between the two passes of an hour that the clocks show twice, the clock goes back.
  if (lasts.sign <= 0) return timestampOf(start.add(Temporal.Instant.from(like.startsAt).until(like.endsAt)));
  const end = clockTime(startsAt, timezone).add(lasts);
  const inZone = (disambiguation: 'compatible' | 'later') =>
    end.toZonedDateTime(timezone ?? DEFAULT_ZONE, { disambiguation }).toInstant();
  const first = inZone('compatible');
  return timestampOf(Temporal.Instant.compare(first, start) > 0 ? first : inZone('later'));
}

/** When something starts that lasts as long as `like` on the clock and ends at `endsAt`. */
export function startBeforeSameTime(endsAt: string, timezone: string | undefined, like: Lasts): string {
  const lasts = clockTime(like.startsAt, like.timezone).until(clockTime(like.endsAt, like.timezone));
  const elapsed = Temporal.Instant.from(like.startsAt).until(like.endsAt);
  if (lasts.sign <= 0) return timestampOf(Temporal.Instant.from(endsAt).subtract(elapsed));
  const start = clockTime(endsAt, timezone).subtract(lasts);
  return timestampOf(start.toZonedDateTime(timezone ?? DEFAULT_ZONE).toInstant());
}

/**
 * `times` in the zone `to`, where the clocks show what they show in `from`. Without one of the two zones there is no clock
 * to keep: the instants stay. So does the end of time.
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

function clockTime(time: string, timezone: string = DEFAULT_ZONE): Temporal.PlainDateTime {
  return Temporal.Instant.from(time).toZonedDateTimeISO(timezone).toPlainDateTime();
}
