import {
  invalidInput,
  companyIdOf,
  type EvaluateCartRequest,
  type EvaluateRequest,
  type Evaluation,
  PlatformError,
  type Tenant,
} from '@event-commerce/contracts';
import { AmountTooLargeError } from '../domain/exact-amount.ts';
import { cappedInQuestion, type CartPrice, priceCart, type PriceOptions, priceOffering } from '../domain/price.ts';
import type { CompanySnapshot } from '../domain/snapshot.ts';
import type { Asker, EventDirectory } from '../event-contexts.ts';
import type { CustomerUsageRepository } from '../store/customer-usage.repository.ts';
import type { SnapshotCache } from '../store/snapshot-cache.ts';
import type { UsageRepository } from '../store/usage.repository.ts';

export interface EvaluateDeps {
  events: EventDirectory;
  snapshots: SnapshotCache;
  usage: Pick<UsageRepository, 'claimedOf'>;
  customers: Pick<CustomerUsageRepository, 'claimedBy'>;
  clock: () => Date;
  defaultCurrency: string;
}

/** What the caller asked to see of what was dropped, and what it may see. */
export type EvaluationView = Pick<PriceOptions, 'dropped' | 'showCodes'>;

/**
 * Prices one offering: reads, changes nothing.
 *
 * @throws {PlatformError} FORBIDDEN when the offering names another company
 */
export async function evaluatePrice(
  deps: EvaluateDeps,
  asker: Asker,
  request: EvaluateRequest,
  view: EvaluationView,
): Promise<Evaluation> {
  refuseForeign(asker.tenant, [request.offering], () => 'offering.companyId');
  const snapshot = await deps.snapshots.get(asker.tenant);
  const options = await priceOptions(deps, asker, snapshot, request, view);
  return refusingTooLarge(() => priceOffering(snapshot, request, options));
}

/**
 * Prices the lines of one cart together: reads, changes nothing.
 *
 * @throws {PlatformError} FORBIDDEN when a line names another company, VALIDATION_FAILED when the lines mix currencies or
 *   the price becomes too large
 */
export async function evaluateCart(
  deps: EvaluateDeps,
  asker: Asker,
  request: EvaluateCartRequest,
  view: EvaluationView,
): Promise<CartPrice> {
  const offerings = request.lines.map((line) => line.offering);
  refuseForeign(asker.tenant, offerings, (index) => `lines[${index}].offering.companyId`);
  const currencies = new Set(offerings.map(({ price }) => price.currency ?? deps.defaultCurrency));
  if (currencies.size > 1) {
    throw invalidInput('lines', `must be of one currency, not ${[...currencies].join(', ')}`);
  }
  const snapshot = await deps.snapshots.get(asker.tenant);
  const options = await priceOptions(deps, asker, snapshot, request, view);
  return refusingTooLarge(() => priceCart(snapshot, request, options));
}

/** Prices and quantities are bounded, but surcharges can lead out of what an integer holds exactly. */
function refusingTooLarge<T>(price: () => T): T {
  try {
    return price();
  } catch (cause) {
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
  throw new PlatformError('FORBIDDEN', `${path} is not the company of this API key.`, {
    details: [{ path, message: 'is not the company of this API key; leave it out or send that one' }],
  });
}

async function priceOptions(
  deps: EvaluateDeps,
  asker: Asker,
  snapshot: CompanySnapshot,
  request: EvaluateRequest | EvaluateCartRequest,
  view: EvaluationView,
): Promise<PriceOptions> {
  const events = await eventsOf(deps, asker, snapshot, request);
  const { inAll, perCustomer } = cappedInQuestion(snapshot, request, events);
  const { customerId = '' } = request.cartContext;
  const [claimed, byCustomer] = await Promise.all([
    inAll.length === 0 ? undefined : deps.usage.claimedOf(inAll),
    perCustomer.length === 0 ? undefined : deps.customers.claimedBy(customerId, perCustomer),
  ]);
  return {
    now: deps.clock().getTime(),
    defaultCurrency: deps.defaultCurrency,
    events,
    claimed: (adjustmentId) => claimed?.get(adjustmentId) ?? 0,
    customerUsage: (adjustmentId) => byCustomer?.get(adjustmentId) ?? 0,
    ...view,
  };
}

const NO_EVENTS: PriceOptions['events'] = new Map();

/**
 * What the request's events are part of, as far as the company's adjustments ask for it. Where they name nothing but events, each by
 * itself or as a series, prices go on while the events service is away: by the events alone.
 */
async function eventsOf(
  deps: EvaluateDeps,
  asker: Asker,
  snapshot: CompanySnapshot,
  request: EvaluateRequest | EvaluateCartRequest,
): Promise<PriceOptions['events']> {
  if (!snapshot.asksForEvents) return NO_EVENTS;
  const offerings = 'lines' in request ? request.lines.map(({ offering }) => offering) : [request.offering];
  const ids = new Set(offerings.flatMap(({ eventId }) => eventId ?? []));
  if (ids.size === 0) return NO_EVENTS;
  try {
    return await deps.events.find(asker, ids);
  } catch (error) {
    if (snapshot.asksBeyondEvents) throw error;
    return NO_EVENTS;
  }
}
