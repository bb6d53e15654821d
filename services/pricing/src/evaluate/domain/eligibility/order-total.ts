import { formatMoney } from '../format-money.ts';
import type { Rule } from './rule.ts';

const OF_ALL = 'for the whole order, at catalogue prices';

/**
 * Checks the order total that the caller states; it is never derived from the lines, which may be only part of the
 * order. A bound in a currency other than the prices' drops the adjustment even if no total is named, because naming
 * one would not help.
 */
export const orderTotalRule: Rule = ({ conditions: { minOrderTotal, maxOrderTotal } }, { orderTotal, currency }) => {
  const bound = minOrderTotal ?? maxOrderTotal;
  if (bound === undefined) return undefined;
  const wanted =
    minOrderTotal === undefined
      ? `allows at most ${formatMoney(bound.amount, bound.currency)} ${OF_ALL}`
      : `needs at least ${formatMoney(bound.amount, bound.currency)} ${OF_ALL}`;

  if (bound.currency !== currency) {
    return { reason: 'currency-mismatch', detail: `${wanted}; the prices are in ${currency}` };
  }
  if (orderTotal === undefined) return { reason: 'order-total-missing', detail: `${wanted}; no total was given` };
  if (bound.currency !== orderTotal.currency) {
    return { reason: 'currency-mismatch', detail: `${wanted}; its total is in ${orderTotal.currency}` };
  }
  const actual = formatMoney(orderTotal.amount, orderTotal.currency);
  if (minOrderTotal !== undefined && orderTotal.amount < minOrderTotal.amount) {
    return { reason: 'order-total-below-minimum', detail: `${wanted}; it has ${actual}` };
  }
  if (maxOrderTotal !== undefined && orderTotal.amount > maxOrderTotal.amount) {
    const most = formatMoney(maxOrderTotal.amount, maxOrderTotal.currency);
    return {
      reason: 'order-total-above-maximum',
      detail: `allows at most ${most} ${OF_ALL}; it has ${actual}`,
    };
  }
  return undefined;
};
