import type { Cause, OrderOutcome, Tenant } from '@event-commerce/contracts';
import type { Loop } from '@event-commerce/service-kit';
import { type Claim, type ClaimStatus, type LedgerStatus, type PendingClaim, type State, statusBy } from './claim.ts';
import type { PoolCollections, PoolDocument } from './documents.ts';
import { boundedFollower, definitionFollower, type PoolDefinition } from './follow-definition.ts';
import { holder, type HoldOutcome, type HoldRequest } from './hold.ts';
import { createLedger } from './ledger.ts';
import { type PoolCounts, poolReads } from './pool-reads.ts';
import { poolStore } from './pool-store.ts';
import { settler } from './settle.ts';
import { createShares, NO_SHARES } from './shares.ts';
import { createSweep, type SweepOptions } from './sweep.ts';
import type { SettleDeps } from './transitions.ts';

/**
 * Pools of anything scarce, and the claims on them. A claim counts against the limit at once, and ends with one insert
 * into the ledger under its own id: confirming and lapsing race for that, and the counters follow the ledger.
 */
export interface Pools {
  /**
   * From now on refuses claims under an older version of the pool. False if `pool` mixes versions: its inherited part
   * is newer than what the pool knows and the other part older, or the other way round. Then read both again. Safe to
   * repeat.
   */
  follow: (pool: PoolDefinition) => Promise<boolean>;

  /**
   * Does the same before the definition is written, if no more than `most` is claimed: until it is written, nothing can
   * be claimed. Not `followed`: more is claimed, or `pool` mixes versions.
   */
  followUpTo: (pool: PoolDefinition, most: number) => Promise<{ followed: boolean; claimed: number }>;

  /**
   * Counts a claim in its pool, and in its customer's share of it, if it fits, the pool is at the version that the
   * caller knows, and the order holds no other claim there: repeating it changes nothing. Concurrent requests are
   * batched. If it throws, it is unknown whether the claim is held.
   */
  hold: (request: HoldRequest) => Promise<HoldOutcome>;

  /** Ends a pending claim whose order was not written with it, and never will be. Safe to repeat. */
  cancel: (claim: Claim) => Promise<void>;

  /**
   * Settles a claim by the outcome of its order, and reduces it to what the order keeps of it. Safe to repeat, in any
   * order. Resolves with the claim's status.
   */
  followOrder: (claim: Claim, outcome: OrderOutcome, cause?: Cause) => Promise<ClaimStatus>;

  /**
   * Confirms a claim that no order decides about. Resolves with its status, which may be another if it ended before.
   */
  confirm: (claim: Claim, cause?: Cause) => Promise<ClaimStatus>;

  /**
   * Releases a claim that keeps its place. Resolves when the counters no longer include it, even if another process
   * released it.
   */
  release: (claim: Claim, cause?: Cause) => Promise<void>;

  /** Ends claims that stay pending too long, or held without their order, and cleans up after crashes. */
  sweep: (options: SweepOptions) => Loop;

  /**
   * How much of each of the pools is claimed and confirmed now, with its limit; pools without claims are left out.
   * Concurrent calls are batched.
   */
  countsOf: (poolIds: readonly string[]) => Promise<Map<string, PoolCounts>>;

  /** How much a customer has taken of each of the pools, by the id or another share's key. */
  claimedBy: (customerId: string, poolIds: readonly string[]) => Promise<Map<string, number>>;

  /** How much of a pool is claimed in total and by a customer, without pending claims, which may still fail. */
  keptOf: (poolId: string, customerId?: string) => Promise<{ inAll: number; byCustomer: number }>;

  /** The pools among `poolIds` in which an order has a pending claim. */
  pendingOf: (order: { orderId: string }, poolIds: readonly string[]) => Promise<Set<string>>;

  /** Whether any claim is pending in one of the pools: its order may still be written. */
  havePending: (poolIds: readonly string[]) => Promise<boolean>;

  /** The claim `id`, while it is pending: the ledger has no entry for it yet. */
  pendingClaim: (poolId: string, id: string) => Promise<PendingClaim | undefined>;

  /** The counters of a pool. */
  find: (poolId: string) => Promise<PoolDocument | undefined>;

  /** The claims, of one company or of all, that orders of commerce have kept since before `time`. */
  keptSince: (time: Date, companyId?: Tenant) => AsyncIterable<Claim>;

  /** The state of a claim in the ledger. */
  stateOf: (id: string) => Promise<State<LedgerStatus> | undefined>;
}

type PoolsConfig = PoolCollections & Omit<SettleDeps, keyof PoolCollections>;

/** Each part uses those before it: stores, then how claims end, then how they begin, then how they are read. */
export function createPools(config: PoolsConfig): Pools {
  const pools = poolStore(config.pools);
  const ledger = createLedger(config.ledger, config.poolField);
  const shares = config.shares === undefined ? NO_SHARES : createShares(config.shares);
  const stores = { ...config, pools, ledger, shares };

  const settle = settler(stores);
  const follow = definitionFollower(config.pools, pools);

  return {
    follow,
    followUpTo: boundedFollower(config.pools, pools),
    hold: holder({ ...stores, settle, follow }),
    cancel: async (claim) => await settle.cancel(claim),
    followOrder: async (claim, outcome, cause) => await settle.end(claim, statusBy(outcome, claim), cause),
    confirm: async (claim, cause) => await settle.end(claim, 'confirmed', cause),
    release: async (claim, cause) => void (await settle.end(claim, 'released', cause)),
    sweep: (options) => createSweep(config, settle, ledger, options),
    claimedBy: async (customerId, poolIds) => await shares.claimedBy(customerId, poolIds),
    keptSince: (time, companyId) => ledger.keptSince(time, companyId),
    stateOf: async (id) => await ledger.stateOf(id),
    ...poolReads(config.pools, pools, shares),
  };
}
