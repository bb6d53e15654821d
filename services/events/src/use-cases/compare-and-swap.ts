import { setTimeout as delay } from 'node:timers/promises';
import { PlatformError } from '@event-commerce/contracts';
import { inTurn } from '@event-commerce/service-kit';

/** Against writers in other processes only: those of this process take turns. */
const ATTEMPTS_MAX = 30;
const DELAY_MAX_MS = 100;

/**
 * Runs `attempt` until it answers something: undefined means that somebody else changed the record between its read and its
 * write. Attempts for one `key` take turns within this process, so that a hundred changes of one record cost a hundred writes.
 *
 * @throws {PlatformError} what `attempt` throws, or VERSION_CONFLICT when others keep winning
 */
export type CompareAndSwap = <T>(key: string, attempt: () => Promise<T | undefined>) => Promise<T>;

export function createCompareAndSwap(): CompareAndSwap {
  const oneByOne = inTurn();
  return async (key, attempt) => oneByOne(key, async () => untilAnswered(attempt));
}

async function untilAnswered<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts++) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
    await delay(Math.random() * Math.min(2 ** attempts, DELAY_MAX_MS));
  }
  throw new PlatformError('VERSION_CONFLICT', 'The record is being changed by others; read it and try again.', {
    retryAfterSeconds: 1,
  });
}
