import { setTimeout as delay } from 'node:timers/promises';
import { isWriteConflict } from './errors.ts';

const retryForMs = 4_000;
/** Twice as long as PostgreSQL takes to find a deadlock: those that it ended must not meet again. */
const retryDelayMs = 200;

/**
 * Retries what loses to another write, as MongoDB does outside transactions.
 *
 * @throws {CommandError} WriteConflict, if it has lost for seconds; what `work` throws otherwise
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
