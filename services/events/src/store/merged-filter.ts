import type { EventKind, EventQuery } from '@event-commerce/contracts';
import type { EventDocument } from './models.ts';

/** A condition on one of an event's fields: where the field is stored, and what its value must match. */
interface FieldCondition {
  path: `own.${keyof EventDocument['own']}`;
  matches: unknown;
}

/** Finds the ids of the company's series that match `filter`, or whether the one with the id `only` does. */
type FindSeries = (filter: Record<string, unknown>, only?: string) => Promise<string[]>;

/**
 * The database filter for the events whose merged fields match `query`. An instance that does not override a field
 * inherits its series' value. So each condition is first applied to the series. It then matches every event with a
 * matching value of its own, and every instance without one whose series matches. One query for each condition,
 * whatever the number of instances.
 */
export async function mergedFilter(query: EventQuery, findSeries: FindSeries): Promise<Record<string, unknown>> {
  const inherits = mayInherit(query.kind, query.seriesId);
  const clauses = await Promise.all(
    conditionsOf(query).map(async (anyOf) => {
      const alternatives = await Promise.all(
        anyOf.map(async ({ path, matches }) => {
          const own = { [path]: matches };
          const seriesIds = inherits ? await findSeries(own, query.seriesId) : [];
          if (seriesIds.length === 0) return [own];
          return [own, { kind: 'instance', seriesId: { $in: seriesIds }, [path]: { $exists: false } }];
        }),
      );
      return { $or: alternatives.flat() };
    }),
  );
  return {
    ...(query.kind === undefined ? {} : { kind: query.kind }),
    ...(query.seriesId === undefined ? {} : { seriesId: query.seriesId }),
    ...(clauses.length === 0 ? {} : { $and: clauses }),
  };
}

/** All of the conditions must hold; if one has several inner ones, any of them is enough. */
function conditionsOf({ status, from, to, q }: EventQuery): FieldCondition[][] {
  const conditions: FieldCondition[][] = [];
  if (status !== undefined) conditions.push([{ path: 'own.status', matches: status }]);
  if (from !== undefined || to !== undefined) {
    const between = { ...(from && { $gte: new Date(from) }), ...(to && { $lte: new Date(to) }) };
    conditions.push([{ path: 'own.startsAt', matches: between }]);
  }
  if (q !== undefined) {
    const contains = { $regex: literally(q), $options: 'i' };
    conditions.push([
      { path: 'own.name', matches: contains },
      { path: 'own.description', matches: contains },
    ]);
  }
  return conditions;
}

function mayInherit(kind: EventKind | undefined, seriesId: string | undefined): boolean {
  return kind === 'instance' || kind === undefined || seriesId !== undefined;
}

/** A pattern that matches exactly the text `searched`: a caller's text is never interpreted as a pattern. */
function literally(searched: string): string {
  return searched.replaceAll(/[\\^$.*+?()[\]{}|/#&~-]/g, String.raw`\$&`);
}
