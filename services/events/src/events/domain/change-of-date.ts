import type { ChangeOfDates, DatesJob, EventOverrides, EventPatch, OverridableField } from '@event-commerce/contracts';
import { clockTime } from './clock-times.ts';
import { type EventRecord, mergedFields, overAt, zoneOf } from './event-record.ts';

/** One of many dates that are changed, and what the change makes of its own fields. */
export interface ChangedDate {
  record: EventRecord;
  series: EventRecord;
  own: EventOverrides;
}

/** Why a date stays as it is. */
export type WhyLeftAlone = Pick<DatesJob['leftAlone'][number], 'reason' | 'why'>;

/** What a ticket promises. */
const PROMISED = ['startsAt', 'endsAt', 'venueId'] as const satisfies readonly OverridableField[];

/**
 * A date's own values as its `given` keeps them when it gets them together with other dates: times are clock times,
 * which stay when the time zone changes. A value that differs from the given one was set for the date alone.
 */
export function asGiven({ startsAt, endsAt, ...fields }: EventOverrides, zone: string | undefined): EventOverrides {
  const clock = (time: string) => clockTime(time, zone).toPlainTime().toString({ smallestUnit: 'minute' });
  return {
    ...fields,
    ...(startsAt === undefined ? {} : { startsAt: clock(startsAt) }),
    ...(endsAt === undefined ? {} : { endsAt: clock(endsAt) }),
  };
}

/** The `given` of a date after `change` made its own fields `own`. */
export function givenAfter({ record, series, own }: ChangedDate, change: ChangeOfDates): EventOverrides {
  const changed = Object.keys(change);
  const kept = Object.entries(record.given ?? {}).filter(([field]) => !changed.includes(field));
  const given = Object.entries(asGiven(own, zoneOf(own, series.own))).filter(([field]) => changed.includes(field));
  return Object.fromEntries([...kept, ...given]);
}

/** The `given` of a date whose own times move to those of `own` in the zone `to`: a given time stays one. */
export function givenInZone(
  { own: before, timesZone, given }: EventRecord,
  own: EventOverrides,
  to: string | undefined,
) {
  if (given === undefined) return {};
  const [was, is] = [asGiven(before, timesZone), asGiven(own, to)];
  const times = (['startsAt', 'endsAt'] as const).filter(
    (time) => is[time] !== undefined && given[time] !== undefined && was[time] === given[time],
  );
  return { given: { ...given, ...Object.fromEntries(times.map((time) => [time, is[time]])) } };
}

/** `change` as the patch of a date: its clock times on the day on which the date starts. */
export function patchOfDate(
  { startsAt, endsAt, ...fields }: ChangeOfDates,
  { record, series }: Omit<ChangedDate, 'own'>,
) {
  const { startsAt: start, timezone } = mergedFields(record.own, series.own);
  const patch: EventPatch = fields;
  if (start === undefined) return patch;
  const now = clockTime(start, timezone);
  const starts = startsAt === undefined ? now.toPlainTime() : Temporal.PlainTime.from(startsAt);
  const at = (day: Temporal.PlainDate, clock: Temporal.PlainTime) =>
    day.toPlainDateTime(clock).toString({ fractionalSecondDigits: 3 });
  if (startsAt !== undefined) patch.startsAt = at(now.toPlainDate(), starts);
  if (typeof endsAt === 'string') {
    const ends = Temporal.PlainTime.from(endsAt);
    const isNextDay = Temporal.PlainTime.compare(ends, starts) <= 0;
    patch.endsAt = at(now.toPlainDate().add({ days: isNextDay ? 1 : 0 }), ends);
  } else if (endsAt === null) patch.endsAt = null;
  return patch;
}

/** Why a date that is over or cancelled is left alone. */
export function whyNotOn({ record, series }: Omit<ChangedDate, 'own'>, now: Date): WhyLeftAlone | undefined {
  const shown = mergedFields(record.own, series.own);
  if (shown.status === 'cancelled') return { reason: 'cancelled', why: 'It is cancelled.' };
  const over = overAt(shown);
  if (over === undefined || over > now.toISOString()) return undefined;
  return { reason: 'over', why: `It was over at ${over}.` };
}

/** Why a date with values that were set for it alone is left alone. */
export function whyOverridden({ record, series, own }: ChangedDate, change: ChangeOfDates): WhyLeftAlone | undefined {
  const { own: before, given = {} } = record;
  const zone = zoneOf(before, series.own);
  const [has, gets] = [asGiven(before, zone), asGiven(own, zoneOf(own, series.own))];
  const fields = (Object.keys(change) as OverridableField[]).filter((field) => {
    if (isSame(has[field], undefined) || isSame(has[field], gets[field])) return false;
    // Each date has a start of its own.
    if (field === 'startsAt' && given.startsAt === undefined) return false;
    return !isSame(has[field], given[field]);
  });
  if (fields.length === 0) return undefined;
  const values = fields.map((field) => `${field} ${JSON.stringify(has[field])}`);
  return { reason: 'overridden', why: `It has values that were set for this date alone: ${values.join(', ')}.` };
}

/** How many tickets of a date may be sold or held for it to be changed; undefined if any number. */
export function mostTaken({ record, series, own }: ChangedDate): number | undefined {
  const [before, after] = [mergedFields(record.own, series.own), mergedFields(own, series.own)];
  const isCancelled = after.status === 'cancelled' && before.status !== 'cancelled';
  if (isCancelled || PROMISED.some((field) => before[field] !== after[field])) return 0;
  const { capacity } = after;
  return capacity === undefined || capacity >= (before.capacity ?? Infinity) ? undefined : capacity;
}

/** Why a date with `taken` tickets sold or held, more than `most`, is left alone. */
export function whySold(taken: number, most: number): WhyLeftAlone {
  const tickets = taken === 1 ? '1 ticket is' : `${taken} tickets are`;
  const why = most === 0 ? `${tickets} sold or held.` : `${tickets} sold or held, more than the capacity of ${most}.`;
  return { reason: 'sold', why };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
