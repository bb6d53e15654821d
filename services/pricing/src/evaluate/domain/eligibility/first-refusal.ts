import { sharesFor } from '../../../adjustments/domain/adjustment.ts';
import { budgetRule } from './budget.ts';
import { channelRule } from './channel.ts';
import { codeRule } from './code.ts';
import { currencyRule } from './currency.ts';
import { customerSegmentRule } from './customer-segment.ts';
import { eligibleTotalRule } from './eligible-total.ts';
import { orderTotalRule } from './order-total.ts';
import { quantityRule } from './quantity.ts';
import { capRefusal } from './redemption-caps.ts';
import type { Rule } from './rule.ts';
import { ticketCapRefusal } from './ticket-caps.ts';
import { windowRefusal } from './window.ts';

const windowRule: Rule = ({ conditions }, { nowMs }) => windowRefusal(conditions, nowMs);

const capRule: Rule = (adjustment, context) => {
  const { conditions, source, limitsTickets } = adjustment;
  const { claimed, customerUsage } = context;
  const refusal = capRefusal(conditions, {
    claimed: conditions.maxRedemptions === Infinity ? 0 : claimed(source.id),
    quantity: 1,
    isKnown: sharesFor(source.conditions, context).length > 0,
    claimedByCustomer: () => customerUsage(source.id),
  });
  return refusal === undefined && limitsTickets ? ticketCapRefusal(adjustment, context) : refusal;
};

/**
 * The order of the rules; the first that fails gives the reason. Targets and tags have been checked before (does it
 * concern this cart at all?). First whether the adjustment runs now, then whether the buyer asked for it, who and where
 * the buyer is, what the buyer would have to change, and last what can no longer be changed.
 */
const RULES: readonly Rule[] = [
  windowRule,
  codeRule,
  customerSegmentRule,
  channelRule,
  quantityRule,
  eligibleTotalRule,
  orderTotalRule,
  currencyRule,
  capRule,
  budgetRule,
];

export const firstRefusal: Rule = (adjustment, context, applies) => {
  for (const rule of RULES) {
    const refusal = rule(adjustment, context, applies);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};
