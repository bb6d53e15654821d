import { randomBytes } from 'node:crypto';
import type { Claim } from '@event-commerce/claims';
import {
  type Claim as OrderClaim,
  type ClaimReply,
  type ClaimRequest,
  matchCode,
  orderBeingPlaced,
  type Tenant,
} from '@event-commerce/contracts';
import { newId, retryOnConflict } from '@event-commerce/service-kit';
import type { CompanySnapshot } from '../domain/snapshot.ts';
import type { AdjustmentRecord } from '../store/adjustment-record.ts';
import type { AdjustmentRepository } from '../store/adjustment.repository.ts';
import { countsCustomers, poolOf, type RedemptionPools, shareOf } from '../store/redemption-pools.ts';
import type { RedemptionRepository } from '../store/redemption.repository.ts';
import type { SnapshotCache } from '../store/snapshot-cache.ts';
import { crowdedOut, gone, keepsChanging, limitReached, refusalOf, refused } from './claim-refusals.ts';

/** How long a claim is retried while others keep changing what it depends on: shorter than the callers' time-out. */
export const CLAIM_WITHIN_MS = 2_000;

export interface ClaimDeps {
  adjustments: AdjustmentRepository;
  redemptions: RedemptionRepository;
  pools: RedemptionPools;
  snapshots: SnapshotCache;
  clock: () => Date;
}

interface Wanted {
  adjustmentId: string;
  code?: string;
}

/** The claims of an order must be made again: for the order id of a copy that was first, if it is known. */
class StartOver extends Error {
  readonly orderId: string | undefined;

  constructor(orderId?: string) {
    super('the claims have to be made anew');
    this.orderId = orderId;
  }
}

/**
 * Claims every redemption of an order: all, or none with the reason. A claim counts against the caps at once. It
 * becomes a redemption when the order is placed, and is released when the order is not. A copy of the order that
 * arrives while its claims are pending gets the same claims, and the order id that they are held for: it never takes a
 * second place.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a code or id that no live adjustment has; REDEMPTION_LIMIT_REACHED or
 * ADJUSTMENT_NOT_APPLICABLE with evaluation's reason and detail; ORDER_NUMBER_TAKEN if an order with the same key was
 * just placed, or one with other content is being placed
 */
export async function claimRedemptions(deps: ClaimDeps, companyId: Tenant, request: ClaimRequest): Promise<ClaimReply> {
  const untilMs = performance.now() + CLAIM_WITHIN_MS;
  let { orderId } = request;
  let snapshot = await deps.snapshots.get(companyId);
  for (;;) {
    const wanted = await resolve(deps, companyId, request, snapshot);
    try {
      return await claimAll(deps, companyId, { ...request, orderId }, wanted, untilMs);
    } catch (error) {
      if (!(error instanceof StartOver)) throw error;
      if (performance.now() > untilMs) throw keepsChanging();
      orderId = error.orderId ?? orderId;
    }
    snapshot = await deps.snapshots.fresh(companyId);
  }
}

async function claimAll(
  deps: ClaimDeps,
  companyId: Tenant,
  request: ClaimRequest,
  wanted: readonly Wanted[],
  untilMs: number,
): Promise<ClaimReply> {
  // Distinguishes the copies of one order; short, because it is stored with the claim.
  const { attempt = randomBytes(6).toString('base64url') } = request;
  const held: Claim[] = [];
  let { orderId } = request;
  try {
    // In the same order everywhere, so that two orders that want the same adjustments do not each take half.
    for (const one of wanted.toSorted((a, b) => (a.adjustmentId < b.adjustmentId ? -1 : 1))) {
      const asked = { ...request, orderId };
      const claim = await retryOnConflict(
        async () => claimOne(deps, companyId, asked, one, attempt),
        keepsChanging,
        untilMs,
      );
      held.push(claim);
      if (claim.orderId !== orderId && held.length > 1) throw new StartOver(claim.orderId);
      orderId = claim.orderId;
    }
  } catch (error) {
    // A claim that cannot be released now lapses.
    await Promise.allSettled(held.map((claim) => deps.pools.letGo(claim, attempt)));
    throw error;
  }
  return { orderId, claims: held.map(toReply) };
}

