import { nextDayMs } from '../../budgets/domain/budget.ts';
import type { Line } from './candidate.ts';
import { isOpen } from './eligibility/window.ts';
import { nextBoundaryMs } from './windows/recurring-windows.ts';
import type { CompanyAdjustments } from '../../snapshot/domain/snapshot.ts';

/**
 * The time until which the price of a cart with `lines` and `codes`, and the results of its codes, cannot change just
 * because time passes: epoch milliseconds, or `nowMs` if the time itself is part of the response.
 */
export function sameUntilMs(
  snapshot: Pick<CompanyAdjustments, 'windowedOn' | 'withCode' | 'cappedOn' | 'budget'>,
  lines: readonly Line[],
  codes: ReadonlySet<string>,
  nowMs: number,
): number {
  // Which of several adjustments a code redeems depends on the windows of all of them.
  if (Array.from(codes).some((code) => snapshot.withCode(code).length > 1)) return nowMs;
  let untilMs = Infinity;
  for (const { conditions } of snapshot.windowedOn(lines, codes)) {
    const { startsAtMs, endsAtMs, codeKey, windows } = conditions;
    const open = isOpen(conditions, nowMs);
    if (!open && codeKey !== undefined) return nowMs;
    if (nowMs < startsAtMs) untilMs = Math.min(untilMs, startsAtMs);
    else if (nowMs < endsAtMs) {
      untilMs = Math.min(
        untilMs,
        open ? endsAtMs : Infinity,
        windows === undefined ? Infinity : nextBoundaryMs(windows, nowMs),
      );
    }
  }
  for (const { conditions } of snapshot.cappedOn(lines, codes)) {
    const { per, timezone = 'UTC' } = snapshot.budget(conditions.budgetId ?? '') ?? {};
    if (per === 'day') untilMs = Math.min(untilMs, nextDayMs(timezone, nowMs));
  }
  return untilMs;
}
