import { randomUUID } from 'node:crypto';
import type { Cause } from '@event-commerce/contracts';
import type { OutboxEntry } from '@event-commerce/outbox';
import { abandoning, beginning, moving } from './changes.ts';
import type { Claim, KeepsPlace, LedgerStatus, Move } from './claim.ts';
import type { MoveNote, PoolDocument } from './documents.ts';
import type { Ledger, Standing } from './ledger.ts';
import type { PoolStore } from './pool-store.ts';
import type { Shares } from './shares.ts';

export interface SettleDeps {
  pools: PoolStore;
  shares: Shares;
  ledger: Ledger;
  /** Publishes the outbox of a pool that was just written. */
  relay: { publish(pool: PoolDocument): void };
  /** The event about what became of a claim; undefined if there is none. */
  toEntry: (claim: Claim, status: LedgerStatus, now: Date, cause?: Cause) => OutboxEntry | undefined;
  clock: () => Date;
}

/**
 * Moves claims that keep a place: held ones become confirmed or released, confirmed ones released. The ledger decides
 * who moved a claim, and only that one's note, written to the pool beforehand, changes the counters: so that happens
 * once, and the sweep finishes what a crash leaves. No lock is held on counters that everybody writes. A customer's share
 * follows in the same way, but only when a claim is released: confirming changes no number that is limited.
 */
export function createMover({ pools, shares, ledger, relay, toEntry, clock }: SettleDeps) {
  /** Finishes a move that was noted, whoever noted it. */
  const endMove = async (
    claim: Claim,
    move: Move,
    cause?: Cause,
  ): Promise<{ standing: Standing; isFirst: boolean }> => {
    const { standing, isMoved, isFirst } = await ledger.move(claim, move);
    if (!isMoved) {
      await shares.abandon(claim, move);
      await pools.change(abandoning(claim.poolId, claim.id, move));
      return { standing, isFirst };
    }
    await shares.release(claim, move);
    const entry = toEntry(claim, move.to, clock(), cause);
    const { first = move.from } = standing;
    // The pool may have the claim as pending although the ledger records it: until the write between the two is made.
    for (const isPending of [false, true, false]) {
      const pool = await pools.change(moving(claim, move, { isPending, first, entry }));
      if (pool === undefined) continue;
      relay.publish(pool);
      break;
    }
    return { standing, isFirst };
  };

  /** Moves a claim, unless it has left `from`. Resolves with where it stands, and whether this call moved it. */
  const move = async (claim: Claim, from: KeepsPlace, to: Move['to'], cause?: Cause) => {
    const attempt = { by: randomUUID(), from, to };
    // First in the share: the sweep, which finds the note in the pool, relies on it.
    await shares.begin(claim, attempt);
    await pools.change(beginning(claim.poolId, claim.id, attempt));
    return await endMove(claim, attempt, cause);
  };

  return {
    move,

    /** Finishes a move that a crash interrupted. */
    finish: async ({
      companyId,
      poolId,
      id,
      ...noted
    }: MoveNote & Pick<Claim, 'companyId' | 'poolId'>): Promise<void> => {
      await endMove(await ledger.claim(companyId, poolId, id), noted);
    },
  };
}