async function resolve(
  deps: ClaimDeps,
  companyId: Tenant,
  request: ClaimRequest,
  current: CompanySnapshot,
): Promise<Wanted[]> {
  const codes = [...new Set(request.codes.map(matchCode))];
  const ids = [...new Set(request.adjustmentIds)];
  const nowMs = deps.clock().getTime();
  const known = codes.every((code) => current.holderOf(code, nowMs)) && ids.every((id) => current.get(id));
  // A refusal is final: first consider what was written even if no response has been sent yet.
  const snapshot = known ? current : await deps.snapshots.fresh(companyId);

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

/**
 * Claims one redemption for the order, or finds the claim of a copy of it and makes `attempt` rely on that. Undefined
 * if what it had read was changed in the meantime.
 */
async function claimOne(
  { pools, snapshots, clock }: ClaimDeps,
  companyId: Tenant,
  request: ClaimRequest,
  { adjustmentId, code }: Wanted,
  attempt: string,
): Promise<Claim | undefined> {
  const adjustment = (await snapshots.get(companyId)).get(adjustmentId);
  // The adjustment is gone, or holds another code by now: look up the holder of this one again.
  if (adjustment === undefined || (code !== undefined && !holdsCode(adjustment, code))) throw new StartOver();
  const { orderId, customerId, key, content } = request;
  const claim: Claim = {
    id: newId('rdm'),
    poolId: adjustmentId,
    companyId,
    orderId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    quantity: 1,
    status: 'pending',
    perCustomer: customerId !== undefined && countsCustomers(adjustment),
    settledBy: 'commerce',
    ...(key === undefined ? {} : { key }),
    ...(content === undefined ? {} : { content }),
    attempts: [attempt],
  };
  const refuse = (counts: { claimed: number; byCustomer: number }) => refusalOf(adjustment, claim, clock(), counts);
  // Checks everything but the caps here; the conditional write refuses the claim if the adjustment has changed.
  const refusal = refuse({ claimed: 0, byCustomer: 0 });
  if (refusal !== undefined) throw refused(refusal, claim);

  const outcome = await pools.hold({ claim, pool: poolOf(companyId, adjustment), share: shareOf(adjustment) });
  const { maxRedemptions = 0, maxRedemptionsPerCustomer = 0 } = adjustment.conditions;
  switch (outcome.kind) {
    case 'held':
      return outcome.claim;
    case 'confirmed':
      throw orderBeingPlaced(true);
    case 'other-content':
      throw orderBeingPlaced(false);
    case 'crowded':
      throw crowdedOut(claim);
    case 'full': {
      const claimed = Math.max(outcome.claimed, maxRedemptions);
      throw refused(refuse({ claimed, byCustomer: 0 }) ?? limitReached, claim);
    }
    case 'share-full': {
      const byCustomer = Math.max(outcome.claimed, maxRedemptionsPerCustomer);
      throw refused(refuse({ claimed: 0, byCustomer }) ?? limitReached, claim);
    }
    case 'outdated':
      await snapshots.fresh(companyId);
      break;
    case 'changed':
      break;
  }
  return undefined;
}

function holdsCode({ conditions }: Pick<AdjustmentRecord, 'conditions'>, code: string): boolean {
  return conditions.code !== undefined && matchCode(conditions.code) === code;
}

function toReply({ id, poolId, customerId, code, quantity, perCustomer = false, key }: Claim): OrderClaim {
  return {
    redemptionId: id,
    adjustmentId: poolId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    quantity,
    perCustomer,
    ...(key === undefined ? {} : { key }),
  };
}
