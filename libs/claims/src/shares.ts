import { type PlatformError, tryAgainShortly } from '@event-commerce/contracts';
import { isDuplicateKey, retryLost, retryOnConflict, updateOrInsert } from '@event-commerce/service-kit';
import type { Collection } from 'mongoose';
import { admitter, type Exhausted } from './admit.ts';
import { type Keeping, leaving } from './changes.ts';
import { type Claim, keepsPlace } from './claim.ts';
import { countIn } from './count-in.ts';
import { type FoundPool, NO_DEFINITION, type PoolDocument, SHARE } from './documents.ts';
import type { Ledger } from './ledger.ts';
import { type Ask, keptIn, quantityOf } from './plan.ts';
import { poolStore, type PoolStore } from './pool-store.ts';

/** The definition of a share: what one customer may take of the pool. */
export interface ShareDefinition {
  /** Undefined if customers are counted but not limited now. */
  limit: number | undefined;
  /**
   * The pool's `customersSince`. Undefined if the caller's definition counts no customers: a copy of the order may hold
   * the claim under a later one that does.
   */
  since: number | undefined;
}

/** Replaces an unknown `customersSince`. No definition has this version. */
const SINCE_EVER = -1;

/** How long a claim is retried while others keep changing the customer's counters. */
const HOLD_WITHIN_MS = 2_000;

/** `outdated`: a claim under a newer definition of the pool came first. */
type ShareOutcome = { kind: 'held' | 'outdated' } | ({ kind: 'full' } & Exhausted);

const HELD: ShareOutcome = { kind: 'held' };

export type Shares = ReturnType<typeof createShares>;

/**
 * What individual customers take of pools. A share is a pool that can be rebuilt from the ledger at any time: so
 * customers need not be counted before a limit needs it, and a change of two documents need not be exact in both.
 */
