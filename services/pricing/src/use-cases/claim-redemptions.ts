import { type Claim, type ClaimingOrder, holdAll, type OrdersClaim } from '@event-commerce/claims';
import { type Claim as OrderClaim, type ClaimReply, orderBeingPlaced, type Tenant } from '@event-commerce/contracts';
import { newId, retryOnConflict } from '@event-commerce/service-kit';
import type { KeptAdjustment } from '../domain/adjustment.ts';
import { countsCustomers, poolOf, type RedemptionPools, shareOf } from '../store/redemption-pools.ts';
import { crowdedOut, keepsChanging } from './claim-refusals.ts';

/** An adjustment that an order redeems. */
export interface Wanted {
  adjustment: KeptAdjustment;
  /** The code that asked for it. */
  code?: string;
}

/** An order that claims redemptions, and who it is for. */
export type RedeemingOrder = ClaimingOrder & { customerId: string | undefined };

/**
 * Why nothing was claimed, although nothing refuses the order. `outdated`: an adjustment was changed after it was read.
 * `other-copy`: a copy of the order holds some claims for another order id. `full`: a cap has no room, with what is
 * claimed.
 */
export type Obstacle =
  | { kind: 'outdated' }
  | { kind: 'other-copy'; orderId: string }
  | { kind: 'full'; wanted: Wanted; claimed: number; byCustomer: number };

/**
 * Claims everything that an order wants: all, or nothing. A claim counts against the caps at once. It becomes a
 * redemption when the order is placed, and is released when the order is not.
 *
 * @throws {PlatformError} ORDER_NUMBER_TAKEN if an order with the same key was just placed, or one with other content
 * is being placed; SERVICE_UNAVAILABLE if too many orders wait to be confirmed, or others keep changing the counters
 */
export async function claimAll(
  { pools }: { pools: RedemptionPools },
  companyId: Tenant,
  order: RedeemingOrder,
  wanted: readonly Wanted[],
  untilMs: number,
): Promise<({ kind: 'claimed' } & ClaimReply) | Obstacle> {
  const outcome = await holdAll(pools, order, stepsOf(wanted), async (one, common) => {
    const claim = claimOf(companyId, order.customerId, one, common);
    return await retryOnConflict(async () => hold(pools, claim, one), keepsChanging, untilMs);
  });
  if (outcome.kind !== 'held') return outcome;
  return { kind: 'claimed', orderId: outcome.orderId, claims: outcome.claims.map(toReply) };
}

/**
 * What is claimed together, step by step. Capped adjustments come one by one, in the same order everywhere: so two
 * orders that want the same do not each take half. The scarcest comes first, because it is the likeliest to be full.
 * The first claim tells whether a copy of the order claims already.
 */
function stepsOf(wanted: readonly Wanted[]): Wanted[][] {
  const inOrder = wanted.toSorted(
    ({ adjustment: a }, { adjustment: b }) => scarcityOf(a) - scarcityOf(b) || (a.id < b.id ? -1 : 1),
  );
  const uncapped = inOrder.findIndex(({ adjustment }) => scarcityOf(adjustment) === UNCAPPED);
  const alone = Math.max(1, uncapped === -1 ? inOrder.length : uncapped);
  return [...inOrder.slice(0, alone).map((one) => [one]), inOrder.slice(alone)];
}

/** Follows every cap: one on all customers together, and then one on each of them. */
const CAPPED_PER_CUSTOMER = Number.MAX_SAFE_INTEGER;
const UNCAPPED = Number.MAX_VALUE;

function scarcityOf({ conditions }: KeptAdjustment): number {
  const { maxRedemptions, maxRedemptionsPerCustomer } = conditions;
  return maxRedemptions ?? (maxRedemptionsPerCustomer === undefined ? UNCAPPED : CAPPED_PER_CUSTOMER);
}

function claimOf(
  companyId: Tenant,
  customerId: string | undefined,
  { adjustment, code }: Wanted,
  common: OrdersClaim,
): Claim {
  return {
    id: newId('rdm'),
    poolId: adjustment.id,
    companyId,
    ...common,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    quantity: 1,
    perCustomer: customerId !== undefined && countsCustomers(adjustment),
  };
}

/** Holds a claim, or finds that of a copy of the order. Undefined if others keep changing the counters: retry. */
async function hold(
  pools: RedemptionPools,
  claim: Claim,
  wanted: Wanted,
): Promise<{ claim: Claim } | { obstacle: Obstacle } | undefined> {
  const { adjustment } = wanted;
  const outcome = await pools.hold({ claim, pool: poolOf(claim.companyId, adjustment), share: shareOf(adjustment) });
  const { maxRedemptions = 0, maxRedemptionsPerCustomer = 0 } = adjustment.conditions;
  const full = (counts: { claimed: number; byCustomer: number }) => ({ kind: 'full', wanted, ...counts }) as const;
  switch (outcome.kind) {
    case 'held':
      return { claim: outcome.claim };
    case 'outdated':
      return { obstacle: { kind: 'outdated' } };
    case 'confirmed':
      throw orderBeingPlaced(true);
    case 'other-content':
      throw orderBeingPlaced(false);
    case 'crowded':
      throw crowdedOut(claim);
    // A claim that is on its way out may have taken the last place without being counted any more.
    case 'full':
      return { obstacle: full({ claimed: Math.max(outcome.claimed, maxRedemptions), byCustomer: 0 }) };
    case 'share-full':
      return { obstacle: full({ claimed: 0, byCustomer: Math.max(outcome.claimed, maxRedemptionsPerCustomer) }) };
    case 'changed':
      break;
  }
  return undefined;
}

function toReply({ id, poolId, customerId, code, quantity, perCustomer = false, key }: Claim): OrderClaim {
  return {
    redemptionId: id,
    adjustmentId: poolId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    quantity,
    perCustomer,
    ...(key === undefined ? {} : { key }),
  };
}
