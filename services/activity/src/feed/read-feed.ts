import {
  type ActivityEntry,
  type ActivityQuery,
  cursorExpired,
  invalidInput,
  type Scope,
  type Tenant,
} from '@event-commerce/contracts';
import type { EntryDocument } from '../models.ts';
import { cursorOf, type Position, positionIn } from '../log/domain/position.ts';
import { type EntryFilter, type LogRepository, toEntry } from '../log/log.repository.ts';
import { entryFilter } from './entry-filter.ts';
import type { HeadFollower } from './follow-head.ts';
import type { OpenSlots } from './open-slots.ts';

const COLLAPSED_MAX = 5_000;

export interface FeedDeps {
  log: LogRepository;
  head: HeadFollower;
  slots: OpenSlots;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

interface Feed {
  data: ActivityEntry[];
  page: { next: string | null; limit: number; more?: boolean };
}

/**
 * One page of what happened: newest first, or with `after` what came after it, oldest first.
 *
 * @throws {PlatformError} VALIDATION_FAILED, FORBIDDEN, CURSOR_EXPIRED, or RATE_LIMITED if too many wait
 */
export async function readFeed(
  deps: FeedDeps,
  { tenant, scopes }: { tenant: Tenant; scopes: readonly Scope[] },
  query: ActivityQuery,
): Promise<Feed> {
  const { from, to, after, cursor, limit, wait, collapse } = query;
  const filter = {
    ...entryFilter(query, scopes),
    ...(from === undefined ? {} : { from: new Date(from) }),
    ...(to === undefined ? {} : { to: new Date(to) }),
  };
  if (after === undefined) {
    if (wait > 0) throw invalidInput('wait', 'needs after: send after=now to wait for what comes next');
    if (collapse !== undefined) throw invalidInput('collapse', 'needs after: send after=oldest, or a cursor');
    return await newestFirst(deps.log, tenant, filter, { cursor, limit });
  }
  if (cursor !== undefined) throw invalidInput('cursor', 'cannot be sent with after: send page.next as after');
  const start = await startOf(deps.log, tenant, after);
  const read = async () => await oldestFirst(deps.log, tenant, filter, start, query);
  const feed = await read();
  if (feed.data.length > 0 || wait === 0) return feed;
  return await deps.slots.during(tenant, async () => await waitFor(deps, read, start, wait * 1_000));
}

async function waitFor(deps: FeedDeps, read: () => Promise<Feed>, start: Position, waitMs: number): Promise<Feed> {
  const endMs = performance.now() + waitMs;
  let seen = start;
  for (;;) {
    const leftMs = endMs - performance.now();
    if (leftMs <= 0 || deps.stopping.aborted) return await read();
    await deps.head.grownBeyond(seen, leftMs);
    const feed = await read();
    if (feed.data.length > 0) return feed;
    seen = positionIn(feed.page.next ?? '') ?? seen;
  }
}

async function newestFirst(
  log: LogRepository,
  tenant: Tenant,
  filter: EntryFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Feed> {
  const [head, after] = await Promise.all([log.head(), log.forgottenTo(tenant)]);
  const before = cursor === undefined ? undefined : positionIn(cursor);
  if (cursor !== undefined && before === undefined) throw notACursor('cursor');
  const upTo = before === undefined ? (head?.position ?? 0) : Math.min(before - 1, head?.position ?? 0);
  const found = await log.read(tenant, filter, { after, upTo }, { limit: limit + 1, direction: 'newest-first' });
  const data = found.slice(0, limit).map(toEntry);
  return { data, page: { next: found.length > limit ? (data.at(-1)?.cursor ?? null) : null, limit } };
}

async function oldestFirst(
  log: LogRepository,
  tenant: Tenant,
  filter: EntryFilter,
  after: Position,
  { limit, collapse }: Pick<ActivityQuery, 'limit' | 'collapse'>,
): Promise<Feed> {
  const head = (await log.head())?.position ?? 0;
  const span = { after, upTo: head };
  const readMax = collapse === undefined ? limit : COLLAPSED_MAX;
  const found = await log.read(tenant, filter, span, { limit: readMax + 1, direction: 'oldest-first' });
  const read = found.slice(0, readMax);
  const kept = collapse === undefined ? read : lastOfEach(read);
  const shown = kept.slice(0, limit);
  const more = found.length > readMax || shown.length < kept.length;
  const last = shown.at(-1);
  // Nothing that matches is left before the head.
  const next = more && last !== undefined ? last.position : Math.max(after, head);
  return { data: shown.map(toEntry), page: { next: cursorOf(next), limit, more } };
}

/** The last entry of each record, in the order of these entries. */
function lastOfEach(entries: readonly EntryDocument[]): EntryDocument[] {
  const last = new Map<string, EntryDocument>();
  for (const entry of entries) {
    last.delete(entry.subject);
    last.set(entry.subject, entry);
  }
  return [...last.values()];
}

/**
 * The position that `after` names.
 *
 * @throws {PlatformError} VALIDATION_FAILED if it is not a cursor, CURSOR_EXPIRED if entries after it are gone
 */
export async function startOf(log: LogRepository, tenant: Tenant, after: string): Promise<Position> {
  const [head, oldest] = await Promise.all([log.head(), log.forgottenTo(tenant)]);
  if (after === 'now') return head?.position ?? 0;
  if (after === 'oldest') return oldest;
  const position = positionIn(after);
  if (position === undefined) throw notACursor('after');
  if (position < oldest) throw cursorExpired(cursorOf(oldest));
  return position;
}

function notACursor(member: 'after' | 'cursor') {
  const hint = member === 'after' ? ', oldest or now' : '';
  return invalidInput(member, `must be page.next of an earlier response, or the cursor of an entry${hint}`);
}
