import { type Budget, type BudgetQuery, type BudgetUsage, invalidInput } from '@event-commerce/contracts';
import { poolNamed, poolOfBudget } from '../adjustments/domain/pools-of.ts';
import type { RedemptionPools } from '../redemptions/redemption-pools.ts';
import type { RedemptionRepository } from '../redemptions/redemption.repository.ts';
import type { BudgetRecord, BudgetRepository } from './budget.repository.ts';
import { poolAt } from './domain/budget.ts';

interface UsageDeps {
  pools: Pick<RedemptionPools, 'countsOf' | 'claimedBy'>;
  redemptions: Pick<RedemptionRepository, 'spentBy'>;
  clock: () => Date;
}

/** Budgets as they are shown: with what is drawn on them; on those per day, what is drawn today. */
export async function withUsage({ pools, clock }: UsageDeps, budgets: readonly BudgetRecord[]): Promise<Budget[]> {
  const nowMs = clock().getTime();
  const poolIds = budgets.map((one) => poolAt(one, nowMs));
  const counts = await pools.countsOf(poolIds);
  return budgets.map((one, index) => shown(one, counts.get(poolIds[index] ?? '')));
}

/**
 * A budget as it is shown to those who read a customer's part of it, or a day.
 *
 * @throws {PlatformError} VALIDATION_FAILED if it has no such parts
 */
export async function budgetFor(deps: UsageDeps, record: BudgetRecord, query: BudgetQuery): Promise<Budget> {
  const { pools, redemptions } = deps;
  const { id, per } = record;
  const { customerId, day } = query;
  if (customerId !== undefined && per !== 'customer') throw notOf('customerId', record);
  if (day !== undefined && per !== 'day') throw notOf('day', record);
  if (customerId === undefined) {
    if (day === undefined) return (await withUsage(deps, [record]))[0] ?? shown(record);
    const poolId = poolOfBudget(id, day);
    return shown(record, (await pools.countsOf([poolId])).get(poolId));
  }
  const [claimed, spent] = await Promise.all([
    pools.claimedBy(customerId, [id]).then((byPool) => byPool.get(id) ?? 0),
    redemptions.spentBy(id, customerId),
  ]);
  return shown(record, { claimed, confirmed: Math.min(spent, claimed) }, true);
}

function notOf(path: string, { id, per }: BudgetRecord) {
  return invalidInput(path, `is not for budget ${id}, which is per ${per}; leave it out`);
}

function shown(
  { tenant: _tenant, ...budget }: BudgetRecord,
  { claimed, confirmed = 0 }: { claimed: number; confirmed?: number | undefined } = { claimed: 0 },
  isOfCustomer = budget.per !== 'customer',
): Budget {
  const left = isOfCustomer ? Math.max(0, budget.limit.amount - claimed) : null;
  return { ...budget, usage: { spent: confirmed, held: claimed - confirmed, left } satisfies BudgetUsage };
}

/** Reports the pools of budgets among `poolIds` that are exhausted. */
export async function tellExhausted(
  {
    pools,
    budgets,
  }: {
    pools: Pick<RedemptionPools, 'countsOf' | 'keptOf'>;
    budgets: Pick<BudgetRepository, 'noteExhausted'>;
  },
  companyId: BudgetRecord['tenant'],
  poolIds: readonly string[],
): Promise<void> {
  const ofBudgets = [...new Set(poolIds)].filter((poolId) => poolNamed(poolId).pool === 'budget');
  if (ofBudgets.length === 0) return;
  for (const [poolId, { claimed, limit, definitionVersion }] of await pools.countsOf(ofBudgets)) {
    // Orders that are being placed may still be refused.
    if (typeof limit !== 'number' || claimed < limit || (await pools.keptOf(poolId)).inAll < limit) continue;
    await budgets.noteExhausted(companyId, poolId, definitionVersion);
  }
}
