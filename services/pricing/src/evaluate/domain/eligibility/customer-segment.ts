import { anyOf } from './refusal.ts';
import type { Rule } from './rule.ts';

export const customerSegmentRule: Rule = ({ conditions: { customerSegments } }, { customerSegment }) => {
  if (customerSegments === undefined) return undefined;
  if (customerSegment !== undefined && customerSegments.has(customerSegment)) return undefined;
  const given = customerSegment === undefined ? 'no segment was given' : `this customer is in ${customerSegment}`;
  return { reason: 'segment-mismatch', detail: `is for customers in segment ${anyOf(customerSegments)}, ${given}` };
};
