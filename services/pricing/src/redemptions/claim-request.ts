import type { IssuedCode, KeptAdjustment } from '../adjustments/domain/adjustment.ts';
import { codePoolOf, ticketPoolOf } from '../adjustments/domain/pools-of.ts';
import type { KeptBudget } from '../budgets/domain/budget.ts';

/** What an order claims of an adjustment: a redemption, one use of an `issued` code, or `tickets` that it counts for. */
export interface AdjustmentRequest {
  adjustment: KeptAdjustment;
  /** The code that asked for it. */
  code?: string;
  issued?: IssuedCode;
  tickets?: number;
  /** Whether fewer tickets are of no use, because the price is already known. */
  isWhole?: boolean;
}

/** What redeeming an adjustment claims: a redemption, and a use of the issued code that redeems it. */
export function redemptionOf(adjustment: KeptAdjustment, code: string | undefined): AdjustmentRequest[] {
  const request = { adjustment, ...(code === undefined ? {} : { code }) };
  const { issued } = adjustment;
  return issued === undefined ? [request] : [{ ...request, issued }, request];
}

/** What an order claims of a budget. */
export interface BudgetRequest {
  budget: KeptBudget;
  poolId: string;
  amount: number;
  /** An adjustment that draws on it. */
  adjustmentId: string;
  isWhole?: boolean;
}

export type ClaimRequest = AdjustmentRequest | BudgetRequest;

export function isOfBudget(request: ClaimRequest): request is BudgetRequest {
  return 'budget' in request;
}

/** The pool that a request is for. */
export function poolIdOf(request: ClaimRequest): string {
  if (isOfBudget(request)) return request.poolId;
  const {
    adjustment: { id },
    issued,
    tickets,
  } = request;
  if (issued !== undefined) return codePoolOf(id, issued.code);
  return tickets === undefined ? id : ticketPoolOf(id);
}

/** How much a request asks for. */
export function quantityOf(request: ClaimRequest): number {
  return isOfBudget(request) ? request.amount : (request.tickets ?? 1);
}
