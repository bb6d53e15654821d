import type { Rule } from './rule.ts';

/** An amount is never converted: an effect in another currency than the prices does not count. */
export const currencyRule: Rule = ({ effect }, { currency }) => {
  if (effect.currency === undefined || effect.currency === currency) return undefined;
  return { reason: 'currency-mismatch', detail: `is in ${effect.currency}, the prices are in ${currency}` };
};
