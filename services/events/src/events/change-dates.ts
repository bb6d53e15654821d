import { isDeepStrictEqual } from 'node:util';
import { type ChangeDatesInput, hasCode, invalidInput, type Tenant, WEEKDAYS } from '@event-commerce/contracts';
import { wasChangedBy } from '@event-commerce/service-kit';
import type { DatesOutcome, DatesToChange } from '../models.ts';
import { eventPool, poolIdOf, type TicketPools } from '../tickets/ticket-pools.ts';
import { callOffAfter, type ChangeEventDeps, makeKnown, patchedOwn } from './change-event.ts';
import { showInZone } from './create-event.ts';
import {
  type ChangedDate,
  givenAfter,
  mostTaken,
  patchOfDate,
  type WhyLeftAlone,
  whyNotOn,
  whyOverridden,
  whySold,
} from './domain/change-of-date.ts';
import { clockTime } from './domain/clock-times.ts';
import { DATES_MAX } from './domain/dates-by-rule.ts';
import { type EventRecord, mergedFields, zoneOfTimes } from './domain/event-record.ts';
import type { EventWriter, NextEvent } from './event.repository.ts';
import { findInstance, seriesOf } from './read-events.ts';

/** How many dates are changed at a time. */
const CHANGED_AT_ONCE = 10;
/** More than any zone's difference from UTC. */
const ZONE_MAX = { hours: 48 };

export interface ChangeDatesDeps extends ChangeEventDeps {
  pools: Pick<TicketPools, 'countsOf' | 'followUpTo'>;
}

type PlannedDate = DatesToChange['dates'][number];
type Change = Pick<DatesToChange, 'change' | 'include'>;
/** What a date becomes, and how many of its tickets may be sold or held for that: undefined if any number. */
type Decision = WhyLeftAlone | { next: NextEvent; most: number | undefined };

/**
 * The dates of the series that the filter matches, soonest first.
 *
 * @throws {PlatformError} VALIDATION_FAILED if there are too many
 */
export async function datesToChange(
  { events }: Pick<ChangeDatesDeps, 'events'>,
  tenant: Tenant,
  series: EventRecord,
  { from, to, weekdays }: ChangeDatesInput['filter'],
): Promise<PlannedDate[]> {
  const dates: PlannedDate[] = [];
  const about = (day: string | undefined, add: Temporal.DurationLike) =>
    day === undefined
      ? undefined
      : new Date(Temporal.PlainDate.from(day).toZonedDateTime('UTC').add(add).epochMilliseconds);
  const range = { from: about(from, { hours: -ZONE_MAX.hours }), to: about(to, ZONE_MAX) };
  for await (const { id, startsAt = series.own.startsAt, timezone } of events.startsOf(tenant, series.id, range)) {
    if (startsAt === undefined) continue;
    const start = clockTime(startsAt, timezone ?? series.own.timezone);
    const day = start.toPlainDate().toString();
    const weekday = WEEKDAYS[start.dayOfWeek - 1];
    if ((from !== undefined && day < from) || (to !== undefined && day > to)) continue;
    if (weekdays !== undefined && (weekday === undefined || !weekdays.includes(weekday))) continue;
    dates.push({ eventId: id, startsAt });
    if (dates.length > DATES_MAX) {
      throw invalidInput('filter', `matches more than ${DATES_MAX} dates; change some days after the others`);
    }
  }
  return dates.toSorted((a, b) => (a.startsAt === b.startsAt ? 0 : a.startsAt < b.startsAt ? -1 : 1));
}

/** What would become of the dates. */
export async function previewChange(
  deps: ChangeDatesDeps,
  tenant: Tenant,
  series: EventRecord,
  work: Change,
  dates: readonly PlannedDate[],
): Promise<DatesOutcome> {
  const ids = dates.map(({ eventId }) => eventId);
  const [records, counts] = await Promise.all([deps.events.findAll(tenant, ids), takenOf(deps, tenant, ids)]);
  const outcomes = await Promise.all(
    dates.map(async (date) => {
      const record = records.get(date.eventId);
      // Events are never deleted.
      if (record === undefined) throw new Error(`the instance ${date.eventId} is gone`);
      const decided = await decide(deps, work, { record, series }, counts(date.eventId).claimed);
      return 'reason' in decided
        ? { ...date, ...decided }
        : changed(date, mergedFields(decided.next.own, series.own).startsAt);
    }),
  );
  return outcomeOf(outcomes);
}

/** Changes some dates. Safe to repeat: what an earlier attempt changed is not changed again. */
export async function changeDates(
  deps: ChangeDatesDeps,
  writer: EventWriter,
  work: DatesToChange,
  dates: readonly PlannedDate[],
): Promise<DatesOutcome> {
  const counts = await takenOf(
    deps,
    writer.tenant,
    dates.map(({ eventId }) => eventId),
  );
  const outcomes: Outcome[] = [];
  for (let from = 0; from < dates.length; from += CHANGED_AT_ONCE) {
    const some = dates.slice(from, from + CHANGED_AT_ONCE);
    outcomes.push(
      ...(await Promise.all(some.map(async (date) => changeDate(deps, writer, work, date, counts(date.eventId))))),
    );
  }
  return outcomeOf(outcomes);
}

