import type { Claim, HoldRequest } from '@event-commerce/claims';
import { invalidInput, noTicketLeft, type PlatformError, type RedemptionInput } from '@event-commerce/contracts';
import type { AdjustmentRecord } from '../adjustments/adjustment-record.ts';
import { hasTicketCap } from '../adjustments/domain/pools-of.ts';
import type { BudgetRecord } from '../budgets/budget.repository.ts';
import { poolAt } from '../budgets/domain/budget.ts';
import { overdraws } from '../evaluate/domain/eligibility/budget.ts';
import { refused } from '../purchase/claim-refusals.ts';
import { poolOf, poolOfBudgetAt, ticketsOf } from './redemption-pools.ts';

/** What a manual redemption takes besides itself: tickets that its adjustment counts, or an amount of a budget. */
export interface Part extends HoldRequest {
  /** The member of the request that says how much. */
  path: 'tickets' | 'amount';
  adjustmentId: string;
  budget?: BudgetRecord;
}

type Names = Pick<AdjustmentRecord, 'conditions'>;

/** @throws {PlatformError} VALIDATION_FAILED if the request lacks what the adjustment counts */
export function refuseIncomplete(
  { conditions }: Names,
  budget: BudgetRecord | undefined,
  { customerId, tickets, amount }: RedemptionInput,
): void {
  const { maxRedemptionsPerCustomer, maxTicketsPerCustomer } = conditions;
  const limitsCustomers = maxRedemptionsPerCustomer !== undefined || maxTicketsPerCustomer !== undefined;
  if (customerId === undefined && (limitsCustomers || budget?.per === 'customer')) {
    throw invalidInput('customerId', 'is required: the adjustment has a limit per customer');
  }
  if (tickets === undefined && hasTicketCap(conditions)) {
    throw invalidInput('tickets', 'is required: the tickets that the adjustment counts for are limited');
  }
  if (amount === undefined && budget !== undefined) {
    throw invalidInput(
      'amount',
      'is required: the adjustment draws on a budget; send what it took off, in minor units',
    );
  }
}

/** The ids of the parts of a redemption. */
export function partIdsOf(redemptionId: string): { tickets: string; amount: string } {
  return { tickets: `${redemptionId}|tickets`, amount: `${redemptionId}|amount` };
}

/**
 * The parts of a redemption. Their ids follow from its own, so copies of a request take them once. An order in another
 * system may redeem several adjustments of one budget.
 */
export function partsOf(
  record: AdjustmentRecord,
  budget: BudgetRecord | undefined,
  { tickets, amount }: RedemptionInput,
  redemption: Claim,
  now: Date,
): Part[] {
  const { id: adjustmentId, tenant, conditions } = record;
  const { code: _code, quantity: _quantity, ...claim } = redemption;
  const ids = partIdsOf(redemption.id);
  const parts: Part[] = [];
  const pending = { ...claim, status: 'pending' } as const;
  if (tickets !== undefined && hasTicketCap(conditions)) {
    const pool = ticketsOf(poolOf(tenant, record), record);
    parts.push({
      path: 'tickets',
      adjustmentId,
      pool,
      claim: { ...pending, id: ids.tickets, poolId: pool.id, quantity: tickets },
      customerLimit: conditions.maxTicketsPerCustomer,
    });
  }
  if (amount !== undefined && budget !== undefined) {
    const pool = poolOfBudgetAt(tenant, budget, poolAt(budget, now.getTime()));
    const orderId = `${claim.orderId} ${adjustmentId}`;
    const { customerId: _customerId, ...anonymous } = pending;
    parts.push({
      path: 'amount',
      adjustmentId,
      budget,
      pool,
      claim: {
        ...(budget.per === 'customer' ? pending : anonymous),
        id: ids.amount,
        poolId: pool.id,
        orderId,
        quantity: amount,
      },
      customerLimit: budget.per === 'customer' ? budget.limit.amount : undefined,
    });
  }
  return parts;
}

/** The refusal of a redemption because one of its parts has no room. */
export function refusalOfPart(
  { path, adjustmentId, budget, claim: { quantity }, pool: { limit }, customerLimit }: Part,
  { kind, claimed, isContended }: { kind: 'full' | 'share-full'; claimed: number; isContended: boolean },
): PlatformError {
  const ofCustomer = kind === 'share-full';
  const allowed = (ofCustomer ? customerLimit : limit) ?? 0;
  const why =
    budget === undefined
      ? ({
          reason: ofCustomer ? 'customer-ticket-limit-reached' : 'ticket-limit-reached',
          detail: noTicketLeft({ allowed, claimed, wanted: quantity }, ofCustomer),
        } as const)
      : overdraws(budget, Math.max(0, allowed - claimed), quantity);
  return refused(why, { adjustmentId }, { path, isContended });
}
