/** The generic cell rate algorithm's decision about one request. */
interface CellRateVerdict {
  /** The key's theoretical arrival time afterwards; unchanged if the request is not allowed. */
  arrivalMs: number;
  /** How many ms too early the request is; it is allowed at 0 or less. */
  earlyMs: number;
}

/** The time for `cellRate`: whole ms, so that sums are exact, from a clock that is never set back. */
export const cellClock = (): number => Math.floor(performance.now());

/**
 * Decides about one request at `nowMs` with a key whose theoretical arrival time is `arrivalMs`: `burst` at once, then
 * one each `intervalMs`.
 */
export function cellRate(arrivalMs: number, nowMs: number, burst: number, intervalMs: number): CellRateVerdict {
  const before = Math.max(arrivalMs, nowMs);
  const earlyMs = before + intervalMs - burst * intervalMs - nowMs;
  return { arrivalMs: earlyMs > 0 ? before : before + intervalMs, earlyMs };
}
