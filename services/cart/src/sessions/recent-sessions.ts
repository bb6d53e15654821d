import { LRUCache } from 'lru-cache';
import { isAlive, type SessionRecord } from './session-record.ts';

const KEPT_MS = 10_000;
/** Bounds memory: of all cached sessions, and of one. A larger one is read each time, which its prices outweigh. */
const BYTES_MAX = 32 * 2 ** 20;
const SESSION_BYTES_MAX = 2 ** 20;
/** About what a session, and each of its lines, takes beside its prices. */
const BYTES_EACH = 512;
const SHARED_MS = 60_000;
const SHARED_MAX = 50_000;

/**
 * The sessions that this process just wrote, so that the next change of one need not read it: a buyer's changes come in
 * quick succession. It is only a guess that nobody has written the session since: a write on top of it fails if
 * somebody has, and nothing may be refused because of it. A session that other replicas write too is not cached,
 * because a wrong guess costs a pricing request.
 */
export class RecentSessions {
  readonly #written = new LRUCache<string, SessionRecord>({
    ttl: KEPT_MS,
    maxSize: BYTES_MAX,
    maxEntrySize: SESSION_BYTES_MAX,
    sizeCalculation: ({ lines, priced }) => (lines.length + 1) * BYTES_EACH + priced.length,
  });
  readonly #shared = new LRUCache<string, true>({ max: SHARED_MAX, ttl: SHARED_MS });

  /**
   * The session as it was last written, if it is alive at `now`. Removes it: only a write that succeeds caches it
   * again.
   */
  take(key: string, now: Date): SessionRecord | undefined {
    const written = this.#written.get(key);
    this.#written.delete(key);
    return isAlive(written, now) ? written : undefined;
  }

  keep(written: SessionRecord): void {
    if (!this.#shared.has(written._id)) this.#written.set(written._id, written);
  }

  /** Forgets a session that somebody else wrote, and caches none under `key` for a while. */
  wasWrong(key: string): void {
    this.#written.delete(key);
    this.#shared.set(key, true);
  }
}
