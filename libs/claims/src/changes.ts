import type { OutboxEntry } from '@event-commerce/outbox';
import type { mongo } from 'mongoose';
import { changeOf, type Claim, type KeepsPlace, keepsPlace, type Move, toPending } from './claim.ts';
import { POOL, type PoolDocument, type PoolKind } from './documents.ts';
import { type Group, PENDING_MAX, quantityOf } from './plan.ts';

/** A conditional change of one pool. */
export interface Change {
  poolId: string;
  /** The condition of the change. */
  where: mongo.Filter<PoolDocument>;
  update: mongo.UpdateFilter<PoolDocument>;
}

/** A claim that keeps its place, with the event that tells of it. */
export interface Keeping {
  poolId: string;
  claim: Claim;
  /** The status that the ledger recorded first. Later moves are counted by themselves. */
  as: KeepsPlace;
  entry?: OutboxEntry;
}

/** What one write changes in one pool. */
export interface Batch<T> {
  poolId: string;
  members: readonly T[];
}

/** Admits the claims of a group: all, or none. */
export function admission(kind: PoolKind, { poolId, version, parentVersion, limit, members }: Group): Change {
  const claims = members.map(({ claim }) => claim);
  const quantity = quantityOf(claims);
  return {
    poolId,
    where: {
      ...kind.isAtFilter({ version, parentVersion }),
      ...(limit === undefined ? {} : { claimed: { $lte: limit - quantity } }),
      [`pending.${PENDING_MAX - members.length}`]: { $exists: false },
      ...kind.noneHeld(claims),
    },
    update: {
      $inc: { claimed: quantity, version: 1 },
      $push: { pending: { $each: claims.map(toPending) } },
      ...(kind.learnsByAdmitting
        ? { $max: { definitionVersion: version, ...(parentVersion === undefined ? {} : { parentVersion }) } }
        : {}),
    },
  };
}

/** Ends pending claims whose orders were not written with them: all, or none. */
export function ending({ poolId, members }: Batch<{ claim: Claim }>): Change {
  const claims = members.map(({ claim }) => claim);
  const ids = claims.map(({ id }) => id);
  return {
    poolId,
    where: { 'pending.id': { $all: ids } },
    update: { $pull: { pending: { id: { $in: ids } } }, $inc: { claimed: -quantityOf(claims), version: 1 } },
  };
}

/** Counts pending claims of one pool as held or confirmed: all, or none. */
export function counting(kind: PoolKind, { poolId, members }: Batch<Keeping>): Change {
  const claims = members.map(({ claim }) => claim);
  const ids = claims.map(({ id }) => id);
  const entries = members.flatMap(({ entry }) => entry ?? []);
  const marks = claims.map(kind.markOf);
  const placed = kind.countsConfirmed ? members.filter(({ as }) => as === 'confirmed') : [];
  return {
    poolId,
    where: { 'pending.id': { $all: ids } },
    update: {
      $pull: { pending: { id: { $in: ids } } },
      $inc: {
        ...(placed.length === 0 ? {} : { confirmed: quantityOf(placed.map(({ claim }) => claim)) }),
        version: 1,
      },
      $push: {
        ...(entries.length === 0 ? {} : { outbox: { $each: entries } }),
        recent: { $each: marks, $slice: -kind.recentKept },
      },
    },
  };
}

/**
 * Removes a pending claim, unless it kept its place and is being moved before that was counted: the move removes it.
 */
export function leaving(poolId: string, { id, quantity }: Claim, entry?: OutboxEntry): Change {
  return {
    poolId,
    where: { 'pending.id': id, 'moving.id': { $ne: id } },
    update: {
      $pull: { pending: { id } },
      $inc: { claimed: -quantity, version: 1 },
      ...(entry === undefined ? {} : { $push: { outbox: entry } }),
    },
  };
}

/** Notes that a claim is about to be moved. A change: counters that are compared without the note are not set. */
export function beginning(poolId: string, id: string, move: Move): Change {
  return { poolId, where: {}, update: { $push: { moving: { id, ...move } }, $inc: { version: 1 } } };
}

/** Forgets a move that another one came before. */
export function abandoning(poolId: string, id: string, { by }: Move): Change {
  return { poolId, where: { moving: { $elemMatch: { id, by } } }, update: { $pull: { moving: { id, by } } } };
}

/**
 * Counts a move that the ledger has made, once, whoever does it: the note of it is removed in the same write. A claim
 * that is still pending in the pool was not counted as `first` either, which is what the ledger had recorded it as.
 */
export function moving(
  { poolId, ...claim }: Claim,
  { by, ...step }: Move,
  { isPending, first, entry }: { isPending: boolean; first: KeepsPlace; entry: OutboxEntry | undefined },
): Change {
  const { id, quantity } = claim;
  const change = changeOf(step, quantity);
  const before = isPending ? changeOf({ from: 'pending', to: first }, quantity) : { claimed: 0, confirmed: 0 };
  const mark = POOL.markOf(claim);
  const keeps = keepsPlace(step.to);
  return {
    poolId,
    where: { moving: { $elemMatch: { id, by } }, 'pending.id': isPending ? id : { $ne: id } },
    update: {
      $inc: { claimed: change.claimed + before.claimed, confirmed: change.confirmed + before.confirmed, version: 1 },
      $pull: {
        moving: { id, by },
        ...(isPending ? { pending: { id } } : {}),
        ...(keeps ? {} : { recent: mark }),
      },
      $push: {
        ...(entry === undefined ? {} : { outbox: entry }),
        ...(keeps && isPending ? { recent: { $each: [mark], $slice: -POOL.recentKept } } : {}),
      },
    },
  };
}

/** Counts in a share that a claim was released, once, as `moving` does in its pool. Ends what others noted of it. */
export function releasing(poolId: string, { id, quantity }: Claim, { by }: Move): Change {
  return {
    poolId,
    where: { moving: { $elemMatch: { id, by } } },
    update: { $inc: { claimed: -quantity, version: 1 }, $pull: { moving: { id }, pending: { id } } },
  };
}
