import type { Evaluation } from '@event-commerce/contracts';
import { TargetMismatch } from './eligibility/target.ts';

/**
 * `evaluation` as JSON. Saves encoding the target mismatches, which are most of a long answer, again for every request.
 */
export function encodeEvaluation(evaluation: Pick<Evaluation, 'droppedAdjustments'>): string {
  const { droppedAdjustments, ...rest } = evaluation;
  const dropped = droppedAdjustments.map((adjustment) => TargetMismatch.encode(adjustment)).join(',');
  return `${JSON.stringify(rest).slice(0, -1)},"droppedAdjustments":[${dropped}]}`;
}
