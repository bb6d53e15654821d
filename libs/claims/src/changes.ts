import type { OutboxEntry } from '@event-commerce/outbox';
import type { mongo } from 'mongoose';
import { changeOf, type Claim, type KeepsPlace, type Move, toPending } from './claim.ts';
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

/** An attempt to move a claim, as its pool or its customer's share notes it. */
export interface Moving {
  poolId: string;
  claim: Claim;
  move: Move;
}

/** A move that the ledger has made, for its pool to count. */
export interface MadeMove extends Moving {
  /** Whether the pool has the claim as pending still: then it did not count it as `first` either. */
  isPending: boolean;
  /** What the ledger recorded the claim as first. */
  first: KeepsPlace;
  /** The event that tells of it. */
  entry: OutboxEntry | undefined;
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

/** Notes that claims are about to be moved. A change: counters that are compared without the notes are not set. */
export function beginning({ poolId, members }: Batch<Moving>): Change {
  return {
    poolId,
    where: { 'moving.by': { $nin: attemptsOf(members) } },
    update: {
      $push: { moving: { $each: members.map(({ claim: { id }, move }) => ({ id, ...move })) } },
      $inc: { version: 1 },
    },
  };
}

/** Forgets moves that others came before. */
export function abandoning({ poolId, members }: Batch<Moving>): Change {
  const by = { $in: attemptsOf(members) };
  return { poolId, where: { 'moving.by': by }, update: { $pull: { moving: { by } } } };
}

/**
 * Counts moves that the ledger has made, all to the same status and of claims that are all pending in the pool or all
 * not: each once, whoever does it, because the notes of them are removed in the same write. All, or none.
 */
export function moving({ poolId, members }: Batch<MadeMove>): Change {
  const moves = onceEach(members);
  const claims = moves.map(({ claim }) => claim);
  const ids = claims.map(({ id }) => id);
  const by = attemptsOf(moves);
  const entries = moves.flatMap(({ entry }) => entry ?? []);
  const marks = claims.map(POOL.markOf);
  const [isPending, keeps] = [moves[0]?.isPending === true, moves[0]?.move.to === 'confirmed'];
  const changes = moves.flatMap(({ claim: { quantity }, move, first }) => [
    changeOf(move, quantity),
    ...(isPending ? [changeOf({ from: 'pending', to: first }, quantity)] : []),
  ]);
  return {
    poolId,
    where: { 'moving.by': { $all: by }, 'pending.id': isPending ? { $all: ids } : { $nin: ids } },
    update: {
      $inc: {
        claimed: changes.reduce((sum, { claimed }) => sum + claimed, 0),
        confirmed: changes.reduce((sum, { confirmed }) => sum + confirmed, 0),
        version: 1,
      },
      $pull: {
        moving: { by: { $in: by } },
        ...(isPending ? { pending: { id: { $in: ids } } } : {}),
        ...(keeps ? {} : { recent: { $in: marks } }),
      },
      $push: {
        ...(entries.length === 0 ? {} : { outbox: { $each: entries } }),
        ...(keeps && isPending ? { recent: { $each: marks, $slice: -POOL.recentKept } } : {}),
      },
    },
  };
}

/**
 * Counts in a share that claims were released, each once, as `moving` does in their pool: all, or none. Ends what others
 * noted of them.
 */
export function releasing({ poolId, members }: Batch<Moving>): Change {
  const moves = onceEach(members);
  const claims = moves.map(({ claim }) => claim);
  const id = { $in: claims.map((claim) => claim.id) };
  return {
    poolId,
    where: { 'moving.by': { $all: attemptsOf(moves) } },
    update: { $inc: { claimed: -quantityOf(claims), version: 1 }, $pull: { moving: { id }, pending: { id } } },
  };
}

/** Whether a pool has the notes of all `moves`. */
export function hasNotesOf({ moving: notes = [] }: PoolDocument, moves: readonly Moving[]): boolean {
  const noted = new Set(notes.map(({ by }) => by));
  return moves.every(({ move: { by } }) => noted.has(by));
}

/** Whether a pool has the notes of none of `moves`: those were counted or abandoned. */
export function hasNoNoteOf({ moving: notes = [] }: PoolDocument, moves: readonly Moving[]): boolean {
  const noted = new Set(notes.map(({ by }) => by));
  return moves.every(({ move: { by } }) => !noted.has(by));
}

/** A sweep may finish a move while the request that began it does. */
function onceEach<M extends Moving>(moves: readonly M[]): M[] {
  return [...new Map(moves.map((one) => [one.move.by, one])).values()];
}

function attemptsOf(moves: readonly Moving[]): string[] {
  return moves.map(({ move: { by } }) => by);
}
