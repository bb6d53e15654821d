import type { Claim } from '@event-commerce/claims';
import {
  adjustmentNotFound,
  type PlatformError,
  type Redemption,
  type RedemptionInput,
  type Usage,
} from '@event-commerce/contracts';
import { type Caller, newId, retryOnConflict } from '@event-commerce/service-kit';
import { tellExhausted } from '../budgets/budget-usage.ts';
import type { BudgetRepository } from '../budgets/budget.repository.ts';
import type { CodeRepository } from '../codes/code.repository.ts';
import { sharesFor } from '../adjustments/domain/adjustment.ts';
import { capRefusal } from '../evaluate/domain/eligibility/redemption-caps.ts';
import type { AdjustmentRecord } from '../adjustments/adjustment-record.ts';
import type { AdjustmentRepository } from '../adjustments/adjustment.repository.ts';
import { isFullForNow, poolOf, type RedemptionPools, usageOf } from './redemption-pools.ts';
import { type DrawnOn, type Part, partsOf, refuseIncomplete, refusalOfPart } from './redemption-parts.ts';
import type { RedemptionRepository } from './redemption.repository.ts';
import { countsWhenFull, crowdedOut, keepsChanging, limitReached, refused } from '../purchase/claim-refusals.ts';

export interface RedeemDeps {
  adjustments: Pick<AdjustmentRepository, 'find'>;
  budgets: Pick<BudgetRepository, 'find' | 'noteExhausted'>;
  codes: Pick<CodeRepository, 'find'>;
  clock: () => Date;
  redemptions: RedemptionRepository;
  pools: RedemptionPools;
}

interface Redeemed {
  redemption: Redemption;
  usage: Usage;
  /** Whether this order had redeemed the adjustment before; the first redemption is then returned again. */
  repeated: boolean;
}

/**
 * Redeems an adjustment for an order in another system. Repeating this for the same adjustment and order returns the
 * first redemption. Only the caps decide: such an order has already been placed, whatever the window says now.
 *
 * @throws {PlatformError} ADJUSTMENT_NOT_FOUND, REDEMPTION_LIMIT_REACHED, VALIDATION_FAILED if it lacks what the
 * adjustment counts, or SERVICE_UNAVAILABLE if others keep changing the adjustment
 */
export async function redeemAdjustment(
  deps: RedeemDeps,
  caller: Caller,
  adjustmentId: string,
  input: RedemptionInput,
): Promise<Redeemed> {
  return await retryOnConflict(async () => redeemOnce(deps, caller, adjustmentId, input), keepsChanging);
}

/** Undefined if it must be retried from the start: what it read was changed meanwhile, or its claim lapsed. */
async function redeemOnce(
  deps: RedeemDeps,
  caller: Caller,
  adjustmentId: string,
  input: RedemptionInput,
): Promise<Redeemed | undefined> {
  const { adjustments, redemptions, pools } = deps;
  const { tenant } = caller;
  const { orderId, customerId, customerEmail, quantity } = input;
  const [record, earlier] = await Promise.all([
    adjustments.find(tenant, adjustmentId),
    redemptions.findByOrder(tenant, adjustmentId, orderId),
  ]);
  if (record === undefined) throw adjustmentNotFound(adjustmentId);
  if (earlier !== undefined) {
    // An attempt that was killed may not have confirmed all of it.
    const found = await redemptions.find(tenant, adjustmentId, earlier.id);
    if (found !== undefined && !found.isHeldByOrder) {
      await finishParts(deps, caller, record, found.claim, await drawnOnBy(deps, record, input), input);
    }
    return { redemption: earlier, usage: await usageOf(pools, record), repeated: true };
  }
  const { conditions } = record;
  const max = conditions.maxRedemptionsPerCustomer;
  const drawnOn = await drawnOnBy(deps, record, input);
  refuseIncomplete(record, drawnOn, input);
  const shares = sharesFor(conditions, { customerEmail });
  const code = drawnOn.issued?.code ?? conditions.code;
  const claim: Claim = {
    id: newId('rdm'),
    poolId: adjustmentId,
    companyId: tenant,
    orderId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(shares.length === 0 ? {} : { shares }),
    ...(code === undefined ? {} : { code }),
    quantity,
    status: 'pending',
    settledBy: 'ledger',
  };
  const standingOr = async (refusal: PlatformError): Promise<Redeemed> => {
    const redeemed = await standingRedemption(deps, record, claim);
    if (redeemed === undefined) throw refusal;
    return redeemed;
  };
  for (const share of max === undefined ? [] : sharesFor(conditions, { customerId, customerEmail })) {
    const byCustomer = (await pools.claimedBy(share, [adjustmentId])).get(adjustmentId) ?? 0;
    // This order's own claim may hold the last place. A pending one is confirmed below.
    if (
      byCustomer + quantity > (max ?? Infinity) &&
      !(await pools.pendingOf(claim, [adjustmentId])).has(adjustmentId)
    ) {
      const counts = { claimed: 0, byCustomer };
      return await standingOr(
        refusedByCaps(
          record,
          claim,
          counts,
          await isFullForNow(pools, record, { customerId, customerEmail, quantity }),
        ),
      );
    }
  }
  const outcome = await pools.hold({ claim, pool: poolOf(tenant, record), customerLimit: max });
  switch (outcome.kind) {
    case 'held': {
      // The order may be one of the platform that was reopened with the adjustment since the first look-up.
      const other = await redemptions.findByOrder(tenant, adjustmentId, orderId);
      if (other !== undefined && other.id !== outcome.claim.id) {
        await pools.followOrder(outcome.claim, 'void', caller);
        return undefined;
      }
      const parts = partsOf(record, drawnOn, input, outcome.claim, deps.clock());
      const short = await holdParts(deps, parts);
      if (short !== undefined) {
        for (const one of [...parts.map((part) => part.claim), outcome.claim])
          await pools.followOrder(one, 'void', caller);
        if (short === 'again') return undefined;
        return await standingOr(short);
      }
      // Another request for the same order may hold the claim: then both continue with that one, and the ledger
      // decides.
      const standing = await pools.confirm(outcome.claim, caller);
      if (standing === 'confirmed') await confirmParts(deps, caller, parts);
      // This took longer than a claim may be pending.
      if (standing === 'lapsed') return undefined;
      return await standingRedemption(deps, record, claim, outcome.claim);
    }
    case 'crowded':
      throw crowdedOut({ poolId: adjustmentId });
    case 'full':
    case 'share-full':
      return await standingOr(
        refusedByCaps(record, claim, countsWhenFull(outcome, { adjustment: record }), outcome.isContended),
      );
    case 'outdated':
    case 'confirmed':
    case 'changed':
    case 'later-revision':
      break;
  }
  return undefined;
}

