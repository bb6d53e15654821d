import { setTimeout as delay } from 'node:timers/promises';
import { PlatformError } from '@event-commerce/contracts';

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
  const last = new Map<string, Promise<unknown>>();
  return async (key, attempt) => {
    const run = () => untilAnswered(attempt);
    const turn = (last.get(key) ?? Promise.resolve()).then(run, run);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
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
