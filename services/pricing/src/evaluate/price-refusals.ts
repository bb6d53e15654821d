import {
  companyIdOf,
  type EvaluateCartRequest,
  type EvaluateRequest,
  invalidInput,
  otherCompany,
  type Tenant,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { AmountTooLargeError } from './domain/exact-amount.ts';
import { TooManyPricesError } from './domain/price-bounds.ts';
import type { LiveAdjustments } from '../snapshot/domain/snapshot.ts';
import type { FoundEvents } from './event-contexts.ts';

/**
 * While the events service is down, prices use only the event ids, which is enough if adjustments name only events,
 * single ones or series.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if that is not enough
 */
export function refuseUnreachable(
  snapshot: LiveAdjustments,
  { lines }: Pick<EvaluateCartRequest, 'lines'>,
  { unreachable, error }: FoundEvents,
): void {
  if (!snapshot.asksBeyondEvents || !lines.some(({ offering }) => unreachable.has(offering.eventId ?? ''))) return;
  throw tryAgainShortly("The event's series, venue and organizer cannot be read now. Try again shortly.", {
    cause: error,
  });
}

/**
 * `path`: where the request has the lines.
 *
 * @throws {PlatformError} FORBIDDEN if a line names another company, VALIDATION_FAILED if the lines mix currencies
 */
export function refuseUnlike(
  { defaultCurrency }: { defaultCurrency: string },
  tenant: Tenant,
  { lines }: Pick<EvaluateCartRequest, 'lines'>,
  path: string,
): void {
  const offerings = lines.map((line) => line.offering);
  refuseForeign(tenant, offerings, (index) => `${path}[${index}].offering.companyId`);
  const currencies = new Set(offerings.map(({ price }) => price.currency ?? defaultCurrency));
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
    throw invalidInput(path, 'would exceed the maximum total; send fewer at a time');
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
