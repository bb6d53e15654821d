import type { Candidate, Line } from '../candidate.ts';
import type { Selection } from '../cascade.ts';

/** All `candidates` on every line that they apply to, in the given order. */
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
