import { expect, it } from 'vitest';
import { budgetBodyOf, budgetDraftOf, budgetProblems, NEW_BUDGET } from './budget-draft.ts';

const input = {
  name: 'Summer',
  limit: { amount: 500_050, currency: 'EUR' },
  per: 'day',
  timezone: 'Europe/Berlin',
  onExhausted: 'drop',
} as const;

it('the form holds everything of a budget', () => {
  const budget = {
    ...input,
    id: 'bud_1',
    companyId: 'co',
    usage: { spent: 0, held: 0, left: 500_050 },
    version: 1,
    created: '2027-01-01T00:00:00.000Z',
    changed: '2027-01-01T00:00:00.000Z',
  };
  const draft = budgetDraftOf(budget);
  expect(draft.amount).toBe('5000.50');
  expect(budgetBodyOf(draft)).toEqual(input);
  expect(budgetProblems(draft)).toEqual({});
});

it('a budget needs a name, a currency and an amount in it', () => {
  expect(Object.keys(budgetProblems(NEW_BUDGET))).toEqual(['name', 'amount']);
  const draft = { ...NEW_BUDGET, name: 'x', amount: '5' };
  expect(budgetProblems(draft)).toEqual({});
  expect(budgetProblems({ ...draft, currency: 'E' })).toHaveProperty('currency');
  expect(budgetProblems({ ...draft, amount: '1.234' })).toHaveProperty('amount');
});
