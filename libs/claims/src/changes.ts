import type { OutboxEntry } from '@event-commerce/outbox';
import type { mongo } from 'mongoose';
import {
  changeOf,
  type Claim,
  type ClaimStatus,
  type Counts,
  countsAs,
  type KeepsPlace,
  keepsPlace,
  type PendingClaim,
  type State,
  toPending,
  type Transition,
} from './claim.ts';
import type { PoolDocument } from './documents.ts';
import {
  byClaim,
  byOrder,
  type DefinitionVersion,
  type Group,
  type Identity,
  PENDING_MAX,
  type Pool,
  quantityOf,
} from './plan.ts';

// The conditional updates of one pool, or of one customer's share of it. Each changes the counters and what explains
// them in one write. What a claim counts for is decided in `claim.ts` alone.

/** How a collection identifies and counts its claims. */
export interface PoolKind extends Identity {
  /** More than the claims that are kept while a copy of an order is in flight. */
  recentKept: number;
  /** Matches if the pool has none of `claims`. */
  noneHeld: (claims: readonly Claim[]) => mongo.Filter<PoolDocument>;
  /** Whether placed orders are counted separately. */
  countsConfirmed: boolean;
  /** Matches if claims under that definition may be admitted. */
  isAtFilter: (known: DefinitionVersion) => mongo.Filter<PoolDocument>;
  /** Whether the pool takes over a new definition from the claims that it admits. */
  learnsByAdmitting: boolean;
}

export const POOL: PoolKind = {
  ...byOrder,
  recentKept: 100,
  countsConfirmed: true,
  isAtFilter: ({ version, parentVersion }) => ({
    definitionVersion: version,
    ...(parentVersion === undefined ? {} : { parentVersion }),
  }),
  learnsByAdmitting: false,
  noneHeld(claims) {
    const [revised, ofNew] = partition(claims, ({ revision }) => revision !== undefined);
    const sameRevision = revised.map(({ orderId, revision }) => ({
      orderId,
      $or: [{ revision }, { settledBy: 'ledger' as const }],
    }));
    return {
      ...(ofNew.length === 0 ? {} : { 'pending.orderId': { $nin: ofNew.map(({ orderId }) => orderId) } }),
      ...(revised.length === 0 ? {} : { pending: { $not: { $elemMatch: { $or: sameRevision } } } }),
      recent: { $nin: claims.map(byOrder.markOf) },
    };
  },
};

export const SHARE: PoolKind = {
  ...byClaim,
  recentKept: 50,
  countsConfirmed: false,
  isAtFilter: ({ version, parentVersion }) => ({
    definitionVersion: { $lte: version },
    ...(parentVersion === undefined ? {} : { parentVersion: { $not: { $gt: parentVersion } } }),
  }),
  learnsByAdmitting: true,
  noneHeld(claims) {
    const ids = claims.map(({ id }) => id);
    return { 'pending.id': { $nin: ids }, recent: { $nin: ids } };
  },
};

/** A conditional change of one pool. */
export interface Change {
  poolId: string;
  /** The condition of the change. */
  where: mongo.Filter<PoolDocument>;
  update: mongo.UpdateFilter<PoolDocument>;
}

/** What one write changes in one pool. */
export interface Batch<T> {
  poolId: string;
  members: readonly T[];
}

/** A pool as it was read. */
export interface FoundPool extends Pool<PendingClaim> {
  version: number;
}

export function toPool({
  definitionVersion,
  parentVersion,
  claimed,
  pending,
  recent = [],
  version,
}: PoolDocument): FoundPool {
  return { definitionVersion, parentVersion, claimed, pending, recent, version };
}

/** Matches a pool with an older definition: neither part is newer, and one is older. */
export function isBefore({ version, parentVersion }: DefinitionVersion): mongo.Filter<PoolDocument> {
  if (parentVersion === undefined) return { definitionVersion: { $lt: version } };
  return {
    $or: [
      { definitionVersion: { $lt: version }, parentVersion: { $lte: parentVersion } },
      { definitionVersion: { $lte: version }, parentVersion: { $lt: parentVersion } },
    ],
  };
}

