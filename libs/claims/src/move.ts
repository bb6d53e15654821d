import { randomUUID } from 'node:crypto';
import type { Cause } from '@event-commerce/contracts';
import type { OutboxEntry } from '@event-commerce/outbox';
import { abandoning, beginning, hasNoNoteOf, hasNotesOf, type MadeMove, moving, type Moving } from './changes.ts';
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
 * follows in the same way, but only when a claim is released: confirming changes no number that is limited. Claims that
 * are moved at the same time share the writes of each step: thousands that expire together are the pool's for a moment.
 */
export function createMover({ pools, shares, ledger, relay, toEntry, clock }: SettleDeps) {
  const begin = pools.changeTogether<Moving>({ toChange: beginning, isMadeIn: hasNotesOf });
  const abandon = pools.changeTogether<Moving>({ toChange: abandoning, isMadeIn: hasNoNoteOf });
  const count = pools.changeTogether<MadeMove>({
    toChange: moving,
    isMadeIn: hasNoNoteOf,
    groupOf: ({ poolId, move, isPending }) => JSON.stringify([poolId, move.to, isPending]),
  });

  /** Finishes a move that was noted, whoever noted it. */
  const endMove = async (
    claim: Claim,
    move: Move,
    cause?: Cause,
  ): Promise<{ standing: Standing; isMoved: boolean }> => {
    const { poolId } = claim;
    const { standing, isMoved } = await ledger.move(claim, move);
    if (!isMoved) {
      await shares.abandon(claim, move);
      await abandon({ poolId, claim, move });
      return { standing, isMoved };
    }
    await shares.release(claim, move);
    const entry = toEntry(claim, move.to, clock(), cause);
    const { first = move.from } = standing;
    // The pool may have the claim as pending although the ledger records it: until the write between the two is made.
    for (const isPending of [false, true, false]) {
      const pool = await count({ poolId, claim, move, isPending, first, entry });
      if (pool === undefined) continue;
      relay.publish(pool);
      break;
    }
    return { standing, isMoved };
  };

  /** Moves a claim, unless it has left `from`. Resolves with where it stands, and whether this call moved it. */
  const move = async (claim: Claim, from: KeepsPlace, to: Move['to'], cause?: Cause) => {
    const attempt = { by: randomUUID(), from, to };
    // First in the share: the sweep, which finds the note in the pool, relies on it.
    await shares.begin(claim, attempt);
    await begin({ poolId: claim.poolId, claim, move: attempt });
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