/** What a redemption of the adjustment draws on. */
async function drawnOnBy(
  { budgets, codes }: RedeemDeps,
  { id, tenant, conditions: { budgetId, uniqueCodes } }: AdjustmentRecord,
  { code }: RedemptionInput,
): Promise<DrawnOn> {
  const [budget, found] = await Promise.all([
    budgetId === undefined ? undefined : budgets.find(tenant, budgetId),
    uniqueCodes === undefined || code === undefined ? undefined : codes.find(tenant, [code]),
  ]);
  const [issued] = found?.values() ?? [];
  return { budget, issued: issued?.adjustmentId === id ? issued : undefined };
}

/** Holds what a redemption takes besides itself. Resolves with the refusal if it cannot, `again` to start over. */
async function holdParts({ pools }: RedeemDeps, parts: readonly Part[]): Promise<PlatformError | 'again' | undefined> {
  for (const part of parts) {
    const outcome = await pools.hold(part);
    switch (outcome.kind) {
      case 'held':
      case 'confirmed':
        break;
      case 'full':
      case 'share-full':
        return refusalOfPart(part, outcome);
      case 'crowded':
        return crowdedOut(part.claim);
      case 'outdated':
      case 'changed':
      case 'later-revision':
        return 'again';
    }
  }
  return undefined;
}

async function confirmParts(deps: RedeemDeps, caller: Caller, parts: readonly Part[]): Promise<void> {
  for (const { claim } of parts) await deps.pools.confirm(claim, caller);
  await tellExhausted(
    deps,
    caller.tenant,
    parts.map(({ claim }) => claim.poolId),
  );
}

/** Takes what a confirmed redemption takes besides itself, if an attempt was killed before it did. */
async function finishParts(
  deps: RedeemDeps,
  caller: Caller,
  record: AdjustmentRecord,
  redemption: Claim,
  drawnOn: DrawnOn,
  input: RedemptionInput,
): Promise<void> {
  const parts = partsOf(record, drawnOn, input, redemption, deps.clock());
  const states = await Promise.all(parts.map(async ({ claim }) => deps.pools.stateOf(claim.id)));
  const missing = parts.filter((_part, index) => states[index] === undefined);
  if (missing.length > 0 && (await holdParts(deps, missing)) === undefined) await confirmParts(deps, caller, missing);
}

/** The order's confirmed redemption, from `held` or from another request; undefined if there is none. */
async function standingRedemption(
  { redemptions, pools }: RedeemDeps,
  record: AdjustmentRecord,
  { companyId, poolId, orderId, id }: Claim,
  held?: Claim,
): Promise<Redeemed | undefined> {
  const [redemption, usage] = await Promise.all([
    redemptions.findByOrder(companyId, poolId, orderId),
    usageOf(pools, record),
  ]);
  if (redemption === undefined) return undefined;
  return { redemption, usage, repeated: redemption.id !== id || held?.id !== id };
}

function refusedByCaps(
  { conditions: { maxRedemptions = Infinity, maxRedemptionsPerCustomer } }: AdjustmentRecord,
  claim: Claim,
  { claimed, byCustomer }: { claimed: number; byCustomer: number },
  isContended: boolean,
): PlatformError {
  const { poolId, quantity } = claim;
  // A request without what a limit per customer counts was refused before.
  const redeemed = { claimed, quantity, isKnown: true, claimedByCustomer: () => byCustomer };
  const refusal = capRefusal({ maxRedemptions, maxRedemptionsPerCustomer }, redeemed) ?? limitReached;
  const path = refusal.reason === 'customer-redemption-limit-reached' ? 'customerId' : 'quantity';
  // The caller named no code, and may not know it.
  return refused(refusal, { adjustmentId: poolId }, { path, isContended });
}
