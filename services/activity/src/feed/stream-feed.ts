import type { ActivityStreamQuery, Scope, Streamed, Tenant } from '@event-commerce/contracts';
import { cursorOf, type Position } from '../log/domain/position.ts';
import { term } from '../log/domain/terms.ts';
import { toEntry } from '../log/log.repository.ts';
import { entryFilter } from './entry-filter.ts';
import { type FeedDeps, startOf } from './read-feed.ts';

const LASTS_MS = 15 * 60 * 1000;
const HEARTBEAT_EVERY_MS = 5_000;
/** How soon a stream ends after its key was revoked or its reader has gone. */
const LOOK_EVERY_MS = 500;
const READ_AT_ONCE = 200;

/**
 * Everything that happens after `after`, or after the event that a client received last, as server-sent events. Read as
 * fast as the client reads: a slow one holds one page.
 *
 * @throws {PlatformError} as `readFeed`
 */
export async function streamFeed(
  deps: FeedDeps,
  { tenant, scopes, keyId }: { tenant: Tenant; scopes: readonly Scope[]; keyId: string },
  query: ActivityStreamQuery,
  lastEventId: string | undefined,
): Promise<Streamed> {
  const { log, head, slots, stopping } = deps;
  const filter = entryFilter(query, scopes);
  const start = await startOf(log, tenant, lastEventId ?? query.after);
  const release = slots.take(tenant);
  const revocation = { terms: [[term.type('api_key.revoked')], [term.subject(keyId)]] };

  async function* events(): AsyncGenerator<string> {
    const endMs = performance.now() + LASTS_MS;
    let [position, sentMs]: [Position, number] = [start, performance.now()];
    try {
      yield `id: ${cursorOf(position)}\n\n`;
      while (performance.now() < endMs && !stopping.aborted) {
        const upTo = (await log.head())?.position ?? position;
        const span = { after: position, upTo };
        const [found, [revoked]] = await Promise.all([
          log.read(tenant, filter, span, { limit: READ_AT_ONCE, direction: 'oldest-first' }),
          log.read(tenant, revocation, span, { limit: 1, direction: 'oldest-first' }),
        ]);
        const allowed = found.filter(({ position: at }) => revoked === undefined || at <= revoked.position);
        if (allowed.length > 0) yield allowed.map(toEvent).join('');
        if (revoked !== undefined) return;
        position = found.length === READ_AT_ONCE ? (found.at(-1)?.position ?? upTo) : upTo;
        const nowMs = performance.now();
        if (found.length > 0) sentMs = nowMs;
        else if (nowMs - sentMs >= HEARTBEAT_EVERY_MS) {
          yield `id: ${cursorOf(position)}\n\n`;
          sentMs = nowMs;
        }
        if (found.length < READ_AT_ONCE) await head.grownBeyond(position, LOOK_EVERY_MS);
      }
    } finally {
      release();
    }
  }
  return { type: 'text/event-stream; charset=utf-8', body: events() };
}

function toEvent(document: Parameters<typeof toEntry>[0]): string {
  return `id: ${cursorOf(document.position)}\nevent: ${document.type}\ndata: ${JSON.stringify(toEntry(document))}\n\n`;
}
