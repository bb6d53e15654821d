import {
  behindLargeOrders,
  keyOfTenant,
  orderBeingPlaced,
  type PlatformError,
  type Tenant,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { keyedMutex, newAttempt, retryOnConflict } from '@event-commerce/service-kit';
import type { Exhausted } from './admit.ts';
import type { Claim } from './claim.ts';
import type { HoldRequest, Pools } from './create-pools.ts';
import { forEachInParts, partsOf } from './in-parts.ts';

/** The order that claims are for, as the request to claim them says. */
export interface ClaimingOrder {
  orderId: string;
  key?: string | undefined;
  content?: string | undefined;
  attempt?: string | undefined;
  reopening?: number | undefined;
}

/** What the claims of one order have in common. */
type ClaimOfOrder = Pick<Claim, 'orderId' | 'status' | 'settledBy' | 'key' | 'content' | 'attempts' | 'reopening'>;

/** What an order wants, and what its service says of it. */
interface Claiming<Wanted> {
  tenant: Tenant;
  /**
   * What one step has is claimed together, and the steps one after another. The first claim tells whether a copy of the
   * order claims already, so the first step has one alone.
   */
  steps: readonly (readonly Wanted[])[];
  requestOf: (wanted: Wanted, common: ClaimOfOrder) => HoldRequest;
  /** The refusal when too many orders wait to be confirmed. */
  crowdedOut: (claim: Claim) => PlatformError;
  /** The refusal when others keep changing what is wanted until `untilMs` of the monotonic clock. */
  keepsChanging: () => PlatformError;
  untilMs: number;
}

/** `full`, `share-full`: what found no room, and how much is claimed. `outdated`: a pool knows a newer definition. */
type AllHeld<Wanted> =
  | { kind: 'held'; orderId: string; claims: Claim[] }
  | ({ kind: 'full' | 'share-full'; wanted: Wanted } & Exhausted)
  | { kind: 'outdated' };

/** More than an order of a usual sale wants. */
const ONE_BY_ONE_MAX = 20;

/**
 * The steps of what is wanted, which is sorted the same everywhere: so two orders that want the last of two pools do not
 * each take half. What goes beyond 20 is claimed many at a time, so that no order takes hundreds of round trips; two of
 * that size may refuse each other.
 */
export function oneByOne<Wanted>(wanted: readonly Wanted[]): Wanted[][] {
  return [...wanted.slice(0, ONE_BY_ONE_MAX).map((one) => [one]), ...partsOf(wanted.slice(ONE_BY_ONE_MAX))];
}

/**
 * One at a time for each company, so that they do not delay others. One that waited for longer has too little of its
 * time left.
 */
const largeOrdersInTurn = keyedMutex({ waitsMaxMs: 2_000, tooLate: behindLargeOrders });

/**
 * Holds everything that an order wants: all, or nothing and the first obstacle. A copy of the order that arrives while
 * its claims are pending gets the same claims, and the order id that they are held for: it never takes a second place.
 *
 * @throws {PlatformError} ORDER_NUMBER_TAKEN if an order with the same key and other content is being placed;
 * SERVICE_UNAVAILABLE if the order or a copy was just placed, if an earlier reopening of the order holds some of it until
 * `untilMs`, if a later one does, or if it wants much and waited too long for other such orders of the company; what
 * `crowdedOut` and `keepsChanging` return; what `hold` and `letGo` of the pools throw
 */
export async function holdAll<Wanted>(
  pools: Pick<Pools, 'hold' | 'letGo'>,
  order: ClaimingOrder,
  { tenant, steps, requestOf, crowdedOut, keepsChanging, untilMs }: Claiming<Wanted>,
): Promise<AllHeld<Wanted>> {
  const { key, content, reopening, attempt = newAttempt() } = order;
  const common: Omit<ClaimOfOrder, 'orderId'> = {
    status: 'pending',
    settledBy: 'commerce',
    ...(key === undefined ? {} : { key }),
    ...(content === undefined ? {} : { content }),
    attempts: [attempt],
    ...(reopening === undefined ? {} : { reopening }),
  };
  let { orderId } = order;

  const hold = async (wanted: Wanted) => {
    const request = requestOf(wanted, { ...common, orderId });
    let exhausted = keepsChanging;
    const holdOnce = async () => {
      const outcome = await pools.hold(request);
      switch (outcome.kind) {
        case 'held':
          return { kind: outcome.kind, claim: outcome.claim };
        case 'full':
        case 'share-full':
          return { ...outcome, wanted };
        case 'outdated':
          return { kind: outcome.kind };
        case 'confirmed':
          // Commerce looks for that order then. A database that has just failed over may not show it yet.
          throw tryAgainShortly(
            'The order, or a copy of it, has just been placed and is not shown yet; try again shortly.',
          );
        case 'other-content':
          throw orderBeingPlaced();
        case 'earlier-reopening':
          // The order has ended since then: its cancellation, or the request that came too late to reopen it, lets go.
          exhausted = earlierReopening;
          break;
        case 'later-reopening':
          throw tryAgainShortly('The order was reopened in the meantime; read the order.');
        case 'crowded':
          throw crowdedOut(request.claim);
        case 'changed':
          break;
      }
      return undefined;
    };
    return await retryOnConflict(holdOnce, () => exhausted(), untilMs);
  };

  /**
   * @throws if this fails for one of `claims`: that lapses. It may also be let go later still, by a write that is on
   * its way, and so this attempt must not find it again and rely on it.
   */
  const giveUp = async (claims: readonly Claim[]): Promise<void> =>
    await forEachInParts(claims, async (claim) => pools.letGo(claim, attempt));

  /** Undefined if a copy of the order, which `orderId` is then of, holds some of the claims: claim anew for that one. */
  const holdEach = async (): Promise<AllHeld<Wanted> | undefined> => {
    const claims: Claim[] = [];
    let isComplete = false;
    try {
      for (const step of steps) {
        const outcomes = await Promise.allSettled(
          step.map(async (wanted) => {
            const outcome = await hold(wanted);
            if (outcome.kind === 'held') claims.push(outcome.claim);
            return outcome;
          }),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') throw outcome.reason;
          if (outcome.value.kind !== 'held') return outcome.value;
          const { claim } = outcome.value;
          const isHeldForCopy = claim.orderId !== orderId && claims.length > 1;
          ({ orderId } = claim);
          if (isHeldForCopy) return undefined;
        }
      }
      isComplete = true;
      return { kind: 'held', orderId, claims };
    } finally {
      if (!isComplete) await giveUp(claims);
    }
  };
  const holdThem = async () => await retryOnConflict(holdEach, keepsChanging, untilMs);
  if (steps.every(({ length }) => length <= ONE_BY_ONE_MAX)) return await holdThem();
  return await largeOrdersInTurn(keyOfTenant(tenant), holdThem);
}

function earlierReopening(): PlatformError {
  return tryAgainShortly('An earlier attempt to reopen the order is still being undone; try again shortly.');
}
