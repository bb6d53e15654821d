import type { DropReason, DroppedAdjustment } from '@event-commerce/contracts';
import type { KeptAdjustment } from '../adjustment.ts';

/** Why an adjustment does not count, as a reason for programs and a sentence for merchants. */
export interface Refusal {
  reason: DropReason;
  detail: string;
  /** The id of the adjustment that took its place. */
  replacedBy?: string;
}

export function dropped(adjustment: KeptAdjustment, refusal: Refusal): DroppedAdjustment {
  const { code } = adjustment.conditions;
  return {
    adjustmentId: adjustment.id,
    name: adjustment.name,
    category: adjustment.category,
    ...(code === undefined ? {} : { code }),
    ...refusal,
  };
}

/** `dropped` for a caller who may not see the code that it needs: a name may tell it too. */
export function withoutCode({ adjustmentId, category, reason }: DroppedAdjustment): DroppedAdjustment {
  return { adjustmentId, category, reason, detail: 'needs a code' };
}

/** `3 tickets`, `1 ticket`. */
export function tickets(count: number): string {
  return count === 1 ? '1 ticket' : `${count} tickets`;
}

const NAMES_MAX = 5;

/** `a, b or c`; long lists are cut, since a merchant can look the adjustment up. */
export function anyOf(values: ReadonlySet<string>): string {
  const named = [...values].slice(0, NAMES_MAX);
  const more = values.size - named.length;
  if (more > 0) return `${named.join(', ')} or ${more} more`;
  const last = named.pop() ?? '';
  return named.length === 0 ? last : `${named.join(', ')} or ${last}`;
}