type Outcome = DatesOutcome['dates'][number] | DatesOutcome['leftAlone'][number];

async function changeDate(
  deps: ChangeDatesDeps,
  writer: EventWriter,
  work: DatesToChange,
  date: PlannedDate,
  { claimed, definitionVersion }: ReturnType<Awaited<ReturnType<typeof takenOf>>>,
): Promise<Outcome> {
  const { tenant } = writer;
  const done = await deps.events.changeInTurn(tenant, date.eventId, async () => {
    const { instance: record, series } = await findInstance(deps, tenant, work.seriesId, date.eventId);
    if (wasChangedBy(writer, record)) return { record };
    const decided = await decide(deps, work, { record, series }, claimed);
    if ('reason' in decided) {
      const isClosed = definitionVersion > record.version;
      const left = isClosed ? await reopen(deps, writer, record) : record;
      return left && { leftAlone: decided };
    }
    const { next, most } = decided;
    if (most !== undefined) {
      // From here on, orders get tickets only once they read the changed date.
      const pool = eventPool({ ...record, own: next.own, version: record.version + 1 }, series);
      const { followed, claimed: taken } = await deps.pools.followUpTo(pool, most);
      if (!followed) return taken > most ? { leftAlone: whySold(taken, most) } : undefined;
    }
    const written = await deps.events.replaceOwn(writer, record, next, { type: 'event.updated' }, deps.clock());
    return written && { record: written };
  });
  if ('leftAlone' in done) return { ...date, ...done.leftAlone };
  await makeKnown(deps, writer, done.record, Object.keys(work.change));
  const { startsAt } = await showInZone(deps, writer, done.record, await seriesOf(deps, done.record));
  return changed(date, startsAt);
}

/**
 * Reopens the sale of a date by writing it unchanged. An attempt at the change closed it and was killed, and because of
 * another change, the date is left alone now.
 */
async function reopen(deps: ChangeDatesDeps, writer: EventWriter, record: EventRecord) {
  const { own, timesZone, callOff } = record;
  const next = { own, timesZone, callOff };
  const unchanged = { ...writer, attempt: undefined };
  const opened = await deps.events.replaceOwn(unchanged, record, next, { type: 'event.updated' }, deps.clock());
  if (opened !== undefined) await deps.announceEvent(opened);
  return opened;
}

/** Decides what the change makes of a date with `claimed` tickets sold or held. */
async function decide(
  deps: ChangeDatesDeps,
  { change, include }: Change,
  current: Omit<ChangedDate, 'own'>,
  claimed: number,
): Promise<Decision> {
  const { record, series } = current;
  const unlessIncluded = (why: WhyLeftAlone | undefined) =>
    include.some((reason) => reason === why?.reason) ? undefined : why;
  const notOn = unlessIncluded(whyNotOn(current, deps.clock()));
  if (notOn !== undefined) return notOn;
  let own;
  let callOff;
  try {
    own = patchedOwn(patchOfDate(change, current), current);
    callOff = await callOffAfter(deps, record, own);
  } catch (error) {
    if (hasCode(error, 'CALL_OFF_RUNNING')) return { reason: 'cancelled', why: error.message };
    if (hasCode(error, 'VALIDATION_FAILED')) return { reason: 'invalid', why: error.message };
    throw error;
  }
  if (isDeepStrictEqual(own, record.own)) return { reason: 'same', why: 'It is so already.' };
  const date = { ...current, own };
  const overridden = unlessIncluded(whyOverridden(date, change));
  if (overridden !== undefined) return overridden;
  const most = include.includes('sold') ? undefined : mostTaken(date);
  if (most !== undefined && claimed > most) return whySold(claimed, most);
  const next = { own, timesZone: zoneOfTimes(own, series.own), callOff, given: givenAfter(date, change) };
  return { next, most };
}

/** For each event: how many tickets are sold or held, and the version that orders must know. */
async function takenOf({ pools }: ChangeDatesDeps, tenant: Tenant, eventIds: readonly string[]) {
  const counts = await pools.countsOf(eventIds.map((id) => poolIdOf('event', tenant, id)));
  return (id: string) => counts.get(poolIdOf('event', tenant, id)) ?? { claimed: 0, definitionVersion: 0 };
}

function changed({ eventId, startsAt }: PlannedDate, becomes: string | undefined): Outcome {
  return { startsAt, ...(becomes === undefined || becomes === startsAt ? {} : { movedTo: becomes }), eventId };
}

function outcomeOf(outcomes: readonly Outcome[]): DatesOutcome {
  return {
    dates: outcomes.filter((one) => !('reason' in one)),
    leftAlone: outcomes.filter((one) => 'reason' in one),
  };
}
