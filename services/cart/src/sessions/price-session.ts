import { PlatformError } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import type { CartPricing } from './cart-pricing.ts';
import type { Cart, Catalogue, PricedCart } from './domain/cart.ts';
import { listPrices } from './domain/list-prices.ts';
import { evaluationRequest, priceCart } from './domain/price-cart.ts';
import type { OfferingCatalogue } from './offering-catalogue.ts';

export interface PriceDeps {
  catalogue: OfferingCatalogue;
  pricing: CartPricing;
  clock: () => Date;
  /** The currency of a cart in which nothing names one. */
  defaultCurrency: string;
}

/**
 * Returns the current price of `cart`, with at most one pricing request.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if pricing must be asked and does not respond
 */
export async function priceSession(
  deps: PriceDeps,
  caller: Caller,
  cart: Cart,
  catalogue: Catalogue,
): Promise<PricedCart> {
  const listed = listPrices(cart, catalogue, deps.defaultCurrency);
  const request = evaluationRequest(cart, listed);
  const evaluation = request === undefined ? undefined : await deps.pricing.evaluate(caller, request);
  return priceCart(listed, evaluation, deps.clock());
}

/**
 * Prices a cart as `priceSession` does, but with what the catalogue has at hand, usually without a round trip for the
 * catalogue's sake: pricing's reply comes over the same connection as the notices of changes, and after all that the
 * caller may know of. If one of those was about the cart, its price is worked out anew.
 */
export async function priceAtHand(deps: PriceDeps, caller: Caller, cart: Cart): Promise<PricedCart> {
  const ids = cart.lines.map(({ offeringId }) => offeringId);
  const atHand = await deps.catalogue.find(caller, ids, { isCaughtUp: true });
  try {
    const listed = listPrices(cart, atHand, deps.defaultCurrency);
    const request = evaluationRequest(cart, listed);
    const evaluation = request && (await deps.pricing.evaluate(caller, request));
    if (evaluation !== undefined && deps.catalogue.isCurrent(caller, ids, atHand)) {
      return priceCart(listed, evaluation, deps.clock());
    }
  } catch (error) {
    // Anything else may be because of a stale price.
    if (!(error instanceof PlatformError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
  }
  return await priceSession(deps, caller, cart, await deps.catalogue.find(caller, ids));
}
