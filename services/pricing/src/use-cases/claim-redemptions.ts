import type { Claim } from '@event-commerce/claims';
import {
  type Claim as OrderClaim,
  type ClaimReply,
  orderBeingPlaced,
  type PurchaseRequest,
  type Tenant,
} from '@event-commerce/contracts';
import { newAttempt, newId, retryOnConflict } from '@event-commerce/service-kit';
import type { KeptAdjustment } from '../domain/adjustment.ts';
import { countsCustomers, poolOf, type RedemptionPools, shareOf } from '../store/redemption-pools.ts';
import { crowdedOut, keepsChanging } from './claim-refusals.ts';

/** An adjustment that an order redeems. */
export interface Wanted {
  adjustment: KeptAdjustment;
  /** The code that asked for it. */
  code?: string;
}

/** What the claims of one order have in common. */
export type ClaimingOrder = Pick<PurchaseRequest, 'orderId' | 'key' | 'content' | 'attempt' | 'reopening'> & {
  customerId: string | undefined;
};

/**
 * Why nothing was claimed, although nothing refuses the order. `outdated`: an adjustment was changed after it was read.
 * `other-copy`: a copy of the order holds some claims for another order id. `full`: a cap has no room, with what is
 * claimed.
 */
export type Obstacle =
  | { kind: 'outdated' }
  | { kind: 'other-copy'; orderId: string }
  | { kind: 'full'; wanted: Wanted; claimed: number; byCustomer: number };

type Outcome = { kind: 'held'; claim: Claim } | Obstacle;

/**
 * Claims everything that an order wants: all, or nothing. A claim counts against the caps at once. It becomes a
 * redemption when the order is placed, and is released when the order is not. A copy of the order that arrives while
 * its claims are pending gets the same claims, and the order id that they are held for: it never takes a second place.
 *
 * @throws {PlatformError} ORDER_NUMBER_TAKEN if an order with the same key was just placed, or one with other content
 * is being placed; SERVICE_UNAVAILABLE if too many orders wait to be confirmed, or others keep changing the counters
 */
export async function claimAll(
  { pools }: { pools: RedemptionPools },
  companyId: Tenant,
  order: ClaimingOrder,
  wanted: readonly Wanted[],
  untilMs: number,
): Promise<({ kind: 'claimed' } & ClaimReply) | Obstacle> {
  const { attempt = newAttempt() } = order;
  const held: Claim[] = [];
  let { orderId } = order;
  let isComplete = false;
  try {
    for (const step of stepsOf(wanted)) {
      const claimed = await Promise.allSettled(
        step.map(async (one) => {
          const claim = claimOf(companyId, { ...order, orderId, attempt }, one);
          const outcome = await retryOnConflict(async () => hold(pools, claim, one), keepsChanging, untilMs);
          if (outcome.kind === 'held') held.push(outcome.claim);
          return outcome;
        }),
      );
      for (const outcome of claimed) {
        if (outcome.status === 'rejected') throw outcome.reason;
        if (outcome.value.kind !== 'held') return outcome.value;
        const { claim } = outcome.value;
        if (claim.orderId !== orderId && held.length > 1) return { kind: 'other-copy', orderId: claim.orderId };
        ({ orderId } = claim);
      }
    }
    isComplete = true;
    return { kind: 'claimed', orderId, claims: held.map(toReply) };
  } finally {
    // A claim that cannot be released now lapses.
    if (!isComplete) await Promise.allSettled(held.map((claim) => pools.letGo(claim, attempt)));
  }
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

function claimOf(companyId: Tenant, order: ClaimingOrder & { attempt: string }, { adjustment, code }: Wanted): Claim {
  const { orderId, customerId, key, content, attempt, reopening } = order;
  return {
    id: newId('rdm'),
    poolId: adjustment.id,
    companyId,
    orderId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    quantity: 1,
    status: 'pending',
    perCustomer: customerId !== undefined && countsCustomers(adjustment),
    settledBy: 'commerce',
    ...(key === undefined ? {} : { key }),
    ...(content === undefined ? {} : { content }),
    attempts: [attempt],
    ...(reopening === undefined ? {} : { reopening }),
  };
}

/** Holds a claim, or finds that of a copy of the order. Undefined if others keep changing the counters: retry. */
async function hold(pools: RedemptionPools, claim: Claim, wanted: Wanted): Promise<Outcome | undefined> {
  const { adjustment } = wanted;
  const outcome = await pools.hold({ claim, pool: poolOf(claim.companyId, adjustment), share: shareOf(adjustment) });
  const { maxRedemptions = 0, maxRedemptionsPerCustomer = 0 } = adjustment.conditions;
  switch (outcome.kind) {
    case 'held':
      return { kind: 'held', claim: outcome.claim };
    case 'outdated':
      return { kind: 'outdated' };
    case 'confirmed':
      throw orderBeingPlaced(true);
    case 'other-content':
      throw orderBeingPlaced(false);
    case 'crowded':
      throw crowdedOut(claim);
    // A claim that is on its way out may have taken the last place without being counted any more.
    case 'full':
      return { kind: 'full', wanted, claimed: Math.max(outcome.claimed, maxRedemptions), byCustomer: 0 };
    case 'share-full':
      return { kind: 'full', wanted, claimed: 0, byCustomer: Math.max(outcome.claimed, maxRedemptionsPerCustomer) };
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
