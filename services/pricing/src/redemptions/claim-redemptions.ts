import {
  type Claim,
  type ClaimingOrder,
  type HeldClaims,
  holdAll,
  type HoldRequest,
  oneByOne,
  partsOf,
} from '@event-commerce/claims';
import type { Tenant } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import type { CountedBuyer } from '../adjustments/domain/adjustment.ts';
import { poolNamed } from '../adjustments/domain/pools-of.ts';
import { type ClaimRequest, isOfBudget, poolIdOf, quantityOf } from './claim-request.ts';
import { poolOf, poolOfBudgetAt, poolOfCode, type RedemptionPools, ticketsOf } from './redemption-pools.ts';
import { countsWhenFull, crowdedOut, keepsChanging } from '../purchase/claim-refusals.ts';

/** An order that claims redemptions, and who it is for. */
type RedeemingOrder = ClaimingOrder & CountedBuyer;

/** A cap without room, with what is claimed, and whether orders that are being placed hold the last of it. */
export interface FullCap {
  kind: 'full';
  request: ClaimRequest;
  claimed: number;
  byCustomer: number;
  isContended: boolean;
}

/**
 * Why not everything was claimed, although nothing refuses the order. `outdated`: an adjustment was changed after it
 * was read. `short`: the order got only `granted` of an adjustment's tickets, or of a budget's pool, and must be priced
 * again with that.
 */
type Obstacle = { kind: 'outdated' } | FullCap | { kind: 'short'; of: string; granted: number };

/**
 * Claims everything that an order requests, or returns the first obstacle; what is claimed by then is in `held`. A
 * claim counts against the caps at once. It becomes a redemption if the order is placed, and is released otherwise.
 *
 * Tickets come after redemptions, and budgets last. Claiming ends with the first that falls short: what the order needs
 * of the next ones depends on its new price. An order that holds more than it needs keeps only what it needs.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if the order was placed and is not shown yet, if too many orders wait to
 * be confirmed, or if others keep changing the counters
 */
export async function claimAll(
  { pools }: { pools: RedemptionPools },
  companyId: Tenant,
  order: RedeemingOrder,
  requests: readonly ClaimRequest[],
  held: HeldClaims,
  untilMs: number,
): Promise<{ kind: 'claimed'; claims: Claim[] } | Obstacle> {
  const { customerId, customerEmail } = order;
  const claiming = {
    tenant: companyId,
    holdRequestOf: (request: ClaimRequest, common: Pick<Claim, 'orderId' | 'status' | 'settledBy' | 'revision'>) => {
      const { pool, customerLimit, atLeast, code } = askedOf(companyId, request);
      // Nobody asks what a customer took from any other budget.
      const isCounted = !isOfBudget(request) || request.budget.per === 'customer';
      const isByEmail = customerLimit !== undefined && countsByEmail(request);
      return {
        claim: {
          id: newId('rdm'),
          poolId: pool.id,
          companyId,
          ...common,
          ...(customerId === undefined || !isCounted ? {} : { customerId }),
          ...(customerEmail === undefined || !isByEmail ? {} : { shares: [customerEmail] }),
          ...(code === undefined ? {} : { code }),
          quantity: quantityOf(request),
        },
        pool,
        customerLimit,
        ...(atLeast === undefined ? {} : { atLeast }),
      };
    },
    held,
    crowdedOut,
    keepsChanging,
    untilMs,
  };
  const redemptions = requests.filter((one) => !isOfBudget(one) && one.tickets === undefined);
  const ofTickets = requests.filter((one) => !isOfBudget(one) && one.tickets !== undefined);
  const ofBudgets = requests.filter(isOfBudget);
  const claims: Claim[] = [];
  const partly = [...stepsOf(ofTickets), ...stepsOf(ofBudgets)].map((step) => [step]);
  for (const steps of [stepsOf(redemptions), ...partly]) {
    const outcome = await holdAll(pools, order, { ...claiming, steps });
    if (outcome.kind === 'outdated') return outcome;
    if (outcome.kind !== 'held') {
      const { request, isContended } = outcome;
      return { kind: 'full', request, isContended, ...countsWhenFull(outcome, request) };
    }
    const asked = new Map(steps.flat().map((request) => [poolIdOf(request), request]));
    for (const claim of outcome.claims) {
      const request = asked.get(claim.poolId);
      const quantity = request === undefined ? claim.quantity : quantityOf(request);
      if (claim.quantity < quantity) {
        const { adjustmentId = claim.poolId } = poolNamed(claim.poolId);
        return { kind: 'short', of: adjustmentId, granted: claim.quantity };
      }
      claims.push(claim.quantity === quantity ? claim : { ...claim, keeps: quantity });
    }
  }
  return { kind: 'claimed', claims };
}

function countsByEmail(request: ClaimRequest): boolean {
  return !isOfBudget(request) && request.adjustment.conditions.perCustomerBy === 'email';
}

/** `atLeast`: undefined for all or nothing, where the order cannot hold any other quantity. */
function askedOf(
  companyId: Tenant,
  request: ClaimRequest,
): Pick<HoldRequest, 'pool' | 'customerLimit' | 'atLeast'> & { code?: string | undefined } {
  if (isOfBudget(request)) {
    const { budget, poolId, amount, isWhole = false } = request;
    return {
      pool: poolOfBudgetAt(companyId, budget, poolId),
      customerLimit: budget.per === 'customer' ? budget.limit.amount : undefined,
      atLeast: budget.onExhausted === 'partial' && !isWhole ? 1 : amount,
    };
  }
  const { adjustment, code, issued, tickets, isWhole = false } = request;
  const { maxRedemptionsPerCustomer, maxTicketsPerCustomer } = adjustment.conditions;
  const pool = poolOf(companyId, adjustment);
  if (issued !== undefined) {
    return { pool: poolOfCode(pool, issued), customerLimit: undefined, atLeast: undefined, code };
  }
  if (tickets === undefined) return { pool, customerLimit: maxRedemptionsPerCustomer, atLeast: undefined, code };
  return {
    pool: ticketsOf(pool, adjustment),
    customerLimit: maxTicketsPerCustomer,
    atLeast: isWhole ? undefined : 1,
  };
}

/** The steps, with what each claims together. The scarcest comes first, because it is the likeliest to be full. */
function stepsOf(requests: readonly ClaimRequest[]): ClaimRequest[][] {
  const inOrder = requests.toSorted((a, b) => scarcityOf(a) - scarcityOf(b) || (poolIdOf(a) < poolIdOf(b) ? -1 : 1));
  const uncapped = inOrder.findIndex((request) => scarcityOf(request) === UNCAPPED);
  const alone = uncapped === -1 ? inOrder.length : uncapped;
  return [...oneByOne(inOrder.slice(0, alone)), ...partsOf(inOrder.slice(alone))];
}

/** Applies both caps: first the total one, then the one per customer. */
const CAPPED_PER_CUSTOMER = Number.MAX_SAFE_INTEGER;
const UNCAPPED = Number.MAX_VALUE;

function scarcityOf(request: ClaimRequest): number {
  if (isOfBudget(request)) return request.budget.limit.amount;
  const {
    adjustment: { conditions },
    issued,
    tickets,
  } = request;
  if (issued !== undefined) return issued.limit;
  const { maxRedemptions, maxRedemptionsPerCustomer, maxTickets } = conditions;
  if (tickets !== undefined) return maxTickets ?? CAPPED_PER_CUSTOMER;
  return maxRedemptions ?? (maxRedemptionsPerCustomer === undefined ? UNCAPPED : CAPPED_PER_CUSTOMER);
}
