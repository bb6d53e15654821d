import type { Candidate, Line } from '../candidate.ts';
import { type Outcome, runAlone, runCascade, runPerUnit, selectAll, type Step } from '../cascade.ts';
import { isBetter } from './lowest-total.ts';

interface Exclusives {
  /** The exclusive that alone gives the buyer the lowest total. */
  best: Candidate | undefined;
  /** The others that would change a price. */
  beaten: readonly Candidate[];
  /**
   * The adjustments that change nothing on their own, with the first step they tried (undefined if they apply to no
   * ticket).
   */
  idle: ReadonlyMap<Candidate, Step | undefined>;
}

/**
 * Finds the eligible exclusive that alone gives the buyer the lowest total; on a tie, the first in cascade order. One
 * that does nothing to this cart (a fixed price above the list price, say) excludes no other.
 */
export function judgeExclusives(lines: readonly Line[], eligible: readonly Candidate[]): Exclusives {
  const idle = new Map<Candidate, Step | undefined>();
  let best: { candidate: Candidate; outcome: Outcome } | undefined;
  const exclusives = eligible.filter(({ adjustment }) => adjustment.exclusive);
  if (exclusives.length === 0) return { best: undefined, beaten: [], idle };
  const alone = runAlone(lines);
  for (const candidate of exclusives) {
    const outcome = alone(candidate);
    const prices = candidate.adjustment.perUnit ? candidate.lines.length : Math.min(candidate.lines.length, 1);
    if (outcome.idle === prices) idle.set(candidate, firstStep(lines, candidate));
    else if (best === undefined || isBetter(outcome, best.outcome)) best = { candidate, outcome };
  }
  const beaten = exclusives.filter((each) => each !== best?.candidate && !idle.has(each));
  return { best: best?.candidate, beaten, idle };
}

/** The first step that it tried. */
function firstStep(lines: readonly Line[], candidate: Candidate): Step | undefined {
  const steps: Step[] = [];
  const [line] = candidate.lines;
  if (line === undefined) return undefined;
  if (candidate.adjustment.perUnit) runPerUnit(line, [candidate], steps);
  else runCascade(lines, selectAll(lines, [candidate]), { perUnit: [], perOrder: steps });
  return steps[0];
}
