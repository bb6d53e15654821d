import {
  invalidInput,
  PlatformError,
  type Redemption,
  type RedemptionInput,
  type Usage,
} from '@event-commerce/contracts';
import { type Caller, newId } from '@event-commerce/service-kit';
import { whyNotRedeemable } from '../domain/eligibility/why-not-redeemable.ts';
import type { AdjustmentRecord } from '../store/adjustment.repository.ts';
import type { HeldClaim, UsageRecord } from '../store/usage.repository.ts';
import { notFound } from './change-adjustment.ts';
import { ATTEMPTS_MAX, type ClaimDeps, holdClaim, isOutdated, keepsChanging, refused } from './claim-redemptions.ts';

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
 *   customerId, or SERVICE_UNAVAILABLE when the claim lapsed before it was confirmed
 */
export async function redeemAdjustment(
  deps: ClaimDeps,
  caller: Caller,
  adjustmentId: string,
  input: RedemptionInput,
  attempt = 1,
): Promise<Redeemed> {
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
    perCustomer: max !== undefined,
    settledBy: 'ledger',
  };
  if (max !== undefined && input.customerId !== undefined) {
    const byCustomer = (await customers.claimedBy(input.customerId, [adjustmentId])).get(adjustmentId) ?? 0;
    if (byCustomer + input.quantity > max) throw refusedByCaps(record, claim, { claimed: 0, byCustomer });
  }
  const outcome = await holdClaim(deps, claim, record);
  // Another request for the same order may hold the claim: then both go on with that one, and the ledger decides.
  const standing = outcome.held ? claim : outcome.standing;
  if (standing === undefined) {
    if (!isOutdated(record, outcome)) return await answerStanding(deps, record, claim);
    if (attempt === ATTEMPTS_MAX) throw keepsChanging();
    return await redeemAdjustment(deps, caller, adjustmentId, input, attempt + 1);
  }
  const fits = max === undefined || (await customers.hold(standing, max));
  const now = clock();
  const ending = await redemptions.settle({ claim: standing, status: fits ? 'confirmed' : 'lapsed', now });
  if (ending === 'confirmed') {
    await usage.countConfirmed({ claim: standing, now, traceparent: caller.traceparent });
  } else {
    await usage.forget(standing, 'cancelled', now);
    if (fits && ending === 'lapsed') {
      throw new PlatformError('SERVICE_UNAVAILABLE', 'Redeeming took too long and was undone; send it again.', {
        retryAfterSeconds: 1,
      });
    }
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
  const refusal = whyNotRedeemable(
    { conditions },
    {
      nowMs: 0,
      usage: { claimed: counts.claimed },
      customerUsage: counts.byCustomer,
      customerId: claim.customerId,
      quantity: claim.quantity,
    },
  );
  return refused(
    refusal ?? { reason: 'redemption-limit-reached', detail: 'its last redemption was just taken' },
    claim,
  );
}

/** How often the adjustment was redeemed, and how often it still can be. Without `usage` it never was. */
export function usageOf(record: AdjustmentRecord, usage: UsageRecord | undefined): Usage {
  const max = record.conditions.maxRedemptions;
  return {
    redeemed: usage?.redeemed ?? 0,
    remaining: max === undefined ? null : Math.max(0, max - (usage?.claimed ?? 0)),
  };
}
