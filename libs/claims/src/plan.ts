import type { Claim } from './claim.ts';

/**
 * The most pending claims in one pool: it is one document, which every claim writes. This many are seconds of orders at
 * full speed; more accumulate only while they are not confirmed.
 */
export const PENDING_MAX = 4_000;

/** What decides whether a claim fits. */
export type PlannedClaim = Pick<Claim, 'id' | 'orderId' | 'settledBy' | 'quantity' | 'revision'>;

/** Which definition of a pool a process knows. */
export interface DefinitionVersion {
  /** Increases with each change of the definition. */
  version: number;
  /**
   * If a part of the definition is inherited: the version of that part. The two are read one after the other, so a pair
   * may never have existed together, and neither of two pairs may be the newer one.
   */
  parentVersion?: number | undefined;
}

/** A claim that requests a place, and the definition of the pool it refers to. */
export interface Ask<C extends PlannedClaim = Claim> extends DefinitionVersion {
  poolId: string;
  claim: C;
  /** Undefined if there is no limit. */
  limit: number | undefined;
  /** The least that it may get of its quantity, where there is no room for all. Absent: all or nothing. */
  atLeast?: number | undefined;
}

type KnownClaim = Pick<PlannedClaim, 'id' | 'orderId' | 'settledBy' | 'revision'>;

/** A pool as a claim finds it. */
export interface Pool<Pending extends KnownClaim = KnownClaim> {
  definitionVersion: number;
  parentVersion?: number | undefined;
  claimed: number;
  pending: readonly Pending[];
  /** The marks of recently confirmed claims. */
  recent: readonly string[];
}

/** How claims in a pool are identified. */
export interface Identity {
  /** Whether a pending claim has the place that another one requests. */
  isSame: (pending: KnownClaim, asked: KnownClaim) => boolean;
  /** Whether a pool is at the definition that a claim knows. */
  isAt: (pool: Pool, known: DefinitionVersion) => boolean;
  /** Equal for claims of which the pool accepts only one: the pool remembers it when one is confirmed. */
  markOf: (claim: KnownClaim) => string;
}

/**
 * One claim for each revision of an order, beside those of earlier ones, which may be about to end or to be confirmed.
 * A new order gets none beside a later revision, which proves that it is not new; neither does a manual redemption, nor
 * any other claim beside that. Manual ones are remembered separately, because pricing reports them differently.
 */
export const byOrder: Identity = {
  isSame: (pending, asked) =>
    pending.orderId === asked.orderId &&
    (asked.revision === undefined || pending.revision === asked.revision || pending.settledBy === 'ledger'),
  isAt: (pool, { version, parentVersion }) =>
    pool.definitionVersion === version && pool.parentVersion === parentVersion,
  markOf({ settledBy, orderId, revision }) {
    if (settledBy === 'ledger') return `manual ${orderId}`;
    return revision === undefined ? orderId : `${orderId} ${revision}`;
  },
};

/**
 * One place per claim, however often it is requested: what an order may hold was decided when the claim was first held.
 * Only an older definition is refused: a change of the definition reaches a share only with the claims under it.
 */
export const byClaim: Identity = {
  isSame: (one, other) => one.id === other.id,
  isAt: (pool, { version, parentVersion = 0 }) =>
    pool.definitionVersion <= version && (pool.parentVersion ?? 0) <= parentVersion,
  markOf: ({ id }) => id,
};

/** Requests for one pool under one version of its definition. */
export interface Group<C extends PlannedClaim = Claim> extends DefinitionVersion {
  poolId: string;
  limit: number | undefined;
  members: readonly Ask<C>[];
}

/**
 * The first claim of each holder in each pool. Its repeats get the same outcome; a claim that knows another definition
 * of the pool is not a repeat.
 */
export function oneEach<C extends PlannedClaim>(
  asks: readonly Ask<C>[],
  { markOf }: Identity,
): { first: Ask<C>[]; repeats: Map<Ask<C>, Ask<C>> } {
  const first = new Map<string, Ask<C>>();
  const repeats = new Map<Ask<C>, Ask<C>>();
  for (const ask of asks) {
    const holder = JSON.stringify([ask.poolId, ask.version, ask.parentVersion, markOf(ask.claim)]);
    const original = first.get(holder);
    if (original === undefined) first.set(holder, ask);
    else repeats.set(ask, original);
  }
  return { first: [...first.values()], repeats };
}

