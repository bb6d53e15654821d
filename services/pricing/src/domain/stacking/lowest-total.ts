import type { Outcome } from '../cascade.ts';

/** Up to so many combinations are all tried; above, the choices are improved one at a time. */
const COMBINATIONS_MAX = 128;

/** Each round lowers the total, so it ends by itself; this bounds what a hostile set of adjustments can cost. */
const ROUNDS_MAX = 8;

/** Whether the buyer is better off with `a`: a lower total, or the same one with fewer adjustments that do nothing. */
export function isBetter(a: Outcome, b: Outcome): boolean {
  return a.total === b.total ? a.idle < b.idle : a.total < b.total;
}

/**
 * Takes one of `options[i]` for every `i` so that the outcome is the best for the buyer. Few combinations: the best of all of
 * them. Many: from `start`, until no single change makes it better. The first of equals wins, so that options given in cascade
 * order give one answer.
 */
export function lowestTotal<T>(
  options: readonly (readonly T[])[],
  start: () => readonly T[],
  outcomeOf: (choice: readonly T[]) => Outcome,
): readonly T[] {
  const combinations = options.reduce((product, { length }) => product * length, 1);
  if (combinations <= COMBINATIONS_MAX || options.length === 1) return bestOfAll(options, outcomeOf);

  let choice = start();
  let outcome = outcomeOf(choice);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = outcome;
    for (const [index, alternatives] of options.entries()) {
      for (const alternative of alternatives) {
        const changed = choice.with(index, alternative);
        const changedOutcome = outcomeOf(changed);
        if (isBetter(changedOutcome, outcome)) {
          choice = changed;
          outcome = changedOutcome;
        }
      }
    }
    if (outcome === before) break;
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
