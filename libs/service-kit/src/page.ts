import type mongoose from 'mongoose';
import { type Page, type PageQuery } from '@event-commerce/contracts';
import { validationError } from './validate.ts';

/** What a page may weigh: a larger one ends early and names the next. One record makes a page, whatever it weighs. */
export const PAGE_BYTES_MAX = 1024 * 1024;

/** The records of a page, and whether more come after it. */
export interface Found<T> {
  records: T[];
  more: boolean;
}

/**
 * The documents of one page, newest first by their time-ordered `_id`, as many as `limit` and `PAGE_BYTES_MAX` allow. What they weigh is
 * asked for first, so that no process ever holds more.
 */
export async function findPage<D extends { _id: string }>(
  collection: mongoose.Collection,
  filter: Record<string, unknown>,
  { limit }: PageQuery,
  projection: Record<string, 0> = { outbox: 0 },
): Promise<Found<D>> {
  const candidates = (await collection
    .find(filter, { projection: { _id: 1, bytes: { $bsonSize: '$$ROOT' } } })
    .sort({ _id: -1 })
    .limit(limit + 1)
    .toArray()) as unknown as { _id: string; bytes: number }[];
  let bytes = 0;
  const ids: string[] = [];
  for (const candidate of candidates.slice(0, limit)) {
    bytes += candidate.bytes;
    if (bytes > PAGE_BYTES_MAX && ids.length > 0) break;
    ids.push(candidate._id);
  }
  const records = await collection
    .find({ _id: { $in: ids } } as never, { projection })
    .sort({ _id: -1 })
    .toArray();
  return { records: records as unknown as D[], more: candidates.length > ids.length };
}

/** One page of records as the API answers it. `list` names the list: its cursors are its own. */
export function toPage<T extends { id: string }>({ records, more }: Found<T>, query: PageQuery, list: string): Page<T> {
  const last = records.at(-1);
  const next = more && last ? Buffer.from(`${list} ${last.id}`).toString('base64url') : null;
  return { data: records, page: { next, limit: query.limit } };
}

/**
 * The id that the page after `cursor` comes after; undefined for the first page.
 *
 * @throws {PlatformError} VALIDATION_FAILED when `list` never answered this cursor
 */
export function afterCursor(query: PageQuery, list: string): string | undefined {
  if (query.cursor === undefined) return undefined;
  const cursor = Buffer.from(query.cursor, 'base64url').toString();
  if (cursor.startsWith(`${list} `)) return cursor.slice(list.length + 1);
  const message = 'is not a cursor of this list: send page.next of its last page, or leave it out for the first page';
  throw validationError([{ path: ['cursor'], message }], 'query');
}
