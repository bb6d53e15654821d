import { type KeptBudget, poolAt } from '../../../budgets/domain/budget.ts';
import type { CompiledAdjustment } from '../../../snapshot/domain/compiled-adjustment.ts';
import { formatMoney } from '../format-money.ts';
import type { Refusal } from './refusal.ts';
import type { EvaluationContext, Rule } from './rule.ts';

/** A budget, and what is left of it for the cart. */
export interface BudgetLeft {
  budget: KeptBudget;
  left: number;
}

/** Undefined for an adjustment without a budget, or with one that is not known. */
export function budgetLeft(
  { conditions: { budgetId } }: Pick<CompiledAdjustment, 'conditions'>,
  { budgetOf, nowMs, claimed, customerUsage, own, granted }: EvaluationContext,
): BudgetLeft | undefined {
  const budget = budgetId === undefined ? undefined : budgetOf(budgetId);
  if (budget === undefined) return undefined;
  const poolId = poolAt(budget, nowMs);
  const used = budget.per === 'customer' ? customerUsage(poolId) : claimed(poolId);
  const free = Math.min(Math.max(0, budget.limit.amount - used), granted?.get(poolId) ?? Infinity);
  // The order keeps what it already has, even if the limit has been lowered since.
  return { budget, left: (own?.(budget.id) ?? 0) + free };
}

export const budgetRule: Rule = (adjustment, context) => {
  const { budgetId } = adjustment.conditions;
  if (budgetId === undefined) return undefined;
  const budget = context.budgetOf(budgetId);
  if (budget === undefined) return { reason: 'budget-exhausted', detail: 'its budget is not known' };
  if (budget.limit.currency !== context.currency) {
    const detail = `its budget is in ${budget.limit.currency}, the prices are in ${context.currency}`;
    return { reason: 'currency-mismatch', detail };
  }
  if (budget.per === 'customer' && context.customerId === undefined) {
    return { reason: 'customer-missing', detail: 'has a budget per customer, no customer was given' };
  }
  const { left = 0 } = budgetLeft(adjustment, context) ?? {};
  return left > 0 ? undefined : { reason: 'budget-exhausted', detail: hasLeft(budget, left) };
};

/** The refusal of an adjustment that would take more than its budget has left. */
export function overdraws({ limit }: KeptBudget, left: number, wanted: number): Refusal {
  const detail = `${hasLeft({ limit }, left)}, this order would take ${formatMoney(wanted, limit.currency)}`;
  return { reason: 'budget-exhausted', detail };
}

function hasLeft({ limit: { currency } }: Pick<KeptBudget, 'limit'>, left: number): string {
  return `its budget has ${formatMoney(left, currency)} left`;
}
