import { type Logger, type Loop, overdueSweep, sweepPage, type SweepPosition } from '@event-commerce/service-kit';
import type { Collection } from 'mongoose';
import type { Claim, PendingClaim } from './claim.ts';
import { HAS_MOVING, HAS_PENDING, isFull, type PoolCollections, type PoolDocument } from './documents.ts';
import type { Ledger } from './ledger.ts';
import type { settler } from './settle.ts';
import { poolOfShare } from './shares.ts';

export interface SweepOptions {
  /** How long a claim may be pending. */
  ttlMs: number;
  logger: Logger;
  /** Ends a claim according to its authority, never on a guess. If it throws, the sweep retries later. */
  end: (claim: Claim) => Promise<void>;
  /** Called in each run with those of the pools with pending claims in which no place is left. */
  seeFull?: (pools: readonly PoolDocument[]) => void;
}

/** How often held claims are looked at, in times that a claim may be pending. */
const HELD_EVERY_TTLS = 4;

/**
 * Ends claims that stayed pending too long, and those that are held although their order does not wait any more, whose
 * event was lost; and what a crash left in shares or interrupted.
 */
export function createSweep(
  { pools, shares }: PoolCollections,
  settle: ReturnType<typeof settler>,
  ledger: Pick<Ledger, 'heldFrom'>,
  { end, seeFull, ...options }: SweepOptions,
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

  /** `id` identifies one attempt to move a claim. */
  const moving = async (from: SweepPosition | undefined) => {
    const { found, next } = await sweepPage(pools, HAS_MOVING, ['moving'], from);
    const begun = found.flatMap(({ _id: poolId, companyId, moving: notes = [] }) =>
      notes.map((note) => ({ id: note.by, companyId, note: { ...note, poolId, companyId } })),
    );
    return { found: begun, next };
  };

  const endInShare = async (claim: Claim): Promise<void> => {
    const inPool = await pools.countDocuments({ _id: claim.poolId, 'pending.id': claim.id });
    // The pool drops a claim last: by then the ledger is complete.
    if (inPool === 0) await settle.followInShare(claim);
  };

  /** Seldom: orders may wait for days, and only a lost event leaves anything to find. */
  let heldAgainMs = 0;
  const held = overdueSweep({ what: 'claim', ...options }, async (from) => ledger.heldFrom(from), end);
  const sweepHeld = async (): Promise<void> => {
    if (performance.now() < heldAgainMs) return;
    await held();
    heldAgainMs = performance.now() + HELD_EVERY_TTLS * options.ttlMs;
  };

  const sweeps = [
    overdueSweep({ what: 'claim', ...options }, pendingInPools, end),
    ...(shares === undefined ? [] : [overdueSweep({ what: 'claim', ...options }, pendingIn(shares), endInShare)]),
    overdueSweep({ what: 'move', ...options }, moving, async ({ note }) => settle.finishMove(note)),
    sweepHeld,
  ];
  return {
    name: 'claim sweep',
    everyMs: 1_000,
    async run() {
      for (const sweep of sweeps) await sweep();
    },
  };
}

function toClaim({ companyId }: PoolDocument, poolId: string, claim: PendingClaim): Claim {
  return { ...claim, poolId, companyId, status: 'pending' };
}
