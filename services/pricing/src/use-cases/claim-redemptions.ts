import { type Claim, type ClaimRequest, LIVE_STATUSES, matchCode, PlatformError } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import type { Refusal } from '../domain/eligibility/refusal.ts';
import { whyNotRedeemable } from '../domain/eligibility/why-not-redeemable.ts';
import type { AdjustmentRecord, AdjustmentRepository } from '../store/adjustment.repository.ts';
import type { HeldClaim, RedemptionRepository } from '../store/redemption.repository.ts';
import type { SnapshotCache } from '../store/snapshot-cache.ts';

export interface ClaimDeps {
  adjustments: AdjustmentRepository;
  redemptions: RedemptionRepository;
  snapshots: SnapshotCache;
  clock: () => Date;
}

interface Wanted {
  adjustmentId: string;
  code?: string;
}

/**
 * Claims every redemption of an order: all, or none and the reason. A claim counts against the caps at once; it becomes a
 * redemption when the order is placed, and is released when the order is not.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a code or id that no live adjustment has; REDEMPTION_LIMIT_REACHED or
 *   ADJUSTMENT_NOT_APPLICABLE with evaluation's reason and detail
 */
export async function claimRedemptions(deps: ClaimDeps, companyId: string, request: ClaimRequest): Promise<Claim[]> {
  const wanted = await resolve(deps, companyId, request);
  const held: HeldClaim[] = [];
  try {
    // In one order everywhere, so that two orders that want the same adjustments do not each take half.
    for (const one of wanted.toSorted((a, b) => (a.adjustmentId < b.adjustmentId ? -1 : 1))) {
      held.push(await claimOne(deps, companyId, request, one));
    }
  } catch (error) {
    await Promise.all(held.map((claim) => deps.redemptions.forget(claim, 'cancelled', deps.clock())));
    throw error;
  }
  return held.map(toClaim);
}

/** Gives back claims whose order was not written. Safe to repeat. */
export async function cancelClaims(
  deps: Pick<ClaimDeps, 'redemptions' | 'clock'>,
  companyId: string,
  orderId: string,
  claims: readonly Claim[],
): Promise<void> {
  await Promise.all(
    claims.map((claim) => deps.redemptions.forget(toHeld(companyId, orderId, claim), 'cancelled', deps.clock())),
  );
}

export function toHeld(companyId: string, orderId: string, claim: Claim): HeldClaim {
  const { redemptionId, ...fields } = claim;
  return { ...fields, id: redemptionId, companyId, orderId, settledBy: 'commerce' };
}

async function resolve(deps: ClaimDeps, companyId: string, request: ClaimRequest): Promise<Wanted[]> {
  const codes = [...new Set(request.codes.map(matchCode))];
  const ids = [...new Set(request.adjustmentIds)];
  let snapshot = await deps.snapshots.get(companyId);
  const known = () => codes.every((code) => snapshot.withCode(code).size > 0) && ids.every((id) => snapshot.get(id));
  // One that was made on another replica a moment ago may be missing here: look once more before refusing.
  if (!known()) snapshot = await deps.snapshots.fresh(companyId);

  const wanted = new Map<string, Wanted>();
  for (const adjustmentId of ids) {
    const adjustment = snapshot.get(adjustmentId);
    if (adjustment === undefined) throw unknown('order.items', `no active adjustment has the id ${adjustmentId}`);
    wanted.set(adjustmentId, { adjustmentId });
  }
  for (const code of codes) {
    const [adjustment] = snapshot.withCode(code);
    if (adjustment === undefined) throw unknown('order.coupons', `no active adjustment holds the code ${code}`);
    const { id } = adjustment.source;
    wanted.set(id, { adjustmentId: id, code });
  }
  return [...wanted.values()];
}

async function claimOne(
  deps: ClaimDeps,
  companyId: string,
  request: ClaimRequest,
  wanted: Wanted,
  attempt = 1,
): Promise<HeldClaim> {
  const { redemptions, clock } = deps;
  const snapshot = await deps.snapshots.get(companyId);
  const claim: HeldClaim = {
    ...wanted,
    id: newId('rdm'),
    companyId,
    orderId: request.orderId,
    ...(request.customerId === undefined ? {} : { customerId: request.customerId }),
    quantity: 1,
    perCustomer: snapshot.get(wanted.adjustmentId)?.conditions.maxRedemptionsPerCustomer !== undefined,
    settledBy: 'commerce',
  };
  const record = await redemptions.hold(claim, { liveOnly: true });
  if (record === undefined) {
    const standing = await redemptions.findWithClaim(companyId, wanted.adjustmentId, request.orderId);
    return standing?.claim ?? refuseClaim(deps, claim, standing?.record);
  }
  deps.snapshots.apply(companyId, [record]);

  // What was written is the truth now: the window and the customer's cap are checked on it, not on what was known before.
  const max = record.conditions.maxRedemptionsPerCustomer;
  const refusal = refusalOf(record, claim, clock(), { claimed: record.usage.claimed - claim.quantity, byCustomer: 0 });
  if (refusal !== undefined || claim.perCustomer !== (max !== undefined)) {
    await redemptions.forget(claim, 'cancelled', clock());
    if (refusal !== undefined) throw refused(refusal, claim);
    if (attempt === 3) throw new PlatformError('SERVICE_UNAVAILABLE', 'The adjustment is being changed; try again.');
    await deps.snapshots.fresh(companyId);
    return await claimOne(deps, companyId, request, wanted, attempt + 1);
  }
  if (max !== undefined && !(await redemptions.holdForCustomer(claim, max))) {
    await redemptions.forget(claim, 'cancelled', clock());
    const byCustomer = await redemptions.customerClaims([claim.adjustmentId], claim.customerId ?? '');
    const counts = { claimed: 0, byCustomer: Math.max(max, byCustomer.get(claim.adjustmentId) ?? 0) };
    throw refused(refusalOf(record, claim, clock(), counts) ?? limitReached, claim);
  }
  return claim;
}

/** Why nothing was written for `claim`: the adjustment is gone, or its cap is reached. */
function refuseClaim(deps: ClaimDeps, claim: HeldClaim, record: AdjustmentRecord | undefined): never {
  if (record === undefined || !LIVE_STATUSES.includes(record.status)) {
    throw claim.code === undefined
      ? unknown('order.items', `no active adjustment has the id ${claim.adjustmentId}`)
      : unknown('order.coupons', `no active adjustment holds the code ${claim.code}`);
  }
  deps.snapshots.apply(claim.companyId, [record]);
  const claimed = Math.max(record.usage.claimed, record.conditions.maxRedemptions ?? 0);
  throw refused(refusalOf(record, claim, deps.clock(), { claimed, byCustomer: 0 }) ?? limitReached, claim);
}

const limitReached: Refusal = { reason: 'redemption-limit-reached', detail: 'its last redemption was just taken' };

function refusalOf(
  record: AdjustmentRecord,
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
    `${subject} cannot be redeemed: ${refusal.detail}.`,
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

function unknown(path: string, message: string): PlatformError {
  return new PlatformError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
}
