import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

/**
 * Polls `look` until it returns something truthy, and returns that. A `look` that throws counts as not yet.
 *
 * @throws {Error} that names `what` after `withinMs`, with the last error of `look` as its cause
 */
export async function until<T>(
  what: string,
  withinMs: number,
  look: () => T | Promise<T>,
  everyMs = LOOK_EVERY_MS,
): Promise<Exclude<T, false | 0 | '' | null | undefined>> {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    let cause: unknown;
    try {
      const seen = await look();
      if (seen) return seen as Exclude<T, false | 0 | '' | null | undefined>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > untilMs) throw new Error(`not so after ${withinMs / 1000} s: ${what}`, { cause });
    await delay(everyMs);
  }
}
