import type { Candidate, Line } from '../candidate.ts';
import { runCascade, runPerUnit } from '../cascade.ts';
import type { Outcome, Selection } from '../cascade.ts';
import { isBetter, lowestTotal } from './lowest-total.ts';
import { selectAll } from './select-all.ts';

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

/** What a category sends into the cascade: one per-order adjustment, or (undefined) its per-unit ones, each line its best. */
interface Entry {
  category: Category;
  perOrder: Candidate | undefined;
}

/**
 * Of the `replace-within-category` adjustments of one category, keeps the one with which the buyer pays least at the end of the
 * whole cascade. Per-unit adjustments compete on each line by themselves; a per-order one competes with all others of its
 * category in the whole cart. `eligible` and all lists that come out are in cascade order.
 *
 * A line's per-unit competitions are decided by its unit price: a lower one never makes the total higher, apart from the
 * rounding when a per-order amount is shared out over lines.
 */
export function replaceWithinCategory(lines: readonly Line[], eligible: readonly Candidate[]): Resolved {
  const contested = contestedCategories(eligible);
  const all = selectAll(lines, eligible);
  if (contested.length === 0) return { selection: all, replaced: new Map() };

  const cartWide = contested.filter((category) => category.perOrder.length > 0);
  const competingPerOrder = new Set(cartWide.flatMap((category) => category.perOrder));
  const freePerOrder = all.perOrder.filter((candidate) => !competingPerOrder.has(candidate));
  const perUnitWithout = remembered((withdrawn) => resolvePerUnit(lines, all.perUnit, withdrawn));
  const selectionWith = (entries: readonly Entry[]): Selection => ({
    perUnit: perUnitWithout(entries.flatMap(({ category, perOrder }) => (perOrder === undefined ? [] : [category]))),
    perOrder: chain(
      freePerOrder,
      entries.flatMap(({ perOrder }) => perOrder ?? []),
    ),
  });

  const options = cartWide.map(entriesOf);
  const entries = lowestTotal(
    options,
    () => options.map((option) => bestAlone(option, (entry) => runCascade(lines, selectionWith([entry])))),
    (choice) => runCascade(lines, selectionWith(choice)),
  );
  const selection = selectionWith(entries);
  return { selection, replaced: replacedIn(contested, selection) };
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

function entriesOf(category: Category): Entry[] {
  const perOrder = category.perOrder.map((candidate): Entry => ({ category, perOrder: candidate }));
  return category.perUnit.length === 0 ? perOrder : [{ category, perOrder: undefined }, ...perOrder];
}

/** The per-unit adjustments that count on each line when the `withdrawn` categories send none. */
function resolvePerUnit(
  lines: readonly Line[],
  all: Selection['perUnit'],
  withdrawn: readonly Category[],
): Selection['perUnit'] {
  const withdrawnPerUnit = new Set(withdrawn.flatMap((category) => category.perUnit));
  return lines.map((line) => {
    const candidates = all[line.index] ?? [];
    return resolveLine(
      line,
      withdrawnPerUnit.size === 0 ? candidates : candidates.filter((candidate) => !withdrawnPerUnit.has(candidate)),
    );
  });
}

function resolveLine(line: Line, candidates: readonly Candidate[]): readonly Candidate[] {
  const byCategory = Map.groupBy(
    candidates.filter(({ adjustment }) => adjustment.replacesWithinCategory),
    ({ adjustment }) => adjustment.source.category,
  );
  const options = [...byCategory.values()].filter((competitors) => competitors.length > 1);
  if (options.length === 0) return candidates;

  const competing = new Set(options.flat());
  const free = candidates.filter((candidate) => !competing.has(candidate));
  const winners = lowestTotal(
    options,
    () => options.map((competitors) => bestAlone(competitors, (candidate) => runPerUnit(line, [candidate]))),
    (choice) => runPerUnit(line, chain(free, choice)),
  );
  return chain(free, winners);
}

/** Both lists as one, in cascade order. */
function chain(free: readonly Candidate[], chosen: readonly Candidate[]): Candidate[] {
  return [...free, ...chosen].toSorted((a, b) => a.adjustment.position - b.adjustment.position);
}

function bestAlone<T>(contenders: readonly T[], outcomeOf: (contender: T) => Outcome): T {
  let best: { contender: T; outcome: Outcome } | undefined;
  for (const contender of contenders) {
    const outcome = outcomeOf(contender);
    if (best === undefined || isBetter(outcome, best.outcome)) best = { contender, outcome };
  }
  if (best === undefined) throw new TypeError('a competition without contenders');
  return best.contender;
}

function replacedIn(contested: readonly Category[], selection: Selection): ReadonlyMap<Candidate, Candidate> {
  const counting = new Set([...selection.perUnit.flat(), ...selection.perOrder]);
  const replaced = new Map<Candidate, Candidate>();
  for (const { perUnit, perOrder } of contested) {
    const winners = [...perUnit, ...perOrder].filter((candidate) => counting.has(candidate));
    const winnerOnLine = new Map<Line, Candidate>();
    for (const winner of winners.filter(({ adjustment }) => adjustment.perUnit)) {
      for (const line of winner.lines) {
        if (selection.perUnit[line.index]?.includes(winner)) winnerOnLine.set(line, winner);
      }
    }
    for (const candidate of [...perUnit, ...perOrder]) {
      if (counting.has(candidate)) continue;
      const metOn = candidate.lines.find((line) => winnerOnLine.has(line));
      const winner = (metOn && winnerOnLine.get(metOn)) ?? winners[0];
      if (winner !== undefined) replaced.set(candidate, winner);
    }
  }
  return replaced;
}

/** Few sets of categories come up, each of them often: one for every combination of entries that differs in who withdraws. */
function remembered<T>(compute: (withdrawn: readonly Category[]) => T): (withdrawn: readonly Category[]) => T {
  const known = new Map<string, T>();
  return (withdrawn) => {
    const key = withdrawn.map(({ name }) => name).join('\n');
    let result = known.get(key);
    if (result === undefined) {
      result = compute(withdrawn);
      known.set(key, result);
    }
    return result;
  };
}
