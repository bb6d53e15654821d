import { randomUUID } from 'node:crypto';
import type { OutboxEntry } from '@event-commerce/outbox';
import { batched, retryLost } from '@event-commerce/service-kit';
import { type Batch, type Confirmation, counting, leaving } from './changes.ts';
import { become, type Claim, type ClaimStatus, type LedgerStatus, takesPlace } from './claim.ts';
import { POOL, type PoolDocument, type PoolKind, SHARE } from './documents.ts';
import type { Ledger } from './ledger.ts';
import type { PoolStore } from './pool-store.ts';
import { shareIdOf, type Shares } from './shares.ts';

/** How often a batch retries what others keep changing. */
const ROUNDS_MAX = 4;
const LET_GO_ROUNDS_MAX = 8;

export interface SettleDeps {
  pools: PoolStore;
  shares: Shares;
  ledger: Ledger;
  /** Publishes the outbox of a pool that was just written. */
  relay: { publish(pool: PoolDocument): void };
  /** The event about how a claim ended; undefined if there is none. */
  toEntry: (claim: Claim, status: LedgerStatus, now: Date, traceparent?: string) => OutboxEntry | undefined;
  clock: () => Date;
}

/** Ends claims: the ledger decides how, the counters follow it. Everything here is safe to repeat. */
export function settler({ pools, shares, ledger, relay, toEntry, clock }: SettleDeps) {
  const countInPools = async (confirmations: readonly Confirmation[]): Promise<Map<string, false | Error>> => {
    const poolIds = [...new Set(confirmations.map(({ poolId }) => poolId))];
    const [poolId] = poolIds;
    if (poolId !== undefined && poolIds.length === 1) {
      // The usual case: one round trip changes the counters and returns what the events tell of.
      const pool = await pools.changeOnce(counting(POOL, { poolId, members: confirmations }));
      if (pool !== undefined) {
        relay.publish(pool);
        return new Map();
      }
    }
    const left = await countIn(pools, POOL, confirmations);
    for (const pool of (await pools.read(poolIds, { pending: 0, recent: 0 })).values()) relay.publish(pool);
    return left;
  };

  /**
   * For each: whether it is counted as confirmed. Shares come first: what only they lack, the sweep finds in the pool.
   */
  const countAll = async (confirmations: readonly Confirmation[]): Promise<(boolean | Error)[]> => {
    const once = [...new Map(confirmations.map((one) => [one.claim.id, one])).values()];
    const inShares = await countIn(
      shares.store,
      SHARE,
      once.flatMap(({ claim }) => inShare(claim) ?? []),
    );
    const left = once.filter(({ claim }) => !inShares.has(claim.id));
    const inPools = await countInPools(left);
    return confirmations.map(({ claim }) => inShares.get(claim.id) ?? inPools.get(claim.id) ?? true);
  };
  const count = batched(countAll);

  const forgetInShare = async (claim: Claim): Promise<void> => {
    const share = inShare(claim);
    if (share !== undefined) await shares.store.change(leaving(SHARE, share.poolId, claim));
  };

  /** Removes a pending claim from the counters. */
  const forget = async (claim: Claim, entry?: OutboxEntry): Promise<void> => {
    await forgetInShare(claim);
    const pool = await pools.change(leaving(POOL, claim.poolId, claim, entry));
    if (pool !== undefined) relay.publish(pool);
  };

  /** Makes the counters agree with the ledger about a claim. */
  const follow = async (claim: Claim, status: ClaimStatus, now: Date, traceparent?: string): Promise<void> => {
    if (takesPlace(status)) {
      const entry = toEntry(claim, 'confirmed', now, traceparent);
      while (!(await retryLost(async () => count({ poolId: claim.poolId, claim, ...(entry && { entry }) }))));
    } else await forget(claim, status === 'lapsed' ? toEntry(claim, status, now) : undefined);
  };

  /**
   * Finishes the release that `by` began: removes a claim from the counters if `by` released it in the ledger. Takes
   * effect once, whoever does it: the note about it is removed in the same write.
   */
  const endRelease = async (claim: Claim, by: string, traceparent?: string): Promise<boolean> => {
    const { releasedBy, isFirst } = await ledger.release(claim, by);
    const { id, poolId, quantity } = claim;
    const begun = { releasing: { $elemMatch: { id, by } } };
    if (releasedBy !== by) {
      await pools.change({ poolId, where: begun, update: { $pull: { releasing: { id, by } } } });
      return isFirst;
    }
    await shares.forgetCounters(claim);
    const mark = POOL.markOf(claim);
    const entry = toEntry(claim, 'released', clock(), traceparent);
    // Confirmed in the ledger, it may still be pending here; then it was never counted as confirmed, or is between the
    // two writes.
    for (const isPending of [false, true, false]) {
      const pool = await pools.change({
        poolId,
        where: { ...begun, 'pending.id': isPending ? id : { $ne: id } },
        update: {
          $inc: { claimed: -quantity, version: 1, ...(isPending ? {} : { confirmed: -quantity }) },
          ...(entry && { $push: { outbox: entry } }),
          $pull: {
            releasing: { id, by },
            ...(isPending ? { pending: { id } } : {}),
            ...(mark === undefined ? {} : { recent: mark }),
          },
        },
      });
      if (pool === undefined) continue;
      relay.publish(pool);
      break;
    }
    return isFirst;
  };

  /**
   * The ledger decides who released a claim, and only that one's note, written to the pool beforehand, removes it from
   * the counters: so that happens once, and the sweep finishes what a crash leaves. No lock is held on counters that
   * everybody writes.
   */
  const release = async (claim: Claim, traceparent?: string): Promise<boolean> => {
    const by = randomUUID();
    await pools.change({
      poolId: claim.poolId,
      where: {},
      update: { $push: { releasing: { id: claim.id, by } } },
    });
    return await endRelease(claim, by, traceparent);
  };

  /** Ends a claim as `to`, if nothing else was first. Resolves with the final state. */
  const end = async (claim: Claim, to: LedgerStatus, traceparent?: string): Promise<ClaimStatus> => {
    const now = clock();
    const standing = await ledger.enter({ claim, to, now });
    const next = become(standing, to);
    if (next === standing) await follow(claim, standing, now, traceparent);
    else await release(claim, traceparent);
    return next;
  };

  return {
    end,
    endRelease,
    release,
    forgetInShare,

    /** Follows the ledger for a claim that only its customer's share still has. */
    async followInShare(claim: Claim): Promise<void> {
      if ((await ledger.statusOf(claim.id)) !== 'confirmed') return await forgetInShare(claim);
      const left = await countIn(shares.store, SHARE, [inShare(claim) ?? []].flat());
      for (const outcome of left.values()) if (outcome instanceof Error) throw outcome;
    },

    /** Removes a claim whose order was not written. */
    cancel: async (claim: Claim): Promise<void> => forget(claim),

    /**
     * Ends the reliance of the request `attempt` on `claim`, and the claim with it if no other request relies on it: a
     * copy of the order may be about to be placed with it.
     */
    async letGo(claim: Claim, attempt: string): Promise<void> {
      const { id, poolId, quantity } = claim;
      for (let round = 1; round <= LET_GO_ROUNDS_MAX; round++) {
        const ended = await pools.change({
          poolId,
          where: { pending: { $elemMatch: { id, attempts: [attempt] } } },
          update: { $pull: { pending: { id } }, $inc: { claimed: -quantity, version: 1 } },
        });
        // After a crash at this point, the sweep finds that only the share still has the claim.
        if (ended !== undefined) return await forgetInShare(claim);
        const left = await pools.change({
          poolId,
          where: { pending: { $elemMatch: { id, attempts: attempt, 'attempts.1': { $exists: true } } } },
          update: { $pull: { 'pending.$.attempts': attempt } },
        });
        if (left !== undefined) return;
        const pending = (await pools.read([poolId], { outbox: 0, recent: 0 })).get(poolId)?.pending ?? [];
        if (!pending.some((one) => one.id === id && one.attempts?.includes(attempt))) return;
      }
    },
  };
}