/** Admits the claims of a group: all, or none. */
export function admitClaims(kind: PoolKind, { poolId, version, parentVersion, limit, members }: Group): Change {
  const claims = members.map(({ claim }) => claim);
  return {
    poolId,
    where: {
      ...kind.isAtFilter({ version, parentVersion }),
      ...(limit === undefined ? {} : { claimed: { $lte: limit - quantityOf(claims) } }),
      [`pending.${PENDING_MAX - members.length}`]: { $exists: false },
      ...kind.noneHeld(claims),
    },
    update: {
      $inc: {
        claimed: sumOf(claims.map(({ quantity }) => countsAs({ status: 'pending', quantity }))).claimed,
        version: 1,
      },
      $push: { pending: { $each: claims.map(toPending) } },
      ...(kind.learnsByAdmitting
        ? { $max: { definitionVersion: version, ...(parentVersion === undefined ? {} : { parentVersion }) } }
        : {}),
    },
  };
}

/** Removes pending claims whose orders were not written with them: all, or none. */
export function cancelClaims({ poolId, members }: Batch<{ claim: Claim }>): Change {
  const claims = members.map(({ claim }) => claim);
  const ids = claims.map(({ id }) => id);
  const { claimed } = sumOf(claims.map((claim) => fromPending(claim, 'cancelled')));
  return {
    poolId,
    where: { 'pending.id': { $all: ids } },
    update: { $pull: { pending: { id: { $in: ids } } }, $inc: { claimed, version: 1 } },
  };
}

/**
 * Removes a pending claim that loses its place according to the ledger, with the event about it. Leaves one that has a
 * transition, which will remove it.
 */
export function removeClaim(poolId: string, claim: Claim, entry?: OutboxEntry): Change {
  const { id } = claim;
  const { claimed } = fromPending(claim, 'lapsed');
  return {
    poolId,
    where: { 'pending.id': id, 'transitions.id': { $ne: id } },
    update: {
      $pull: { pending: { id } },
      $inc: { claimed, version: 1 },
      ...(entry === undefined ? {} : { $push: { outbox: entry } }),
    },
  };
}

/** A claim that keeps its place, with the event about it. */
export interface KeptClaim {
  poolId: string;
  claim: Claim;
  /** How the ledger recorded it first. Later transitions are counted separately. */
  as: State<KeepsPlace>;
  entry?: OutboxEntry;
}

/** Counts pending claims of one pool as held or confirmed: all, or none. */
export function keepClaims(kind: PoolKind, { poolId, members }: Batch<KeptClaim>): Change {
  const claims = members.map(({ claim }) => claim);
  const ids = claims.map(({ id }) => id);
  const entries = members.flatMap(({ entry }) => entry ?? []);
  const { confirmed } = sumOf(members.map(({ as }) => fromPending(as, as.status)));
  return {
    poolId,
    where: { 'pending.id': { $all: ids } },
    update: {
      $pull: { pending: { id: { $in: ids } } },
      $inc: { ...(kind.countsConfirmed && confirmed > 0 ? { confirmed } : {}), version: 1 },
      $push: {
        ...(entries.length === 0 ? {} : { outbox: { $each: entries } }),
        recent: { $each: claims.map(kind.markOf), $slice: -kind.recentKept },
      },
    },
  };
}

/** A transition of a claim, as noted in its pool or its customer's share. */
export interface ClaimTransition {
  poolId: string;
  claim: Claim;
  transition: Transition;
}

/**
 * Notes that claims are about to change. The notes count as a change, so a repair does not set counters that it
 * compared without them.
 */
export function noteTransitions({ poolId, members }: Batch<ClaimTransition>): Change {
  return {
    poolId,
    where: { 'transitions.by': { $nin: attemptsOf(members) } },
    update: {
      $push: { transitions: { $each: members.map(({ claim: { id }, transition }) => ({ id, ...transition })) } },
      $inc: { version: 1 },
    },
  };
}

/** Removes the notes of transitions that another attempt made first. */
export function abandonTransitions({ poolId, members }: Batch<ClaimTransition>): Change {
  const by = { $in: attemptsOf(members) };
  return { poolId, where: { 'transitions.by': by }, update: { $pull: { transitions: { by } } } };
}

/** A transition that the ledger has recorded, for its pool to count. */
export interface RecordedTransition extends ClaimTransition {
  /** Whether the claim is still pending in the pool: then it is not counted as `first` either. */
  isPending: boolean;
  /** How the ledger recorded it first. */
  first: State<KeepsPlace>;
  /** The event about it. */
  entry: OutboxEntry | undefined;
}

