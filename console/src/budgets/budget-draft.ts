import type { components } from '@event-commerce/client';
import { isCurrency, minorUnitsOf, typedAmount } from '../format/format.ts';

type Schemas = components['schemas'];
type Budget = Schemas['Budget'];

/** A budget as the form holds it: everything as typed. */
export interface BudgetDraft {
  name: string;
  amount: string;
  currency: string;
  per: Budget['per'];
  zone: string;
  onExhausted: Budget['onExhausted'];
}

export const NEW_BUDGET: BudgetDraft = {
  name: '',
  amount: '',
  currency: 'EUR',
  per: 'total',
  zone: 'UTC',
  onExhausted: 'partial',
};

export function budgetDraftOf({ name, limit, per, timezone: zone, onExhausted }: Budget): BudgetDraft {
  const { amount, currency } = limit;
  return { name, amount: typedAmount(amount, currency), currency, per, zone, onExhausted };
}

/** What cannot be sent, and what to write instead. */
export function budgetProblems({ name, amount, currency }: BudgetDraft): Partial<Record<keyof BudgetDraft, string>> {
  return {
    ...(name.trim() === '' ? { name: 'Enter a name.' } : {}),
    ...(!isCurrency(currency)
      ? { currency: 'Three letters, such as EUR.' }
      : minorUnitsOf(amount, currency) === undefined
        ? { amount: `Enter an amount in ${currency}, such as 5000.` }
        : {}),
  };
}

/** The body that creates a draft without problems. */
export function budgetBodyOf({ name, amount, currency, per, zone, onExhausted }: BudgetDraft): Schemas['BudgetInput'] {
  const limit = { amount: minorUnitsOf(amount, currency) ?? 0, currency };
  return { name: name.trim(), limit, per, timezone: zone, onExhausted };
}
