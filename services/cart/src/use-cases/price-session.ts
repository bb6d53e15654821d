import type { Caller } from '@event-commerce/service-kit';
import type { CartPricing } from '../cart-pricing.ts';
import type { Cart, Catalogue, PricedCart } from '../domain/cart.ts';
import { listPrices } from '../domain/list-prices.ts';
import { evaluationRequest, priceCart } from '../domain/price-cart.ts';
import type { OfferingCatalogue } from '../offering-catalogue.ts';

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
