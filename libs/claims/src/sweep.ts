import {
  IDLE_MS,
  type Logger,
  type Loop,
  overdueSweep,
  sweepPage,
  type SweepPosition,
} from '@event-commerce/service-kit';
import type { Collection } from 'mongoose';
import type { Claim, PendingClaim } from './claim.ts';
import { HAS_PENDING, HAS_TRANSITIONS, isFull, type PoolCollections, type PoolDocument } from './documents.ts';
import type { Ledger } from './ledger.ts';
import type { settler } from './settle.ts';
import { poolOfShare } from './shares.ts';

export interface SweepOptions {
  /** How long a claim may be pending. */
  ttlMs: number;
  logger: Logger;
  /** Ends a claim according to its authority, never on a guess. If it throws, the sweep retries later. */
  end: (claim: Claim) => Promise<void>;
  /** Which of at most 500 orders are waiting now: the claims that they hold are left alone. */
  waitingOf?: (orderIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Called in each run with the pools that have pending claims and no place left. */
  seeFull?: (pools: readonly PoolDocument[]) => void;
}

/** How long held claims are left alone after all were checked, in multiples of the time that a claim may be pending. */
const HELD_EVERY_TTLS = 20;

/**
 * Ends claims that stayed pending too long, and held claims whose order no longer waits because its event was lost.
 * Also cleans up what a crash left in shares, and finishes what it interrupted.
 */
export function createSweep(
  { pools, shares }: PoolCollections,
  settle: ReturnType<typeof settler>,
  ledger: Pick<Ledger, 'held'>,
  { end, seeFull, waitingOf = async () => new Set(), ...options }: SweepOptions,
): Loop {
  const pendingInPools = async (from: SweepPosition | undefined) => {
    const { found, next } = await sweepPage(pools, HAS_PENDING, ['pending', 'claimed', 'limit'], from);
    seeFull?.(found.filter(isFull));
    return { found: found.flatMap((pool) => pool.pending.map((claim) => toClaim(pool, pool._id, claim))), next };
  };

  const pendingIn = (of: Collection<PoolDocument>) => async (from: SweepPosition | undefined) => {
    const { found, next } = await sweepPage(of, HAS_PENDING, ['pending'], from);
    const claims = found.flatMap((share) =>
      share.pending.map((claim) => toClaim(share, poolOfShare(share._id).poolId, claim)),
    );
    return { found: claims, next };
  };

  /** `id` identifies one attempt at a transition. */
  const interrupted = async (from: SweepPosition | undefined) => {
    const { found, next } = await sweepPage(pools, HAS_TRANSITIONS, ['transitions'], from);
    const begun = found.flatMap(({ _id: poolId, companyId, transitions = [] }) =>
      transitions.map((transition) => ({
        id: transition.by,
        companyId,
        transition: { ...transition, poolId, companyId },
      })),
    );
    return { found: begun, next };
  };

  const endInShare = async (claim: Claim): Promise<void> => {
    const inPool = await pools.countDocuments({ _id: claim.poolId, 'pending.id': claim.id });
    // The pool drops a claim last, when the ledger is complete.
    if (inPool === 0) await settle.followInShare(claim);
  };

  /** Held claims without those of waiting orders, which nearly all of them are. */
  const heldWithoutOrder = async () => {
    const found: Claim[] = [];
    for await (const claims of ledger.held()) {
      const waiting = await waitingOf([...new Set(claims.map(({ orderId }) => orderId))]);
      found.push(...claims.filter(({ orderId }) => !waiting.has(orderId)));
    }
    return { found, next: undefined };
  };

  const sweepHeld = overdueSweep({ what: 'claim', ...options }, heldWithoutOrder, end);
  let heldAgainMs = 0;
  /** Runs rarely, because orders may wait for days, and only a lost event leaves anything to find. */
  const sweepHeldSometimes = async (): Promise<boolean> => {
    if (performance.now() < heldAgainMs) return false;
    const found = await sweepHeld();
    heldAgainMs = performance.now() + HELD_EVERY_TTLS * options.ttlMs;
    return found;
  };

  const sweeps = [
    overdueSweep({ what: 'claim', ...options }, pendingInPools, end),
    ...(shares === undefined ? [] : [overdueSweep({ what: 'claim', ...options }, pendingIn(shares), endInShare)]),
    overdueSweep({ what: 'transition', ...options }, interrupted, async ({ transition }) =>
      settle.resumeTransition(transition),
    ),
    sweepHeldSometimes,
  ];
  return {
    name: 'claim sweep',
    everyMs: 1_000,
    idleMs: IDLE_MS,
    async run() {
      let found = false;
      for (const sweep of sweeps) found = (await sweep()) || found;
      return found;
    },
  };
}

function toClaim({ companyId }: PoolDocument, poolId: string, claim: PendingClaim): Claim {
  return { ...claim, poolId, companyId, status: 'pending' };
}
