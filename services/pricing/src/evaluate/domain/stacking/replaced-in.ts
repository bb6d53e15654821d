import type { Candidate, Line } from '../candidate.ts';
import type { Selection } from '../cascade.ts';
import type { Category } from './cheapest-ways.ts';

/** The competitors that apply nowhere, with the one that replaced them. */
export function replacedIn(
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
