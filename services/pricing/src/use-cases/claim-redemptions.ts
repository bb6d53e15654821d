import { randomBytes } from 'node:crypto';
import { type Claim, type ClaimReply, type ClaimRequest, matchCode, type Tenant } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import type { KeptAdjustment } from '../domain/adjustment.ts';
import type { CompanySnapshot } from '../domain/snapshot.ts';
import type { AdjustmentRecord, AdjustmentRepository } from '../store/adjustment.repository.ts';
import type { CustomerUsageRepository } from '../store/customer-usage.repository.ts';
import type { RedemptionRepository } from '../store/redemption.repository.ts';
import type { SnapshotCache } from '../store/snapshot-cache.ts';
import type { HeldClaim } from '../store/usage-record.ts';
import type { UsageRepository } from '../store/usage.repository.ts';
import { crowdedOut, gone, keepsChanging, limitReached, numberTaken, refusalOf, refused } from './claim-refusals.ts';
import { CLAIM_WITHIN_MS, countsCustomer, holdClaim, isOutdated, untilAnswered } from './hold-claim.ts';

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

/** The claims of an order have to be made anew: for the order id of a copy that came first, if it is known. */
class StartOver extends Error {
  readonly orderId: string | undefined;

  constructor(orderId?: string) {
    super('the claims have to be made anew');
    this.orderId = orderId;
  }
}

/**
 * Claims every redemption of an order: all, or none and the reason. A claim counts against the caps at once; it becomes a
 * redemption when the order is placed, and is released when the order is not. A copy of the order that comes while its claims
 * stand gets the same claims, and the order id that they are held for: it never takes a second place.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a code or id that no live adjustment has; REDEMPTION_LIMIT_REACHED or
 *   ADJUSTMENT_NOT_APPLICABLE with evaluation's reason and detail; ORDER_NUMBER_TAKEN when an order with the same key has been placed a
 *   moment ago, or one with other content is being placed
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
  // Told apart from the other copies of one order: short, for it is kept with the claim.
  const attempt = randomBytes(6).toString('base64url');
  const held: HeldClaim[] = [];
  let { orderId } = request;
  try {
    // In one order everywhere, so that two orders that want the same adjustments do not each take half.
    for (const one of wanted.toSorted((a, b) => (a.adjustmentId < b.adjustmentId ? -1 : 1))) {
      const asked = { ...request, orderId };
      const { claim, adjustment } = await untilAnswered(untilMs, async () =>
        claimOne(deps, companyId, asked, one, attempt),
      );
      held.push(claim);
      if (claim.orderId !== orderId && held.length > 1) throw new StartOver(claim.orderId);
      orderId = claim.orderId;
      if (claim.perCustomer) await countForCustomer(deps, claim, adjustment);
    }
  } catch (error) {
    // One that cannot be let go now lapses.
    await Promise.allSettled(held.map((claim) => deps.usage.letGo(claim, attempt)));
    throw error;
  }
  return { orderId, claims: held.map(toClaim) };
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
  // A refusal is final: before it, what was written but not answered yet counts too.
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
 * Claims one redemption for the order, or finds the claim of a copy of it and makes `attempt` rely on that. Undefined when what it had
 * read was changed meanwhile.
 */
async function claimOne(
  deps: ClaimDeps,
  companyId: Tenant,
  request: ClaimRequest,
  wanted: Wanted,
  attempt: string,
): Promise<{ claim: HeldClaim; adjustment: KeptAdjustment } | undefined> {
  const { usage, snapshots, clock } = deps;
  const adjustment = (await snapshots.get(companyId)).get(wanted.adjustmentId);
  // What it is about is gone, or holds another code by now: who holds this one has to be found out anew.
  if (adjustment === undefined || (wanted.code !== undefined && !holdsCode(adjustment, wanted.code))) {
    throw new StartOver();
  }
  const { customerId, key, content } = request;
  const claim: HeldClaim = {
    ...wanted,
    id: newId('rdm'),
    companyId,
    orderId: request.orderId,
    ...(customerId === undefined ? {} : { customerId }),
    quantity: 1,
    perCustomer: countsCustomer(adjustment, customerId),
    settledBy: 'commerce',
    ...(key === undefined ? {} : { key }),
    ...(content === undefined ? {} : { content }),
    attempts: [attempt],
  };
  // Everything but the caps is decided by the definition, which the claim is admitted under only while it stands.
  const refusal = refusalOf(adjustment, claim, clock(), { claimed: 0, byCustomer: 0 });
  if (refusal !== undefined) throw refused(refusal, claim);

  const outcome = await holdClaim(usage, claim, adjustment);
  if (outcome === undefined) return undefined;
  if (outcome.held) return { claim, adjustment };
  if (outcome.confirmed) throw numberTaken('An order with this number has just been placed.');
  const { standing } = outcome;
  if (standing !== undefined) {
    if (standing.content !== content) throw numberTaken('An order with this number and other content is being placed.');
    return (await usage.join({ claim: standing, attempt })) ? { claim: standing, adjustment } : undefined;
  }
  if (outcome.crowdedOut) throw crowdedOut(claim);
  if (isOutdated(adjustment, outcome)) {
    await snapshots.fresh(companyId);
    return undefined;
  }
  const claimed = Math.max(outcome.usage?.claimed ?? 0, adjustment.conditions.maxRedemptions ?? 0);
  throw refused(refusalOf(adjustment, claim, clock(), { claimed, byCustomer: 0 }) ?? limitReached, claim);
}

/** Counts a claim for its customer too. */
async function countForCustomer(deps: ClaimDeps, claim: HeldClaim, adjustment: KeptAdjustment): Promise<void> {
  const { customers, clock } = deps;
  const max = adjustment.conditions.maxRedemptionsPerCustomer;
  if (await customers.hold(claim, { max, since: adjustment.customersSince })) return;
  const byCustomer = await customers.claimedBy(claim.customerId ?? '', [claim.adjustmentId]);
  const counts = { claimed: 0, byCustomer: Math.max(max ?? 0, byCustomer.get(claim.adjustmentId) ?? 0) };
  throw refused(refusalOf(adjustment, claim, clock(), counts) ?? limitReached, claim);
}

function holdsCode({ conditions }: Pick<AdjustmentRecord, 'conditions'>, code: string): boolean {
  return conditions.code !== undefined && matchCode(conditions.code) === code;
}

function toClaim(held: HeldClaim): Claim {
  const { id, adjustmentId, customerId, code, quantity, perCustomer, key } = held;
  return {
    redemptionId: id,
    adjustmentId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    quantity,
    perCustomer,
    ...(key === undefined ? {} : { key }),
  };
}
