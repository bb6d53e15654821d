import type { Line } from './candidate.ts';
import { windowRefusal } from './eligibility/window.ts';
import type { CompanySnapshot } from './snapshot.ts';

/**
 * Until when the passing of time alone does not change what a cart with `lines` and `codes` costs, and what is said of
 * its codes: epoch milliseconds, `nowMs` if the time itself is part of the answer.
 */
export function sameUntilMs(
  snapshot: Pick<CompanySnapshot, 'windowedOn'>,
  lines: readonly Line[],
  codes: ReadonlySet<string>,
  nowMs: number,
): number {
  let untilMs = Infinity;
  for (const { conditions } of snapshot.windowedOn(lines, codes)) {
    const { startsAtMs, endsAtMs, code } = conditions;
    const isOpen = windowRefusal(conditions, nowMs) === undefined;
    if (!isOpen && code !== undefined) return nowMs;
    if (nowMs < startsAtMs) untilMs = Math.min(untilMs, startsAtMs);
    else if (isOpen) untilMs = Math.min(untilMs, endsAtMs);
  }
  return untilMs;
}
