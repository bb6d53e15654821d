import type { Tenant } from '@event-commerce/contracts';
import { isBudgetId } from '../adjustments/domain/pools-of.ts';
import type { AdjustmentRecord, UnreadableAdjustment } from '../adjustments/adjustment-record.ts';
import type { AdjustmentRepository } from '../adjustments/adjustment.repository.ts';
import type { BudgetRecord, BudgetRepository } from '../budgets/budget.repository.ts';

export type Definition = AdjustmentRecord | UnreadableAdjustment | BudgetRecord;
export type Definitions = ReturnType<typeof definitionsOf>;

/** What a company's prices are made of: its live adjustments, and its budgets. */
export function definitionsOf(
  adjustments: Pick<AdjustmentRepository, 'readLive' | 'countLive' | 'readAll'>,
  budgets: Pick<BudgetRepository, 'readAll'>,
) {
  return {
    /** Everything, in batches. */
    async *readLive(tenant: Tenant): AsyncIterable<readonly Definition[]> {
      const known = await budgets.readAll(tenant);
      if (known.length > 0) yield known;
      yield* adjustments.readLive(tenant);
    },

    countLive: async (tenant: Tenant): Promise<number> => await adjustments.countLive(tenant),

    /** The adjustments and budgets with `ids`, live or not. */
    async readAll(tenant: Tenant, ids: readonly string[]): Promise<readonly Definition[]> {
      const { ofBudgets = [], others = [] } = Object.groupBy(ids, (id) => (isBudgetId(id) ? 'ofBudgets' : 'others'));
      const read = await Promise.all([
        ofBudgets.length === 0 ? [] : budgets.readAll(tenant, ofBudgets),
        others.length === 0 ? [] : adjustments.readAll(tenant, others),
      ]);
      return read.flat();
    },
  };
}

export function isBudget(one: Definition): one is BudgetRecord {
  return 'onExhausted' in one;
}
