import type { Candidate, Line } from '../candidate.ts';
import { type Outcome, runPerOrder, runPerUnit, type Selection } from '../cascade.ts';
import { isBetter } from './lowest-total.ts';

/** A set of categories is a number with one bit for each. */
const CATEGORIES_MAX = 30;

/** The competitors of one category. */
export interface Category {
  name: string;
  perUnit: Candidate[];
  perOrder: Candidate[];
}

/** One way to settle some categories: the result of the cascade so far, and the competitors that were kept. */
interface Way<State extends Outcome> {
  state: State;
  kept: readonly Candidate[];
}

/** The best way for each set of settled categories. */
type Ways<State extends Outcome> = ReadonlyMap<number, Way<State>>;

interface OrderState extends Outcome {
  /** What is left of each line's total. */
  left: readonly number[];
  /** The candidates kept on each line. */
  perUnit: readonly (readonly Candidate[])[];
}

/** The most ways followed at a time, enough for twelve open categories. */
const WAYS_MAX = 4096;

/** The most steps that walks take for one cart: some milliseconds. */
const STEPS_MAX = 60_000;

/** How many steps may still be taken. */
interface Budget {
  steps: number;
}

/**
 * The `candidates` in the categories of `rivals` to keep on a line for the lowest unit price. `lineCount`: how many
 * lines share the steps. Undefined if there are too many to search.
 */
export function cheapestOnLine(
  line: Line,
  candidates: readonly Candidate[],
  rivals: ReadonlyMap<string, unknown>,
  lineCount: number,
): readonly Candidate[] | undefined {
  const bits = bitsOf([...rivals.keys()]);
  const ways = bits && walkLine(line, candidates, bits, 0, { steps: STEPS_MAX / lineCount });
  return ways && [...ways.values()][0]?.kept;
}

/**
 * The competitors of `categories` to keep in the whole cart. Each line is settled by its unit price, for each set of
 * the categories in which per-order adjustments may replace the per-unit ones. Undefined if there are too many to
 * search.
 */
export function cheapestInCart(
  lines: readonly Line[],
  { perUnit, perOrder }: Selection,
  categories: readonly Category[],
): Selection | undefined {
  const bits = bitsOf(categories.map(({ name }) => name));
  if (bits === undefined) return undefined;
  const mixed = categories.filter((each) => each.perUnit.length > 0 && each.perOrder.length > 0);
  const optional = union(mixed.map(({ name }) => bits.get(name) ?? 0));
  const budget = { steps: STEPS_MAX };
  const priced: { onLine: number; ways: Ways<Outcome> }[] = [];
  for (const line of lines) {
    const candidates = perUnit[line.index] ?? [];
    const ways = walkLine(line, candidates, bits, optional, budget);
    if (ways === undefined) return undefined;
    priced.push({ onLine: union(candidates.map((candidate) => bitOf(candidate, bits))), ways });
  }

  budget.steps -= 5 * lines.length * 2 ** mixed.length;
  if (budget.steps < 0) return undefined;
  const starts = new Map<number, Way<OrderState>>();
  for (const settled of subsetsOf(optional)) {
    const ways = priced.flatMap(({ onLine, ways: onThis }) => onThis.get((settled | ~optional) & onLine) ?? []);
    const left = lines.map(({ quantity }, index) => (ways[index]?.state.total ?? 0) * quantity);
    const { total } = runPerOrder(left, []);
    const idle = ways.reduce((sum, { state }) => sum + state.idle, 0);
    starts.set(settled, { state: { total, idle, left, perUnit: ways.map(({ kept }) => kept) }, kept: [] });
  }
  const ways = walk(starts, perOrder, bits, 0, budget, 10 * lines.length, (state, candidate) => {
    const left = [...state.left];
    const { total, idle } = runPerOrder(left, [candidate], undefined, true);
    return { total, idle: state.idle + idle, left, perUnit: state.perUnit };
  });
  const [way] = ways?.values() ?? [];
  return way && { perUnit: way.state.perUnit, perOrder: way.kept };
}

function walkLine(
  line: Line,
  candidates: readonly Candidate[],
  bits: ReadonlyMap<string, number>,
  optional: number,
  budget: Budget,
): Ways<Outcome> | undefined {
  const listed = new Map([[0, { state: { total: line.listPrice, idle: 0 }, kept: [] }]]);
  return walk(listed, candidates, bits, optional, budget, 1, (state, candidate) =>
    runPerUnit(line, [candidate], undefined, state),
  );
}

/**
 * Extends each way by one candidate at a time: a competitor is kept, or skipped while its category has more to come.
 * Only the best of all ways that settle the same categories continues. The remaining one is the best of all, because no
 * effect turns a lower price into a higher result than a higher price. So the work grows with the sets of categories
 * that are open at a time, not with the combinations of competitors. `optional` categories may stay open.
 */
function walk<State extends Outcome>(
  from: Ways<State>,
  candidates: readonly Candidate[],
  bits: ReadonlyMap<string, number>,
  optional: number,
  budget: Budget,
  stepsEach: number,
  step: (state: State, candidate: Candidate) => State,
): Ways<State> | undefined {
  const lastOf = new Map(candidates.map((candidate) => [bitOf(candidate, bits), candidate]));
  let ways = from;
  for (const candidate of candidates) {
    budget.steps -= ways.size * stepsEach;
    if (budget.steps < 0 || ways.size > WAYS_MAX) return undefined;
    const bit = bitOf(candidate, bits);
    const mayPass = bit !== 0 && ((optional & bit) !== 0 || lastOf.get(bit) !== candidate);
    const next = new Map(bit === 0 ? [] : ways);
    for (const [settled, { state, kept }] of ways) {
      if ((settled & bit) !== 0) continue;
      if (!mayPass) next.delete(settled);
      const after = step(state, candidate);
      const known = next.get(settled | bit);
      if (known !== undefined && !isBetter(after, known.state)) continue;
      next.set(settled | bit, { state: after, kept: bit === 0 ? kept : [...kept, candidate] });
    }
    ways = next;
  }
  return ways;
}

function bitsOf(names: readonly string[]): ReadonlyMap<string, number> | undefined {
  return names.length > CATEGORIES_MAX ? undefined : new Map(names.map((name, index) => [name, 1 << index]));
}

/** 0 for one that competes with none. */
function bitOf({ adjustment }: Candidate, bits: ReadonlyMap<string, number>): number {
  return adjustment.replacesWithinCategory ? (bits.get(adjustment.source.category) ?? 0) : 0;
}

function union(sets: readonly number[]): number {
  return sets.reduce((all, set) => all | set, 0);
}

function* subsetsOf(set: number): Generator<number> {
  for (let subset = set; subset !== 0; subset = (subset - 1) & set) yield subset;
  yield 0;
}
