import type { Cause, OrderOutcome } from '@event-commerce/contracts';
import { batched, updateOrInsert } from '@event-commerce/service-kit';
import { type Admission, admitter, type Exhausted } from './admit.ts';
import { BY_ORDER, type Claim, keepsPlace, type PendingClaim } from './claim.ts';
import { isBefore, POOL, type PoolCollections, type PoolDocument } from './documents.ts';
import { createLedger } from './ledger.ts';
import { type DefinitionVersion, includes, keptIn } from './plan.ts';
import { poolStore } from './pool-store.ts';
import type { SettleDeps } from './move.ts';
import { settler } from './settle.ts';
import { createShares, NO_SHARES } from './shares.ts';
import { createSweep, type SweepOptions } from './sweep.ts';

/** A pool as its owner defines it. */
export interface PoolDefinition extends Pick<PoolDocument, 'companyId'>, DefinitionVersion {
  id: string;
  /** Undefined if there is no limit. */
  limit: number | undefined;
  /** What the events of its claims contain about the pool. */
  about?: Record<string, unknown>;
}

/** A claim that requests its quantity of a pool, under the definition that the caller used. */
export interface HoldRequest {
  claim: Claim;
  pool: PoolDefinition;
  /** The most that one customer may take of it; undefined if there is no such limit. */
  customerLimit?: number | undefined;
}

/**
 * The outcome of a request to hold a claim. `held`: by this claim, or by one that the order had. `full`, `share-full`:
 * there is no room. `outdated`: the pool, or a share of it, knows a newer definition. `confirmed`: a claim of the order
 * was confirmed recently. `earlier-reopening`, `later-reopening`: a claim of the order as it was before, or of a later
 * reopening, is pending. `crowded`: too many claims are pending. `changed`: others keep changing the pool, or the order
 * has another claim there; retry. With a `claim`, that is pending in the pool, whatever the outcome.
 */
export type HoldOutcome = { claim?: Claim } & (
  | { kind: 'held'; claim: Claim }
  | ({ kind: 'full' | 'share-full' } & Exhausted)
  | { kind: 'outdated' | 'confirmed' | 'crowded' | 'changed' | 'earlier-reopening' | 'later-reopening' }
);

type PoolsConfig = PoolCollections & Omit<SettleDeps, keyof PoolCollections>;

export type Pools = ReturnType<typeof createPools>;

/**
 * Pools of anything scarce, and the claims on them. A claim counts against the limit at once, and ends with one insert
 * into the ledger under its own id: confirm and lapse race for that, and the counters follow the ledger.
 */
