import { batched } from '@event-commerce/service-kit';
import { admitClaims, type FoundPool, type PoolKind, toPool } from './changes.ts';
import type { PendingClaim } from './claim.ts';
import {
  type Ask,
  grantsOf,
  type Group,
  groupByPool,
  isContended,
  isCrowdedOut,
  oneEach,
  standingOf,
  wasConfirmed,
} from './plan.ts';
import type { PoolStore } from './pool-store.ts';

/**
 * How often a batch retries pools that others keep changing. What is left joins a later batch, so that it delays no
 * other claims.
 */
const ROUNDS_MAX = 4;

/** A pool, or a share, without room. */
export interface Exhausted {
  claimed: number;
  /** Whether there would be room if the orders that are being placed were refused. */
  isContended: boolean;
  /** Whether another revision of the same order, not settled yet, takes a place. */
  isBehindItself?: boolean;
}

/**
 * Whether a claim is counted, or why not. `held`: with the claim as the pool has it, this one or an earlier one of the
 * same holder. `confirmed`: the claim, or a copy of it, was confirmed recently. `full`, `crowded`: there is no room, or
 * too many claims are pending. `outdated`: the pool is at another version, or does not exist.
 */
export type Admission =
  | { kind: 'held'; claim: PendingClaim }
  | { kind: 'confirmed' }
  | ({ kind: 'full' } & Exhausted)
  | { kind: 'crowded'; claimed: number }
  | { kind: 'outdated'; pool: FoundPool | undefined };

/**
 * Counts a claim in a pool if it fits, the pool is at the version that the claim knows, and the claim has no place
 * there yet. A claim that accepts less counts with what it gets. Claims that wait while a write is in progress share
 * the next one, so that a busy pool is written once for many claims. Undefined if others kept changing the pool: retry.
 */
export function admitter(store: PoolStore, kind: PoolKind): (ask: Ask) => Promise<Admission | undefined> {
  const admitAll = async (asks: readonly Ask[]): Promise<(Admission | undefined | Error)[]> => {
    const outcomes = new Map<Ask, Admission | Error>();
    const { first, repeats } = oneEach(asks, kind);
    /** The pools that had no room for all claims at once, as they were last read. */
    const pools = new Map<string, FoundPool>();
    let waiting = first;
    for (let round = 1; waiting.length > 0 && round <= ROUNDS_MAX; round++) {
      const { groups, rest } = groupByPool(waiting);
      waiting = rest;
      // Each member of a write, with what it asks for there.
      const asked = new Map<Ask, Ask>();
      const asking = groups.map((group) => {
        const grants = grantsOf(group, pools.get(group.poolId), kind);
        if (grants.size === 0) return group;
        for (const [one, claim] of grants) if (claim !== one.claim) asked.set(one, { ...one, claim });
        return { ...group, members: [...grants.keys()].map((one) => asked.get(one) ?? one) };
      });
      const made = await store.changeEach<Ask, Group>(asking, (group) => admitClaims(kind, group));
      const madeOf = (one: Ask) => made.get(asked.get(one) ?? one);
      const left = groups.filter(({ members }) => !members.every((one) => madeOf(one) === 'made'));
      const leftIds = left.map(({ poolId }) => poolId);
      const documents = left.length === 0 ? new Map() : await store.read(leftIds, { outbox: 0 });
      for (const [poolId, document] of documents) pools.set(poolId, toPool(document));
      for (const group of groups) {
        for (const one of group.members) {
          const written = madeOf(one);
          const pool = pools.get(one.poolId);
          // An earlier run that failed may have admitted some of them.
          const own =
            written === 'made' ? (asked.get(one) ?? one).claim : pool?.pending.find(({ id }) => id === one.claim.id);
          if (written instanceof Error) outcomes.set(one, written);
          else if (own !== undefined) outcomes.set(one, { kind: 'held', claim: own });
          else if (grantsOf({ ...group, members: [one] }, pool, kind).size > 0) waiting.push(one);
          else outcomes.set(one, whyNot(one, pool, kind));
        }
      }
    }
    for (const [repeat, original] of repeats) {
      const outcome = outcomes.get(original);
      if (outcome !== undefined) outcomes.set(repeat, outcome);
    }
    return asks.map((one) => outcomes.get(one));
  };
  return batched(admitAll);
}

function whyNot(ask: Ask, pool: FoundPool | undefined, kind: PoolKind): Admission {
  if (pool === undefined) return { kind: 'outdated', pool };
  if (wasConfirmed(pool, ask.claim, kind)) return { kind: 'confirmed' };
  // Checked before it may adopt the order's pending claim: it would hold the customer's share by its own version's
  // limit.
  if (!kind.isAt(pool, ask)) return { kind: 'outdated', pool };
  const standing = standingOf(pool, ask.claim, kind);
  if (standing !== undefined) return { kind: 'held', claim: standing };
  const { claimed } = pool;
  if (isCrowdedOut(ask, pool)) return { kind: 'crowded', claimed };
  const { orderId, revision } = ask.claim;
  const isBehindItself = revision !== undefined && pool.pending.some((one) => one.orderId === orderId);
  return { kind: 'full', claimed, isContended: isContended(ask, pool), ...(isBehindItself ? { isBehindItself } : {}) };
}