/**
 * One group for each pool. A claim that knows a version other than its group's waits, and so does a second claim of an
 * order: whether it may have a place depends on the outcome of the first.
 */
export function groupByPool<C extends PlannedClaim>(asks: readonly Ask<C>[]): { groups: Group<C>[]; rest: Ask<C>[] } {
  const groups = new Map<string, Group<C> & { members: Ask<C>[]; orderIds: Set<string> }>();
  const rest: Ask<C>[] = [];
  for (const ask of asks) {
    const { poolId, version, parentVersion, limit, claim } = ask;
    const { orderId } = claim;
    const group = groups.get(poolId);
    if (group === undefined) {
      groups.set(poolId, { poolId, version, parentVersion, limit, members: [ask], orderIds: new Set([orderId]) });
    } else if (group.version === version && group.parentVersion === parentVersion && !group.orderIds.has(orderId)) {
      group.members.push(ask);
      group.orderIds.add(orderId);
    } else rest.push(ask);
  }
  return { groups: [...groups.values()], rest };
}

/** Whether neither part of `one` is older than that of `other`. */
export function includes(one: DefinitionVersion, other: DefinitionVersion): boolean {
  return one.version >= other.version && (one.parentVersion ?? 0) >= (other.parentVersion ?? 0);
}

/**
 * What the pool has room for, in order of arrival: the claims of a group with the quantities that they get. One that
 * takes less gets what is left, so the last of a pool can always be used.
 */
export function grantsOf<C extends PlannedClaim>(
  { limit = Infinity, members, ...known }: Omit<Group<C>, 'poolId'>,
  pool: Pool | undefined,
  identity: Identity,
): Map<Ask<C>, C> {
  const grants = new Map<Ask<C>, C>();
  if (pool === undefined || !identity.isAt(pool, known)) return grants;
  let room = limit - pool.claimed;
  let places = PENDING_MAX - pool.pending.length;
  for (const ask of members) {
    const { claim } = ask;
    if (leastOf(ask) > room || places <= 0) continue;
    if (standingOf(pool, claim, identity) !== undefined || wasConfirmed(pool, claim, identity)) continue;
    const quantity = Math.min(claim.quantity, room);
    grants.set(ask, quantity === claim.quantity ? claim : { ...claim, quantity });
    room -= quantity;
    places -= 1;
  }
  return grants;
}

/** The least that a claim takes. */
export function leastOf({ claim, atLeast = claim.quantity }: Pick<Ask<PlannedClaim>, 'claim' | 'atLeast'>): number {
  return Math.min(atLeast, claim.quantity);
}

/** Whether only the number of pending claims keeps a claim out of a pool that is at its definition. */
export function isCrowdedOut(ask: Ask<PlannedClaim>, pool: Pool): boolean {
  return pool.pending.length >= PENDING_MAX && pool.claimed + leastOf(ask) <= (ask.limit ?? Infinity);
}

/** Whether a claim would fit if everything pending in the pool failed: those orders may still be refused. */
export function isContended(ask: Ask<PlannedClaim>, pool: Pool<PlannedClaim>): boolean {
  return keptIn(pool) + leastOf(ask) <= (ask.limit ?? Infinity);
}

/** What is claimed, without pending claims, which may still fail. */
export function keptIn({ claimed, pending }: Pick<Pool<PlannedClaim>, 'claimed' | 'pending'>): number {
  return claimed - quantityOf(pending);
}

/** The pending claim whose place `claim` would share. */
export function standingOf<Pending extends KnownClaim>(
  pool: Pool<Pending>,
  claim: PlannedClaim,
  { isSame }: Identity,
): Pending | undefined {
  return pool.pending.find((pending) => isSame(pending, claim));
}

/** Whether the claim, or a copy of it, was confirmed recently. */
export function wasConfirmed(pool: Pool, claim: PlannedClaim, { markOf }: Identity): boolean {
  return pool.recent.includes(markOf(claim));
}

/** What `claims` take together. */
export function quantityOf(claims: readonly { quantity: number }[]): number {
  return claims.reduce((total, { quantity }) => total + quantity, 0);
}
