import {
  type Adjustment,
  adjustmentNotFound,
  codeTaken,
  companyIdOf,
  LIVE_STATUSES,
  codeKey,
  type ProposedAdjustment,
  targetOf,
  type Tenant,
} from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import { hasEnded, keepsScheduledCode } from '../adjustments/domain/adjustment.ts';
import { settleTimes, type SettleTimesDeps } from '../adjustments/settle-times.ts';
import type { BudgetRepository } from '../budgets/budget.repository.ts';
import { refuseUnknownBudget } from '../budgets/change-budget.ts';
import { ProposedAdjustments } from './domain/proposed-adjustments.ts';
import type { CompanyAdjustments } from '../snapshot/domain/snapshot.ts';
import type { AdjustmentRecord, UnreadableAdjustment } from '../adjustments/adjustment-record.ts';
import type { AdjustmentRepository } from '../adjustments/adjustment.repository.ts';

export interface ProposeDeps extends SettleTimesDeps {
  adjustments: Pick<AdjustmentRepository, 'readAll' | 'findHolder' | 'describeHolder'>;
  budgets: Pick<BudgetRepository, 'find'>;
  clock: () => Date;
}

/**
 * The company's adjustments as they would be if `proposed` were saved. Nothing is saved.
 *
 * @throws {PlatformError} as `savedAs`
 */
export async function proposeAdjustments(
  deps: ProposeDeps,
  caller: Caller,
  snapshot: CompanyAdjustments,
  proposed: readonly ProposedAdjustment[],
): Promise<ProposedAdjustments> {
  return new ProposedAdjustments(snapshot, await savedAs(deps, caller, proposed, (index) => `proposed[${index}]`));
}

/**
 * Adjustments as they would be if they were saved. A proposed one without an id counts as the newest, and is named
 * `proposed_0` and so on by its place in the list. `pathOf`: where the request has each.
 *
 * @throws {PlatformError} ADJUSTMENT_NOT_FOUND, COUPON_CODE_TAKEN, VALIDATION_FAILED, as saving does
 */
export async function savedAs(
  deps: ProposeDeps,
  caller: Caller,
  given: readonly ProposedAdjustment[],
  pathOf: (index: number) => string,
): Promise<Adjustment[]> {
  const { tenant } = caller;
  const proposed = await Promise.all(
    given.map(async (one, index) => {
      const path = `${pathOf(index)}.conditions`;
      await refuseUnknownBudget(deps, caller, one.conditions.budgetId, `${path}.budgetId`);
      return await settleTimes(deps, caller, one, path);
    }),
  );
  const ids = proposed.flatMap(({ id }) => id ?? []);
  const stored = ids.length === 0 ? [] : await deps.adjustments.readAll(tenant, ids);
  const storedById = new Map(stored.map((adjustment) => [adjustment.id, adjustment]));
  await refuseTakenCodes(deps, tenant, proposed, storedById, pathOf);
  const companyId = companyIdOf(tenant);
  const changed = deps.clock().toISOString();
  return proposed.map((input, index): Adjustment => {
    const before = input.id === undefined ? undefined : storedById.get(input.id);
    if (input.id !== undefined && before === undefined) throw adjustmentNotFound(input.id);
    return {
      ...input,
      id: input.id ?? `proposed_${index}`,
      companyId,
      targets: input.targets.map((target) => targetOf(companyId, target)),
      created: before !== undefined && 'created' in before ? before.created : changed,
      changed,
      version: (before?.version ?? 0) + 1,
    };
  });
}

/**
 * Of two active adjustments with one code, the second is refused. A scheduled one with the code of an active one is
 * refused too: even of one proposed after it, if that one already holds the code.
 */
async function refuseTakenCodes(
  { adjustments, clock }: ProposeDeps,
  tenant: Tenant,
  proposed: readonly ProposedAdjustment[],
  storedById: ReadonlyMap<string, AdjustmentRecord | UnreadableAdjustment>,
  pathOf: (index: number) => string,
): Promise<void> {
  const replacing = new Map(proposed.map((input) => [input.id, input]));
  const held = new Set<string>();
  const now = clock();
  for (const [index, input] of proposed.entries()) {
    const { id = '', status, conditions } = input;
    if (conditions.code === undefined || !LIVE_STATUSES.includes(status) || hasEnded(input, now)) continue;
    const before = storedById.get(id);
    if (before !== undefined && 'status' in before && keepsScheduledCode(before, input)) continue;
    const code = codeKey(conditions.code);
    const holder = held.has(code) ? undefined : await adjustments.findHolder(tenant, code, now);
    const later = holder && replacing.get(holder.id);
    const keepsCode =
      later?.status === 'active' && codeKey(later.conditions.code ?? '') === code && !hasEnded(later, now);
    if (held.has(code) || (holder !== undefined && holder.id !== id && (later === undefined || keepsCode))) {
      const described = holder && (await adjustments.describeHolder(holder));
      throw codeTaken(conditions.code, `${pathOf(index)}.conditions.code`, described);
    }
    if (status === 'active') held.add(code);
  }
}