/** Whether the claim still keeps a place. One write counts only transitions with the same answer. */
export function keepsSome({ transition }: ClaimTransition): boolean {
  return keepsPlace(transition.to.status);
}

/**
 * Counts transitions that the ledger has recorded, of claims that all keep a place or all do not, and that are either
 * all pending in the pool or all not. Each is counted once, whichever process does it, because its note is removed in
 * the same write. All, or none.
 */
export function countTransitions({ poolId, members }: Batch<RecordedTransition>): Change {
  const recorded = onceEach(members);
  // One claim may have several transitions.
  const claims = new Map(recorded.map((one) => [one.claim.id, one]));
  const ids = [...claims.keys()];
  const by = attemptsOf(recorded);
  const entries = recorded.flatMap(({ entry }) => entry ?? []);
  const marks = [...claims.values()].map(({ claim }) => POOL.markOf(claim));
  const [isPending, keeps] = [recorded[0]?.isPending === true, recorded.every(keepsSome)];
  const changes = [
    ...recorded.map(({ transition }) => changeOf(transition)),
    ...(isPending ? [...claims.values()].map(({ first }) => fromPending(first, first.status)) : []),
  ];
  return {
    poolId,
    where: { 'transitions.by': { $all: by }, 'pending.id': isPending ? { $all: ids } : { $nin: ids } },
    update: {
      $inc: { ...sumOf(changes), version: 1 },
      $pull: {
        transitions: { by: { $in: by } },
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

/** A transition that the ledger has recorded, for the customer's share to count. */
export interface RecordedInShare extends ClaimTransition {
  /** The attempts at all transitions of the claim that the ledger has recorded. */
  made: readonly string[];
}

/**
 * Counts transitions in a share, each once, as `countTransitions` does in their pool: all, or none. Once a claim is
 * released, also removes the notes about it of attempts that failed: no sweep looks for them.
 */
export function countInShare({ poolId, members }: Batch<RecordedInShare>): Change {
  const recorded = onceEach(members);
  const by = attemptsOf(recorded);
  const claims = recorded.map(({ claim }) => claim);
  const id = { $in: claims.map((claim) => claim.id) };
  const { claimed } = sumOf(recorded.map(({ transition }) => changeOf(transition)));
  const keeps = recorded.every(keepsSome);
  const others = recorded.flatMap(({ made }) => made).filter((attempt) => !by.includes(attempt));
  return {
    poolId,
    where: { 'transitions.by': { $all: by } },
    update: {
      $inc: { claimed, version: 1 },
      $pull: { transitions: keeps ? { by: { $in: by } } : { id, by: { $nin: others } }, pending: { id } },
      ...(keeps ? { $push: { recent: { $each: claims.map(SHARE.markOf), $slice: -SHARE.recentKept } } } : {}),
    },
  };
}

/** Whether a pool has the notes of all `members`. */
export function hasNotesOf({ transitions = [] }: PoolDocument, members: readonly ClaimTransition[]): boolean {
  const noted = new Set(transitions.map(({ by }) => by));
  return members.every(({ transition: { by } }) => noted.has(by));
}

/** Whether a pool has the notes of none of `members`: those were counted or abandoned. */
export function hasNoNoteOf({ transitions = [] }: PoolDocument, members: readonly ClaimTransition[]): boolean {
  const noted = new Set(transitions.map(({ by }) => by));
  return members.every(({ transition: { by } }) => !noted.has(by));
}

/** A sweep may finish a transition at the same time as the request that began it. */
function onceEach<T extends ClaimTransition>(members: readonly T[]): T[] {
  return [...new Map(members.map((one) => [one.transition.by, one])).values()];
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** What a pending claim changes in the counters when it becomes `to`. */
function fromPending({ quantity }: { quantity: number }, to: ClaimStatus): Counts {
  return changeOf({ from: { status: 'pending', quantity }, to: { status: to, quantity } });
}

function attemptsOf(members: readonly ClaimTransition[]): string[] {
  return members.map(({ transition: { by } }) => by);
}

function sumOf(all: readonly Counts[]): Counts {
  return {
    claimed: all.reduce((sum, { claimed }) => sum + claimed, 0),
    confirmed: all.reduce((sum, { confirmed }) => sum + confirmed, 0),
  };
}
