import { LRUCache } from 'lru-cache';
import type mongoose from 'mongoose';
import { keyOfTenant, type Page, type PageQuery, type Tenant, tryAgainShortly } from '@event-commerce/contracts';
import { keyedLimit } from '../concurrency/keyed-limit.ts';
import { decodeDocument, type StoredDocument } from '../mongo/collection.ts';
import type { IdPrefix } from '../mongo/ids.ts';
import { type IdRange, newestFirst, type PageFilter, type PageRequest } from '../mongo/newest-first.ts';
import { atMost, RESPOND_WITHIN_MS } from '../process/limits.ts';
import { validationError } from './validate.ts';

/**
 * The largest size of a page in bytes: a larger one ends early and names the next. One record is always a page,
 * whatever its size.
 */
export const PAGE_BYTES_MAX = 1024 * 1024;

/** The documents of a page, and whether more follow. */
interface Found<Doc> {
  documents: Doc[];
  more: boolean;
}

/** How many documents are fetched for an unknown tenant: 16 MiB at the very most. */
const FIRST_BATCH = 16;
const TENANTS_MAX = 10_000;
/** The size of a record of the last page, by collection and tenant. */
const weights = new LRUCache<string, number>(atMost(TENANTS_MAX));

/**
 * How many pages a process reads for one tenant at the same time. Each may be large: with all connections to the
 * database in use, a request of another company would wait behind every page that was requested before.
 */
const PAGES_AT_ONCE = 4;
const inTurnOfTenant = keyedLimit(PAGES_AT_ONCE, {
  waitsMaxMs: RESPOND_WITHIN_MS,
  tooLate: () => tryAgainShortly('Many lists of your company are being read; try again shortly.'),
});

/**
 * The documents of one page, as `newestFirst` reads them: as many as `limit` and `PAGE_BYTES_MAX` allow.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE, as `fillPage`
 */
export async function findPage<Doc extends StoredDocument>(
  collection: mongoose.Collection<Doc>,
  prefix: IdPrefix | undefined,
  filter: PageFilter<Doc>,
  query: PageQuery,
  about?: object,
): Promise<Found<Doc>> {
  return await fillPage<Doc>(collection.name, filter.companyId, query, (wanted) =>
    newestFirst(collection, prefix, filter, wanted, about),
  );
}

/**
 * The first documents that `read` yields as bytes: as many as `limit` and `PAGE_BYTES_MAX` allow. They are fetched in
 * batches of one page's size, judging by the last ones of that tenant in `collection`, so that a usual page is one
 * round trip and no process holds many times what it returns.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if other pages of the tenant keep its turn from coming in time
 */
export async function fillPage<Doc extends object>(
  collection: string,
  tenant: Tenant,
  query: PageQuery,
  read: (request: PageRequest) => AsyncIterable<Uint8Array>,
): Promise<Found<Doc>> {
  const company = keyOfTenant(tenant);
  return await inTurnOfTenant(company, async () => fillNow(`${collection} ${company}`, query, read));
}

async function fillNow<Doc extends object>(
  key: string,
  { limit }: PageQuery,
  read: (request: PageRequest) => AsyncIterable<Uint8Array>,
): Promise<Found<Doc>> {
  const weight = weights.get(key);
  const fitting = weight === undefined ? FIRST_BATCH : Math.ceil(PAGE_BYTES_MAX / weight);
  const documents: Doc[] = [];
  let bytes = 0;
  let more = false;
  for await (const document of read({ limit: limit + 1, batchSize: Math.min(limit + 1, fitting) })) {
    more = documents.length === limit || (bytes + document.length > PAGE_BYTES_MAX && documents.length > 0);
    if (more) break;
    bytes += document.length;
    documents.push(decodeDocument(document) as Doc);
  }
  if (documents.length > 0) weights.set(key, bytes / documents.length);
  return { documents, more };
}

/** A page of records. `list` names the list, which is in the order of the documents' ids: see `pageRange`. */
export function toPage<Doc extends StoredDocument, T>(
  found: Found<Doc>,
  query: PageQuery,
  list: string,
  toRecord: (document: Doc) => T,
): Page<T> {
  return { data: found.documents.map(toRecord), page: pageAfter(found, query, list, ({ _id }) => _id) };
}

/** Where the page after `found` begins. `afterOf`: what `afterCursor` is to return for it. */
export function pageAfter<Doc>(
  { documents, more }: Found<Doc>,
  query: PageQuery,
  list: string,
  afterOf: (last: Doc) => string,
): Page<unknown>['page'] {
  const last = documents.at(-1);
  const next = more && last !== undefined ? Buffer.from(`${list} ${afterOf(last)}`).toString('base64url') : null;
  return { next, limit: query.limit };
}

/**
 * What the page of `cursor` comes after in `list`; undefined for the first page. `form`: the form of what a list has in
 * place of ids, if it is not in their order.
 *
 * @throws {PlatformError} VALIDATION_FAILED if `list` never returned this cursor
 */
export function afterCursor(query: PageQuery, list: string, form = /^/): string | undefined {
  if (query.cursor === undefined) return undefined;
  const cursor = Buffer.from(query.cursor, 'base64url').toString();
  const after = cursor.slice(list.length + 1);
  if (cursor.startsWith(`${list} `) && form.test(after)) return after;
  const message = 'is not a cursor of this list: send page.next of its last page, or leave it out for the first page';
  throw validationError([{ path: ['cursor'], message }], 'query');
}

/**
 * The ids that a page is chosen from, if its list is in their order: those after `query.cursor`.
 *
 * @throws {PlatformError} VALIDATION_FAILED if `list` never returned this cursor
 */
export function pageRange(query: PageQuery, list: string): { _id?: IdRange } {
  const after = afterCursor(query, list);
  return after === undefined ? {} : { _id: { $lt: after } };
}
