import type { Candidate, Line } from '../candidate.ts';
import { runCascade, runPerUnit } from '../cascade.ts';
import type { Outcome, Selection } from '../cascade.ts';
import { isBetter, lowestTotal } from './lowest-total.ts';
import { selectAll } from './select-all.ts';

/**
 * What the search for the best may cost, counted in prices worked out: some tenths of a second at worst. Tens of
 * competitors in a cart of tens of lines stay far below it.
 */
const STEPS_MAX = 400_000;

export interface Resolved {
  selection: Selection;
  /** Those that count nowhere, with the one that took their place. */
  replaced: ReadonlyMap<Candidate, Candidate>;
}

/** The competitors of one category. */
interface Category {
  name: string;
  perUnit: Candidate[];
  perOrder: Candidate[];
}

/**
 * One way to settle a competition. On a `line`: of the category's per-unit adjustments there, `kept` counts. In the
 * cart (no line): the category's per-order adjustment `kept` counts and no per-unit one does; or, without `kept`, no
 * per-order one does.
 */
interface Settlement {
  category: string;
  line: Line | undefined;
  kept: Candidate | undefined;
}

/**
 * Of the `replace-within-category` adjustments of one category, keeps the one with which the buyer pays least at the
 * end of the whole cascade. Per-unit adjustments compete on each line by themselves; a per-order one competes with all
 * others of its category in the whole cart. `eligible` and all lists that come out are in cascade order.
 */
export function replaceWithinCategory(lines: readonly Line[], eligible: readonly Candidate[]): Resolved {
  const contested = contestedCategories(eligible);
  const all = selectAll(lines, eligible);
  if (contested.length === 0) return { selection: all, replaced: new Map() };

  const inCart = contested.filter(({ perOrder }) => perOrder.length > 0).map(settlementsInCart);
  const onLine = lines.map((line) => settlementsOn(line, all.perUnit[line.index] ?? []));
  const contests = [...inCart, ...onLine.flat()];
  const selectionWith = selecting(all, contests.flat());

  // A line's own competitions are settled by its unit price: much less work than running the cascade for each.
  const cheapestLines = lines.flatMap((line) =>
    cheapestOn(line, onLine[line.index] ?? [], all.perUnit[line.index] ?? [], STEPS_MAX / lines.length),
  );
  const cheapest = selectionWith(cheapestLines).perUnit.flatMap((candidates, line) =>
    candidates.filter(({ adjustment }) => adjustment.replacesWithinCategory).map((candidate) => ({ line, candidate })),
  );
  const cheapestOf = Map.groupBy(cheapest, ({ candidate }) => candidate.adjustment.source.category);
  const alone = ({ category, kept }: Settlement): Outcome => {
    if (kept !== undefined) return runCascade(lines, { perUnit: [], perOrder: [kept] });
    const perUnit: Candidate[][] = lines.map(() => []);
    for (const { line, candidate } of cheapestOf.get(category) ?? []) perUnit[line]?.push(candidate);
    return runCascade(lines, { perUnit, perOrder: [] });
  };
  const settled =
    inCart.length === 0 && !dearerLineCanPay(lines, all.perOrder)
      ? cheapestLines
      : lowestTotal(
          contests,
          () => [...inCart.map((ways) => best(ways, alone)), ...cheapestLines],
          (ways) => runCascade(lines, selectionWith(ways)),
          STEPS_MAX / stepsOf(selectionWith([...inCart.flatMap((ways) => ways.slice(-1)), ...cheapestLines])),
        );
  const selection = selectionWith(settled);
  return { selection, replaced: replacedIn(lines, contested, selection) };
}

function contestedCategories(eligible: readonly Candidate[]): Category[] {
  const categories = new Map<string, Category>();
  for (const candidate of eligible) {
    if (!candidate.adjustment.replacesWithinCategory || candidate.lines.length === 0) continue;
    const name = candidate.adjustment.source.category;
    let category = categories.get(name);
    if (category === undefined) {
      category = { name, perUnit: [], perOrder: [] };
      categories.set(name, category);
    }
    (candidate.adjustment.perUnit ? category.perUnit : category.perOrder).push(candidate);
  }
  return [...categories.values()].filter(({ perUnit, perOrder }) => perUnit.length + perOrder.length > 1);
}

function settlementsInCart({ name, perUnit, perOrder }: Category): Settlement[] {
  const ways = perOrder.map((kept): Settlement => ({ category: name, line: undefined, kept }));
  return perUnit.length === 0 ? ways : [{ category: name, line: undefined, kept: undefined }, ...ways];
}

/** Those of every category that has more than one of `candidates`, the per-unit adjustments of the line. */
function settlementsOn(line: Line, candidates: readonly Candidate[]): Settlement[][] {
  const competing = candidates.filter(({ adjustment }) => adjustment.replacesWithinCategory);
  const ways = competing.map((kept): Settlement => ({ category: kept.adjustment.source.category, line, kept }));
  return [...Map.groupBy(ways, ({ category }) => category).values()].filter(({ length }) => length > 1);
}