/** What is not counted in `store` afterwards: false, or the reason, by claim id. */
async function countIn(
  store: PoolStore,
  kind: PoolKind,
  confirmations: readonly Confirmation[],
): Promise<Map<string, false | Error>> {
  const left = new Map<string, false | Error>();
  let waiting = confirmations;
  for (let round = 1; waiting.length > 0 && round <= ROUNDS_MAX; round++) {
    const byPool = Map.groupBy(waiting, ({ poolId }) => poolId);
    const batches = [...byPool].map(([poolId, members]) => ({ poolId, members }));
    const made = await store.changeEach<Confirmation, Batch<Confirmation>>(batches, (batch) => counting(kind, batch));
    waiting = waiting.filter((one) => made.get(one) !== 'made');
    if (waiting.length === 0) break;
    // Some may be counted already: the others are counted without them.
    const found = await store.read([...byPool.keys()], { outbox: 0 });
    waiting = waiting.filter((one) => {
      const failure = made.get(one);
      if (failure instanceof Error) left.set(one.claim.id, failure);
      const pending = found.get(one.poolId)?.pending ?? [];
      return !(failure instanceof Error) && pending.some(({ id }) => id === one.claim.id);
    });
  }
  for (const { claim } of waiting) left.set(claim.id, false);
  return left;
}

/** Where a claim is counted for its customer, if it is. */
function inShare(claim: Claim): { poolId: string; claim: Claim } | undefined {
  const poolId = claim.perCustomer === true ? shareIdOf(claim) : undefined;
  return poolId === undefined ? undefined : { poolId, claim };
}