export function createShares(shares: Collection<PoolDocument>, pools: PoolStore, ledger: Ledger) {
  const store = poolStore(shares);
  const admit = admitter(store, SHARE);

  /**
   * Rebuilds a customer's count from the ledger and from the pending claims, over what is kept of `before`. Has no
   * effect if that changed in the meantime. The order of reading matters: what moves on during the rebuild is found in
   * a later place, or has changed the counters.
   */
  const countAnew = async (claim: Claim, before: FoundPool | undefined, since: number): Promise<void> => {
    const { poolId, customerId, companyId } = claim;
    const pool = (await pools.read([poolId], { recent: 0, outbox: 0 })).get(poolId);
    const ended = await ledger.entriesOf(poolId, customerId === undefined ? {} : { customerId });
    const endedIds = new Set(ended.map(({ _id }) => _id));
    const known = before?.pending ?? [];
    // A claim from before customers were counted does not update the share when it ends: the sweep ends it here. One
    // that waits to be counted, like this one, is left out: such claims are admitted one by one.
    const untracked = (pool?.pending ?? [])
      .filter((other) => other.customerId === customerId && other.perCustomer !== true)
      .filter((other) => !known.some(({ id }) => id === other.id))
      .map((other) => ({ ...other, perCustomer: true }));
    const pending = [...known, ...untracked].filter(({ id }) => !endedIds.has(id));
    const kept = ended.filter(({ status }) => keepsPlace(status));
    const confirmed = quantityOf(kept.filter(({ status }) => status === 'confirmed'));
    // Ids are ordered by time.
    const recent = kept.map(({ _id }) => _id).toSorted();
    const counters = {
      companyId,
      recent: recent.slice(-SHARE.recentKept),
      confirmed,
      claimed: quantityOf(kept) + quantityOf(pending),
      pending,
      definitionVersion: since,
    };
    const _id = shareIdOf(claim) ?? '';
    if (before !== undefined) {
      const unchanged = { _id, version: before.version };
      await shares.updateOne(unchanged, { $set: counters, $inc: { version: 1 } });
      return;
    }
    await shares.insertOne({ _id, ...counters, version: 1 }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  };

  /** Undefined if others keep changing the counters. */
  const holdOnce = async (ask: Ask, isNew = true): Promise<ShareOutcome | undefined> => {
    const admission = await retryLost(async () => admit(ask));
    if (admission === undefined) return undefined;
    if (admission.kind === 'full') return admission;
    if (admission.kind === 'crowded') return { kind: 'full', claimed: admission.claimed, isContended: true };
    if (admission.kind !== 'outdated') return HELD;
    if ((admission.pool?.firstPart ?? 0) > (ask.firstPart ?? 0)) return { kind: 'outdated' };
    if (!isNew) return undefined;
    await countAnew(ask.claim, admission.pool, ask.version);
    return await holdOnce(ask, false);
  };

  return {
    /**
     * Counts claims that keep their places for their customers, where they count. Returns as `countIn`. Their events are
     * the pool's: nothing publishes those of a share, so it would keep them for ever.
     */
    count: async (keepings: readonly Keeping[]) =>
      await countIn(
        store,
        SHARE,
        keepings.flatMap(({ claim, as }) => {
          const poolId = shareOf(claim);
          return poolId === undefined ? [] : [{ poolId, claim, as }];
        }),
      ),

    /** Removes a pending claim from what its customer takes. */
    async forget(claim: Claim): Promise<void> {
      const poolId = shareOf(claim);
      if (poolId !== undefined) await store.changeIfMatches(leaving(poolId, claim));
    },

    /**
     * Counts `claim` for its customer if that fits; a claim that is already counted stays so. `poolVersion`: of the
     * definition that the claim was admitted under. A limit of before a change never counts after one of after it.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE if others keep changing the customer's counters
     */
    async hold(
      claim: Claim,
      { limit, since = SINCE_EVER }: ShareDefinition,
      poolVersion: number,
    ): Promise<ShareOutcome> {
      const poolId = shareIdOf(claim);
      if (poolId === undefined) return { kind: 'full', claimed: 0, isContended: false };
      const ask = { poolId, claim, version: since, firstPart: poolVersion, limit };
      return await retryOnConflict(async () => holdOnce(ask), keepsChanging, performance.now() + HOLD_WITHIN_MS);
    },

    /**
     * Makes the customer's next claim rebuild the share: a claim that it counts was moved. If the pool counts its
     * customers, this always leaves a document, so that a concurrent rebuild conflicts with it.
     */
    async forgetCounters({ companyId, poolId, customerId }: Claim): Promise<void> {
      const _id = shareIdOf({ poolId, customerId });
      if (_id === undefined) return;
      const anew = { $set: { definitionVersion: NO_DEFINITION }, $inc: { version: 1 } };
      // Read after the ledger has it: whoever begins to count customers later finds it there.
      const counts = (await pools.read([poolId], { pending: 0, recent: 0, outbox: 0 })).get(poolId)?.customersSince;
      if (counts === undefined) await retryLost(async () => shares.updateOne({ _id }, anew));
      else {
        const blank = { companyId, confirmed: 0, claimed: 0, pending: [], recent: [] };
        await updateOrInsert(shares, { _id }, { ...anew, $setOnInsert: blank });
      }
    },

    /** How much `customerId` has taken of each of `poolIds`. */
    async claimedBy(customerId: string, poolIds: readonly string[]): Promise<Map<string, number>> {
      const ids = new Map(poolIds.map((poolId) => [idOfShare(poolId, customerId), poolId]));
      const found = await shares
        .find(
          { _id: { $in: [...ids.keys()] }, definitionVersion: { $ne: NO_DEFINITION } },
          { projection: { claimed: 1 } },
        )
        .toArray();
      const claimed = new Map(found.map((share) => [ids.get(share._id) ?? '', share.claimed]));
      const missing = poolIds.filter((poolId) => !claimed.has(poolId));
      for (const { poolId, quantity } of await ledger.keptBy(customerId, missing)) {
        claimed.set(poolId, (claimed.get(poolId) ?? 0) + quantity);
      }
      return claimed;
    },

    /** How much `customerId` has taken of a pool, without what is pending. */
    async keptBy(customerId: string, poolId: string): Promise<number> {
      const [share] = (await store.read([idOfShare(poolId, customerId)], { recent: 0 })).values();
      if (share !== undefined && share.definitionVersion !== NO_DEFINITION) return keptIn(share);
      return quantityOf(await ledger.keptBy(customerId, [poolId]));
    },
  };
}

/** The shares of pools that have no limit per customer. */
export const NO_SHARES: Shares = {
  count: async () => new Map(),
  forget: async () => {},
  hold: async () => HELD,
  forgetCounters: async () => {},
  claimedBy: async () => new Map(),
  keptBy: async () => 0,
};

/** The share that counts a claim; undefined if none does. */
function shareOf(claim: Claim): string | undefined {
  return claim.perCustomer === true ? shareIdOf(claim) : undefined;
}

/** The id of a customer's share of a pool; undefined without a customer. */
function shareIdOf({ poolId, customerId }: { poolId: string; customerId?: string | undefined }): string | undefined {
  return customerId === undefined ? undefined : idOfShare(poolId, customerId);
}

function idOfShare(poolId: string, customerId: string): string {
  return `${poolId}|${customerId}`;
}

/** The pool and the customer of a share. */
export function poolOfShare(shareId: string): { poolId: string; customerId: string } {
  const at = shareId.indexOf('|');
  return { poolId: shareId.slice(0, at), customerId: shareId.slice(at + 1) };
}

function keepsChanging(): PlatformError {
  return tryAgainShortly('Too many redemptions of this customer are in progress; try again shortly.');
}
