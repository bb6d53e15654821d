import type { Candidate, Line } from '../candidate.ts';
import { runCascade } from '../cascade.ts';

/** The lowest total of all allowed ways to keep one competitor of each category, found by trying them all. */
export function lowestByTryingAll(lines: readonly Line[], candidates: readonly Candidate[]): number {
  const competing = candidates.filter(({ adjustment }) => adjustment.replacesWithinCategory);
  const categories = [...Map.groupBy(competing, ({ adjustment }) => adjustment.source.category).values()];
  let lowest = Infinity;
  tryCategory(
    0,
    new Set(competing.flatMap((candidate) => candidate.lines.map((line) => key(candidate, line)))),
    new Set(),
  );
  return lowest;

  function key(candidate: Candidate, line: Line): string {
    return `${candidate.adjustment.source.id} ${line.index}`;
  }

  function tryCategory(index: number, withheldOnLine: ReadonlySet<string>, perOrderKept: ReadonlySet<Candidate>): void {
    const category = categories[index];
    if (category === undefined) {
      const perUnit = lines.map((line) =>
        candidates.filter((each) => {
          const counts = each.adjustment.perUnit && each.lines.includes(line);
          return counts && !withheldOnLine.has(key(each, line));
        }),
      );
      const perOrder = candidates.filter(
        (each) =>
          !each.adjustment.perUnit &&
          each.lines.length > 0 &&
          (perOrderKept.has(each) || !each.adjustment.replacesWithinCategory),
      );
      lowest = Math.min(lowest, runCascade(lines, { perUnit, perOrder }).total);
      return;
    }
    const perUnit = category.filter(({ adjustment }) => adjustment.perUnit);
    const perOrder = category.filter(({ adjustment, lines: on }) => !adjustment.perUnit && on.length > 0);
    for (const kept of perOrder) tryCategory(index + 1, withheldOnLine, new Set([...perOrderKept, kept]));
    if (perUnit.some(({ lines: on }) => on.length > 0) || perOrder.length === 0) {
      tryLine(0, withheldOnLine);
    }

    function tryLine(lineIndex: number, withheld: ReadonlySet<string>): void {
      const line = lines[lineIndex];
      if (line === undefined) return tryCategory(index + 1, withheld, perOrderKept);
      const here = perUnit.filter((candidate) => candidate.lines.includes(line));
      if (here.length === 0) return tryLine(lineIndex + 1, withheld);
      for (const kept of here) {
        tryLine(lineIndex + 1, new Set([...withheld].filter((each) => each !== key(kept, line))));
      }
    }
  }
}
