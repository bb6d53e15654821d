import { expect } from 'vitest';
import type { Services } from '../../../tests/harness/services.ts';
import { newSale } from './ticket-sale.ts';

export const TENTH = { kind: 'percentage_off', percent: 10, per: 'order' };
const EUR = (amount: number) => ({ amount, currency: 'EUR' });

/** A shop with a budget of 15.00 EUR, and an adjustment that draws on it: 10 % off each order of 50.00 EUR tickets. */
export async function newBudgetSale(
  services: Services,
  budget: Record<string, unknown> = {},
  { conditions = {}, effect = TENTH }: { conditions?: object; effect?: object } = {},
) {
  const company = services.newCompany();
  const made = await company.pricing.post('/pricing/budgets', { name: 'Summer', limit: EUR(1_500), ...budget });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const budgetId = made.body.data.id as string;
  const sale = await newSale(services, { ...conditions, budgetId }, { effect }, company);
  const { pricing } = company;
  return {
    ...sale,
    budgetId,
    budget: async (query = '') => (await pricing.get(`/pricing/budgets/${budgetId}${query}`)).body.data,
    left: async (query = '') => (await pricing.get(`/pricing/budgets/${budgetId}${query}`)).body.data.usage,
    changeBudget: async (body: object) => await pricing.patch(`/pricing/budgets/${budgetId}`, body),
  };
}

/** The `usage` of a budget. */
export const usage = (spent: number, left: number | null, held = 0) => ({ spent, held, left });