export function createPools(config: PoolsConfig) {
  const pools = poolStore(config.pools);
  const ledger = createLedger(config.ledger, config.poolField);
  const shares = config.shares === undefined ? NO_SHARES : createShares(config.shares);
  const settle = settler({ ...config, pools, shares, ledger });
  const admit = admitter(pools, POOL);

  const countsOf = batched(async (asked: readonly (readonly string[])[]) => {
    const found = await config.pools
      .find<Pick<PoolDocument, '_id' | 'claimed' | 'confirmed' | 'limit'>>(
        { _id: { $in: [...new Set(asked.flat())] } },
        { projection: { claimed: 1, confirmed: 1, limit: 1 } },
      )
      .toArray();
    const counts = new Map(found.map(({ _id, ...counted }) => [_id, counted]));
    return asked.map(() => counts);
  });

  const followOne = async (pool: PoolDefinition): Promise<void> => {
    const { id, companyId, version, parentVersion, limit = null, about } = pool;
    await updateOrInsert(
      config.pools,
      { _id: id, ...isBefore(pool) },
      {
        $set: {
          definitionVersion: version,
          ...(parentVersion === undefined ? {} : { parentVersion }),
          limit,
          ...about,
        },
        $setOnInsert: { companyId, confirmed: 0, claimed: 0, version: 0, pending: [] },
      },
    );
  };
  // The first claims on a pool, and those after each change of its definition, come all at once when a sale begins.
  const followShared = batched(async (asked: readonly PoolDefinition[]) => {
    const latest: PoolDefinition[] = [];
    for (const one of asked) {
      const ofPool = latest.filter(({ id }) => id === one.id);
      if (ofPool.some((other) => includes(other, one))) continue;
      for (const other of ofPool) if (includes(one, other)) latest.splice(latest.indexOf(other), 1);
      latest.push(one);
    }
    await Promise.all(latest.map(followOne));
    const found = await pools.read([...new Set(asked.map(({ id }) => id))], { pending: 0, recent: 0, outbox: 0 });
    return asked.map((one) => {
      const { definitionVersion = 0, parentVersion } = found.get(one.id) ?? {};
      return includes({ version: definitionVersion, parentVersion }, one);
    });
  });

  /**
   * From now on refuses claims under an older version of the pool. False if it may not: an inherited part of `pool` is
   * later than what the pool knows and the other one earlier, or the other way round. Then read both again. Safe to
   * repeat.
   */
  const follow = async (pool: PoolDefinition): Promise<boolean> => await followShared(pool);

  const admitUnder = async ({ claim, pool }: HoldRequest): Promise<Admission | undefined> => {
    const { id: poolId, version, parentVersion, limit } = pool;
    const ask = { poolId, claim, version, parentVersion, limit };
    const admission = await admit(ask);
    if (admission?.kind !== 'outdated') return admission;
    const known = admission.pool;
    if (known !== undefined && !includes(pool, { ...known, version: known.definitionVersion })) return admission;
    // The first claim ever, or a crash between a change of the definition and the pool.
    return (await follow(pool)) ? await admit(ask) : admission;
  };

  const hold = async (request: HoldRequest): Promise<HoldOutcome> => {
    const { claim: asked, pool, customerLimit } = request;
    const admission = await admitUnder(request);
    let claim = asked;
    switch (admission?.kind) {
      case 'held':
        break;
      case 'standing':
        // Commerce may have used up the number of an earlier reopening: then its claim lapses.
        if (admission.claim.reopening !== asked.reopening) {
          const isEarlier = (admission.claim.reopening ?? 0) < (asked.reopening ?? 0);
          return { kind: isEarlier ? 'earlier-reopening' : 'later-reopening' };
        }
        claim = { ...admission.claim, poolId: pool.id, companyId: pool.companyId, status: 'pending' };
        if (claim.settledBy !== asked.settledBy || claim.quantity !== asked.quantity) return { kind: 'changed' };
        break;
      case 'full':
        return admission;
      case 'confirmed':
      case 'crowded':
      case 'outdated':
        return { kind: admission.kind };
      case undefined:
        return { kind: 'changed' };
    }
    const outcome = await shares.hold(claim, pool, customerLimit);
    if (outcome.kind === 'held') return { kind: 'held', claim };
    const refusal: HoldOutcome = outcome.kind === 'full' ? { ...outcome, kind: 'share-full' } : { kind: outcome.kind };
    if (claim.settledBy === 'commerce') return { ...refusal, claim };
    // A copy of the request may have confirmed it.
    const { status } = await ledger.enter({ claim, to: 'lapsed', now: config.clock() });
    if (!keepsPlace(status)) await settle.cancel(claim);
    return refusal;
  };

  return {
    follow,

    /**
     * Counts a claim in its pool, and in its customer's share of it, if it fits, the pool is at the version that the
     * caller knows, and the order holds no other claim there: repeating it changes nothing. Concurrent requests are
     * batched. If it throws, it is unknown whether the claim is held.
     */
    hold,

    /** Ends a pending claim whose order was not written with it, and never will be. Safe to repeat. */
    cancel: async (claim: Claim): Promise<void> => await settle.cancel(claim),

    /** Settles a claim by what became of its order. Safe to repeat, in any order. Resolves with the claim's status. */
    followOrder: async (claim: Claim, outcome: OrderOutcome, cause?: Cause) =>
      await settle.end(claim, BY_ORDER[outcome], cause),

    /** The claims, of one company or of all, that orders of commerce keep since before `time`. */
    keptSince: (time: Date, companyId?: Claim['companyId']) => ledger.keptSince(time, companyId),

    /** Where the ledger says that a claim stands. */
    statusOf: async (id: string) => await ledger.statusOf(id),

    /**
     * Confirms a claim that no order decides about. Resolves with its status: it may have ended otherwise before.
     */
    confirm: async (claim: Claim, cause?: Cause) => await settle.end(claim, 'confirmed', cause),

    /** Releases a claim that keeps its place. Resolves when the counters do without it, whoever released it. */
    async giveBack(claim: Claim, cause?: Cause): Promise<void> {
      await settle.end(claim, 'released', cause);
    },

    /**
     * How much of each of the pools is claimed and confirmed now, with its limit; pools without claims are left out.
     * Concurrent calls are batched.
     */
    countsOf,

    /** How much a customer has taken of each of the pools. */
    claimedBy: async (customerId: string, poolIds: readonly string[]) => await shares.claimedBy(customerId, poolIds),

    /** How much of a pool is claimed in all and by a customer, without what is pending: that may come to nothing. */
    async keptOf(poolId: string, customerId = ''): Promise<{ inAll: number; byCustomer: number }> {
      const [found, byCustomer] = await Promise.all([
        pools.read([poolId], { recent: 0, outbox: 0 }),
        shares.keptBy(customerId, poolId),
      ]);
      const pool = found.get(poolId);
      return { inAll: pool === undefined ? 0 : keptIn(pool), byCustomer };
    },

    /** The pools among `poolIds` in which an order has a pending claim. */
    async pendingOf({ orderId }: { orderId: string }, poolIds: readonly string[]): Promise<Set<string>> {
      if (poolIds.length === 0) return new Set();
      const found = await config.pools
        .find({ _id: { $in: [...poolIds] }, 'pending.orderId': orderId }, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** The claim `id`, while it is pending: the ledger has no entry of it yet. */
    async pendingClaim(poolId: string, id: string): Promise<PendingClaim | undefined> {
      const pool = (await pools.read([poolId], { recent: 0, outbox: 0 })).get(poolId);
      return pool?.pending.find((claim) => claim.id === id);
    },

    /** The counters of a pool. */
    async find(poolId: string): Promise<PoolDocument | undefined> {
      return (await pools.read([poolId], { pending: 0, recent: 0, outbox: 0 })).get(poolId);
    },

    /** Ends claims that stay pending too long, or held without their order, and what crashes leave. */
    sweep: (options: SweepOptions) => createSweep(config, settle, ledger, options),
  };
}
