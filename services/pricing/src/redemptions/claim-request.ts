import type { KeptAdjustment } from '../adjustments/domain/adjustment.ts';
import { ticketPoolOf } from '../adjustments/domain/pools-of.ts';

/** What an order claims of an adjustment: a redemption, or `tickets` that it counts for. */
export interface ClaimRequest {
  adjustment: KeptAdjustment;
  /** The code that asked for it. */
  code?: string;
  tickets?: number;
  /** Whether fewer tickets are of no use: the price is known already. */
  isWhole?: boolean;
}

/** The pool that a request is for. */
export function poolIdOf({ adjustment: { id }, tickets }: Pick<ClaimRequest, 'adjustment' | 'tickets'>): string {
  return tickets === undefined ? id : ticketPoolOf(id);
}
