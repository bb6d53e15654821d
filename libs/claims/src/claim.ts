import type { Tenant } from '@event-commerce/contracts';

/**
 * `pending`: it takes a place until its order is decided. `confirmed`: it keeps the place. `cancelled`: nobody relied
 * on it any more. `lapsed`: its order was never written. `released`: its order gave up the place.
 */
export type ClaimStatus = 'pending' | 'confirmed' | 'cancelled' | 'lapsed' | 'released';

/** The ledger's view of a claim. It never records pending or cancelled claims. */
export type LedgerStatus = Exclude<ClaimStatus, 'pending' | 'cancelled'>;

/** What a claim can become. */
export const TRANSITIONS: Record<ClaimStatus, readonly ClaimStatus[]> = {
  pending: ['confirmed', 'cancelled', 'lapsed', 'released'],
  confirmed: ['released'],
  cancelled: [],
  lapsed: [],
  released: [],
};

/** The outcome when a claim that is `from` is asked to become `to`: of two that race, the first decides. */
export function become(from: ClaimStatus, to: ClaimStatus): ClaimStatus {
  return TRANSITIONS[from].includes(to) ? to : from;
}

/** Whether a claim counts against the limit of its pool. */
export function takesPlace(status: ClaimStatus): boolean {
  return status === 'pending' || status === 'confirmed';
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
  /**
   * Who can say whether the order exists: commerce, or the ledger itself. Missing in ledger entries of early releases.
   */
  settledBy?: 'commerce' | 'ledger';
  /** What all copies of the order have in common. Missing in claims of early releases. */
  key?: string;
  /** Whether it also counts in its customer's share of the pool. Only while it is pending. */
  perCustomer?: boolean;
  /** A digest of the order's content. Only while it is pending. */
  content?: string;
  /** The requests that rely on the claim: the last of them ends it. Only while it is pending. */
  attempts?: string[];
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
