import type { Outcome } from '../cascade.ts';

/** Up to this many combinations are all tried, unless a search sets its own limit. */
export const COMBINATIONS_MAX = 128;

/** Whether the buyer is better off with `a`: a lower total, or the same one with fewer adjustments that do nothing. */
export function isBetter(a: Outcome, b: Outcome): boolean {
  return a.total === b.total ? a.idle < b.idle : a.total < b.total;
}

/**
 * Chooses one of `options[i]` for every `i` so that the outcome is best for the buyer. With up to `combinationsMax`
 * combinations, finds the best of all. With more, improves `start` until no single change makes it better, or until
 * `outcomesMax` were computed, because many competitors in a large cart must not delay other evaluations. The first one
 * wins a tie, so options in cascade order give a unique result.
 */
export function lowestTotal<T>(
  options: readonly (readonly T[])[],
  start: () => readonly T[],
  outcomeOf: (choice: readonly T[]) => Outcome,
  outcomesMax: number,
  combinationsMax = COMBINATIONS_MAX,
): readonly T[] {
  const combinations = options.reduce((product, { length }) => product * length, 1);
  const few = combinations <= combinationsMax || options.length === 1;
  if (few && combinations <= outcomesMax) return bestOfAll(options, outcomeOf);

  let choice = start();
  let outcome = outcomeOf(choice);
  let outcomes = 1;
  for (let improved = true; improved;) {
    improved = false;
    for (const [index, alternatives] of options.entries()) {
      for (const alternative of alternatives) {
        if (alternative === choice[index]) continue;
        if (outcomes >= outcomesMax) return choice;
        outcomes += 1;
        const changed = choice.with(index, alternative);
        const changedOutcome = outcomeOf(changed);
        if (!isBetter(changedOutcome, outcome)) continue;
        choice = changed;
        outcome = changedOutcome;
        improved = true;
      }
    }
  }
  return choice;
}

function bestOfAll<T>(options: readonly (readonly T[])[], outcomeOf: (choice: readonly T[]) => Outcome): readonly T[] {
  let best: { choice: readonly T[]; outcome: Outcome } | undefined;
  for (const choice of combinationsOf(options)) {
    const outcome = outcomeOf(choice);
    if (best === undefined || isBetter(outcome, best.outcome)) best = { choice, outcome };
  }
  return best?.choice ?? [];
}

function* combinationsOf<T>(options: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...rest] = options;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const option of first) for (const others of combinationsOf(rest)) yield [option, ...others];
}
