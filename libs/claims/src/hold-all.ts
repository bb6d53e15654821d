import {
  behindLargeOrders,
  keyOfTenant,
  type PlatformError,
  type Tenant,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { keyedMutex, retryOnConflict } from '@event-commerce/service-kit';
import type { Exhausted } from './admit.ts';
import type { Claim } from './claim.ts';
import type { Pools } from './create-pools.ts';
import type { HeldClaims } from './held-claims.ts';
import type { HoldRequest } from './hold.ts';
import { partsOf } from './in-parts.ts';

/**
 * The order that claims are for: all its copies have one id. `revision`: which one of it; absent if it is new.
 */
export interface ClaimingOrder {
  orderId: string;
  revision?: number | undefined;
}

/** What the claims of one order have in common. */
type ClaimOfOrder = Pick<Claim, 'orderId' | 'status' | 'settledBy' | 'revision'>;

/** What an order requests, and how its service refuses it. */
interface Claiming<Request> {
  tenant: Tenant;
  /** The requests of one step are claimed together, and the steps one after another. */
  steps: readonly (readonly Request[])[];
  holdRequestOf: (request: Request, common: ClaimOfOrder) => HoldRequest;
  /** Records every claim, even those of an order that does not get all. */
  held: HeldClaims;
  /** The refusal when too many orders wait to be confirmed. */
  crowdedOut: (claim: Claim) => PlatformError;
  /** The refusal when others keep changing what is requested until `untilMs` of the monotonic clock. */
  keepsChanging: () => PlatformError;
  untilMs: number;
}

/**
 * `full`, `share-full`: which request found no room, and how much is claimed. `outdated`: a pool knows a newer
 * definition.
 */
type AllHeld<Request> =
  | { kind: 'held'; claims: Claim[] }
  | ({ kind: 'full' | 'share-full'; request: Request } & Exhausted)
  | { kind: 'outdated' };

/** How long a revision waits for a place that another revision of its order takes. */
const BEHIND_ITSELF_MS = 1_000;

/** More than an order of a usual sale requests. */
const ONE_BY_ONE_MAX = 20;

/**
 * The steps of requests. They are sorted the same everywhere, so that two orders for the last of two pools do not each
 * get half. Requests beyond the first 20 are claimed many at a time, so that no order takes hundreds of round trips;
 * two orders of that size may refuse each other.
 */
export function oneByOne<Request>(requests: readonly Request[]): Request[][] {
  return [...requests.slice(0, ONE_BY_ONE_MAX).map((one) => [one]), ...partsOf(requests.slice(ONE_BY_ONE_MAX))];
}

/**
 * One at a time for each company, so that they do not delay others. An order that waited longer has too little time
 * left.
 */
const largeOrdersInTurn = keyedMutex({ waitsMaxMs: 2_000, tooLate: behindLargeOrders });

/**
 * Holds everything that an order requests, or returns the first obstacle. What is held by then stays held, and is in
 * `held`: a copy of the order, or the next attempt at it, finds those claims and makes no others.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if the order was just placed, if a later revision of it holds some of it,
 * or if it is large and waited too long for other large orders of the company; what `crowdedOut` and `keepsChanging`
 * return; what `hold` of the pools throws
 */
export async function holdAll<Request>(
  pools: Pick<Pools, 'hold'>,
  { orderId, revision }: ClaimingOrder,
  { tenant, steps, holdRequestOf, held, crowdedOut, keepsChanging, untilMs }: Claiming<Request>,
): Promise<AllHeld<Request>> {
  const common: ClaimOfOrder = {
    orderId,
    status: 'pending',
    settledBy: 'commerce',
    ...(revision === undefined ? {} : { revision }),
  };

  const hold = async (request: Request) => {
    const holdRequest = holdRequestOf(request, common);
    const behindItselfUntilMs = Math.min(untilMs, performance.now() + BEHIND_ITSELF_MS);
    const holdOnce = async () => {
      const { claim, ...outcome } = await held.note(async () => pools.hold(holdRequest));
      switch (outcome.kind) {
        case 'held':
          return { kind: outcome.kind, claim: claim ?? holdRequest.claim };
        case 'full':
        case 'share-full':
          // Mostly settled within moments: by its event, or by the request that came too late to write that revision.
          if (outcome.isContended && outcome.isBehindItself && performance.now() < behindItselfUntilMs) break;
          return { ...outcome, request };
        case 'outdated':
          return { kind: outcome.kind };
        case 'confirmed':
          // Commerce then looks for that order, but a database that has just failed over may not show it yet.
          throw tryAgainShortly('The order has just been placed and is not shown yet; try again shortly.');
        case 'later-revision':
          throw tryAgainShortly('The order was changed in the meantime; read the order.');
        case 'crowded':
          throw crowdedOut(holdRequest.claim);
        case 'changed':
          break;
      }
      return undefined;
    };
    return await retryOnConflict(holdOnce, keepsChanging, untilMs);
  };

  const holdEach = async (): Promise<AllHeld<Request>> => {
    const claims: Claim[] = [];
    for (const step of steps) {
      for (const outcome of await Promise.allSettled(step.map(hold))) {
        if (outcome.status === 'rejected') throw outcome.reason;
        if (outcome.value.kind !== 'held') return outcome.value;
        claims.push(outcome.value.claim);
      }
    }
    return { kind: 'held', claims };
  };
  if (steps.every(({ length }) => length <= ONE_BY_ONE_MAX)) return await holdEach();
  return await largeOrdersInTurn(keyOfTenant(tenant), holdEach);
}
