import type { Adjustment } from '@event-commerce/contracts';
import { type CountedBuyer, sharesFor } from '../../../adjustments/domain/adjustment.ts';
import { compileConditions } from '../../../snapshot/domain/compiled-adjustment.ts';
import { capRefusal } from './redemption-caps.ts';
import type { Refusal } from './refusal.ts';
import { windowRefusal } from './window.ts';

/**
 * Why `adjustment` cannot be redeemed at `nowMs` (outside its window, over a cap), worded as in an evaluation;
 * undefined if it can. `customerUsage` is what the customer has claimed so far.
 */
export function whyNotRedeemable(
  adjustment: Pick<Adjustment, 'conditions'>,
  at: {
    nowMs: number;
    usage: { claimed: number };
    customerUsage: number;
    buyer: CountedBuyer;
  },
): Refusal | undefined {
  const conditions = compileConditions(adjustment.conditions, 0);
  return (
    windowRefusal(conditions, at.nowMs) ??
    capRefusal(conditions, {
      claimed: at.usage.claimed,
      quantity: 1,
      isKnown: sharesFor(adjustment.conditions, at.buyer).length > 0,
      claimedByCustomer: () => at.customerUsage,
    })
  );
}
