import type { Candidate, Line } from '../candidate.ts';
import { type Outcome, runAlone, runCascade, runPerUnit, selectAll, type Selection } from '../cascade.ts';
import { type Category, cheapestInCart, cheapestOnLine } from './cheapest-ways.ts';
import { COMBINATIONS_MAX, isBetter, lowestTotal } from './lowest-total.ts';
import { replacedIn } from './replaced-in.ts';

/**
 * The most prices that the search for the best may calculate: some tens of milliseconds at worst. Tens of competitors
 * in a cart of tens of lines stay far below it.
 */
const STEPS_MAX = 150_000;

interface Resolved {
  selection: Selection;
  /** The adjustments that apply nowhere, each with the one that replaced it. */
  replaced: ReadonlyMap<Candidate, Candidate>;
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

  const cheapestLines = (): Settlement[] =>
    lines.flatMap((line) =>
      cheapestOn(line, rivalsOn[line.index] ?? NO_RIVALS, all.perUnit[line.index] ?? [], lines.length),
    );
  const dearerCanPay = dearerLineCanPay(lines, all.perOrder);
  // A line's own competitions are settled by its unit price: much less work than running the cascade for each.
  const settled = inCart.length === 0 && !dearerCanPay ? cheapestLines() : settledTogether();
  const selection = selectionWith(settled);
  return { selection, replaced: replacedIn(lines, contested, selection) };

  function settledTogether(): readonly Settlement[] {
    const options = [...inCart, ...lines.flatMap((line) => settlementsOn(line, rivalsOn[line.index] ?? NO_RIVALS))];
    const outcomesMax = STEPS_MAX / stepsOf(selectionWith(options.flatMap((ways) => ways.slice(-1))));
    return lowestTotal(
      options,
      () => {
        const found = cheapestInCart(lines, all, contested);
        if (found === undefined) return settledAlone();
        return options.flatMap((ways) => {
          const line = ways[0]?.line;
          return keeping(line === undefined ? found.perOrder : (found.perUnit[line.index] ?? []), ways);
        });
      },
      (ways) => runCascade(lines, selectionWith(ways)),
      outcomesMax,
      // If a dearer line can lead to the lowest total, only trying all combinations is certain to find it.
      dearerCanPay ? outcomesMax : COMBINATIONS_MAX,
    );
  }

  /** Each line by its unit price, and each category of the cart as if there were no other. */
  function settledAlone(): readonly Settlement[] {
    const onLines = cheapestLines();
    const cheapest = selectionWith(onLines).perUnit;
    const keptAlone = runAlone(lines);
    const alone = ({ category, kept }: Settlement): Outcome => {
      if (kept !== undefined) return keptAlone(kept);
      const inCategory = { has: (name: string) => name === category };
      const perUnit = cheapest.map((candidates) => candidates.filter((each) => isRival(each, inCategory)));
      return runCascade(lines, { perUnit, perOrder: [] });
    };
    return [...inCart.map((ways) => best(ways, alone)), ...onLines];
  }
}

/** The first of `ways` that keeps a candidate of `kept`; the very first if none does. */
function keeping(kept: readonly Candidate[], ways: readonly Settlement[]): readonly Settlement[] {
  const way = ways.find((each) => each.kept !== undefined && kept.includes(each.kept));
  return way === undefined ? ways.slice(0, 1) : [way];
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

/** The adjustments that compete on one line, by category: at least two of each. */
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

/** Settles one line's competitions so that its unit price is the lowest. `candidates`: all that apply to it. */
function cheapestOn(
  line: Line,
  rivals: Rivals,
  candidates: readonly Candidate[],
  lineCount: number,
): readonly Settlement[] {
  if (rivals.size === 0) return [];
  const free = withoutRivals(candidates, rivals);
  const options = settlementsOn(line, rivals);
  const settledAlone = (): Settlement[] =>
    [...rivals].map(([category, competing]) => ({
      category,
      line,
      kept: best(competing, (kept) => runPerUnit(line, [kept])),
    }));
  if (free.length === 0 && rivals.size === 1) return settledAlone();
  return lowestTotal(
    options,
    () => {
      const kept = cheapestOnLine(line, candidates, rivals, lineCount);
      return kept === undefined ? settledAlone() : options.flatMap((ways) => keeping(kept, ways));
    },
    (ways) =>
      runPerUnit(
        line,
        merged(
          free,
          ways.flatMap(({ kept }) => kept ?? []),
        ),
      ),
    STEPS_MAX / lineCount / (free.length + rivals.size),
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
 * Whether a line with a higher price can lead to a lower total: if one per-order adjustment is split over lines and
 * another covers only some of them, a dearer line shifts the first one's amount to itself or away.
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

/** The best of `ways`; on a tie, the first. */
function best<T>(ways: readonly T[], outcomeOf: (way: T) => Outcome): T {
  let found: { way: T; outcome: Outcome } | undefined;
  for (const way of ways) {
    const outcome = outcomeOf(way);
    if (found === undefined || isBetter(outcome, found.outcome)) found = { way, outcome };
  }
  if (found === undefined) throw new TypeError('a competition without competitors');
  return found.way;
}
