/**
 * How many claims may be pending on one adjustment: its usage is one document, which every claim writes. That many are seconds of orders
 * at full speed; more only gather when what confirms them has stopped.
 */
export const PENDING_MAX = 4_000;

/** What decides whether a claim fits. */
export interface PlannedClaim {
  id: string;
  adjustmentId: string;
  orderId: string;
  /** What all copies of the order have in common. */
  key?: string | undefined;
  quantity: number;
}

/** A claim that asks to be admitted, and the definition it asks under. */
export interface Wanted<Claim extends PlannedClaim = PlannedClaim> {
  claim: Claim;
  under: { version: number; maxRedemptions: number | undefined };
}

/** Usage as a claim meets it. */
export interface Pool<Pending extends PendingInPool = PendingInPool> {
  definitionVersion: number;
  claimed: number;
  pending: readonly Pending[];
  /** The keys of orders that were confirmed a short time ago. */
  recent?: readonly string[];
}

type PendingInPool = Pick<PlannedClaim, 'id' | 'orderId' | 'key'>;

/** Claims on one adjustment under one version of it: never empty. */
export type Group<Claim extends PlannedClaim = PlannedClaim> = readonly [Wanted<Claim>, ...Wanted<Claim>[]];

/** The first claim of each order on each adjustment; the others get what became of that one. */
export function oneClaimPerOrder<Claim extends PlannedClaim>(
  wanted: readonly Wanted<Claim>[],
): { first: Wanted<Claim>[]; repeats: Map<Wanted<Claim>, Wanted<Claim>> } {
  const first = new Map<string, Wanted<Claim>>();
  const repeats = new Map<Wanted<Claim>, Wanted<Claim>>();
  for (const one of wanted) {
    const { adjustmentId, key, orderId } = one.claim;
    const holder = JSON.stringify([adjustmentId, key === undefined ? { orderId } : { key }]);
    const original = first.get(holder);
    if (original === undefined) first.set(holder, one);
    else repeats.set(one, original);
  }
  return { first: [...first.values()], repeats };
}

/** One group for each adjustment; a claim that knows another version of it than its group's waits. */
export function groupByAdjustment<Claim extends PlannedClaim>(
  wanted: readonly Wanted<Claim>[],
): { groups: Group<Claim>[]; rest: Wanted<Claim>[] } {
  const groups = new Map<string, [Wanted<Claim>, ...Wanted<Claim>[]]>();
  const rest: Wanted<Claim>[] = [];
  for (const one of wanted) {
    const group = groups.get(one.claim.adjustmentId);
    if (group === undefined) groups.set(one.claim.adjustmentId, [one]);
    else if (group[0].under.version === one.under.version) group.push(one);
    else rest.push(one);
  }
  return { groups: [...groups.values()], rest };
}

/** Those of a group that was not admitted as a whole for which there is room, in the order in which they came. */
export function fittingOf<Claim extends PlannedClaim>(group: Group<Claim>, pool: Pool | undefined): Wanted<Claim>[] {
  const { version, maxRedemptions = Infinity } = group[0].under;
  if (pool?.definitionVersion !== version) return [];
  let room = maxRedemptions - pool.claimed;
  let places = PENDING_MAX - pool.pending.length;
  return group.filter(({ claim }) => {
    if (claim.quantity > room || places <= 0 || standingOf(pool, claim) !== undefined || wasConfirmed(pool, claim))
      return false;
    room -= claim.quantity;
    places -= 1;
    return true;
  });
}

/** Whether only the number of pending claims keeps `wanted` from being admitted. */
export function isCrowdedOut({ claim, under }: Wanted, pool: Pool | undefined): boolean {
  return (
    pool?.definitionVersion === under.version &&
    pool.pending.length >= PENDING_MAX &&
    pool.claimed + claim.quantity <= (under.maxRedemptions ?? Infinity)
  );
}

/** The claim that the order of `claim`, or a copy of it, holds already. */
export function standingOf<Pending extends PendingInPool>(
  pool: Pool<Pending> | undefined,
  claim: PlannedClaim,
): Pending | undefined {
  return pool?.pending.find(
    ({ orderId, key }) => orderId === claim.orderId || (key !== undefined && key === claim.key),
  );
}

/** Whether the order of `claim`, or a copy of it, was confirmed a short time ago. */
export function wasConfirmed(pool: Pool | undefined, { key }: PlannedClaim): boolean {
  return key !== undefined && (pool?.recent?.includes(key) ?? false);
}
