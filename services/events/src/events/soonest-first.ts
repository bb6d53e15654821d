import { hash } from 'node:crypto';
import type { Tenant } from '@event-commerce/contracts';
import { atMost, decodeDocument, newestFirst, type PageRequest, UNREAD } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import type { mongo } from 'mongoose';
import type { FindSeries } from './merged-filter.ts';
import type { EventDocument } from '../models.ts';
import type { Events } from './stored-event.ts';

/** A list sorted by start. All times are in epoch milliseconds. */
export interface SoonestFirst {
  /** What is the same for every page, whenever it is requested. */
  about: object;
  /** The conditions on the events other than their start. */
  filter: Record<string, unknown> & { companyId: Tenant; $and?: Record<string, unknown>[] };
  findSeries: FindSeries;
  /** The first and the last start; if one is given, events without a start are left out. */
  from: number | undefined;
  to: number | undefined;
  /** The event that the list continues after. */
  after: Position | undefined;
}

interface Position {
  startMs: number | undefined;
  /** The platform's own. */
  id: string;
}

/** An event as this list reads it: an instance that inherits its start has that in `start`. */
type Started = EventDocument & { start?: Date };

/** The start of an event of this list, epoch milliseconds; undefined if it has none. */
export function startOf({ start, own }: Started): number | undefined {
  return (start ?? own.startsAt)?.getTime();
}

const HOUR_MS = 60 * 60 * 1000;
/** The span of time that is read first, and the factor by which it grows each time that this is not enough. */
const FIRST_SPAN_MS = 24 * HOUR_MS;
const SPAN_GROWTH = 8;
/** Beyond it, everything remaining is read at once. */
const SPAN_MAX_MS = 50 * 366 * 24 * HOUR_MS;
/** The earliest and the latest time that a database can store, epoch milliseconds. */
const [EARLIEST, LATEST] = [-8.64e15, 8.64e15];

/** What is known about a list. */
interface Reach {
  /** The time between the first and the last start on a page. */
  pageMs: number;
  /** The last start on the first page of the list. Whatever is added later, that page ends no later. */
  firstPageTo?: number | undefined;
  /** Everything that starts from here on fitted on one page. */
  lastPageFrom?: number | undefined;
}
const reaches = new LRUCache<string, Reach>(atMost(10_000));

/**
 * The events of `list` as bytes: soonest first, those without a start last, and those with the same start newest first.
 * They are read by spans of time: in each, the events with a start of their own, and the instances that inherit the
 * start of a series.
 */
export async function* soonestFirst(
  events: Events,
  list: SoonestFirst,
  { limit, batchSize }: PageRequest,
): AsyncGenerator<Uint8Array, void> {
  const { filter, from, to, after } = list;
  let left = limit;
  if (after === undefined || after.startMs !== undefined) {
    for await (const document of withStart(events, list, { limit, batchSize })) {
      left -= 1;
      yield document;
    }
  }
  if (left === 0 || from !== undefined || to !== undefined) return;
  const unscheduled = {
    ...filter,
    $and: [...(filter.$and ?? []), await withoutStart(list)],
    ...(after !== undefined && after.startMs === undefined ? { _id: { $lt: after.id } } : {}),
  };
  yield* newestFirst<EventDocument>(events, 'evt', unscheduled, { limit: left, batchSize });
}

/** Matches events without a start: an index has null for them. */
async function withoutStart({ findSeries }: SoonestFirst): Promise<Record<string, unknown>> {
  const series = await findSeries({ 'own.startsAt': null });
  const own = { kind: { $in: ['single', 'series'] }, 'own.startsAt': null };
  if (series.length === 0) return own;
  return { $or: [own, { kind: 'instance', seriesId: { $in: series.map(({ id }) => id) }, 'own.startsAt': null }] };
}

