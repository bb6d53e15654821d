import type { Cause } from '@event-commerce/contracts';
import type { OutboxEntry } from '@event-commerce/outbox';
import { batched, retryLost } from '@event-commerce/service-kit';
import { cancelClaims, keepClaims, type KeptClaim, POOL, removeClaim } from './changes.ts';
import { type Claim, type ClaimStatus, enteredAs, keepsPlace, type LedgerStatus, transitionOf } from './claim.ts';
import type { Standing } from './ledger.ts';
import { createTransitions, type SettleDeps } from './transitions.ts';

/** Settles claims: the ledger decides how, and the counters follow it. Everything here is safe to repeat. */
export function settler(deps: SettleDeps) {
  const { pools, shares, ledger, relay, toEntry, clock } = deps;
  const transitions = createTransitions(deps);

  const countInPools = async (kept: readonly KeptClaim[]): Promise<Map<string, false | Error>> => {
    const poolIds = [...new Set(kept.map(({ poolId }) => poolId))];
    const [poolId] = poolIds;
    if (poolId !== undefined && poolIds.length === 1) {
      // The usual case: one round trip changes the counters and returns what the events are about.
      const pool = await pools.changeOnce(keepClaims(POOL, { poolId, members: kept }));
      if (pool !== undefined) {
        relay.publish(pool);
        return new Map();
      }
    }
    const left = await pools.changePending(kept, (batch) => keepClaims(POOL, batch));
    for (const pool of (await pools.read(poolIds, { pending: 0, recent: 0 })).values()) relay.publish(pool);
    return left;
  };

  /**
   * Returns for each claim whether it is counted. Shares come first: if a crash leaves the claim pending only in the
   * pool, the sweep finds it there.
   */
  const countAll = async (kept: readonly KeptClaim[]): Promise<(boolean | Error)[]> => {
    const once = [...new Map(kept.map((one) => [one.claim.id, one])).values()];
    const inShares = await shares.count(once);
    const left = once.filter(({ claim }) => !inShares.has(claim.id));
    const inPools = await countInPools(left);
    return kept.map(({ claim }) => inShares.get(claim.id) ?? inPools.get(claim.id) ?? true);
  };
  const count = batched(countAll);

  /** Removes a pending claim that does not keep its place from the counters. */
  const remove = async (claim: Claim, entry?: OutboxEntry): Promise<void> => {
    await shares.remove(claim);
    const pool = await pools.changeIfMatches(removeClaim(claim.poolId, claim, entry));
    if (pool !== undefined) relay.publish(pool);
  };

  /** Returns for each claim whether it is no longer pending. */
  const endInPools = batched(async (claims: readonly Claim[]) => {
    const once = new Map(claims.map((claim) => [claim.id, { poolId: claim.poolId, claim }]));
    const left = await pools.changePending([...once.values()], cancelClaims);
    return claims.map(({ id }) => left.get(id) ?? true);
  });

  /**
   * Makes the counters agree with the ledger about a claim, except for its transitions, which change them separately.
   */
  const followLedger = async (claim: Claim, standing: Standing, now: Date, cause?: Cause): Promise<void> => {
    const { status } = standing;
    const first = enteredAs(standing);
    if (keepsPlace(status) && first !== undefined) {
      const entry = toEntry({ ...claim, quantity: first.quantity }, first.status, now, cause);
      const one = { poolId: claim.poolId, claim, as: first, ...(entry && { entry }) };
      while (!(await retryLost(async () => count(one))));
    } else await remove(claim, status === 'lapsed' ? toEntry(claim, status, now) : undefined);
  };

  const transitionsIn = batched(async (poolIds: readonly string[]) => {
    const found = await pools.read([...new Set(poolIds)], { pending: 0, recent: 0, outbox: 0 });
    return poolIds.map((poolId) => found.get(poolId)?.transitions ?? []);
  });

  /** Finishes what others have begun with a claim, so that the caller can rely on the counters. */
  const finishTransitions = async ({ id, poolId, companyId }: Claim): Promise<void> => {
    for (const note of await transitionsIn(poolId)) {
      if (note.id === id) await transitions.resume({ ...note, poolId, companyId });
    }
  };

  /**
   * Settles a claim as `to`, unless it was settled otherwise before, with as much as its order keeps. Resolves with the
   * final status. The counters then include it.
   */
  const end = async (claim: Claim, to: LedgerStatus, cause?: Cause): Promise<ClaimStatus> => {
    const now = clock();
    const { keeps = Infinity } = claim;
    let standing = await ledger.enter({ claim, to: keeps === 0 && keepsPlace(to) ? 'released' : to, now });
    for (;;) {
      const change = transitionOf(standing, to, keeps);
      if (change === undefined) break;
      // Others may change it at the same time: then there may be nothing left to do.
      const made = await transitions.make(claim, standing, change, cause);
      ({ standing } = made);
      if (!made.isMade) continue;
      const isAlone = standing.steps?.every(({ by, claimed }) => by === made.by || claimed === 0) ?? true;
      if (!isAlone) await finishTransitions(claim);
      return change.to.status;
    }
    await followLedger(claim, standing, now, cause);
    if (standing.status === 'released' || claim.keeps !== undefined) await finishTransitions(claim);
    return standing.status;
  };

  return {
    end,
    resumeTransition: transitions.resume,

    /** Applies the ledger to a claim that only its customer's share still has. */
    async followInShare(claim: Claim): Promise<void> {
      const { poolId, id, quantity } = claim;
      const { status } = (await ledger.stateOf(id)) ?? {};
      if (status === undefined || !keepsPlace(status)) return await shares.remove(claim);
      const left = await shares.count([{ poolId, claim, as: { status, quantity } }]);
      for (const outcome of left.values()) if (outcome instanceof Error) throw outcome;
    },

    /**
     * Removes a claim whose order was not written with it, if it is still pending. Concurrent calls are batched: the
     * releases of many orders in one pool are written at once.
     */
    async cancel(claim: Claim): Promise<void> {
      // After a crash in between, the sweep finds the claim that only the share still has.
      while (!(await retryLost(async () => endInPools(claim))));
      await shares.remove(claim);
    },
  };
}
