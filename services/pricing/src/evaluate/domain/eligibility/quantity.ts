import { tickets } from './refusal.ts';
import type { Rule } from './rule.ts';

/**
 * Counts the tickets that the adjustment applies to, over all lines of the cart; tickets of other offerings do not
 * count.
 */
export const quantityRule: Rule = ({ conditions: { minQuantity, maxQuantity } }, cart, { quantity }) => {
  const has = `the cart has ${quantity}${quantity === cart.tickets ? '' : ' that it applies to'}`;
  if (quantity < minQuantity) {
    return {
      reason: 'quantity-below-minimum',
      detail: `needs at least ${tickets(minQuantity)}, ${has}`,
    };
  }
  if (quantity > maxQuantity) {
    return {
      reason: 'quantity-above-maximum',
      detail: `allows at most ${tickets(maxQuantity)}, ${has}`,
    };
  }
  return undefined;
};
