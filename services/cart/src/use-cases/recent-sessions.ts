import { LRUCache } from 'lru-cache';
import type { SessionDocument } from '../store/models.ts';
import { isAlive } from '../store/session.repository.ts';

const KEPT_MS = 10_000;
/** Bounds memory: the lines of all sessions that are kept, each session counting one more. */
const LINES_MAX = 100_000;
const SHARED_MS = 60_000;
const SHARED_MAX = 50_000;

/**
 * The sessions that this process wrote a moment ago, so that the next change of one need not read it: a buyer's changes come in
 * quick succession. It is only a guess that nobody wrote the session since: a write on top of it fails if somebody did, and nothing
 * may be refused because of it. A session that other replicas write too is not kept, since guessing wrong costs a pricing request.
 */
export class RecentSessions {
  readonly #written = new LRUCache<string, SessionDocument>({
    ttl: KEPT_MS,
    maxSize: LINES_MAX,
    sizeCalculation: ({ lines }) => lines.length + 1,
  });
  readonly #shared = new LRUCache<string, true>({ max: SHARED_MAX, ttl: SHARED_MS });

  /** The session as it was written last, if it is alive at `now`. It is not kept any longer: only a write that succeeds keeps it. */
  take(key: string, now: Date): SessionDocument | undefined {
    const written = this.#written.get(key);
    this.#written.delete(key);
    return isAlive(written, now) ? written : undefined;
  }

  keep(written: SessionDocument): void {
    if (!this.#shared.has(written._id)) this.#written.set(written._id, written);
  }

  /** Somebody else wrote the session. */
  wasWrong(key: string): void {
    this.#written.delete(key);
    this.#shared.set(key, true);
  }
}
