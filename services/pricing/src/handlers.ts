import type { CustomerKeys } from '@event-commerce/claims';
import {
  adjustmentNotFound,
  allows,
  budgetNotFound,
  codeNotFound,
  type Identity,
  type Redemption,
  scopeMissing,
  type ShownCode,
  type Tenant,
  type Usage,
} from '@event-commerce/contracts';
import { csvWith, type ExportAll, formatsOf, type Handlers, makeOnce } from '@event-commerce/service-kit';
import type { BudgetRepository } from './budgets/budget.repository.ts';
import { budgetFor, withUsage } from './budgets/budget-usage.ts';
import { changeBudget, createBudget, refuseUnknownBudget } from './budgets/change-budget.ts';
import { countingClaims } from './metrics.ts';
import { toAdjustment } from './adjustments/adjustment-record.ts';
import type { AdjustmentRepository } from './adjustments/adjustment.repository.ts';
import { usagesOf } from './redemptions/redemption-pools.ts';
import type { CodeBatches } from './codes/code-batches.ts';
import type { CodeRepository } from './codes/code.repository.ts';
import { settleTimes, type SettleTimesDeps } from './adjustments/settle-times.ts';
import { changeAdjustment } from './adjustments/change-adjustment.ts';
import type { Rehearsals } from './rehearsals/rehearsals.ts';
import { redeemAdjustment, type RedeemDeps } from './redemptions/redeem-adjustment.ts';
import { releaseRedemption } from './redemptions/release-redemption.ts';

const CODE_FORMATS = formatsOf(
  csvWith<ShownCode>({
    code: ({ code }) => code,
    batchId: ({ batchId }) => batchId,
    limit: ({ limit }) => limit,
    redeemed: ({ redeemed }) => redeemed,
    claimed: ({ claimed }) => claimed,
    status: ({ status }) => status,
  }),
);

interface HandlerDeps extends RedeemDeps, SettleTimesDeps {
  adjustments: AdjustmentRepository;
  budgets: BudgetRepository;
  codes: CodeRepository;
  batches: CodeBatches;
  rehearsals: Rehearsals;
  exportAll: ExportAll;
  customerKeys: Pick<CustomerKeys, 'replaceEmail'>;
  clock: () => Date;
}

