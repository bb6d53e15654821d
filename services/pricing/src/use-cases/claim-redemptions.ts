import {
  invalidInput,
  type Claim,
  type ClaimRequest,
  matchCode,
  PlatformError,
  type Tenant,
} from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import type { CompanySnapshot } from '../domain/snapshot.ts';
import type { Refusal } from '../domain/eligibility/refusal.ts';
import { whyNotRedeemable } from '../domain/eligibility/why-not-redeemable.ts';
import type { AdjustmentRecord, AdjustmentRepository } from '../store/adjustment.repository.ts';
import type { CustomerUsageRepository } from '../store/customer-usage.repository.ts';
import type { RedemptionRepository } from '../store/redemption.repository.ts';
import type { SnapshotCache } from '../store/snapshot-cache.ts';
import type { HeldClaim, HoldOutcome, UsageRepository } from '../store/usage.repository.ts';

export interface ClaimDeps {
  adjustments: AdjustmentRepository;
  redemptions: RedemptionRepository;
  usage: UsageRepository;
  customers: CustomerUsageRepository;
  snapshots: SnapshotCache;
  clock: () => Date;
}

interface Wanted {
  adjustmentId: string;
  code?: string;
}

type Followed = Pick<AdjustmentRecord, 'id' | 'version' | 'conditions' | 'origin' | 'couponId'>;

/** How often a claim is tried anew because the adjustment was changed meanwhile. */
export const ATTEMPTS_MAX = 5;

/**
 * Claims every redemption of an order: all, or none and the reason. A claim counts against the caps at once; it becomes a
 * redemption when the order is placed, and is released when the order is not.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a code or id that no live adjustment has; REDEMPTION_LIMIT_REACHED or
 *   ADJUSTMENT_NOT_APPLICABLE with evaluation's reason and detail
 */
export async function claimRedemptions(deps: ClaimDeps, companyId: Tenant, request: ClaimRequest): Promise<Claim[]> {
  const wanted = await resolve(deps, companyId, request);
  const held: HeldClaim[] = [];
  try {
    // In one order everywhere, so that two orders that want the same adjustments do not each take half.
    for (const one of wanted.toSorted((a, b) => (a.adjustmentId < b.adjustmentId ? -1 : 1))) {
      held.push(await claimOne(deps, companyId, request, one));
    }
  } catch (error) {
    await Promise.all(held.map((claim) => deps.usage.forget(claim, 'cancelled', deps.clock())));
    throw error;
  }
  return held.map(toClaim);
}

/** Gives back claims whose order was not written. Safe to repeat. */
export async function cancelClaims(
  deps: Pick<ClaimDeps, 'usage' | 'clock'>,
  companyId: Tenant,
  orderId: string,
  claims: readonly Claim[],
): Promise<void> {
  await Promise.all(
    claims.map((claim) => deps.usage.forget(toHeld(companyId, orderId, claim), 'cancelled', deps.clock())),
  );
}

export function toHeld(companyId: Tenant, orderId: string, claim: Claim): HeldClaim {
  const { redemptionId, ...fields } = claim;
  return { ...fields, id: redemptionId, companyId, orderId, settledBy: 'commerce' };
}

async function resolve(deps: ClaimDeps, companyId: Tenant, request: ClaimRequest): Promise<Wanted[]> {
  const codes = [...new Set(request.codes.map(matchCode))];
  const ids = [...new Set(request.adjustmentIds)];
  let snapshot = await deps.snapshots.get(companyId);
  const nowMs = deps.clock().getTime();
  const known = () => codes.every((code) => snapshot.holderOf(code, nowMs)) && ids.every((id) => snapshot.get(id));
  // A refusal is final: before it, what was written but not answered yet counts too.
  if (!known()) snapshot = await deps.snapshots.fresh(companyId);

  const wanted = new Map<string, Wanted>();
  for (const adjustmentId of ids) {
    const adjustment = snapshot.get(adjustmentId);
    if (adjustment === undefined) throw gone(snapshot, { adjustmentId });
    wanted.set(adjustmentId, { adjustmentId });
  }
  for (const code of codes) {
    const adjustmentId = snapshot.holderOf(code, nowMs)?.id;
    if (adjustmentId === undefined) throw gone(snapshot, { adjustmentId: '', code });
    wanted.set(adjustmentId, { adjustmentId, code });
  }
  return [...wanted.values()];
}

