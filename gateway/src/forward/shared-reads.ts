import { inTime } from '@event-commerce/service-kit';

/** How long a read waits for an earlier one with the same key: the most that a slow read delays others. */
const WAIT_MS = 20;

/**
 * Runs reads of the same `key` together: those that arrive while one is in progress share the next one, so each sees
 * everything that was written before it arrived, and a hundred readers at once cost two reads.
 */
export function sharedReads() {
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<unknown>>();

  const start = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const begun = Promise.try(read);
    running.set(key, begun);
    const ended = () => {
      if (running.get(key) === begun) running.delete(key);
    };
    begun.then(ended, ended);
    return begun;
  };

  const startAfter = async <T>(key: string, earlier: Promise<unknown>, read: () => Promise<T>): Promise<T> => {
    // Its outcome does not matter here: it was for others.
    await inTime(earlier, WAIT_MS).catch(() => undefined);
    next.delete(key);
    return await start(key, read);
  };

  /** All `read`s of one key must return the same. Rejects as `read` does. */
  return async <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const earlier = running.get(key);
    if (earlier === undefined) return await start(key, read);
    let shared = next.get(key) as Promise<T> | undefined;
    if (shared === undefined) next.set(key, (shared = startAfter(key, earlier, read)));
    return await shared;
  };
}