/** The handlers of pricing's operations. */
export function pricingHandlers(deps: HandlerDeps): Handlers<'pricing'> {
  const { adjustments, budgets, redemptions, pools, codes, batches, rehearsals, clock } = deps;
  /** Runs `find` for the coupon's adjustment. @throws {PlatformError} COUPON_NOT_FOUND, CODE_NOT_FOUND */
  const ofCoupon = async <T>(tenant: Tenant, id: string, find: (adjustmentId: string) => Promise<T | undefined>) => {
    const adjustment = await batches.adjustmentOf(tenant, id);
    const found = adjustment && (await find(adjustment.id));
    if (found === undefined) throw codeNotFound(id);
    return found;
  };
  return {
    createBudget: async ({ caller, body }) => budgetFor(deps, await createBudget(deps, caller, body), {}),

    listBudgets: async ({ identity: { tenant }, query }) => {
      const { data, page } = await budgets.page(tenant, query);
      return { data: await withUsage(deps, data), page };
    },

    getBudget: async ({ identity: { tenant }, params: { budgetId }, query }) => {
      const record = await budgets.find(tenant, budgetId);
      if (record === undefined) throw budgetNotFound(budgetId);
      return await budgetFor(deps, record, query);
    },

    updateBudget: async ({ caller, ifMatch, params: { budgetId }, body }) =>
      budgetFor(deps, await changeBudget(deps, caller, budgetId, body, ifMatch), {}),

    createAdjustment: async ({ caller, body }) => {
      await refuseUnknownBudget(deps, caller, body.conditions.budgetId, 'conditions.budgetId');
      const input = await settleTimes(deps, caller, body);
      const record = await makeOnce(caller, 'adj', {
        find: async (id) => {
          const earlier = await adjustments.find(caller.tenant, id);
          if (earlier !== undefined) await adjustments.makeKnown(earlier);
          return earlier;
        },
        make: (id) => adjustments.create(caller, id, input, clock()),
      });
      return toAdjustment(record);
    },

    listAdjustments: async ({ identity: { tenant }, query }) => {
      const { data, page } = await adjustments.page(tenant, query);
      const usage = await usagesOf(pools, data);
      const shown = data.map((record) => ({ ...toAdjustment(record), usage: usage(record) }));
      return { data: shown, page };
    },

    getAdjustment: async ({ identity: { tenant }, params: { id } }) => {
      const record = await adjustments.find(tenant, id);
      if (record === undefined) throw adjustmentNotFound(id);
      const usage = await usagesOf(pools, [record]);
      return { ...toAdjustment(record), usage: usage(record) };
    },

    updateAdjustment: async ({ caller, ifMatch, params: { id }, body }) => {
      return toAdjustment(await changeAdjustment(deps, caller, id, body, ifMatch));
    },

    archiveAdjustment: async ({ caller, ifMatch, params: { id } }) => {
      return toAdjustment(await changeAdjustment(deps, caller, id, { status: 'archived' }, ifMatch));
    },

    redeemAdjustment: async ({ caller, identity, params: { id }, body }) => {
      const { repeated, ...redeemed } = await countingClaims(
        redeemAdjustment(deps, caller, id, deps.customerKeys.replaceEmail(caller.tenant, body)),
        (answer) => ({
          outcome: answer.repeated ? 'repeated' : 'claimed',
          count: 1,
        }),
      );
      return { status: repeated ? 200 : 201, data: shownTo(identity, redeemed) };
    },

    listRedemptions: async ({ identity: { tenant }, params: { id }, query }) => {
      if ((await adjustments.find(tenant, id)) === undefined) throw adjustmentNotFound(id);
      return await redemptions.page(tenant, id, query);
    },

    releaseRedemption: async ({ caller, identity, params: { id, redemptionId } }) =>
      shownTo(identity, await releaseRedemption(deps, caller, id, redemptionId)),

    issueCodes: async ({ caller, params: { id }, body }) => {
      const data = await batches.issue(caller, id, body);
      return { status: data.status === 'running' ? 202 : 201, data };
    },

    listCodeBatches: async ({ identity: { tenant }, params: { id }, query }) => batches.page(tenant, id, query),

    getCodeBatch: async ({ identity: { tenant }, params: { id, batchId } }) => batches.find(tenant, id, batchId),

    revokeCodeBatch: async ({ caller, params: { id, batchId } }) => {
      const data = await batches.revoke(caller, id, batchId);
      return { status: data.status === 'revoking' ? 202 : 200, data };
    },

    listCodes: async ({ identity: { tenant }, params: { id }, query: { format, ...query } }) => {
      const adjustment = await batches.adjustmentOf(tenant, id);
      const page = async (asked: { limit: number; cursor?: string | undefined }) =>
        adjustment === undefined
          ? { data: [], page: { next: null, limit: asked.limit } }
          : await codes.page(tenant, adjustment.id, { ...query, ...asked });
      return format === undefined ? await page(query) : await deps.exportAll(tenant, CODE_FORMATS[format], page);
    },

    createRehearsal: async ({ caller, identity, body }) => {
      refuseWithoutOrders(identity);
      const data = await rehearsals.start(caller, body);
      return { status: data.status === 'running' ? 202 : 201, data };
    },

    getRehearsal: async ({ identity, params: { rehearsalId } }) => {
      refuseWithoutOrders(identity);
      return await rehearsals.find(identity.tenant, rehearsalId);
    },

    getCode: async ({ identity: { tenant }, params: { id, code } }) => {
      return await ofCoupon(tenant, id, async (adjustmentId) => codes.show(tenant, adjustmentId, code));
    },

    revokeCode: async ({ caller: { tenant }, params: { id, code } }) => {
      return await ofCoupon(tenant, id, async (adjustmentId) => codes.revoke(tenant, adjustmentId, code));
    },
  };
}

/** A report is about orders. @throws {PlatformError} FORBIDDEN */
function refuseWithoutOrders({ scopes }: Pick<Identity, 'scopes'>): void {
  if (!allows(scopes, 'orders:read')) throw scopeMissing('orders:read');
}

/** Codes are secrets: a redemption shows its code to a key that may read adjustments. */
function shownTo(
  { scopes }: Pick<Identity, 'scopes'>,
  { redemption, usage }: { redemption: Redemption; usage: Usage },
) {
  if (allows(scopes, 'pricing:read')) return { redemption, usage };
  const { code: _, ...shown } = redemption;
  return { redemption: shown, usage };
}
