import { retryLost, updateOrInsert } from '@event-commerce/service-kit';
import type { Collection } from 'mongoose';
import { admitter, type Exhausted } from './admit.ts';
import {
  abandonTransitions,
  type ClaimTransition,
  countInShare,
  hasNoNoteOf,
  hasNotesOf,
  keepClaims,
  keepsSome,
  type KeptClaim,
  noteTransitions,
  type RecordedInShare,
  removeClaim,
  SHARE,
} from './changes.ts';
import { changeOf, type Claim, type Step, type Transition } from './claim.ts';
import type { PoolDocument } from './documents.ts';
import { type Ask, type DefinitionVersion, keptIn } from './plan.ts';
import { poolStore } from './pool-store.ts';

/**
 * `outdated`: a claim under a newer definition of the pool came first. `changed`: others keep changing the customer's
 * counters; retry.
 */
type ShareOutcome = { kind: 'held' | 'outdated' | 'changed' } | ({ kind: 'full' } & Exhausted);

/** Older than every definition, so that a new share admits a claim under any. */
const NO_DEFINITION = 0;

const HELD: ShareOutcome = { kind: 'held' };

export type Shares = ReturnType<typeof createShares>;

/**
 * What individual customers take from pools. Every claim of a customer counts in a share from the first one on, so that
 * a limit can be set at any time. It may count in several: under the customer's id and under an e-mail address. A claim
 * is in its shares before it is complete, and leaves the pool's list last, so the sweep finds what a crash left in the
 * pool, or only in a share.
 */
export function createShares(shares: Collection<PoolDocument>) {
  const store = poolStore(shares);
  const admit = admitter(store, SHARE);
  const note = store.changeTogether<ClaimTransition, true>({
    toChange: noteTransitions,
    isMadeIn: hasNotesOf,
    known: true,
  });
  const abandon = store.changeTogether<ClaimTransition, true>({
    toChange: abandonTransitions,
    isMadeIn: hasNoNoteOf,
    known: true,
  });
  const count = store.changeTogether<RecordedInShare>({
    toChange: countInShare,
    isMadeIn: hasNoNoteOf,
    groupOf: (one) => JSON.stringify([one.poolId, keepsSome(one)]),
  });

  const holdAsk = async (ask: Ask, isFirst = true): Promise<ShareOutcome> => {
    const admission = await retryLost(async () => admit(ask));
    switch (admission?.kind) {
      case undefined:
        return { kind: 'changed' };
      case 'full':
        return admission;
      case 'crowded':
        return { kind: 'full', claimed: admission.claimed, isContended: true };
      case 'outdated':
        break;
      case 'held':
      case 'confirmed':
        return HELD;
    }
    if (admission.pool !== undefined) return { kind: 'outdated' };
    if (!isFirst) return { kind: 'changed' };
    const { poolId: _id, claim } = ask;
    const blank = { companyId: claim.companyId, claimed: 0, pending: [], definitionVersion: NO_DEFINITION, version: 0 };
    await updateOrInsert(shares, { _id }, { $setOnInsert: blank });
    return await holdAsk(ask, false);
  };

  return {
    /**
     * Counts claims that keep their places for their customers. Returns the same as `changePending` of a store. Their
     * events are the pool's: nothing publishes those of a share, so it would keep them forever.
     */
    count: async (kept: readonly KeptClaim[]) =>
      await store.changePending(
        kept.flatMap(({ claim, as }) => sharesOf(claim).map((poolId) => ({ poolId, claim, as }))),
        (batch) => keepClaims(SHARE, batch),
      ),

    /** Removes a pending claim from its shares. */
    async remove(claim: Claim): Promise<void> {
      await Promise.all(sharesOf(claim).map(async (poolId) => store.changeIfMatches(removeClaim(poolId, claim))));
    },

    /**
     * Counts `claim` in its shares if it fits into each; where it is already counted, it stays counted. If it is not
     * held, it may be pending in some of them, like a claim that was not written with its order. The version is that of
     * the pool's definition under which the claim was admitted. An old limit never applies after a newer one.
     */
    async hold(
      claim: Claim,
      { version, parentVersion }: DefinitionVersion,
      limit: number | undefined,
    ): Promise<ShareOutcome> {
      const asks = sharesOf(claim).map((poolId) => ({ poolId, claim, version, parentVersion, limit }));
      const outcomes = await Promise.all(asks.map(async (ask) => holdAsk(ask)));
      const refusals = outcomes.filter(({ kind }) => kind !== 'held');
      // One that stays full decides, rather than one that may have room shortly.
      return refusals.find((one) => one.kind === 'full' && !one.isContended) ?? refusals[0] ?? HELD;
    },

    /** Notes that a claim is about to take less, or nothing. */
    async note(claim: Claim, transition: Transition): Promise<void> {
      await Promise.all(countedIn(claim, transition).map(async (poolId) => note({ poolId, claim, transition })));
    },

    /** Removes the note of a transition that another attempt made impossible. */
    async abandon(claim: Claim, transition: Transition): Promise<void> {
      await Promise.all(countedIn(claim, transition).map(async (poolId) => abandon({ poolId, claim, transition })));
    },

    /** Counts a transition among the claim's `steps` in the ledger, once. */
    async countStep(claim: Claim, transition: Transition, steps: readonly Step[]): Promise<void> {
      const made = steps.map(({ by }) => by);
      await Promise.all(countedIn(claim, transition).map(async (poolId) => count({ poolId, claim, transition, made })));
    },

    /** How much was taken of each of `poolIds` under `key`, a customer's id or another share's. */
    async claimedBy(key: string, poolIds: readonly string[]): Promise<Map<string, number>> {
      const ids = new Map(poolIds.map((poolId) => [idOfShare(poolId, key), poolId]));
      const found = await shares.find({ _id: { $in: [...ids.keys()] } }, { projection: { claimed: 1 } }).toArray();
      return new Map(found.map((share) => [ids.get(share._id) ?? '', share.claimed]));
    },

    /** The same for one pool, without pending claims. */
    async keptBy(key: string, poolId: string): Promise<number> {
      const [share] = (await store.read([idOfShare(poolId, key)], { recent: 0 })).values();
      return share === undefined ? 0 : keptIn(share);
    },
  };
}

/** The shares of pools that have no limit per customer. */
export const NO_SHARES: Shares = {
  count: async () => new Map(),
  remove: async () => {},
  hold: async () => HELD,
  note: async () => {},
  abandon: async () => {},
  countStep: async () => {},
  claimedBy: async () => new Map(),
  keptBy: async () => 0,
};

/** The shares that count a claim; none without a customer. */
function sharesOf({ poolId, customerId, shares = [] }: Claim): string[] {
  const keys = new Set([...(customerId === undefined ? [] : [customerId]), ...shares]);
  return [...keys].map((key) => idOfShare(poolId, key));
}

/** The shares in which a transition counts. Confirming changes no limited number. */
function countedIn(claim: Claim, transition: Transition): string[] {
  return changeOf(transition).claimed === 0 ? [] : sharesOf(claim);
}

/** No key has a line break. A pool's id may have some. */
export function idOfShare(poolId: string, key: string): string {
  return `${poolId}\n${key}`;
}

/** The pool of a share, and its key: a customer's id or another one. */
export function poolOfShare(shareId: string): { poolId: string; customerId: string } {
  const at = shareId.lastIndexOf('\n');
  return { poolId: shareId.slice(0, at), customerId: shareId.slice(at + 1) };
}
