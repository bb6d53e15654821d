import {
  invalidInput,
  keyOfTenant,
  type Redemption,
  type RedemptionInput,
  type Usage,
} from '@event-commerce/contracts';
import { type Caller, claimKey, newId } from '@event-commerce/service-kit';
import type { AdjustmentRecord } from '../store/adjustment.repository.ts';
import type { HeldClaim, UsageRecord } from '../store/usage-record.ts';
import { notFound } from './change-adjustment.ts';
import type { ClaimDeps } from './claim-redemptions.ts';
import { crowdedOut, limitReached, refusalOf, refused } from './claim-refusals.ts';
import { CLAIM_WITHIN_MS, countsCustomer, holdClaim, isOutdated, untilAnswered } from './hold-claim.ts';

export interface Redeemed {
  redemption: Redemption;
  usage: Usage;
  /** Whether this order had redeemed the adjustment before; the first redemption is then answered again. */
  repeated: boolean;
}

/**
 * Redeems an adjustment for an order that some other system keeps. The same adjustment and order again answer the first
 * redemption. Only the caps decide: such an order has been placed already, whatever the window says now.
 *
 * @throws {PlatformError} ADJUSTMENT_NOT_FOUND, REDEMPTION_LIMIT_REACHED, VALIDATION_FAILED when a cap per customer needs a
 *   customerId, or SERVICE_UNAVAILABLE when others keep changing the adjustment
 */
export async function redeemAdjustment(
  deps: ClaimDeps,
  caller: Caller,
  adjustmentId: string,
  input: RedemptionInput,
): Promise<Redeemed> {
  const untilMs = performance.now() + CLAIM_WITHIN_MS;
  return await untilAnswered(untilMs, async () => redeemOnce(deps, caller, adjustmentId, input));
}

/** Undefined when it has to be tried from the beginning: what it had read was changed meanwhile, or its claim lapsed. */
async function redeemOnce(
  deps: ClaimDeps,
  caller: Caller,
  adjustmentId: string,
  input: RedemptionInput,
): Promise<Redeemed | undefined> {
  const { adjustments, redemptions, usage, customers, clock } = deps;
  const { tenant } = caller;
  const [record, earlier] = await Promise.all([
    adjustments.find(tenant, adjustmentId),
    redemptions.findByOrder(tenant, adjustmentId, input.orderId),
  ]);
  if (record === undefined) throw notFound(adjustmentId);
  if (earlier !== undefined) {
    return { redemption: earlier, usage: usageOf(record, await usage.find(adjustmentId)), repeated: true };
  }
  const max = record.conditions.maxRedemptionsPerCustomer;
  if (max !== undefined && input.customerId === undefined) {
    throw invalidInput('customerId', 'is required: the adjustment has a cap per customer');
  }
  const claim: HeldClaim = {
    id: newId('rdm'),
    adjustmentId,
    companyId: tenant,
    orderId: input.orderId,
    ...(input.customerId === undefined ? {} : { customerId: input.customerId }),
    ...(record.conditions.code === undefined ? {} : { code: record.conditions.code }),
    quantity: input.quantity,
    perCustomer: countsCustomer(record, input.customerId),
    settledBy: 'ledger',
    key: claimKey('order', keyOfTenant(tenant), input.orderId),
  };
  if (max !== undefined && input.customerId !== undefined) {
    const byCustomer = (await customers.claimedBy(input.customerId, [adjustmentId])).get(adjustmentId) ?? 0;
    if (byCustomer + input.quantity > max) throw refusedByCaps(record, claim, { claimed: 0, byCustomer });
  }
  const outcome = await holdClaim(usage, claim, record);
  if (outcome === undefined) return undefined;
  // Another request for the same order may hold the claim: then both go on with that one, and the ledger decides.
  const standing = outcome.held ? claim : outcome.standing;
  if (standing === undefined) {
    if (outcome.crowdedOut) throw crowdedOut(claim);
    if (isOutdated(record, outcome) || outcome.confirmed) return undefined;
    return await answerStanding(deps, record, claim);
  }
  const fits = !standing.perCustomer || (await customers.hold(standing, { max, since: record.customersSince }));
  const now = clock();
  const ending = await redemptions.settle({ claim: standing, status: fits ? 'confirmed' : 'lapsed', now });
  if (ending === 'confirmed') {
    await usage.countConfirmed({ claim: standing, now, traceparent: caller.traceparent });
  } else {
    await usage.forget(standing, 'cancelled', now);
    // It took longer than a claim may be pending.
    if (fits && ending === 'lapsed') return undefined;
  }
  return await answerStanding(deps, record, claim, standing);
}

/** The redemption that stands for the order, made by `own` or by another request; else why there is none. */
async function answerStanding(
  deps: ClaimDeps,
  record: AdjustmentRecord,
  claim: HeldClaim,
  own?: HeldClaim,
): Promise<Redeemed> {
  const [redemption, usage] = await Promise.all([
    deps.redemptions.findByOrder(claim.companyId, claim.adjustmentId, claim.orderId),
    deps.usage.find(claim.adjustmentId),
  ]);
  if (redemption !== undefined) {
    return { redemption, usage: usageOf(record, usage), repeated: own?.id !== redemption.id || own !== claim };
  }
  const full = record.conditions.maxRedemptions ?? 0;
  throw refusedByCaps(record, claim, { claimed: Math.max(usage?.claimed ?? 0, full), byCustomer: 0 });
}

function refusedByCaps(record: AdjustmentRecord, claim: HeldClaim, counts: { claimed: number; byCustomer: number }) {
  const { startsAt: _startsAt, endsAt: _endsAt, ...conditions } = record.conditions;
  const refusal = refusalOf({ conditions }, claim, new Date(0), counts) ?? limitReached;
  const path = refusal.reason === 'customer-redemption-limit-reached' ? 'customerId' : 'quantity';
  return refused(refusal, claim, path);
}

/** How often the adjustment was redeemed, and how often it still can be. Without `usage` it never was. */
export function usageOf(record: AdjustmentRecord, usage: UsageRecord | undefined): Usage {
  const max = record.conditions.maxRedemptions;
  return {
    redeemed: usage?.redeemed ?? 0,
    remaining: max === undefined ? null : Math.max(0, max - (usage?.claimed ?? 0)),
  };
}
