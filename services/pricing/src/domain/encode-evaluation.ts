import type { Evaluation } from '@event-commerce/contracts';
import { TargetMismatch } from './eligibility/target.ts';

/** `evaluation` as JSON. Reuses the encoded target mismatches, which are most of a long response. */
export function encodeEvaluation(evaluation: Pick<Evaluation, 'droppedAdjustments'>): string {
  const { droppedAdjustments, ...rest } = evaluation;
  const dropped = droppedAdjustments.map((adjustment) => TargetMismatch.encode(adjustment)).join(',');
  return `${JSON.stringify(rest).slice(0, -1)},"droppedAdjustments":[${dropped}]}`;
}
