import {
  type Claim,
  type ClaimingOrder,
  type HeldClaims,
  holdAll,
  oneByOne,
  partsOf,
  type PoolDefinition,
} from '@event-commerce/claims';
import type { Tenant } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { poolNamed } from '../adjustments/domain/pools-of.ts';
import { type ClaimRequest, poolIdOf } from './claim-request.ts';
import { poolOf, poolOfCode, type RedemptionPools, ticketsOf } from './redemption-pools.ts';
import { countsWhenFull, crowdedOut, keepsChanging } from '../purchase/claim-refusals.ts';

/** An order that claims redemptions, and who it is for. */
type RedeemingOrder = ClaimingOrder & { customerId: string | undefined };

/** A cap without room, with what is claimed, and whether orders that are being placed hold the last of it. */
export interface FullCap {
  kind: 'full';
  request: ClaimRequest;
  claimed: number;
  byCustomer: number;
  isContended: boolean;
}

/**
 * Why not all was claimed, although nothing refuses the order. `outdated`: an adjustment was changed after it was read.
 * `short`: the order has only so many tickets of an adjustment, at which it must be priced again.
 */
type Obstacle = { kind: 'outdated' } | FullCap | { kind: 'short'; adjustmentId: string; granted: number };

/**
 * Claims everything that an order requests, or returns the first obstacle; what is claimed by then is in `held`. A
 * claim counts against the caps at once. It becomes a redemption when the order is placed, and is released when the
 * order is not.
 *
 * Tickets come last, and claiming ends with the first that fall short: what the order needs of the next depends on its
 * new price. An order that holds more tickets than it needs keeps only those.
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
  const { customerId } = order;
  const claiming = {
    tenant: companyId,
    holdRequestOf: (request: ClaimRequest, common: Pick<Claim, 'orderId' | 'status' | 'settledBy' | 'revision'>) => {
      const { code, tickets, isWhole = false } = request;
      const pool = poolFor(companyId, request);
      return {
        claim: {
          id: newId('rdm'),
          poolId: pool.id,
          companyId,
          ...common,
          ...(customerId === undefined ? {} : { customerId }),
          ...(code === undefined || tickets !== undefined ? {} : { code }),
          quantity: tickets ?? 1,
        },
        pool,
        customerLimit: customerLimitOf(request),
        ...(tickets === undefined || isWhole ? {} : { atLeast: 1 }),
      };
    },
    held,
    crowdedOut,
    keepsChanging,
    untilMs,
  };
  const redemptions = requests.filter(({ tickets }) => tickets === undefined);
  const ofTickets = requests.filter(({ tickets }) => tickets !== undefined);
  const claims: Claim[] = [];
  for (const steps of [stepsOf(redemptions), ...stepsOf(ofTickets).map((step) => [step])]) {
    const outcome = await holdAll(pools, order, { ...claiming, steps });
    if (outcome.kind === 'outdated') return outcome;
    if (outcome.kind !== 'held') {
      const { request, isContended } = outcome;
      return { kind: 'full', request, isContended, ...countsWhenFull(outcome, request) };
    }
    const asked = new Map(steps.flat().map((request) => [poolIdOf(request), request]));
    for (const claim of outcome.claims) {
      const { tickets = claim.quantity } = asked.get(claim.poolId) ?? {};
      if (claim.quantity < tickets) {
        return { kind: 'short', adjustmentId: poolNamed(claim.poolId).adjustmentId, granted: claim.quantity };
      }
      claims.push(claim.quantity === tickets ? claim : { ...claim, keeps: tickets });
    }
  }
  return { kind: 'claimed', claims };
}

function poolFor(companyId: Tenant, { adjustment, issued, tickets }: ClaimRequest): PoolDefinition {
  const redemptions = poolOf(companyId, adjustment);
  if (issued !== undefined) return poolOfCode(redemptions, issued);
  return tickets === undefined ? redemptions : ticketsOf(redemptions, adjustment);
}

function customerLimitOf({ adjustment: { conditions }, issued, tickets }: ClaimRequest): number | undefined {
  if (issued !== undefined) return undefined;
  return tickets === undefined ? conditions.maxRedemptionsPerCustomer : conditions.maxTicketsPerCustomer;
}

/** The steps, with what each claims together. The scarcest comes first, because it is the likeliest to be full. */
function stepsOf(requests: readonly ClaimRequest[]): ClaimRequest[][] {
  const inOrder = requests.toSorted(
    (a, b) => scarcityOf(a) - scarcityOf(b) || (a.adjustment.id < b.adjustment.id ? -1 : 1),
  );
  const uncapped = inOrder.findIndex((request) => scarcityOf(request) === UNCAPPED);
  const alone = uncapped === -1 ? inOrder.length : uncapped;
  return [...oneByOne(inOrder.slice(0, alone)), ...partsOf(inOrder.slice(alone))];
}

/** Applies both caps: first the total one, then the one per customer. */
const CAPPED_PER_CUSTOMER = Number.MAX_SAFE_INTEGER;
const UNCAPPED = Number.MAX_VALUE;

function scarcityOf({ adjustment: { conditions }, issued, tickets }: ClaimRequest): number {
  if (issued !== undefined) return issued.limit;
  const { maxRedemptions, maxRedemptionsPerCustomer, maxTickets } = conditions;
  if (tickets !== undefined) return maxTickets ?? CAPPED_PER_CUSTOMER;
  return maxRedemptions ?? (maxRedemptionsPerCustomer === undefined ? UNCAPPED : CAPPED_PER_CUSTOMER);
}
