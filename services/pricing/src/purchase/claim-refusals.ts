import {
  adjustmentNotApplicable,
  type DropReason,
  forNow,
  invalidInput,
  noTicketLeft,
  PlatformError,
  redemptionLimitReached,
  redemptionLimitReachedForNow,
  storedCode,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { overdraws } from '../evaluate/domain/eligibility/budget.ts';
import { NEEDS_CODE, type Refusal } from '../evaluate/domain/eligibility/refusal.ts';
import { issuedCodeRefusal } from '../evaluate/domain/eligibility/code.ts';
import { whyNotRedeemable } from '../evaluate/domain/eligibility/why-not-redeemable.ts';
import type { CompanyAdjustments } from '../snapshot/domain/snapshot.ts';
import type { AdjustmentRecord } from '../adjustments/adjustment-record.ts';
import type { CountedBuyer } from '../adjustments/domain/adjustment.ts';
import { poolNamed } from '../adjustments/domain/pools-of.ts';
import type { AdjustmentRequest, BudgetRequest } from '../redemptions/claim-request.ts';

// Why an order or a redemption is refused its claims: first the errors that callers see, then the reasons in them.

/** The subject of a refusal. */
interface About {
  adjustmentId: string;
  code?: string | undefined;
}

/**
 * The error that tells the caller why an adjustment cannot be redeemed. `path` is the field of the request that names
 * it. `isContended`: orders that are being placed hold what it lacks.
 */
export function refused(
  refusal: Refusal,
  { adjustmentId, code }: About,
  { path = code === undefined ? 'order.items' : 'order.coupons', isContended = false } = {},
): PlatformError {
  const about = { adjustmentId, code, ...refusal, path };
  if (!isLimit(refusal.reason)) return adjustmentNotApplicable(about);
  return (isContended ? redemptionLimitReachedForNow : redemptionLimitReached)(about);
}

/** Whether something that others took is the reason. */
export function isLimit(reason: DropReason): boolean {
  return reason.endsWith('limit-reached') || reason === 'code-used-up' || reason === 'budget-exhausted';
}

/** `refusal`, which may be withdrawn when orders that are being placed are refused. */
export function notFinal(refusal: PlatformError): PlatformError {
  const { message, ...options } = forNow(refusal);
  return new PlatformError(refusal.code, message, options);
}

/** For an order that names an adjustment which is not live. */
export function adjustmentGone(
  snapshot: CompanyAdjustments,
  adjustmentId: string,
  { revision }: { revision?: number | undefined } = {},
): PlatformError {
  if (snapshot.isUnreadable({ id: adjustmentId })) return notAppliedHere(`Adjustment ${adjustmentId}`);
  if (revision !== undefined) return refused({ reason: 'ended', detail: 'is not active any more' }, { adjustmentId });
  return invalidInput('order.items', `include the adjustment ${adjustmentId}, which is not active; leave it out`);
}

/** For an order with a code that no live adjustment has. A refusal to be retried is logged, so it names no code. */
export function codeGone(snapshot: CompanyAdjustments, code: string): PlatformError {
  if (snapshot.isUnreadable({ code })) return notAppliedHere('The adjustment that holds a code of this order');
  const problem = `include the code ${storedCode(code)}, which belongs to no active coupon or adjustment; check its spelling, or leave it out`;
  return invalidInput('order.coupons', problem);
}

function notAppliedHere(what: string): PlatformError {
  return tryAgainShortly(`${what} cannot be applied by this server; try again shortly.`, { seconds: 5 });
}

/** For an order that names an adjustment without its code, from a caller who may not see codes. */
export function needsCode(adjustmentId: string): PlatformError {
  return refused({ reason: 'code-not-presented', detail: NEEDS_CODE }, { adjustmentId });
}

/** The order is fine: those before it must be confirmed first. Names no code, because it is logged. */
export function crowdedOut({ poolId }: { poolId: string }): PlatformError {
  const { adjustmentId, budgetId } = poolNamed(poolId);
  const what = budgetId === undefined ? `Adjustment ${adjustmentId}` : `Budget ${budgetId}`;
  return tryAgainShortly(`${what} has too many orders waiting to be confirmed; try again shortly.`, { seconds: 2 });
}

export function keepsChanging(): PlatformError {
  return tryAgainShortly('The adjustment is being changed. Try again.');
}

export const limitReached: Refusal = {
  reason: 'redemption-limit-reached',
  detail: 'its last redemption was just taken',
};

/** For a reopened order for which somebody redeemed manually after it had ended. */
export function redeemedManually(redemptionId: string): Refusal {
  return {
    reason: 'redemption-limit-reached',
    detail: `was redeemed manually for this order; release redemption ${redemptionId} first`,
  };
}

/** What is requested: an adjustment may lack what only a claim needs. */
type Asked =
  | BudgetRequest
  | (Pick<AdjustmentRequest, 'issued' | 'tickets'> & { adjustment: Pick<AdjustmentRecord, 'conditions'> });

/** Why a request cannot be granted now, given how much is claimed. */
export function refusalOf(
  request: Asked,
  buyer: CountedBuyer,
  now: Date,
  counts: { claimed: number; byCustomer: number },
): Refusal | undefined {
  if ('budget' in request) {
    const { budget, amount } = request;
    return overdraws(budget, Math.max(0, budget.limit.amount - Math.max(counts.claimed, counts.byCustomer)), amount);
  }
  const { adjustment: record, issued, tickets } = request;
  if (issued !== undefined) return issuedCodeRefusal(issued, counts.claimed);
  if (tickets !== undefined) {
    const { maxTickets = Infinity, maxTicketsPerCustomer = 0 } = record.conditions;
    return counts.claimed >= maxTickets
      ? {
          reason: 'ticket-limit-reached',
          detail: noTicketLeft({ allowed: maxTickets, claimed: maxTickets, wanted: 1 }),
        }
      : {
          reason: 'customer-ticket-limit-reached',
          detail: noTicketLeft({ allowed: maxTicketsPerCustomer, claimed: counts.byCustomer, wanted: 1 }, true),
        };
  }
  return whyNotRedeemable(record, {
    nowMs: now.getTime(),
    usage: { claimed: counts.claimed },
    customerUsage: counts.byCustomer,
    buyer,
  });
}

/**
 * How much is claimed of an adjustment that a claim found full. A claim that is being released may still hold the last
 * place although it is no longer counted.
 */
export function countsWhenFull(
  { kind, claimed }: { kind: 'full' | 'share-full'; claimed: number },
  request: Asked,
): { claimed: number; byCustomer: number } {
  if ('budget' in request) {
    const { limit, onExhausted } = request.budget;
    // Less than the order wants is left, or nothing that it could use.
    const least = onExhausted === 'partial' ? limit.amount : limit.amount - request.amount + 1;
    const drawn = Math.max(claimed, least);
    return kind === 'full' ? { claimed: drawn, byCustomer: 0 } : { claimed: 0, byCustomer: drawn };
  }
  const {
    adjustment: { conditions },
    issued,
    tickets,
  } = request;
  const { maxRedemptions, maxRedemptionsPerCustomer, maxTickets, maxTicketsPerCustomer } = conditions;
  const [inAll = 0, perCustomer = 0] =
    issued !== undefined
      ? [issued.limit]
      : tickets === undefined
        ? [maxRedemptions, maxRedemptionsPerCustomer]
        : [maxTickets, maxTicketsPerCustomer];
  return kind === 'full'
    ? { claimed: Math.max(claimed, inAll), byCustomer: 0 }
    : { claimed: 0, byCustomer: Math.max(claimed, perCustomer) };
}
