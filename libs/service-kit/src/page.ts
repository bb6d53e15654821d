import { type Page, type PageQuery } from '@event-commerce/contracts';
import { validationError } from './validate.ts';

/**
 * One page of records that are listed newest first by their time-ordered ids. `found` must have been asked for with
 * `limit + 1`, so that the record too many tells whether there is a next page. `list` names the list: its cursors are its own.
 */
export function toPage<T extends { id: string }>(found: T[], query: PageQuery, list: string): Page<T> {
  const data = found.slice(0, query.limit);
  const last = data.at(-1);
  const next = found.length > query.limit && last ? Buffer.from(`${list} ${last.id}`).toString('base64url') : null;
  return { data, page: { next, limit: query.limit } };
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
