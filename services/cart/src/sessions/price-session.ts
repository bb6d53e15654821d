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

/** A cart, and its session, which identifies the client that enters its codes. */
interface CartOfSession {
  cart: Cart;
  sessionId: string;
}

/**
 * Returns the current price of `cart`, with at most one pricing request.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE if pricing must be asked and does not respond
 */
export async function priceSession(
  deps: PriceDeps,
  caller: Caller,
  { cart, sessionId }: CartOfSession,
  catalogue: Catalogue,
): Promise<PricedCart> {
  const listed = listPrices(cart, catalogue, deps.defaultCurrency);
  const request = evaluationRequest(cart, listed, sessionId);
  const evaluation = request === undefined ? undefined : await deps.pricing.evaluate(caller, request);
  return priceCart(listed, evaluation, deps.clock());
}

/**
 * Prices a cart as `priceSession` does, but with cached offerings, usually without a round trip to the catalogue:
 * pricing's reply comes over the same connection as the notices of changes, after all those that the caller may know
 * about. If one of them concerns the cart, the cart is priced again.
 */
export async function priceAtHand(deps: PriceDeps, caller: Caller, asked: CartOfSession): Promise<PricedCart> {
  const { cart, sessionId } = asked;
  const ids = cart.lines.map(({ offeringId }) => offeringId);
  const atHand = await deps.catalogue.find(caller, ids, { isCaughtUp: true });
  try {
    const listed = listPrices(cart, atHand, deps.defaultCurrency);
    const request = evaluationRequest(cart, listed, sessionId);
    const evaluation = request && (await deps.pricing.evaluate(caller, request));
    if (evaluation !== undefined && deps.catalogue.isCurrent(caller, ids, atHand)) {
      return priceCart(listed, evaluation, deps.clock());
    }
  } catch (error) {
    // Any other error may result from a stale price.
    if (!(error instanceof PlatformError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
  }
  return await priceSession(deps, caller, asked, await deps.catalogue.find(caller, ids));
}
