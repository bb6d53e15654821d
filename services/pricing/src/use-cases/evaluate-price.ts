import {
  companyIdOf,
  type EvaluateCartRequest,
  type EvaluateRequest,
  type Evaluation,
  invalidInput,
  keyOfTenant,
  otherCompany,
  PlatformError,
  type Tenant,
} from '@event-commerce/contracts';
import type { FairTurns } from '@event-commerce/service-kit';
import { type CappedInQuestion, cappedInQuestion } from '../domain/capped-in-question.ts';
import { AmountTooLargeError } from '../domain/exact-amount.ts';
import { type CartPrice, priceCart, type PriceOptions, priceOffering } from '../domain/price.ts';
import { TooManyPricesError } from '../domain/price-bounds.ts';
import type { CompanySnapshot } from '../domain/snapshot.ts';
import type { Asker, EventDirectory, FoundEvents } from '../event-contexts.ts';
import type { RedemptionPools } from '../store/redemption-pools.ts';
import type { SnapshotCache } from '../store/snapshot-cache.ts';

export interface EvaluateDeps {
  events: EventDirectory;
  snapshots: SnapshotCache;
  pools: Pick<RedemptionPools, 'countsOf' | 'claimedBy'>;
  /** Where long evaluations wait, so that no company waits for many of another. */
  inFairTurn: FairTurns;
  clock: () => Date;
  defaultCurrency: string;
}

/** Which dropped adjustments the caller wants to see, and may see. */
export type EvaluationView = Pick<PriceOptions, 'dropped' | 'showCodes'>;

/**
 * Prices one offering: reads, changes nothing.
 *
 * @throws {PlatformError} FORBIDDEN if the offering names another company, VALIDATION_FAILED if the price becomes too
 * large or too many adjustments apply, SERVICE_UNAVAILABLE if it depends on the event's contexts and those cannot be
 * read
 */
export async function evaluatePrice(
  deps: EvaluateDeps,
  asker: Asker,
  request: EvaluateRequest,
  view: EvaluationView,
): Promise<Evaluation> {
  const { offering, cartContext } = request;
  const cart = { lines: [{ offering, quantity: cartContext.quantity }], cartContext };
  refuseForeign(asker.tenant, [offering], () => 'offering.companyId');
  const snapshot = await deps.snapshots.get(asker.tenant);
  const events = await eventsOf(deps, asker, snapshot, [cart]);
  const usage = await usageOf(deps, [questionOf(snapshot, cart, events)]);
  return await fairly(deps, asker, snapshot, cart, () =>
    refusingTooLarge('offering', () =>
      priceOffering(snapshot, request, { ...usage(cart), ...basis(deps, events), ...view }),
    ),
  );
}

/**
 * Prices carts separately: reads, changes nothing. Everything needed is read for all of them at once; then each is
 * priced when it is requested. Yields for each cart, in order, its price or a {PlatformError}: those of
 * `evaluatePrice`, and VALIDATION_FAILED if its lines mix currencies.
 */
export async function* evaluateCarts(
  deps: EvaluateDeps,
  asker: Asker,
  carts: readonly EvaluateCartRequest[],
  view: EvaluationView,
): AsyncGenerator<CartPrice | Error> {
  const snapshot = await deps.snapshots.get(asker.tenant);
  const events = await eventsOf(deps, asker, snapshot, carts);
  const questions = carts.map((cart) =>
    errorOr(() => {
      refuseUnlike(deps, asker.tenant, cart);
      return questionOf(snapshot, cart, events);
    }),
  );
  const usage = await usageOf(
    deps,
    questions.filter((question): question is Question => !(question instanceof Error)),
  );
  for (const [index, question] of questions.entries()) {
    const cart = carts[index];
    if (question instanceof Error || cart === undefined) yield question as Error;
    else {
      const options = { ...usage(cart), ...basis(deps, events), ...view };
      yield await fairly(deps, asker, snapshot, cart, () =>
        errorOr(() => refusingTooLarge('lines', () => priceCart(snapshot, cart, options))),
      );
    }
  }
}

