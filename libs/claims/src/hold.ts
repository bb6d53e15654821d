import { type Admission, admitter, type Exhausted } from './admit.ts';
import { POOL } from './changes.ts';
import { type Claim, keepsPlace } from './claim.ts';
import type { PoolDefinition } from './follow-definition.ts';
import { includes } from './plan.ts';
import type { settler } from './settle.ts';
import type { SettleDeps } from './transitions.ts';

/** A claim that requests its quantity of a pool, under the definition that the caller used. */
export interface HoldRequest {
  claim: Claim;
  pool: PoolDefinition;
  /**
   * The least that it may get of the claim's quantity, where the pool has no room for all. What the order got before
   * stays, whatever it requests now. Absent: all or nothing. A share takes what the pool gave, or refuses.
   */
  atLeast?: number | undefined;
  /** The most that may be taken of it in each of the claim's shares; undefined if there is no such limit. */
  customerLimit?: number | undefined;
}

/**
 * The outcome of a request to hold a claim. `held`: by this claim, perhaps with less than it requests, or by one that
 * the order already had. `full`, `share-full`: there is no room. `outdated`: the pool, or a share of it, knows a newer
 * definition. `confirmed`: a claim of the order was confirmed recently. `later-revision`: a claim of a later revision of
 * the order is pending. `crowded`: too many claims are pending. `changed`: others keep changing the pool, or the order
 * has another claim there; retry. With a `claim`, that claim is pending in the pool, whatever the outcome.
 */
export type HoldOutcome = { claim?: Claim } & (
  | { kind: 'held'; claim: Claim }
  | ({ kind: 'full' | 'share-full' } & Exhausted)
  | { kind: 'outdated' | 'confirmed' | 'crowded' | 'changed' | 'later-revision' }
);

interface HoldDeps extends Pick<SettleDeps, 'pools' | 'shares' | 'ledger' | 'clock'> {
  settle: Pick<ReturnType<typeof settler>, 'cancel'>;
  follow: (pool: PoolDefinition) => Promise<boolean>;
}

/**
 * Holds claims: first in the pool, then in the customer's share of it. A claim that the share refuses is removed from
 * the pool.
 */
export function holder({ pools, shares, ledger, settle, follow, clock }: HoldDeps) {
  const admit = admitter(pools, POOL);

  /** Counts the claim in its pool, which takes over the claim's definition if necessary. */
  const admitUnderDefinition = async ({ claim, pool, atLeast }: HoldRequest): Promise<Admission | undefined> => {
    const { id: poolId, version, parentVersion, limit } = pool;
    const ask = { poolId, claim, version, parentVersion, limit, atLeast };
    const admission = await admit(ask);
    if (admission?.kind !== 'outdated') return admission;
    const known = admission.pool;
    if (known !== undefined && !includes(pool, { ...known, version: known.definitionVersion })) return admission;
    // The first claim ever, or a crash between a change of the definition and the pool.
    return (await follow(pool)) ? await admit(ask) : admission;
  };

  /** Counts a claim that its pool holds for its customer, or releases it if that does not fit. */
  const holdShare = async (claim: Claim, { pool, customerLimit }: HoldRequest): Promise<HoldOutcome> => {
    const outcome = await shares.hold(claim, pool, customerLimit);
    if (outcome.kind === 'held') return { kind: 'held', claim };
    const refusal: HoldOutcome = outcome.kind === 'full' ? { ...outcome, kind: 'share-full' } : { kind: outcome.kind };
    // Not released: a copy of the order may need it, which only commerce knows.
    if (claim.settledBy === 'commerce') return { ...refusal, claim };
    // A copy of the request may have confirmed it.
    const { status } = await ledger.enter({ claim, to: 'lapsed', now: clock() });
    if (!keepsPlace(status)) await settle.cancel(claim);
    return refusal;
  };

  return async (request: HoldRequest): Promise<HoldOutcome> => {
    const { pool } = request;
    const admission = await admitUnderDefinition(request);
    if (admission === undefined) return { kind: 'changed' };
    if (admission.kind === 'full') return admission;
    if (admission.kind !== 'held') return { kind: admission.kind };
    const { id: poolId, companyId } = pool;
    // From here on, the claim is the one in the pool, which may be an earlier one of the order.
    const claim: Claim = { ...admission.claim, poolId, companyId, status: 'pending' };
    return mismatchOf(claim, request) ?? (await holdShare(claim, request));
  };
}

/** Why the claim that an order has in a pool is not the one it requests. */
function mismatchOf(held: Claim, { claim: asked, atLeast }: HoldRequest): HoldOutcome | undefined {
  if (held.settledBy !== asked.settledBy) return { kind: 'changed' };
  if (held.revision !== asked.revision) return { kind: 'later-revision' };
  return atLeast !== undefined || held.quantity === asked.quantity ? undefined : { kind: 'changed' };
}
