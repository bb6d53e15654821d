import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type mongoose from 'mongoose';
import type { Tenant } from '@event-commerce/contracts';
import { atMost } from '../process/limits.ts';
import { decodeDocument, type StoredDocument, UNREAD } from './collection.ts';
import { firstIdAt, type IdPrefix, timeOfId } from './ids.ts';

/** The maximum number of documents, and how many of them each round trip returns. */
export interface PageRequest {
  limit: number;
  batchSize: number;
}

/**
 * Selects documents of one company, of all times or between two ids. A filter with ranges in `$and` needs the index
 * `{ companyId: 1, _id: -1 }`.
 */
export type PageFilter<Doc> = mongoose.mongo.Filter<Doc> & { companyId: Tenant; _id?: IdRange };
/** Ids from `$gte` on, or after `$gt`, and before `$lt`. */
export interface IdRange {
  $gte?: string;
  $gt?: string;
  $lt?: string;
}

/** How far back a list is read first, and how much farther each time that this is not enough. */
const FIRST_SPAN_MS = 60 * 60 * 1000;
const SPAN_GROWTH = 8;
const LISTS_MAX = 10_000;

/** What is known about a list. */
interface Reach {
  /**
   * The last id of its first page; empty if all of it is one page. Whatever is added later, a page reaches no farther.
   */
  firstPageTo?: string | undefined;
  /** The time between the first and the last record of a page. */
  pageMs: number;
}
const reaches = new LRUCache<string, Reach>(atMost(LISTS_MAX));

/**
 * The first documents that match, as bytes, newest first. They are read from spans of time, each farther back: so a
 * database that cannot take the order from an index sorts one span, not everything that the company has. `prefix`: the
 * prefix of the ids, if they are TypeIDs, and so in the order of time. `about`: what is the same for every page, if
 * `filter` is not because it contains the time of the request.
 */
export async function* newestFirst<Doc extends StoredDocument>(
  collection: mongoose.Collection<Doc>,
  prefix: IdPrefix | undefined,
  { _id: range = {}, ...filter }: PageFilter<Doc>,
  { limit, batchSize }: PageRequest,
  about: object = filter,
): AsyncGenerator<Uint8Array, void> {
  const find = (ids: IdRange | { $in: string[] }, count: number) =>
    collection
      .find<Uint8Array>({ ...filter, _id: ids } as mongoose.mongo.Filter<Doc>, {
        projection: UNREAD,
        batchSize,
        raw: true,
      })
      .sort({ _id: -1 })
      .limit(count);
  if (prefix === undefined) {
    yield* find(range, limit);
    return;
  }

  const key = `${collection.name} ${hash('sha1', JSON.stringify(about), 'base64')}`;
  const known = reaches.get(key);
  const { $gte: oldest = '', $lt: end } = range;
  const endMs = end === undefined ? Infinity : timeOfId(end);
  const isFirstPage = endMs > Date.now();
  let spanMs = known === undefined ? FIRST_SPAN_MS : 2 * known.pageMs;
  const earlier = (ms: number) => (ms > spanMs ? firstIdAt(prefix, ms - spanMs) : '');
  const firstSpan = earlier(Math.min(endMs, Date.now()));
  let since = (isFirstPage ? known?.firstPageTo : undefined) ?? firstSpan;
  // After a record of a clock that is ahead, a later page looks like the first one, which may have moved past it since.
  if (end !== undefined && since >= end) since = firstSpan;
  let [before, left, newestMs] = [end, limit, 0];
  for (;;) {
    const isLast = since <= oldest;
    const ids = { ...(before === undefined ? {} : { $lt: before }), $gte: isLast ? oldest : since };
    const few = await fewBetween(collection, filter, ids);
    for await (const document of few?.length === 0 ? [] : find(few === undefined ? ids : { $in: few }, left)) {
      if (left === limit) newestMs = timeOfId(idOf(document));
      left -= 1;
      if (left === 0) {
        const last = idOf(document);
        const pageMs = Math.max(1, newestMs - timeOfId(last));
        reaches.set(key, { firstPageTo: isFirstPage ? last : known?.firstPageTo, pageMs });
      }
      yield document;
    }
    if (left === 0) return;
    if (isLast) {
      if (isFirstPage) reaches.set(key, { firstPageTo: '', pageMs: FIRST_SPAN_MS });
      return;
    }
    before = since;
    spanMs *= SPAN_GROWTH;
    since = earlier(timeOfId(since));
  }
}

/** Up to this many documents are found by their ids rather than by the index that the database chooses. */
const FEW = 200;
/** A database may read everything between two ids, whatever the limit. */
const FEW_WITHIN_MS = 50;
const TIME_LIMIT_EXCEEDED = 50;

/**
 * The ids of all documents between `ids`, whatever they match, if there are few and a condition is a range, such as the
 * beginning of a word. A range of an index is not in the order of the list: a database may read all of it for one page.
 */
async function fewBetween<Doc extends StoredDocument>(
  collection: mongoose.Collection<Doc>,
  { companyId, $and }: Omit<PageFilter<Doc>, '_id'>,
  ids: IdRange,
): Promise<string[] | undefined> {
  const conditions: readonly object[] = $and ?? [];
  if (conditions.every(isEquality) || ids.$gte === '') return undefined;
  const filter = { companyId, _id: ids } as mongoose.mongo.Filter<Doc>;
  const hint = { companyId: 1, _id: -1 } as const;
  const options = { projection: { _id: 1 }, limit: FEW, hint, maxTimeMS: FEW_WITHIN_MS };
  try {
    const found = await collection.find<{ _id: string }>(filter, options).toArray();
    return found.length < FEW ? found.map(({ _id }) => _id) : undefined;
  } catch (error) {
    if ((error as { code?: unknown }).code === TIME_LIMIT_EXCEEDED) return undefined;
    throw error;
  }
}

function isEquality(condition: object): boolean {
  return Object.values(condition).every((value) => typeof value !== 'object');
}

function idOf(document: Uint8Array): string {
  return (decodeDocument(document) as StoredDocument)._id;
}