async function* withStart(
  events: Events,
  { about, filter, findSeries, from = EARLIEST, to = LATEST, after }: SoonestFirst,
  { limit, batchSize }: PageRequest,
): AsyncGenerator<Uint8Array, void> {
  const key = hash('sha1', JSON.stringify(about), 'base64');
  const known = reaches.get(key);
  // Nothing is stored at the ends of time, so it does not matter that the last instant is left out.
  const end = Math.min(to + 1, LATEST);
  const first = Math.max(from, after?.startMs ?? EARLIEST);
  const isFirstPage = first === EARLIEST;
  const isLastPage = known?.lastPageFrom !== undefined && known.lastPageFrom <= first;
  // Forgotten until this page is the last one again: if it is too long to read at once, the next attempt reads spans.
  if (isLastPage) reaches.set(key, { ...known, lastPageFrom: undefined });
  const spanMs = known === undefined ? FIRST_SPAN_MS : 2 * known.pageMs;
  const firstPageTo = async () => known?.firstPageTo ?? (await firstStart(events, filter));
  const firstUntil = isLastPage ? end : isFirstPage ? (await firstPageTo()) + 1 : first + spanMs;
  let [left, soonest] = [limit, first];
  for (const span of spansFrom(first, firstUntil, spanMs, end)) {
    const pipeline = await pipelineOf({ filter, findSeries, after, ...span });
    pipeline.push({ $limit: left }, { $project: UNREAD });
    for await (const document of events.aggregate<Uint8Array>(pipeline, { batchSize, raw: true })) {
      if (left === limit) soonest = startIn(document);
      left -= 1;
      if (left === 0) {
        const last = startIn(document);
        reaches.set(key, {
          pageMs: Math.max(HOUR_MS, last - soonest),
          firstPageTo: isFirstPage ? last : known?.firstPageTo,
          lastPageFrom: isLastPage ? undefined : known?.lastPageFrom,
        });
      }
      yield document;
    }
    if (left === 0) return;
  }
  if (end !== LATEST) return;
  const lastPageFrom = Math.min(first, known?.lastPageFrom ?? first);
  reaches.set(key, { pageMs: FIRST_SPAN_MS, ...known, lastPageFrom });
}

/** A span of time, epoch milliseconds. `until` is not part of it. */
interface Span {
  begin: number;
  until: number;
}

/** Spans that follow one another from `begin` to `end`: the first ends at `until`, later ones grow from `spanMs`. */
export function* spansFrom(begin: number, until: number, spanMs: number, end: number): Generator<Span, void> {
  yield { begin, until: Math.min(until, end) };
  if (until >= end) return;
  const nextMs = spanMs * SPAN_GROWTH;
  yield* spansFrom(until, nextMs > SPAN_MAX_MS ? end : until + nextMs, nextMs, end);
}

/** Reads the events that start in a span and come after `after`. */
async function pipelineOf({
  filter,
  findSeries,
  begin,
  until,
  after,
}: Pick<SoonestFirst, 'filter' | 'findSeries' | 'after'> & Span): Promise<mongo.Document[]> {
  const within = { 'own.startsAt': { $gte: new Date(begin), $lt: new Date(until) } };
  const series = await findSeries(within);
  const start = series.length === 0 ? 'own.startsAt' : 'start';
  const isAfter =
    after?.startMs === begin
      ? [{ $match: { $or: [{ [start]: { $gt: new Date(begin) } }, { _id: { $lt: after.id } }] } }]
      : [];
  const sort = { $sort: { [start]: 1, _id: -1 } };
  // An index has this order.
  if (series.length === 0) return [{ $match: { ...filter, ...within } }, ...isAfter, sort];
  const ids = series.map(({ id }) => id);
  const starts = series.map(({ startsAt }) => startsAt);
  const inherits = { kind: 'instance', seriesId: { $in: ids }, 'own.startsAt': null };
  const inherited = { $arrayElemAt: [{ $literal: starts }, { $indexOfArray: [{ $literal: ids }, '$seriesId'] }] };
  return [
    { $match: { ...filter, $or: [within, inherits] } },
    { $set: { start: { $ifNull: ['$own.startsAt', inherited] } } },
    ...isAfter,
    sort,
  ];
}

/** The approximate start of the first event of a company or of a series. */
async function firstStart(events: Events, { companyId, seriesId }: SoonestFirst['filter']): Promise<number> {
  const of = { companyId, ...(seriesId === undefined ? {} : { seriesId }) };
  const [first] = await events
    .find({ ...of, 'own.startsAt': { $gte: new Date(EARLIEST) } } as mongo.Filter<EventDocument>, {
      projection: { 'own.startsAt': 1 },
    })
    .sort({ 'own.startsAt': 1 })
    .limit(1)
    .toArray();
  return first?.own.startsAt?.getTime() ?? LATEST;
}

function startIn(document: Uint8Array): number {
  return startOf(decodeDocument(document) as Started) ?? LATEST;
}
