import type { OutboxEntry } from '@event-commerce/outbox';
import type { mongo } from 'mongoose';
import { type Claim, toPending } from './claim.ts';
import type { PoolDocument, PoolKind } from './documents.ts';
import { type Group, type Identity, PENDING_MAX, quantityOf } from './plan.ts';

/** A conditional change of one pool. */
export interface Change {
  poolId: string;
  /** The condition of the change. */
  where: mongo.Filter<PoolDocument>;
  update: mongo.UpdateFilter<PoolDocument>;
}

/** A request that wants to rely on a claim. */
export interface Join {
  poolId: string;
  claimId: string;
  attempt: string;
}

/** A claim that the ledger confirms, with its event. */
export interface Confirmation {
  poolId: string;
  claim: Claim;
  entry?: OutboxEntry;
}

/** Several for one pool. */
export interface Batch<T> {
  poolId: string;
  members: readonly T[];
}

/** Admits the claims of a group: all, or none. */
export function admission(kind: PoolKind, { poolId, version, limit, members }: Group): Change {
  const claims = members.map(({ claim }) => claim);
  const quantity = quantityOf(claims);
  return {
    poolId,
    where: {
      [kind.definition]: version,
      ...(limit === undefined ? {} : { claimed: { $lte: limit - quantity } }),
      [`pending.${PENDING_MAX - members.length}`]: { $exists: false },
      ...kind.noneHeld(claims),
    },
    update: {
      $inc: { claimed: quantity, [kind.changes]: 1 },
      $push: { pending: { $each: claims.map(toPending) } },
    },
  };
}

/** Adds requests to those that rely on a claim. */
export function joining({ poolId, members }: Batch<Join>): Change {
  return {
    poolId,
    where: { 'pending.id': members[0]?.claimId },
    update: { $addToSet: { 'pending.$.attempts': { $each: members.map(({ attempt }) => attempt) } } },
  };
}

/** Counts pending claims of one pool as confirmed: all, or none. */
export function counting(kind: PoolKind, { poolId, members }: Batch<Confirmation>): Change {
  const claims = members.map(({ claim }) => claim);
  const ids = claims.map(({ id }) => id);
  const entries = members.flatMap(({ entry }) => entry ?? []);
  const marks = marksOf(kind, claims);
  return {
    poolId,
    where: { 'pending.id': { $all: ids } },
    update: {
      $pull: { pending: { id: { $in: ids } } },
      $inc: { confirmed: quantityOf(claims), [kind.changes]: 1 },
      $push: {
        ...(entries.length === 0 ? {} : { outbox: { $each: entries } }),
        ...(marks.length === 0 ? {} : { [kind.recent]: { $each: marks, $slice: -kind.recentKept } }),
      },
    },
  };
}

/**
 * Removes a pending claim, unless it became a redemption and is being released before it was counted: the release
 * removes the claim too.
 */
export function leaving(kind: PoolKind, poolId: string, { id, quantity }: Claim, entry?: OutboxEntry): Change {
  return {
    poolId,
    where: { 'pending.id': id, 'releasing.id': { $ne: id } },
    update: {
      $pull: { pending: { id } },
      $inc: { claimed: -quantity, [kind.changes]: 1 },
      ...(entry === undefined ? {} : { $push: { outbox: entry } }),
    },
  };
}

export function marksOf({ markOf }: Identity, claims: readonly Claim[]): string[] {
  return claims.flatMap((claim) => markOf(claim) ?? []);
}
