import {
  companyIdOf,
  type EvaluateCartRequest,
  type EvaluateRequest,
  invalidInput,
  keyOfTenant,
  otherCompany,
  PlatformError,
  type Tenant,
  tryAgainShortly,
} from '@event-commerce/contracts';
import type { Caller, FairTurns } from '@event-commerce/service-kit';
import { type CappedInQuestion, cappedInQuestion } from '../domain/capped-in-question.ts';
import { AmountTooLargeError } from '../domain/exact-amount.ts';
import type { PriceOptions } from '../domain/price.ts';
import { TooManyPricesError } from '../domain/price-bounds.ts';
import type { LiveAdjustments } from '../domain/snapshot.ts';
import type { EventDirectory, FoundEvents } from '../event-contexts.ts';
import type { RedemptionPools } from '../store/redemption-pools.ts';
import type { SnapshotCache } from '../store/snapshot-cache.ts';

/** What everything that prices needs: evaluations and purchases. */
export interface PricingDeps {
  events: EventDirectory;
  snapshots: Pick<SnapshotCache, 'get'>;
  pools: Pick<RedemptionPools, 'countsOf' | 'claimedBy'>;
  /** Where long evaluations wait, so that no company waits for many of another. */
  inFairTurn: FairTurns;
  clock: () => Date;
  defaultCurrency: string;
}

/** Up to this product of lines and adjustments a price takes a few milliseconds at most. */
const QUICK_PRICES_MAX = 20_000;

/** Calculates a price at once if that is fast, otherwise when it is the company's turn. */
export async function fairly<T>(
  { inFairTurn }: PricingDeps,
  { tenant }: Caller,
  snapshot: LiveAdjustments,
  { lines }: EvaluateCartRequest,
  price: () => T,
): Promise<T> {
  return lines.length * snapshot.size <= QUICK_PRICES_MAX ? price() : await inFairTurn(keyOfTenant(tenant), price);
}

export function errorOr<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error('a cart could not be priced', { cause: error });
  }
}

export function basisOf({ clock, defaultCurrency }: PricingDeps, { contexts }: FoundEvents) {
  return { now: clock().getTime(), defaultCurrency, events: contexts };
}

const NO_EVENTS: FoundEvents = { contexts: new Map(), unreachable: new Set() };

/** The contexts of the events of `carts`, if the company's adjustments need them. */
export async function eventsOf(
  deps: PricingDeps,
  caller: Caller,
  snapshot: LiveAdjustments,
  carts: readonly EvaluateCartRequest[],
): Promise<FoundEvents> {
  if (!snapshot.asksForEvents) return NO_EVENTS;
  return await eventContextsOf(deps, caller, new Set(carts.flatMap(eventIdsOf)));
}

export function eventIdsOf({ lines }: Pick<EvaluateCartRequest, 'lines'>): string[] {
  return lines.flatMap(({ offering }) => offering.eventId ?? []);
}

/** The contexts of the company's events `ids`. */
export async function eventContextsOf(
  deps: PricingDeps,
  caller: Caller,
  ids: ReadonlySet<string>,
): Promise<FoundEvents> {
  return ids.size === 0 ? NO_EVENTS : await deps.events.find(caller, ids);
}

/** The claim counts that must be known before a cart can be priced. */
export type Question = CappedInQuestion & { customerId: string };

/**
 * While the events service is down, prices are based on the events alone if adjustments name only events, single ones
 * or series.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if that is not enough
 */
export function refuseUnreachable(
  snapshot: LiveAdjustments,
  { lines }: Pick<EvaluateCartRequest, 'lines'>,
  { unreachable, error }: FoundEvents,
): void {
  if (!snapshot.asksBeyondEvents || !lines.some(({ offering }) => unreachable.has(offering.eventId ?? ''))) return;
  throw tryAgainShortly("The event's series, venue and organizer cannot be read now; try again shortly.", {
    cause: error,
  });
}

/** @throws {PlatformError} as `refuseUnreachable` */
export function questionOf(snapshot: LiveAdjustments, cart: EvaluateCartRequest, events: FoundEvents): Question {
  refuseUnreachable(snapshot, cart, events);
  const { customerId = '' } = cart.cartContext;
  return { customerId, ...cappedInQuestion(snapshot, cart, events.contexts) };
}

/** The claim counts that `questions` ask for, as each customer sees them. */
export async function usageOf(
  deps: PricingDeps,
  questions: readonly Question[],
): Promise<(customerId: string | undefined) => Pick<PriceOptions, 'claimed' | 'customerUsage'>> {
  const inAll = new Set(questions.flatMap((question) => question.inAll));
  const asking = Map.groupBy(
    questions.filter(({ perCustomer }) => perCustomer.length > 0),
    ({ customerId }) => customerId,
  );
  const [counts, byCustomer] = await Promise.all([
    inAll.size === 0 ? undefined : deps.pools.countsOf([...inAll]),
    Promise.all(
      [...asking].map(async ([customerId, theirs]) => {
        const ids = new Set(theirs.flatMap(({ perCustomer }) => perCustomer));
        return [customerId, await deps.pools.claimedBy(customerId, [...ids])] as const;
      }),
    ),
  ]);
  const customers = new Map(byCustomer);
  return (customerId = '') => {
    const own = customers.get(customerId);
    return {
      claimed: (adjustmentId) => counts?.get(adjustmentId)?.claimed ?? 0,
      customerUsage: (adjustmentId) => own?.get(adjustmentId) ?? 0,
    };
  };
}

/**
 * `path`: where the request has the lines.
 *
 * @throws {PlatformError} FORBIDDEN if a line names another company, VALIDATION_FAILED if the lines mix currencies
 */
export function refuseUnlike(
  deps: PricingDeps,
  tenant: Tenant,
  { lines }: Pick<EvaluateCartRequest, 'lines'>,
  path = 'lines',
): void {
  const offerings = lines.map((line) => line.offering);
  refuseForeign(tenant, offerings, (index) => `${path}[${index}].offering.companyId`);
  const currencies = new Set(offerings.map(({ price }) => price.currency ?? deps.defaultCurrency));
  if (currencies.size > 1) {
    throw invalidInput(path, `must be of one currency, not ${[...currencies].join(', ')}`);
  }
}

/**
 * Prices and quantities are bounded, but surcharges can exceed exact integers, and very many adjustments may apply to a
 * large cart. `path`: of what is priced.
 */
export function refusingTooLarge<T>(path: string, price: () => T): T {
  try {
    return price();
  } catch (cause) {
    if (cause instanceof TooManyPricesError) throw invalidInput(path, cause.message);
    if (!(cause instanceof AmountTooLargeError)) throw cause;
    throw new PlatformError('VALIDATION_FAILED', 'The price becomes too large to be kept exactly.', { cause });
  }
}

export function refuseForeign(
  tenant: Tenant,
  offerings: readonly EvaluateRequest['offering'][],
  pathOf: (index: number) => string,
): void {
  const own = companyIdOf(tenant);
  const index = offerings.findIndex((offering) => offering.companyId !== undefined && offering.companyId !== own);
  if (index === -1) return;
  const path = pathOf(index);
  throw otherCompany(path);
}
