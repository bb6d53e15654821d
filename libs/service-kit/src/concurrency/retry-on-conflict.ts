import { setTimeout as delay } from 'node:timers/promises';
import { changedByOthers, type PlatformError } from '@event-commerce/contracts';
import { RESPOND_WITHIN_MS } from '../process/limits.ts';

/** The attempts that are made in any case: on a slow machine they may last longer than `untilMs`. */
const ATTEMPTS_MIN = 5;
const DELAY_MAX_MS = 100;

/**
 * Runs `attempt` until it returns something: undefined means that somebody else changed what it depends on between its
 * read and its write. `attempt` gets the number of attempts before it.
 *
 * @param exhausted creates the error for when others keep winning until `untilMs` of the monotonic clock
 * @throws what `attempt` throws, or what `exhausted` returns
 */
export async function retryOnConflict<T>(
  attempt: (before: number) => Promise<T | undefined>,
  exhausted: () => Error,
  untilMs = performance.now() + RESPOND_WITHIN_MS,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const result = await attempt(attempts - 1);
    if (result !== undefined) return result;
    if (attempts >= ATTEMPTS_MIN && performance.now() > untilMs) throw exhausted();
    // Without jitter, those that lost together would meet again.
    await delay(Math.random() * Math.min(2 ** attempts, DELAY_MAX_MS));
  }
}

/** The error for when others keep changing `what`, such as `The coupon`. */
export function versionConflict(what: string): () => PlatformError {
  return () => changedByOthers(what);
}