/** Settles one line's competitions so that its unit price is the lowest. */
function cheapestOn(
  line: Line,
  contests: readonly Settlement[][],
  candidates: readonly Candidate[],
  stepsMax: number,
): readonly Settlement[] {
  if (contests.length === 0) return [];
  const free = without(new Set(contests.flat().map(({ kept }) => kept)), candidates);
  return lowestTotal(
    contests,
    () => contests.map((ways) => best(ways, ({ kept }) => runPerUnit(line, kept === undefined ? [] : [kept]))),
    (ways) =>
      runPerUnit(
        line,
        merged(
          free,
          ways.flatMap(({ kept }) => kept ?? []),
        ),
      ),
    stepsMax / (free.length + contests.length),
  );
}

/**
 * What running the cascade costs. Sharing an amount out over a line is several times the work of working out a price.
 */
function stepsOf({ perUnit, perOrder }: Selection): number {
  const unitSteps = perUnit.reduce((sum, candidates) => sum + 2 + candidates.length, 0);
  return unitSteps + perOrder.reduce((sum, { lines }) => sum + 10 * lines.length, 0);
}

/**
 * Whether a line that costs more can leave a lower total: when what one per-order adjustment takes off is shared out
 * over lines of which another covers a part only, a dearer line draws more of the first to itself, or away.
 */
function dearerLineCanPay(lines: readonly Line[], perOrder: readonly Candidate[]): boolean {
  const ticketed = lines.filter(({ quantity }) => quantity > 0).length;
  if (ticketed < 2 || perOrder.length < 2) return false;
  return perOrder.some(
    (candidate) => candidate.lines.length < ticketed || candidate.adjustment.effect.unitsTaken !== undefined,
  );
}

/** What counts, by how the competitions are settled: of `all`, whatever does not compete and whatever was kept. */
function selecting(all: Selection, settlements: readonly Settlement[]): (settled: readonly Settlement[]) => Selection {
  const competing = new Map<number | undefined, Set<Candidate | undefined>>();
  for (const { line, kept } of settlements) {
    const there = competing.get(line?.index);
    if (there === undefined) competing.set(line?.index, new Set([kept]));
    else there.add(kept);
  }
  const freePerOrder = without(competing.get(undefined), all.perOrder);
  const freePerUnit = all.perUnit.map((candidates, index) => without(competing.get(index), candidates));

  return (settled) => {
    const perOrder: Candidate[] = [];
    const perUnit: Candidate[][] = freePerUnit.map(() => []);
    const withdrawn = new Set<string>();
    for (const { category, line, kept } of settled) {
      if (kept === undefined) continue;
      if (line !== undefined) perUnit[line.index]?.push(kept);
      else {
        perOrder.push(kept);
        withdrawn.add(category);
      }
    }
    const counts = ({ adjustment }: Candidate): boolean =>
      !adjustment.replacesWithinCategory || !withdrawn.has(adjustment.source.category);
    return {
      perOrder: merged(freePerOrder, perOrder),
      perUnit: freePerUnit.map((free, index) => {
        const candidates = merged(free, perUnit[index] ?? []);
        return withdrawn.size === 0 ? candidates : candidates.filter(counts);
      }),
    };
  };
}

function without(
  left: ReadonlySet<Candidate | undefined> | undefined,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  return left === undefined ? candidates : candidates.filter((candidate) => !left.has(candidate));
}

/** Both lists as one, in cascade order. */
function merged(free: readonly Candidate[], kept: readonly Candidate[]): readonly Candidate[] {
  if (kept.length === 0) return free;
  return [...free, ...kept].toSorted((a, b) => a.adjustment.position - b.adjustment.position);
}

/** Of equals the first. */
function best<T>(ways: readonly T[], outcomeOf: (way: T) => Outcome): T {
  let found: { way: T; outcome: Outcome } | undefined;
  for (const way of ways) {
    const outcome = outcomeOf(way);
    if (found === undefined || isBetter(outcome, found.outcome)) found = { way, outcome };
  }
  if (found === undefined) throw new TypeError('a competition without competitors');
  return found.way;
}

function replacedIn(
  lines: readonly Line[],
  contested: readonly Category[],
  selection: Selection,
): ReadonlyMap<Candidate, Candidate> {
  const winnersOn = new Map(
    lines.map((line) => {
      const competing = (selection.perUnit[line.index] ?? []).filter(
        ({ adjustment }) => adjustment.replacesWithinCategory,
      );
      return [line, new Map(competing.map((winner) => [winner.adjustment.source.category, winner]))];
    }),
  );
  const counting = new Set([...selection.perUnit.flat(), ...selection.perOrder]);
  const replaced = new Map<Candidate, Candidate>();
  for (const { name, perUnit, perOrder } of contested) {
    const anyWinner = [...perUnit, ...perOrder].find((candidate) => counting.has(candidate));
    for (const candidate of [...perUnit, ...perOrder]) {
      if (counting.has(candidate)) continue;
      const metOn = candidate.lines.find((line) => winnersOn.get(line)?.has(name));
      const winner = (metOn && winnersOn.get(metOn)?.get(name)) ?? anyWinner;
      if (winner !== undefined) replaced.set(candidate, winner);
    }
  }
  return replaced;
}
