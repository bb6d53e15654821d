import type { EventQuery } from '@event-commerce/contracts';
import { beginningsOf, beginsWith } from '@event-commerce/service-kit';
import { LASTS_WITHOUT_END_MS, startBeforeSameTime } from './domain/clock-times.ts';
import { searchedFor, startTerms, term } from './domain/search-terms.ts';
import type { EventDocument } from '../models.ts';

/** What decides which events are on a page, and in which order. */
export type EventFilter = Omit<EventQuery, 'near' | 'availability' | 'facets'>;

/**
 * A condition on one of an event's fields: where it is stored, and how an index finds the events whose own value
 * matches.
 */
interface FieldCondition {
  path: `own.${keyof EventDocument['own']}`;
  own: Record<string, unknown>;
  /** How the index finds series, if not by `own`. */
  series?: Record<string, unknown>;
}

/** The earliest and the latest time that a database can store. */
const [EARLIEST, LATEST] = [new Date(-8.64e15), new Date(8.64e15)];

/** A series that an instance may inherit from. */
export interface Inherited {
  id: string;
  startsAt?: Date | undefined;
  endsAt?: Date | undefined;
  timezone?: string | undefined;
}

/** Finds the series that match `filter`, among those that an event on the list may inherit from. */
export type FindSeries = (filter: Record<string, unknown>) => Promise<Inherited[]>;

/**
 * The database filter for the events whose merged fields match `query`. An instance that does not override a field
 * inherits its series' value. So each condition is first applied to the series. It then matches every event with a
 * matching value of its own, and every instance without a value of its own whose series matches. This takes one query
 * per condition, whatever the number of instances.
 */
export async function mergedFilter(query: EventFilter, findSeries: FindSeries): Promise<Record<string, unknown>> {
  const clauses: Record<string, unknown>[] = [];
  // One after another, so that a search for a very common value fails before much is read.
  for (const anyOf of conditionsOf(query)) {
    const alternatives = await Promise.all(
      anyOf.map(async ({ path, own, series = own }) => {
        const seriesIds = (await findSeries(series)).map(({ id }) => id);
        if (seriesIds.length === 0) return [own];
        return [own, { kind: 'instance', seriesId: { $in: seriesIds }, [path]: { $exists: false } }];
      }),
    );
    const all = alternatives.flat();
    clauses.push(all.length === 1 ? (all[0] as Record<string, unknown>) : { $or: all });
  }
  if (query.endsAfter !== undefined) clauses.push(await notOverAt(query.endsAfter, findSeries));
  return {
    ...(query.kind === undefined ? {} : { kind: query.kind }),
    ...(query.seriesId === undefined ? {} : { seriesId: query.seriesId }),
    ...(clauses.length === 0 ? {} : { $and: clauses }),
  };
}

/**
 * The events that end after `time`. For an instance this depends on its own times and those of its series: without an
 * end of its own, it ends when its series does, or, if it has a start of its own, lasts as long as its series.
 */
async function notOverAt(time: string, findSeries: FindSeries): Promise<Record<string, unknown>> {
  const after = new Date(time);
  const dayBefore = new Date(after.getTime() - LASTS_WITHOUT_END_MS);
  const goesOn = ({ startsAt, endsAt }: Pick<Inherited, 'startsAt' | 'endsAt'>) =>
    endsAt === undefined ? startsAt === undefined || startsAt > dayBefore : endsAt > after;
  const withoutEnd = { 'own.endsAt': null };
  const alternatives: Record<string, unknown>[] = [
    { 'own.endsAt': { $gt: after } },
    { ...withoutEnd, kind: { $ne: 'instance' }, 'own.startsAt': null },
    { ...withoutEnd, kind: { $ne: 'instance' }, 'own.startsAt': { $gt: dayBefore } },
  ];
  const all = await findSeries({});
  const instancesOf = (series: readonly Inherited[], startsAt: unknown) => {
    if (series.length === 0) return;
    const seriesId = { $in: series.map(({ id }) => id) };
    alternatives.push({ ...withoutEnd, kind: 'instance', seriesId, 'own.startsAt': startsAt });
  };
  instancesOf(all.filter(goesOn), null);
  // Most series have one of a few durations, so there are few groups.
  const starts = Map.groupBy(all, (series) => lastStartBefore(time, series, dayBefore, goesOn(series)).getTime());
  for (const [start, series] of starts) instancesOf(series, { $gt: new Date(start) });
  return { $or: alternatives };
}

/** The latest start with which an instance of the series, without an end of its own, is over at `time`. */
function lastStartBefore(
  time: string,
  { startsAt, endsAt, timezone }: Inherited,
  dayBefore: Date,
  goesOn: boolean,
): Date {
  if (endsAt === undefined) return dayBefore;
  if (startsAt === undefined) return goesOn ? EARLIEST : LATEST;
  const like = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), timezone };
  return new Date(startBeforeSameTime(time, timezone, like));
}

/**
 * All of the conditions must hold; if one has several alternatives, any of them is enough.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a text without a letter or digit
 */
function conditionsOf({ status, venueId, from, to, q }: EventFilter): FieldCondition[][] {
  const conditions: FieldCondition[][] = [];
  for (const { name, description } of beginningsOf(q, searchedFor)) {
    conditions.push([
      { path: 'own.name', own: { terms: beginsWith(name) } },
      { path: 'own.description', own: { terms: beginsWith(description) } },
    ]);
  }
  if (status !== undefined) {
    conditions.push([{ path: 'own.status', own: { 'own.status': status }, series: { terms: term.status(status) } }]);
  }
  if (venueId !== undefined) conditions.push([{ path: 'own.venueId', own: { 'own.venueId': venueId } }]);
  if (from !== undefined || to !== undefined) {
    const [first, last] = [from, to].map((time) => (time === undefined ? undefined : new Date(time)));
    const between = { ...(first && { $gte: first }), ...(last && { $lte: last }) };
    // Terms, because an index in the order of the list has them.
    const own = { 'own.startsAt': between, terms: { $in: startTerms(first, last) } };
    conditions.push([{ path: 'own.startsAt', own }]);
  }
  return conditions;
}
