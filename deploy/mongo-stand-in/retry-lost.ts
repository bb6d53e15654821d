import { setTimeout as delay } from 'node:timers/promises';
import { isWriteConflict } from './errors.ts';

const retryForMs = 4_000;
/** Twice as long as PostgreSQL takes to detect a deadlock, so that the retries do not deadlock again. */
const retryDelayMs = 200;

/**
 * Retries a command that conflicts with another write, as MongoDB does outside transactions.
 *
 * @throws {CommandError} WriteConflict if it still conflicts after 4 seconds; any other error of `work` at once
 */
export async function retryLost<T>(work: () => Promise<T>): Promise<T> {
  const untilMs = performance.now() + retryForMs;
  for (let attempts = 1; ; attempts++) {
    try {
      return await work();
    } catch (error) {
      if (!isWriteConflict(error) || performance.now() > untilMs) throw error;
      await delay(Math.random() * retryDelayMs * attempts);
    }
  }
}
