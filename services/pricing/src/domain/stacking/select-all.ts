import type { Candidate, Line } from '../candidate.ts';
import type { Selection } from '../cascade.ts';

/** Every one of `candidates` on every line that it applies to, in the order given. */
export function selectAll(lines: readonly Line[], candidates: readonly Candidate[]): Selection {
  const perUnit: Candidate[][] = lines.map(() => []);
  const perOrder: Candidate[] = [];
  for (const candidate of candidates) {
    if (!candidate.adjustment.perUnit) {
      if (candidate.lines.length > 0) perOrder.push(candidate);
      continue;
    }
    for (const line of candidate.lines) perUnit[line.index]?.push(candidate);
  }
  return { perUnit, perOrder };
}
