import type { Claim, HoldRequest } from '@event-commerce/claims';
import {
  codeKey,
  invalidInput,
  noTicketLeft,
  type PlatformError,
  type RedemptionInput,
} from '@event-commerce/contracts';
import type { AdjustmentRecord } from '../adjustments/adjustment-record.ts';
import type { IssuedCode } from '../adjustments/domain/adjustment.ts';
import { hasTicketCap } from '../adjustments/domain/pools-of.ts';
import type { BudgetRecord } from '../budgets/budget.repository.ts';
import { poolAt } from '../budgets/domain/budget.ts';
import { overdraws } from '../evaluate/domain/eligibility/budget.ts';
import { codeRevoked, issuedCodeRefusal } from '../evaluate/domain/eligibility/code.ts';
import { refused } from '../purchase/claim-refusals.ts';
import { poolOf, poolOfBudgetAt, poolOfCode, ticketsOf } from './redemption-pools.ts';

/** What a manual redemption takes besides itself: a use of an issued code, tickets, or an amount of a budget. */
export interface Part extends HoldRequest {
  /** The member of the request that says how much. */
  path: 'code' | 'tickets' | 'amount';
  adjustmentId: string;
  budget?: BudgetRecord;
}

/** What a redemption draws on, as it was read. */
export interface DrawnOn {
  budget?: BudgetRecord | undefined;
  issued?: IssuedCode | undefined;
}

type Names = Pick<AdjustmentRecord, 'id' | 'conditions'>;

/** @throws {PlatformError} VALIDATION_FAILED if the request lacks what the adjustment counts */
export function refuseIncomplete(
  { id, conditions }: Names,
  { budget, issued }: DrawnOn,
  { customerId, customerEmail, code, tickets, amount }: RedemptionInput,
): void {
  const { maxRedemptionsPerCustomer, maxTicketsPerCustomer, perCustomerBy = 'id' } = conditions;
  const limitsCustomers = maxRedemptionsPerCustomer !== undefined || maxTicketsPerCustomer !== undefined;
  if (customerEmail === undefined && limitsCustomers && perCustomerBy === 'email') {
    throw invalidInput('customerEmail', 'is required: the adjustment has a limit per customer, by the e-mail address');
  }
  const needsId = (limitsCustomers && perCustomerBy === 'id') || budget?.per === 'customer';
  if (customerId === undefined && needsId) {
    throw invalidInput('customerId', 'is required: the adjustment has a limit per customer');
  }
  if (code === undefined && conditions.uniqueCodes === true && conditions.code === undefined) {
    throw invalidInput('code', 'is required: the adjustment needs one of the codes that were issued for it');
  }
  if (code !== undefined && issued === undefined && !isOwnCode(conditions, code)) {
    throw invalidInput('code', `was not issued for adjustment ${id}; check its spelling`);
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

function isOwnCode({ code: own }: AdjustmentRecord['conditions'], code: string): boolean {
  return own !== undefined && codeKey(own) === codeKey(code);
}

/** The ids of the parts of a redemption. */
export function partIdsOf(redemptionId: string): Record<Part['path'], string> {
  return { code: `${redemptionId}|code`, tickets: `${redemptionId}|tickets`, amount: `${redemptionId}|amount` };
}

/** The redemption that a claim is a part of. */
export function redemptionOfPart(claimId: string): string | undefined {
  const end = claimId.indexOf('|');
  return end === -1 ? undefined : claimId.slice(0, end);
}

/**
 * The parts of a redemption. Their ids follow from its own, so copies of a request take them once. An order in another
 * system may redeem several adjustments of one budget.
 */
export function partsOf(
  record: AdjustmentRecord,
  { budget, issued }: DrawnOn,
  { tickets, amount }: RedemptionInput,
  redemption: Claim,
  now: Date,
): Part[] {
  const { id: adjustmentId, tenant, conditions } = record;
  const { code: _code, quantity: _quantity, ...claim } = redemption;
  const ids = partIdsOf(redemption.id);
  const parts: Part[] = [];
  const pending = { ...claim, status: 'pending' } as const;
  if (issued !== undefined) {
    const pool = poolOfCode(poolOf(tenant, record), issued);
    const { shares: _shares, ...ofCode } = pending;
    parts.push({
      path: 'code',
      adjustmentId,
      pool,
      claim: { ...ofCode, id: ids.code, poolId: pool.id, code: issued.code, quantity: 1 },
    });
  }
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
    const { customerId, shares: _shares, ...anonymous } = pending;
    parts.push({
      path: 'amount',
      adjustmentId,
      budget,
      pool,
      claim: {
        ...anonymous,
        ...(budget.per === 'customer' && customerId !== undefined ? { customerId } : {}),
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
    path === 'code'
      ? (issuedCodeRefusal({ limit: limit ?? 0 }, Math.max(claimed, limit ?? 0)) ?? codeRevoked)
      : budget === undefined
        ? ({
            reason: ofCustomer ? 'customer-ticket-limit-reached' : 'ticket-limit-reached',
            detail: noTicketLeft({ allowed, claimed, wanted: quantity }, ofCustomer),
          } as const)
        : overdraws(budget, Math.max(0, allowed - claimed), quantity);
  return refused(why, { adjustmentId }, { path, isContended });
}
