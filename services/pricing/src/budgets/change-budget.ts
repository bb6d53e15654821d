import { isDeepStrictEqual } from 'node:util';
import {
  applyMergePatch,
  budgetInput,
  type BudgetInput,
  budgetNotFound,
  type BudgetPatch,
  invalidInput,
} from '@event-commerce/contracts';
import { type Caller, type IfMatch, makeOnce, refuseOtherVersion, validateRequest } from '@event-commerce/service-kit';
import type { BudgetRecord, BudgetRepository } from './budget.repository.ts';

export interface BudgetDeps {
  budgets: BudgetRepository;
}

/**
 * Creates a budget. Adjustments may name it once this resolves.
 *
 * @throws {PlatformError} QUOTA_EXCEEDED
 */
export async function createBudget({ budgets }: BudgetDeps, caller: Caller, input: BudgetInput): Promise<BudgetRecord> {
  return await makeOnce(caller, 'bud', {
    find: async (id) => {
      const earlier = await budgets.find(caller.tenant, id);
      if (earlier !== undefined) await budgets.makeKnown(earlier);
      return earlier;
    },
    make: async (id) => budgets.create(caller, id, input),
  });
}

/**
 * Changes a budget by a JSON merge patch, and validates the whole result. Nothing is claimed under the previous limit
 * once this resolves.
 *
 * @throws {PlatformError} BUDGET_NOT_FOUND, VALIDATION_FAILED, VERSION_CONFLICT
 */
export async function changeBudget(
  { budgets }: BudgetDeps,
  caller: Caller,
  id: string,
  patch: BudgetPatch,
  ifMatch: IfMatch,
): Promise<BudgetRecord> {
  return await budgets.changeInTurn(caller.tenant, id, async () => {
    const current = await budgets.find(caller.tenant, id);
    if (current === undefined) throw budgetNotFound(id);
    refuseOtherVersion(ifMatch, 'budget', current.version);
    const said = definitionOf(current);
    const next = definitionOf(validateRequest(budgetInput, applyMergePatch(said, patch)));
    if (isDeepStrictEqual(next, said)) {
      // An earlier attempt of this request may have made the change and lost its response.
      await budgets.makeKnown(current);
      return current;
    }
    // The counters of what was drawn depend on these.
    if (next.per !== said.per) throw fixed('per', said.per);
    if (next.limit.currency !== said.limit.currency) throw fixed('limit.currency', said.limit.currency);
    return await budgets.replace(caller, current, next);
  });
}

function definitionOf({ name, limit, per, timezone, onExhausted }: BudgetInput): BudgetInput {
  return { name, limit, per, timezone, onExhausted };
}

function fixed(path: string, present: string) {
  return invalidInput(path, `stays ${present} once a budget is created; create another budget`);
}

/**
 * `path`: where the request names the budget.
 *
 * @throws {PlatformError} VALIDATION_FAILED if the company has no such budget
 */
export async function refuseUnknownBudget(
  { budgets }: { budgets: Pick<BudgetRepository, 'find'> },
  { tenant }: Pick<Caller, 'tenant'>,
  budgetId: string | undefined,
  path: string,
): Promise<void> {
  if (budgetId === undefined || (await budgets.find(tenant, budgetId)) !== undefined) return;
  throw invalidInput(path, `names ${budgetId}, which is no budget of the company; GET /v1/pricing/budgets lists them`);
}
