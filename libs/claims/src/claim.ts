import type { OrderOutcome, Tenant } from '@event-commerce/contracts';

/**
 * `pending`: it takes a place until its order is written. `held`: its order waits, perhaps for days. `confirmed`: its
 * order was placed. `cancelled`: its order was refused. `lapsed`: its order was never written. `released`: its
 * order is over.
 */
export type ClaimStatus = 'pending' | 'held' | 'confirmed' | 'cancelled' | 'lapsed' | 'released';

/** The ledger's view of a claim. It never records pending or cancelled claims. */
export type LedgerStatus = Exclude<ClaimStatus, 'pending' | 'cancelled'>;

/** The statuses of the ledger that keep a place. */
export const KEEPS_PLACE = ['held', 'confirmed'] as const satisfies readonly LedgerStatus[];
export type KeepsPlace = (typeof KEEPS_PLACE)[number];

/** What a claim becomes with its order. */
export const BY_ORDER: Record<OrderOutcome, LedgerStatus> = {
  void: 'lapsed',
  pending: 'held',
  placed: 'confirmed',
  cancelled: 'released',
  expired: 'released',
};

/** What a claim can become: it never goes back. */
export const TRANSITIONS: Record<ClaimStatus, readonly ClaimStatus[]> = {
  pending: ['held', 'confirmed', 'cancelled', 'lapsed', 'released'],
  held: ['confirmed', 'released'],
  confirmed: ['released'],
  cancelled: [],
  lapsed: [],
  released: [],
};

/** The outcome when a claim with the status `from` should become `to`: the first of two racing attempts decides. */
export function become<From extends ClaimStatus, To extends ClaimStatus>(from: From, to: To): From | To {
  return TRANSITIONS[from].includes(to) ? to : from;
}

/** Whether a claim keeps its place in its pool. */
export function keepsPlace(status: ClaimStatus): status is KeepsPlace {
  return status === 'held' || status === 'confirmed';
}

/** What a claim counts for in its pool. */
export interface Counts {
  /** What is taken: compared with the limit. */
  claimed: number;
  /** What placed orders took: a part of `claimed`. */
  confirmed: number;
}

/** What a claim of `quantity` counts for while its status is `status`. */
export function countsAs(status: ClaimStatus, quantity: number): Counts {
  return {
    claimed: status === 'pending' || keepsPlace(status) ? quantity : 0,
    confirmed: status === 'confirmed' ? quantity : 0,
  };
}

/** A step in the ledger from one status to another. `by` differs with each attempt at it. */
export interface Transition {
  by: string;
  from: KeepsPlace;
  to: 'confirmed' | 'released';
}

/** What a claim of `quantity` changes in the counters when it becomes `to`. */
export function changeOf({ from, to }: { from: ClaimStatus; to: ClaimStatus }, quantity: number): Counts {
  const [before, after] = [countsAs(from, quantity), countsAs(to, quantity)];
  return { claimed: after.claimed - before.claimed, confirmed: after.confirmed - before.confirmed };
}

/** A part of a pool, held for one order: the same from the request to the ledger. */
export interface Claim {
  id: string;
  poolId: string;
  companyId: Tenant;
  orderId: string;
  customerId?: string;
  /** The code that requested it. */
  code?: string;
  quantity: number;
  status: ClaimStatus;
  /** Who can say whether the order exists: commerce, or the ledger itself. */
  settledBy: 'commerce' | 'ledger';
  /** Which reopening of the order it is for. Only while it is pending. */
  reopening?: number;
}

/** A pending claim as its pool stores it. */
export type PendingClaim = Omit<Claim, 'poolId' | 'companyId' | 'status'>;

export function toPending({
  poolId: _poolId,
  companyId: _companyId,
  status: _status,
  ...pending
}: Claim): PendingClaim {
  return pending;
}
