import { exampleId, type Declarations, ids, operations } from '../operations/operation.ts';
import { budgetNotFound, changedByOthers } from '../errors/refusals.ts';
import { budget, budgetInput, budgetListQuery, budgetPatch, budgetQuery } from './budget.ts';

export const BUDGET = exampleId('bud', 1);

const theBudget = ids({ budgetId: 'The budget.' });

export const BUDGET_OPERATIONS = operations('pricing', 'Pricing', {
  createBudget: {
    method: 'POST',
    path: '/pricing/budgets',
    summary: 'Create a budget',
    description: [
      'A budget limits how much discounts take off. Adjustments and coupons draw on it that name it as `budgetId` in their conditions; several may share one. What they take off is counted to the cent, and orders never take more, however many are placed at once.',
      'An order that is cancelled, expires or is amended gives back what it no longer takes.',
    ].join('\n\n'),
    scope: 'pricing:write',
    body: budgetInput,
    grows: true,
    answer: { statuses: { 201: 'The budget was created.' }, data: budget },
    examples: {
      summer: {
        summary: '5,000.00 EUR for a campaign',
        body: { name: 'Summer campaign', limit: { amount: 500_000, currency: 'EUR' }, onExhausted: 'partial' },
        makes: { 'data.id': BUDGET },
      },
      daily: {
        summary: '200.00 EUR a day',
        body: {
          name: 'Daily deals',
          limit: { amount: 20_000, currency: 'EUR' },
          per: 'day',
          timezone: 'Europe/Berlin',
        },
      },
    },
  },
  listBudgets: {
    method: 'GET',
    path: '/pricing/budgets',
    summary: 'List budgets',
    description: 'Newest first, each with its `usage`.',
    scope: 'pricing:read',
    query: budgetListQuery,
    answer: { statuses: { 200: 'One page of budgets.' }, data: budget, form: 'list' },
    examples: { named: { summary: 'By name', query: { q: 'summer' } } },
  },
  getBudget: {
    method: 'GET',
    path: '/pricing/budgets/{budgetId}',
    summary: 'Read a budget',
    scope: 'pricing:read',
    versioned: 'answers',
    params: theBudget,
    query: budgetQuery,
    answer: { statuses: { 200: 'The budget.' }, data: budget },
    errors: [budgetNotFound],
    examples: { summer: { summary: 'What is left of it', path: { budgetId: BUDGET } } },
  },
  updateBudget: {
    method: 'PATCH',
    path: '/pricing/budgets/{budgetId}',
    summary: 'Change a budget',
    description:
      'A JSON merge patch. `per` and `limit.currency` stay as they are: create another budget instead. A limit below what is spent leaves nothing, and takes nothing back.',
    scope: 'pricing:write',
    versioned: 'changes',
    params: theBudget,
    body: budgetPatch,
    answer: { statuses: { 200: 'The budget as it is now.' }, data: budget },
    errors: [budgetNotFound, changedByOthers],
    examples: {
      more: { summary: 'More money', path: { budgetId: BUDGET }, body: { limit: { amount: 750_000 } } },
    },
  },
} satisfies Declarations);
