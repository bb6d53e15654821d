import { type CodeResult, type DroppedAdjustment, matchCode } from '@event-commerce/contracts';
import type { Candidate } from './candidate.ts';
import type { LiveAdjustments } from './snapshot.ts';

/**
 * The result of every presented code: once for all its spellings, in the order and the spelling in which it was first
 * presented.
 */
export function answerCodes(
  snapshot: LiveAdjustments,
  presented: readonly string[],
  counting: ReadonlySet<Candidate>,
  dropped: readonly DroppedAdjustment[],
): CodeResult[] {
  if (presented.length === 0) return [];
  const countingIds = new Set(Array.from(counting, ({ adjustment }) => adjustment.source.id));
  const droppedById = new Map(dropped.map((adjustment) => [adjustment.adjustmentId, adjustment]));
  const answers = new Map<string, CodeResult>();
  for (const code of presented) {
    const key = matchCode(code);
    if (!answers.has(key)) answers.set(key, answerCode(code));
  }
  return [...answers.values()];

  function answerCode(code: string): CodeResult {
    const holders = snapshot.withCode(code).toSorted((a, b) => a.position - b.position);
    const applied = holders.find(({ source }) => countingIds.has(source.id));
    if (applied !== undefined) return { code, status: 'applied', adjustmentId: applied.source.id };
    const [holder] = holders;
    if (holder === undefined) return { code, status: 'unknown' };
    const { reason, detail } = droppedById.get(holder.source.id) ?? holder.targetMismatch;
    return { code, status: 'dropped', adjustmentId: holder.source.id, reason, detail };
  }
}
