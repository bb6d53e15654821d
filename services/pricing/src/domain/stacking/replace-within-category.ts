import type { Candidate, Line } from '../candidate.ts';
import { type Outcome, runAlone, runCascade, runPerUnit, selectAll, type Selection } from '../cascade.ts';
import { isBetter, lowestTotal } from './lowest-total.ts';

/**
 * The most prices that the search for the best may calculate: some tens of milliseconds at worst. Tens of competitors
 * in a cart of tens of lines stay far below it.
 */
const STEPS_MAX = 150_000;

interface Resolved {
  selection: Selection;
  /** Those that apply nowhere, with the one that replaced them. */
  replaced: ReadonlyMap<Candidate, Candidate>;
}

/** The competitors of one category. */
interface Category {
  name: string;
  perUnit: Candidate[];
  perOrder: Candidate[];
}

/**
 * One way to settle a competition. On a `line`: of the category's per-unit adjustments there, `kept` applies. In the
 * cart (no line): the category's per-order adjustment `kept` applies and no per-unit one does; or, without `kept`, no
 * per-order one does.
 */
interface Settlement {
  category: string;
  line: Line | undefined;
  kept: Candidate | undefined;
}

/**
 * Of the `replace-within-category` adjustments of one category, keeps the one with which the buyer pays least at the
 * end of the whole cascade. Per-unit adjustments compete on each line separately; a per-order one competes with all
 * others of its category in the whole cart. `eligible` and all returned lists are in cascade order.
 */
export function replaceWithinCategory(lines: readonly Line[], eligible: readonly Candidate[]): Resolved {
  const contested = contestedCategories(eligible);
  const all = selectAll(lines, eligible);
  if (contested.length === 0) return { selection: all, replaced: new Map() };

  const inCart = contested.filter(({ perOrder }) => perOrder.length > 0).map(settlementsInCart);
  const rivalsOn = all.perUnit.map(rivalsAmong);
  const rivalsInCart = new Set(inCart.map(([way]) => way?.category));
  const free: Selection = {
    perOrder: all.perOrder.filter((candidate) => !isRival(candidate, rivalsInCart)),
    perUnit: all.perUnit.map((candidates, line) => withoutRivals(candidates, rivalsOn[line] ?? NO_RIVALS)),
  };
  const selectionWith = selecting(free);

  // A line's own competitions are settled by its unit price: much less work than running the cascade for each.
  const cheapestLines = lines.flatMap((line) =>
    cheapestOn(line, rivalsOn[line.index] ?? NO_RIVALS, free.perUnit[line.index] ?? [], STEPS_MAX / lines.length),
  );
  const cheapest = selectionWith(cheapestLines).perUnit.flatMap((candidates, line) =>
    candidates.filter(({ adjustment }) => adjustment.replacesWithinCategory).map((candidate) => ({ line, candidate })),
  );
  const cheapestOf = Map.groupBy(cheapest, ({ candidate }) => candidate.adjustment.source.category);
  const keptAlone = runAlone(lines);
  const alone = ({ category, kept }: Settlement): Outcome => {
    if (kept !== undefined) return keptAlone(kept);
    const perUnit: Candidate[][] = lines.map(() => []);
    for (const { line, candidate } of cheapestOf.get(category) ?? []) perUnit[line]?.push(candidate);
    return runCascade(lines, { perUnit, perOrder: [] });
  };
  const settled =
    inCart.length === 0 && !dearerLineCanPay(lines, all.perOrder)
      ? cheapestLines
      : lowestTotal(
          [...inCart, ...lines.flatMap((line) => settlementsOn(line, rivalsOn[line.index] ?? NO_RIVALS))],
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

/** By category, those that compete on one line: at least two of each. */
type Rivals = ReadonlyMap<string, readonly Candidate[]>;

const NO_RIVALS: Rivals = new Map();

/** `candidates`: the per-unit adjustments of a line. */
function rivalsAmong(candidates: readonly Candidate[]): Rivals {
  const rivals = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { replacesWithinCategory, source } = candidate.adjustment;
    if (!replacesWithinCategory) continue;
    const others = rivals.get(source.category);
    if (others === undefined) rivals.set(source.category, [candidate]);
    else others.push(candidate);
  }
  for (const [category, { length }] of rivals) if (length === 1) rivals.delete(category);
  return rivals;
}

function isRival({ adjustment }: Candidate, categories: { has: (category: string) => boolean }): boolean {
  return adjustment.replacesWithinCategory && categories.has(adjustment.source.category);
}

function withoutRivals(candidates: readonly Candidate[], rivals: Rivals): readonly Candidate[] {
  return rivals.size === 0 ? candidates : candidates.filter((candidate) => !isRival(candidate, rivals));
}

function settlementsOn(line: Line, rivals: Rivals): Settlement[][] {
  return [...rivals].map(([category, competing]) => competing.map((kept): Settlement => ({ category, line, kept })));
}

/** Settles one line's competitions so that its unit price is the lowest. */
function cheapestOn(line: Line, rivals: Rivals, free: readonly Candidate[], stepsMax: number): readonly Settlement[] {
  if (rivals.size === 0) return [];
  const alone = (competing: readonly Candidate[]): Candidate => best(competing, (kept) => runPerUnit(line, [kept]));
  if (free.length === 0 && rivals.size === 1) {
    return [...rivals].map(([category, competing]) => ({ category, line, kept: alone(competing) }));
  }
  return lowestTotal(
    settlementsOn(line, rivals),
    () => [...rivals].map(([category, competing]): Settlement => ({ category, line, kept: alone(competing) })),
    (ways) =>
      runPerUnit(
        line,
        merged(
          free,
          ways.flatMap(({ kept }) => kept ?? []),
        ),
      ),
    stepsMax / (free.length + rivals.size),
  );
}

/**
 * The cost of running the cascade. Splitting an amount over a line costs several times as much as calculating a price.
 */
function stepsOf({ perUnit, perOrder }: Selection): number {
  const unitSteps = perUnit.reduce((sum, candidates) => sum + 2 + candidates.length, 0);
  return unitSteps + perOrder.reduce((sum, { lines }) => sum + 10 * lines.length, 0);
}

/**
 * Whether a line with a higher price can lead to a lower total: when the amount of one per-order adjustment is split
 * over lines, only some of which another covers, a dearer line shifts more of the first to itself, or away.
 */
function dearerLineCanPay(lines: readonly Line[], perOrder: readonly Candidate[]): boolean {
  const ticketed = lines.filter(({ quantity }) => quantity > 0).length;
  if (ticketed < 2 || perOrder.length < 2) return false;
  return perOrder.some(
    (candidate) => candidate.lines.length < ticketed || candidate.adjustment.effect.unitsTaken !== undefined,
  );
}

/**
 * What applies, given how the competitions are settled: the `free` ones, which compete nowhere, and whatever was kept.
 */
function selecting(free: Selection): (settled: readonly Settlement[]) => Selection {
  return (settled) => {
    const perOrder: Candidate[] = [];
    const perUnit: Candidate[][] = free.perUnit.map(() => []);
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
      perOrder: merged(free.perOrder, perOrder),
      perUnit: free.perUnit.map((others, index) => {
        const candidates = merged(others, perUnit[index] ?? []);
        return withdrawn.size === 0 ? candidates : candidates.filter(counts);
      }),
    };
  };
}

/** Both lists merged, in cascade order. */
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
