import type { EventQuery } from '@event-commerce/contracts';
import { beginningsOf, beginsWith } from '@event-commerce/service-kit';
import { searchedFor, startTerms, term } from './domain/search-terms.ts';
import type { EventDocument } from '../models.ts';

/**
 * A condition on one of an event's fields: where it is stored, and how an index finds the events whose own value
 * matches.
 */
interface FieldCondition {
  path: `own.${keyof EventDocument['own']}`;
  own: Record<string, unknown>;
  /** How the index of series finds them, if not by `own`. */
  series?: Record<string, unknown>;
}

/** A series that an instance may inherit from. */
export interface Inherited {
  id: string;
  startsAt?: Date | undefined;
}

/** Finds the series that match `filter`, of those that an event on the list may inherit from. */
export type FindSeries = (filter: Record<string, unknown>) => Promise<Inherited[]>;

/**
 * The database filter for the events whose merged fields match `query`. An instance that does not override a field
 * inherits its series' value. So each condition is first applied to the series. It then matches every event with a
 * matching value of its own, and every instance without one whose series matches. One query for each condition,
 * whatever the number of instances.
 */
export async function mergedFilter(query: EventQuery, findSeries: FindSeries): Promise<Record<string, unknown>> {
  const clauses: Record<string, unknown>[] = [];
  // One after another, so that a search for what nearly everything has ends before much is read.
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
  return {
    ...(query.kind === undefined ? {} : { kind: query.kind }),
    ...(query.seriesId === undefined ? {} : { seriesId: query.seriesId }),
    ...(clauses.length === 0 ? {} : { $and: clauses }),
  };
}

/**
 * All of the conditions must hold; if one has several inner ones, any of them is enough.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a text without a letter or digit
 */
function conditionsOf({ status, venueId, from, to, q }: EventQuery): FieldCondition[][] {
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
    // The terms are what an index in the order of the list has.
    const own = { 'own.startsAt': between, terms: { $in: startTerms(first, last) } };
    conditions.push([{ path: 'own.startsAt', own }]);
  }
  return conditions;
}
