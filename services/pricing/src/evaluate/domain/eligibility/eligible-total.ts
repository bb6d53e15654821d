import { formatMoney } from '../format-money.ts';
import type { Rule } from './rule.ts';

/** Compares the catalogue prices of the tickets that the adjustment applies to; other tickets do not count. */
export const eligibleTotalRule: Rule = ({ conditions: { minEligibleTotal } }, { currency }, { lines }) => {
  if (minEligibleTotal === undefined) return undefined;
  const least = formatMoney(minEligibleTotal.amount, minEligibleTotal.currency);
  const wanted = `needs ${least} of tickets it applies to, at catalogue prices`;
  if (minEligibleTotal.currency !== currency) {
    return { reason: 'currency-mismatch', detail: `${wanted}; the prices are in ${currency}` };
  }
  let total = 0;
  for (const { basePrice, quantity } of lines) total += basePrice * quantity;
  if (total >= minEligibleTotal.amount) return undefined;
  return {
    reason: 'eligible-total-below-minimum',
    detail: `${wanted}; the cart has ${formatMoney(total, currency)}`,
  };
};
