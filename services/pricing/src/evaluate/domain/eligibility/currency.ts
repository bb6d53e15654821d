import type { Rule } from './rule.ts';

/** Amounts are never converted: an effect in a currency other than the prices' is dropped. */
export const currencyRule: Rule = ({ effect }, { currency }) => {
  if (effect.currency === undefined || effect.currency === currency) return undefined;
  return { reason: 'currency-mismatch', detail: `is in ${effect.currency}, the prices are in ${currency}` };
};
