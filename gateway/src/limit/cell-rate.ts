/** What the generic cell rate algorithm decides about one request. */
export interface CellRateVerdict {
  /** The key's theoretical arrival time afterwards; unchanged if the request is not allowed. */
  arrivalMs: number;
  /** How long the request comes too early; 0 or less: it is allowed. */
  earlyMs: number;
}

/** One request at `nowMs` of a key whose theoretical arrival time is `arrivalMs`: `burst` at once, one each `intervalMs`. */
export function cellRate(arrivalMs: number, nowMs: number, burst: number, intervalMs: number): CellRateVerdict {
  const before = Math.max(arrivalMs, nowMs);
  const earlyMs = before + intervalMs - burst * intervalMs - nowMs;
  return { arrivalMs: earlyMs > 0 ? before : before + intervalMs, earlyMs };
}