async function claimOne(
  deps: ClaimDeps,
  companyId: Tenant,
  request: ClaimRequest,
  wanted: Wanted,
  attempt = 1,
): Promise<HeldClaim> {
  const { usage, customers, snapshots, clock } = deps;
  const snapshot = await snapshots.get(companyId);
  const adjustment = snapshot.get(wanted.adjustmentId);
  if (adjustment === undefined) throw gone(snapshot, wanted);
  const max = adjustment.conditions.maxRedemptionsPerCustomer;
  const claim: HeldClaim = {
    ...wanted,
    id: newId('rdm'),
    companyId,
    orderId: request.orderId,
    ...(request.customerId === undefined ? {} : { customerId: request.customerId }),
    quantity: 1,
    perCustomer: max !== undefined,
    settledBy: 'commerce',
  };
  // Everything but the caps is decided by the definition, which the claim is admitted under only while it stands.
  const refusal = refusalOf(adjustment, claim, clock(), { claimed: 0, byCustomer: 0 });
  if (refusal !== undefined) throw refused(refusal, claim);

  const outcome = await holdClaim(deps, claim, adjustment);
  if (outcome.standing !== undefined) return outcome.standing;
  if (!outcome.held) {
    if (!isOutdated(adjustment, outcome)) {
      const claimed = Math.max(outcome.usage?.claimed ?? 0, adjustment.conditions.maxRedemptions ?? 0);
      throw refused(refusalOf(adjustment, claim, clock(), { claimed, byCustomer: 0 }) ?? limitReached, claim);
    }
    if (attempt === ATTEMPTS_MAX) throw keepsChanging();
    await snapshots.fresh(companyId);
    return await claimOne(deps, companyId, request, wanted, attempt + 1);
  }
  if (max !== undefined && !(await customers.hold(claim, max))) {
    await usage.forget(claim, 'cancelled', clock());
    const byCustomer = await customers.claimedBy(claim.customerId ?? '', [claim.adjustmentId]);
    const counts = { claimed: 0, byCustomer: Math.max(max, byCustomer.get(claim.adjustmentId) ?? 0) };
    throw refused(refusalOf(adjustment, claim, clock(), counts) ?? limitReached, claim);
  }
  return claim;
}

/** Holds `claim` under `adjustment` as it is known here, if it has not changed since and its cap leaves room. */
export async function holdClaim(
  deps: Pick<ClaimDeps, 'usage' | 'snapshots'>,
  claim: HeldClaim,
  adjustment: Followed,
): Promise<HoldOutcome> {
  const under = { version: adjustment.version, maxRedemptions: adjustment.conditions.maxRedemptions };
  let outcome = await deps.usage.hold({ claim, under });
  const admitted = outcome.held || outcome.standing !== undefined;
  if (!admitted && (outcome.usage?.definitionVersion ?? 0) < adjustment.version) {
    // The first claim ever, or a crash came between a change of the adjustment and its usage.
    await deps.usage.follow(claim.companyId, adjustment);
    outcome = await deps.usage.hold({ claim, under });
  }
  return outcome;
}

/** Whether a claim was not admitted because the adjustment had been changed. */
export function isOutdated(adjustment: Pick<Followed, 'version'>, outcome: HoldOutcome): boolean {
  return outcome.usage?.definitionVersion !== adjustment.version;
}

export function keepsChanging(): PlatformError {
  return new PlatformError('SERVICE_UNAVAILABLE', 'The adjustment is being changed; try again.', {
    retryAfterSeconds: 1,
  });
}

function gone(snapshot: CompanySnapshot, { adjustmentId, code }: Wanted): PlatformError {
  if (snapshot.isUnreadable(code === undefined ? { id: adjustmentId } : { code })) {
    const what = code === undefined ? `Adjustment ${adjustmentId}` : `The adjustment that holds the code ${code}`;
    return new PlatformError('SERVICE_UNAVAILABLE', `${what} cannot be applied by this server; try again shortly.`, {
      retryAfterSeconds: 5,
    });
  }
  return code === undefined
    ? invalidInput('order.items', `name the adjustment ${adjustmentId}, which is not active`)
    : invalidInput('order.coupons', `name the code ${code}, which no active adjustment holds`);
}

const limitReached: Refusal = { reason: 'redemption-limit-reached', detail: 'its last redemption was just taken' };

function refusalOf(
  record: Pick<AdjustmentRecord, 'conditions'>,
  claim: HeldClaim,
  now: Date,
  counts: { claimed: number; byCustomer: number },
): Refusal | undefined {
  return whyNotRedeemable(record, {
    nowMs: now.getTime(),
    usage: { claimed: counts.claimed },
    customerUsage: counts.byCustomer,
    customerId: claim.customerId,
    quantity: claim.quantity,
  });
}

function toClaim(held: HeldClaim): Claim {
  const { id, adjustmentId, customerId, code, quantity, perCustomer } = held;
  return {
    redemptionId: id,
    adjustmentId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    quantity,
    perCustomer,
  };
}

/** The error that tells the caller why an adjustment cannot be redeemed. */
export function refused(refusal: Refusal, about: { adjustmentId: string; code?: string | undefined }): PlatformError {
  const capped = refusal.reason.endsWith('redemption-limit-reached');
  const subject = about.code === undefined ? `Adjustment ${about.adjustmentId}` : `Code ${about.code}`;
  return new PlatformError(
    capped ? 'REDEMPTION_LIMIT_REACHED' : 'ADJUSTMENT_NOT_APPLICABLE',
    `${subject} cannot be redeemed: it ${refusal.detail}.`,
    {
      details: [
        {
          path: about.code === undefined ? 'order.items' : 'order.coupons',
          message: refusal.detail,
          reason: refusal.reason,
          adjustmentId: about.adjustmentId,
          ...(about.code === undefined ? {} : { code: about.code }),
        },
      ],
    },
  );
}
