import { setTimeout as delay } from 'node:timers/promises';
import { keepsChanging } from './claim-refusals.ts';

/** How long a claim is tried again while others keep changing what it depends on: less than those who ask wait for an answer. */
export const CLAIM_WITHIN_MS = 2_000;
/** On a slow machine a few tries take all of that time, and are made nevertheless. */
const ATTEMPTS_MIN = 5;
const DELAY_MAX_MS = 100;

/**
 * Runs `attempt` until it answers something; undefined means that what it depends on was changed meanwhile.
 *
 * @throws {PlatformError} what `attempt` throws, or SERVICE_UNAVAILABLE after `untilMs` of the steady clock and a few attempts
 */
export async function untilAnswered<T>(untilMs: number, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
    if (attempts >= ATTEMPTS_MIN && performance.now() > untilMs) throw keepsChanging();
    await delay(Math.random() * Math.min(2 ** attempts, DELAY_MAX_MS));
  }
}
