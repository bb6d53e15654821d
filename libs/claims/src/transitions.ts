import { randomUUID } from 'node:crypto';
import type { Cause } from '@event-commerce/contracts';
import type { OutboxEntry } from '@event-commerce/outbox';
import {
  abandonTransitions,
  type ClaimTransition,
  countTransitions,
  hasNoNoteOf,
  hasNotesOf,
  keepsSome,
  noteTransitions,
  type RecordedTransition,
} from './changes.ts';
import { type Claim, enteredAs, type LedgerStatus, type Transition } from './claim.ts';
import type { PendingTransition, PoolDocument } from './documents.ts';
import { countsWith, type Ledger, type Standing } from './ledger.ts';
import type { PoolStore } from './pool-store.ts';
import type { Shares } from './shares.ts';

export interface SettleDeps {
  pools: PoolStore;
  shares: Shares;
  ledger: Ledger;
  /** Publishes the outbox of a pool that was just written. */
  relay: { publish(pool: PoolDocument): void };
  /** The event about the outcome of a claim; undefined if there is none. */
  toEntry: (claim: Claim, status: LedgerStatus, now: Date, cause?: Cause) => OutboxEntry | undefined;
  clock: () => Date;
}

/** The state of a claim after the attempt `by` at a transition, and whether that made it. */
interface Outcome {
  by: string;
  standing: Standing;
  isMade: boolean;
}

/**
 * Transitions of claims that keep a place: held ones become confirmed or released, confirmed ones released, and both
 * may take less. Each is made in three writes: a note in the pool, the ledger, and the counters together with the note.
 * The ledger decides which attempt made a transition, and only that attempt's note changes the counters, so they change
 * once, and the sweep finishes what a crash leaves. No lock is held on counters that everybody writes. A customer's
 * share follows in the same way, but only when the claim takes less or nothing: confirming changes no limited number.
 * Claims that change at the same time share these writes: thousands that expire together occupy the pool only briefly.
 */
export function createTransitions({ pools, shares, ledger, relay, toEntry, clock }: SettleDeps) {
  const note = pools.changeTogether<ClaimTransition, true>({
    toChange: noteTransitions,
    isMadeIn: hasNotesOf,
    known: true,
  });
  const abandon = pools.changeTogether<ClaimTransition, true>({
    toChange: abandonTransitions,
    isMadeIn: hasNoNoteOf,
    known: true,
  });
  const count = pools.changeTogether<RecordedTransition>({
    toChange: countTransitions,
    isMadeIn: hasNoNoteOf,
    groupOf: (one) => JSON.stringify([one.poolId, keepsSome(one), one.isPending]),
  });

  /** Finishes a noted transition, even one that another process noted. `before`: the claim as it was read before that. */
  const finish = async (
    claim: Claim,
    transition: Transition,
    { before, cause }: { before?: Standing; cause?: Cause | undefined } = {},
  ): Promise<Outcome> => {
    const { poolId } = claim;
    const { by } = transition;
    const { standing, isMade } = await ledger.record(claim, transition, before);
    const { from } = transition;
    const isLeft = standing.status !== from.status || standing.quantity !== from.quantity;
    if (!isMade && !isLeft && !countsWith(standing, claim)) {
      // The customer was erased since: the claim counts in other shares.
      const { customerId: _customerId, shares: _shares, ...others } = claim;
      const { customerId, shares: keys } = standing;
      const moved: Claim = {
        ...others,
        ...(customerId === undefined ? {} : { customerId }),
        ...(keys === undefined ? {} : { shares: keys }),
      };
      await shares.abandon(claim, transition);
      await shares.note(moved, transition);
      return await finish(moved, transition, { cause });
    }
    if (!isMade) {
      await shares.abandon(claim, transition);
      await abandon({ poolId, claim, transition });
      return { by, standing, isMade };
    }
    const { steps = [] } = standing;
    await shares.countStep(claim, transition, steps);
    const { status, quantity } = transition.to;
    const entry = toEntry({ ...claim, quantity }, status, clock(), cause);
    const first = enteredAs(standing) ?? transition.from;
    // The claim may be pending in the pool although the ledger has it, until the write between the two is made.
    for (const isPending of [false, true, false]) {
      const pool = await count({ poolId, claim, transition, isPending, first, entry });
      if (pool === undefined) continue;
      relay.publish(pool);
      break;
    }
    return { by, standing, isMade };
  };

  return {
    /** Makes a transition, unless the claim is not as it was `before`. */
    async make(claim: Claim, before: Standing, change: Omit<Transition, 'by'>, cause?: Cause): Promise<Outcome> {
      const transition = { by: randomUUID(), ...change };
      // First in the share: the sweep, which finds the note in the pool, relies on it.
      await shares.note(claim, transition);
      await note({ poolId: claim.poolId, claim, transition });
      return await finish(claim, transition, { before, cause });
    },

    /** Finishes a transition that a crash interrupted. */
    resume: async ({
      companyId,
      poolId,
      id,
      ...transition
    }: PendingTransition & Pick<Claim, 'companyId' | 'poolId'>): Promise<void> => {
      await finish(await ledger.claim(companyId, poolId, id), transition);
    },
  };
}
