import { type Page, type PageQuery, PlatformError } from '@event-commerce/contracts';

/**
 * One page of records that are listed newest first by their time-ordered ids. `found` must have been asked for with
 * `limit + 1`, so that the record too many tells whether there is a next page.
 */
export function toPage<T extends { id: string }>(found: T[], query: PageQuery): Page<T> {
  const data = found.slice(0, query.limit);
  const last = data.at(-1);
  const next = found.length > query.limit && last ? Buffer.from(last.id).toString('base64url') : null;
  return { data, page: { next, limit: query.limit } };
}

/**
 * The id that the page after `cursor` comes after; undefined for the first page.
 *
 * @throws {PlatformError} VALIDATION_FAILED when no list answered this cursor
 */
export function afterCursor(query: PageQuery): string | undefined {
  if (query.cursor === undefined) return undefined;
  const id = Buffer.from(query.cursor, 'base64url').toString();
  if (!/^[A-Za-z0-9_\-.:]{1,128}$/.test(id)) {
    const detail = { path: 'cursor', message: 'is not a cursor that a list answered' };
    throw new PlatformError('VALIDATION_FAILED', `cursor: ${detail.message}`, { details: [detail] });
  }
  return id;
}
