import { type Claim, type ClaimingOrder, type HeldClaims, holdAll, oneByOne, partsOf } from '@event-commerce/claims';
import type { Tenant } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import type { KeptAdjustment } from '../adjustments/domain/adjustment.ts';
import { poolOf, type RedemptionPools } from './redemption-pools.ts';
import { countsWhenFull, crowdedOut, keepsChanging } from '../purchase/claim-refusals.ts';

/** An adjustment that an order redeems. */
export interface ClaimRequest {
  adjustment: KeptAdjustment;
  /** The code that asked for it. */
  code?: string;
}

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
 */
type Obstacle = { kind: 'outdated' } | FullCap;

/**
 * Claims everything that an order requests, or returns the first obstacle; what is claimed by then is in `held`. A
 * claim counts against the caps at once. It becomes a redemption when the order is placed, and is released when the
 * order is not.
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
  const outcome = await holdAll(pools, order, {
    tenant: companyId,
    steps: stepsOf(requests),
    holdRequestOf: ({ adjustment, code }, common) => ({
      claim: {
        id: newId('rdm'),
        poolId: adjustment.id,
        companyId,
        ...common,
        ...(customerId === undefined ? {} : { customerId }),
        ...(code === undefined ? {} : { code }),
        quantity: 1,
      },
      pool: poolOf(companyId, adjustment),
      customerLimit: adjustment.conditions.maxRedemptionsPerCustomer,
    }),
    held,
    crowdedOut,
    keepsChanging,
    untilMs,
  });
  if (outcome.kind === 'outdated') return outcome;
  if (outcome.kind === 'held') return { kind: 'claimed', claims: outcome.claims };
  const { request, isContended } = outcome;
  return { kind: 'full', request, isContended, ...countsWhenFull(outcome, request.adjustment) };
}

/** The steps, with what each claims together. The scarcest comes first, because it is the likeliest to be full. */
function stepsOf(requests: readonly ClaimRequest[]): ClaimRequest[][] {
  const inOrder = requests.toSorted(
    ({ adjustment: a }, { adjustment: b }) => scarcityOf(a) - scarcityOf(b) || (a.id < b.id ? -1 : 1),
  );
  const uncapped = inOrder.findIndex(({ adjustment }) => scarcityOf(adjustment) === UNCAPPED);
  const alone = uncapped === -1 ? inOrder.length : uncapped;
  return [...oneByOne(inOrder.slice(0, alone)), ...partsOf(inOrder.slice(alone))];
}

/** Applies both caps: first the total one, then the one per customer. */
const CAPPED_PER_CUSTOMER = Number.MAX_SAFE_INTEGER;
const UNCAPPED = Number.MAX_VALUE;

function scarcityOf({ conditions }: KeptAdjustment): number {
  const { maxRedemptions, maxRedemptionsPerCustomer } = conditions;
  return maxRedemptions ?? (maxRedemptionsPerCustomer === undefined ? UNCAPPED : CAPPED_PER_CUSTOMER);
}
