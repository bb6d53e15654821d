import type { Candidate } from '../candidate.ts';
import type { Step } from '../cascade.ts';
import type { Refusal } from '../eligibility/refusal.ts';
import { formatMoney } from '../format-money.ts';

/** For an eligible adjustment that changes no price. `step`: what it tried; absent if it applies to no ticket. */
export function noEffect(candidate: Candidate, step: Step | undefined, currency: string): Refusal {
  return { reason: 'no-effect', detail: `has no effect, ${why(candidate, step, currency)}` };
}

function why({ adjustment, quantity }: Candidate, step: Step | undefined, currency: string): string {
  if (step === undefined) return 'the cart has 0 tickets that it applies to';
  const nothing = formatMoney(0, currency);
  if (step.clamped) return 'there is nothing left to take off';
  if (step.base === 0) return `the price is ${nothing}`;

  const { effect } = adjustment.source;
  const base = formatMoney(step.base, currency);
  if (effect.kind === 'fixed_price' && step.base <= effect.amount) {
    return `the price of ${base} is not above the fixed price of ${formatMoney(effect.amount, currency)}`;
  }
  if (effect.maxAmount === 0 && adjustment.effect.amountOn(step.base, quantity) === 0) {
    return `it may take off at most ${nothing}`;
  }
  return `its share of ${base} rounds to ${nothing}`;
}
