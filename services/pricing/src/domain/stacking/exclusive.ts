import type { Candidate, Line } from '../candidate.ts';
import { runCascade } from '../cascade.ts';
import type { Outcome, Step } from '../cascade.ts';
import { isBetter } from './lowest-total.ts';
import { selectAll } from './select-all.ts';

export interface Exclusives {
  /** The one that applies, alone. */
  best: Candidate | undefined;
  /** Those that alone change nothing, with what they tried first (undefined when they apply to no ticket). */
  idle: ReadonlyMap<Candidate, Step | undefined>;
}

/**
 * Finds the eligible exclusive that alone leaves the buyer the lowest total; of equals the first in cascade order. One
 * that does nothing to this cart (a fixed price above the list price, say) excludes nobody: the buyer would lose the
 * others for nothing.
 */
export function judgeExclusives(lines: readonly Line[], eligible: readonly Candidate[]): Exclusives {
  const idle = new Map<Candidate, Step | undefined>();
  let best: { candidate: Candidate; outcome: Outcome } | undefined;
  for (const candidate of eligible) {
    if (!candidate.adjustment.exclusive) continue;
    const steps: Step[] = [];
    const record = { perUnit: lines.map(() => steps), perOrder: steps };
    const outcome = runCascade(lines, selectAll(lines, [candidate]), record);
    if (steps.every(({ amount }) => amount === 0)) idle.set(candidate, steps[0]);
    else if (best === undefined || isBetter(outcome, best.outcome)) best = { candidate, outcome };
  }
  return { best: best?.candidate, idle };
}
