import type { DropReason, DroppedAdjustment } from '@event-commerce/contracts';
import type { KeptAdjustment } from '../../../adjustments/domain/adjustment.ts';

/** Why an adjustment was dropped: a reason for programs and a sentence for merchants. */
export interface Refusal {
  reason: DropReason;
  detail: string;
  /** The id of the adjustment that replaced it. */
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

/** The whole reason for a caller who may not see the code. */
export const NEEDS_CODE = 'needs a code';

/** `dropped` for a caller who may not see the code that it needs: its name may reveal the code too. */
export function withoutCode({ adjustmentId, category, reason }: DroppedAdjustment): DroppedAdjustment {
  return { adjustmentId, category, reason, detail: NEEDS_CODE };
}

/** `3 tickets`, `1 ticket`. */
export function tickets(count: number): string {
  return count === 1 ? '1 ticket' : `${count} tickets`;
}

const NAMES_MAX = 5;

/** `a, b or c`; long lists are shortened, because a merchant can look up the adjustment. */
export function anyOf(values: ReadonlySet<string>): string {
  const named = [...values].slice(0, NAMES_MAX);
  const more = values.size - named.length;
  if (more > 0) return `${named.join(', ')} or ${more} more`;
  const last = named.pop() ?? '';
  return named.length === 0 ? last : `${named.join(', ')} or ${last}`;
}
