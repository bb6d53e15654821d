import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;

/** Resolves with the elapsed time once `condition` holds; one that throws does not hold. @throws Error naming `what` */
export async function until(
  what: string,
  timeoutMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<number> {
  const beganMs = performance.now();
  for (;;) {
    let lastError: unknown;
    try {
      if (await condition()) return performance.now() - beganMs;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() - beganMs > timeoutMs) {
      throw new Error(`not so after ${timeoutMs / 1000} s: ${what}`, { cause: lastError });
    }
    await delay(POLL_MS);
  }
}
