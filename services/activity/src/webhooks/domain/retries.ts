const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const DELAYS_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** So that events that failed together are not sent again together. */
const SPREAD = 0.2;
const RETRY_AFTER_MAX_MS = HOUR;

/** An endpoint that failed this often in a row is down. */
export const DOWN_AFTER_FAILURES = 10;
const PROBE_FIRST_MS = SECOND;
const PROBE_MAX_MS = 5 * MINUTE;

/** How long an endpoint may fail before its company is told, and before it is paused. */
export const TOLD_AFTER_MS = 24 * HOUR;
export const PAUSED_AFTER_MS = 72 * HOUR;

/**
 * How long to wait after the `failures`th failure of an event; undefined if it is given up. `retryAfterMs`: what the
 * endpoint asked for. `random`: from 0 to 1.
 */
export function retryDelayMs(failures: number, retryAfterMs = 0, random = Math.random()): number | undefined {
  const delayMs = DELAYS_MS[failures - 1];
  if (delayMs === undefined) return undefined;
  return Math.max(delayMs * (1 + SPREAD * (2 * random - 1)), Math.min(retryAfterMs, RETRY_AFTER_MAX_MS));
}

/** How long to wait after the `probes`th attempt to reach an endpoint that is down. */
export function probeDelayMs(probes: number): number {
  return Math.min(PROBE_FIRST_MS * 2 ** (probes - 1), PROBE_MAX_MS);
}
