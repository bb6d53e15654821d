/** A time between two changes of the clocks of a zone. */
export interface OffsetSpan {
  fromMs: number;
  /** Not included; Infinity after the last known change. */
  untilMs: number;
  /** How far local time is ahead of UTC. */
  offsetMs: number;
}

/** The spans that are kept, of all zones together. Callers name the instant, so there could be any number of them. */
const KEPT_MAX = 2_000;
const NS_PER_MS = 1_000_000;

const spans = new Map<string, OffsetSpan[]>();
let kept = 0;

/**
 * The span of `zone` with the instant `epochMs`. Looking up a change of the clocks takes a hundred times as long as
 * everything else.
 */
export function offsetSpanAt(zone: string, epochMs: number): OffsetSpan {
  const known = spans.get(zone) ?? [];
  const found = known.find(({ fromMs, untilMs }) => fromMs <= epochMs && epochMs < untilMs);
  if (found !== undefined) return found;
  const at = new Temporal.ZonedDateTime(BigInt(epochMs) * BigInt(NS_PER_MS), zone);
  // The change itself belongs to the new span, so the last one at or before `epochMs` is looked for from just after it.
  const before = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const after = at.getTimeZoneTransition('next');
  const span = {
    fromMs: before?.epochMilliseconds ?? -Infinity,
    untilMs: after?.epochMilliseconds ?? Infinity,
    offsetMs: at.offsetNanoseconds / NS_PER_MS,
  };
  if (kept >= KEPT_MAX) {
    spans.clear();
    kept = 0;
  }
  spans.set(zone, [...(spans.get(zone) ?? []), span]);
  kept += 1;
  return span;
}