/** Up to this product of lines and adjustments a price takes a few milliseconds at most. */
const QUICK_PRICES_MAX = 20_000;

/** Calculates a price at once if that is fast, otherwise when it is the company's turn. */
async function fairly<T>(
  { inFairTurn }: EvaluateDeps,
  { tenant }: Asker,
  snapshot: CompanySnapshot,
  { lines }: EvaluateCartRequest,
  price: () => T,
): Promise<T> {
  return lines.length * snapshot.size <= QUICK_PRICES_MAX ? price() : await inFairTurn(keyOfTenant(tenant), price);
}

function errorOr<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error('a cart could not be priced', { cause: error });
  }
}

function basis({ clock, defaultCurrency }: EvaluateDeps, { contexts }: FoundEvents) {
  return { now: clock().getTime(), defaultCurrency, events: contexts };
}

const NO_EVENTS: FoundEvents = { contexts: new Map(), unreachable: new Set() };

/** The contexts of the events of `carts`, if the company's adjustments need them. */
async function eventsOf(
  deps: EvaluateDeps,
  asker: Asker,
  snapshot: CompanySnapshot,
  carts: readonly EvaluateCartRequest[],
): Promise<FoundEvents> {
  if (!snapshot.asksForEvents) return NO_EVENTS;
  const ids = new Set(carts.flatMap(({ lines }) => lines.flatMap(({ offering }) => offering.eventId ?? [])));
  return ids.size === 0 ? NO_EVENTS : await deps.events.find(asker, ids);
}

/** The claim counts that must be known before a cart can be priced. */
type Question = CappedInQuestion & { customerId: string };

/**
 * While the events service is down, prices are based on the events alone if adjustments name only events, single ones
 * or series.
 */
function questionOf(snapshot: CompanySnapshot, cart: EvaluateCartRequest, events: FoundEvents): Question {
  if (snapshot.asksBeyondEvents && cart.lines.some(({ offering }) => events.unreachable.has(offering.eventId ?? ''))) {
    const message = 'What the event is part of cannot be read now; try again shortly.';
    throw new PlatformError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause: events.error });
  }
  const { customerId = '' } = cart.cartContext;
  return { customerId, ...cappedInQuestion(snapshot, cart, events.contexts) };
}

async function usageOf(
  deps: EvaluateDeps,
  questions: readonly Question[],
): Promise<(cart: EvaluateCartRequest) => Pick<PriceOptions, 'claimed' | 'customerUsage'>> {
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
  return ({ cartContext }) => {
    const own = customers.get(cartContext.customerId ?? '');
    return {
      claimed: (adjustmentId) => counts?.get(adjustmentId)?.claimed ?? 0,
      customerUsage: (adjustmentId) => own?.get(adjustmentId) ?? 0,
    };
  };
}

/** @throws {PlatformError} FORBIDDEN if a line names another company, VALIDATION_FAILED if the lines mix currencies */
function refuseUnlike(deps: EvaluateDeps, tenant: Tenant, { lines }: EvaluateCartRequest): void {
  const offerings = lines.map((line) => line.offering);
  refuseForeign(tenant, offerings, (index) => `lines[${index}].offering.companyId`);
  const currencies = new Set(offerings.map(({ price }) => price.currency ?? deps.defaultCurrency));
  if (currencies.size > 1) {
    throw invalidInput('lines', `must be of one currency, not ${[...currencies].join(', ')}`);
  }
}

/**
 * Prices and quantities are bounded, but surcharges can exceed exact integers, and very many adjustments may apply to a
 * large cart. `path`: of what is priced.
 */
function refusingTooLarge<T>(path: string, price: () => T): T {
  try {
    return price();
  } catch (cause) {
    if (cause instanceof TooManyPricesError) throw invalidInput(path, cause.message);
    if (!(cause instanceof AmountTooLargeError)) throw cause;
    throw new PlatformError('VALIDATION_FAILED', 'The price becomes too large to be kept exactly.', { cause });
  }
}

function refuseForeign(
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
