import type { IssuedCode, KeptAdjustment } from '../adjustments/domain/adjustment.ts';
import { codePoolOf, ticketPoolOf } from '../adjustments/domain/pools-of.ts';

/** What an order claims of an adjustment: a redemption, one use of an `issued` code, or `tickets` that it counts for. */
export interface ClaimRequest {
  adjustment: KeptAdjustment;
  /** The code that asked for it. */
  code?: string;
  issued?: IssuedCode;
  tickets?: number;
  /** Whether fewer tickets are of no use: the price is known already. */
  isWhole?: boolean;
}

/** What redeeming an adjustment claims: a redemption, and a use of the issued code that redeems it. */
export function redemptionOf(adjustment: KeptAdjustment, code: string | undefined): ClaimRequest[] {
  const request = { adjustment, ...(code === undefined ? {} : { code }) };
  const { issued } = adjustment;
  return issued === undefined ? [request] : [{ ...request, issued }, request];
}

/** The pool that a request is for. */
export function poolIdOf({ adjustment: { id }, issued, tickets }: Omit<ClaimRequest, 'isWhole'>): string {
  if (issued !== undefined) return codePoolOf(id, issued.code);
  return tickets === undefined ? id : ticketPoolOf(id);
}
