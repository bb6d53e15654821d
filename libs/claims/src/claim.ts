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

/** The same for one claim of an order. What a pending amendment holds waits, although its order is placed. */
export function statusBy(outcome: OrderOutcome, { held }: Pick<Claim, 'held'>): LedgerStatus {
  return BY_ORDER[held === true && outcome === 'placed' ? 'pending' : outcome];
}

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

/** A claim's status, and how much it takes; once it has ended, how much it took last. */
export interface State<Status extends ClaimStatus = ClaimStatus> {
  status: Status;
  quantity: number;
}

/** What a claim in this state counts for. */
export function countsAs({ status, quantity }: State): Counts {
  return {
    claimed: status === 'pending' || keepsPlace(status) ? quantity : 0,
    confirmed: status === 'confirmed' ? quantity : 0,
  };
}

/** A step in the ledger: a claim moves forward, takes less, or both. `by` differs with each attempt at it. */
export interface Transition {
  by: string;
  from: State<KeepsPlace>;
  to: State<KeepsPlace | 'released'>;
}

/**
 * The transition of a claim in the ledger that should become `to` and keep at most `keeps`; undefined if nothing
 * changes. A status only goes forward and a quantity only falls, so claims may hear of their orders in any order.
 */
export function transitionOf(
  { status, quantity }: State,
  to: ClaimStatus,
  keeps: number,
): Omit<Transition, 'by'> | undefined {
  if (!keepsPlace(status)) return undefined;
  const next = keeps === 0 ? 'released' : become(status, to);
  if (!keepsPlace(next) && next !== 'released') return undefined;
  const left = next === 'released' ? quantity : Math.min(quantity, keeps);
  if (next === status && left === quantity) return undefined;
  return { from: { status, quantity }, to: { status: next, quantity: left } };
}

/** What a claim changes in the counters when its state changes. */
export function changeOf({ from, to }: { from: State; to: State }): Counts {
  return difference(countsAs(to), countsAs(from));
}

/** A transition that the ledger has recorded, with what it changes in the counters. */
export interface Step extends Counts {
  by: string;
}

/** A claim in the ledger, with its transitions since it was entered. */
export interface Recorded<Status extends ClaimStatus = ClaimStatus> extends State<Status> {
  steps?: readonly Step[];
}

/** The state in which a claim was entered; undefined if it did not keep its place then. */
export function enteredAs({ steps = [], ...state }: Recorded): State<KeepsPlace> | undefined {
  const { claimed, confirmed } = steps.reduce(difference, countsAs(state));
  return claimed === 0 ? undefined : { status: confirmed > 0 ? 'confirmed' : 'held', quantity: claimed };
}

function difference(one: Counts, other: Counts): Counts {
  return { claimed: one.claimed - other.claimed, confirmed: one.confirmed - other.confirmed };
}

/** A part of a pool, held for one order: the same from the request to the ledger. */
export interface Claim {
  id: string;
  poolId: string;
  companyId: Tenant;
  orderId: string;
  customerId?: string;
  /** The keys of the shares in which it counts besides its customer's, for example that of an e-mail address. */
  shares?: string[];
  /** The code that requested it. */
  code?: string;
  quantity: number;
  /** How much of that its order keeps; 0 if nothing. Absent: everything. */
  keeps?: number;
  /** Whether it is held for an amendment of its order that is pending. */
  held?: true;
  /** The last known status: the claim may be further along. */
  status: ClaimStatus;
  /** Who can say whether the order exists: commerce, or the ledger itself. */
  settledBy: 'commerce' | 'ledger';
  /** Which revision of the order it is for: each reopening and amendment makes the next. Absent: the order is new. */
  revision?: number;
}

/** A pending claim as its pool stores it. */
export type PendingClaim = Omit<Claim, 'poolId' | 'companyId' | 'status' | 'keeps' | 'held'>;

export function toPending({
  poolId: _poolId,
  companyId: _companyId,
  status: _status,
  keeps: _keeps,
  held: _held,
  ...pending
}: Claim): PendingClaim {
  return pending;
}
