import { type ListedOffering, PRICE_MAX, SUBTOTAL_MAX, type UnpricedReason } from '@event-commerce/contracts';
import type { Cart, CartLine, Catalogue } from './cart.ts';

/** A line with its list price, or with the reason why it has none. */
export interface ListedLine {
  line: CartLine;
  offering: ListedOffering | undefined;
  unitPrice: number | undefined;
  unpricedReason: UnpricedReason | undefined;
}

export interface ListedCart {
  currency: string;
  lines: ListedLine[];
  /** List price x quantity over all lines that have one. */
  subtotal: number;
}

/**
 * The prices of the lines of `cart` before adjustments. The catalogue's price wins; a caller's own price applies only
 * to an offering that the catalogue does not have. All prices share one currency: a line in another one counts as
 * unpriced.
 */
export function listPrices(cart: Cart, catalogue: Catalogue, defaultCurrency: string): ListedCart {
  const currency = currencyOf(cart, catalogue) ?? defaultCurrency;
  let subtotal = 0;
  const lines = cart.lines.map((line): ListedLine => {
    const offering = catalogue.get(line.offeringId);
    const price = priceOf(line, offering);
    const unpriced = (unpricedReason: UnpricedReason) => ({ line, offering, unitPrice: undefined, unpricedReason });
    if (price === undefined) return unpriced(offering === undefined ? 'not-in-catalogue' : 'not-for-sale');
    if (price.currency !== currency) return unpriced('currency-mismatch');
    const total = price.amount * line.quantity;
    if (price.amount > PRICE_MAX || subtotal + total > SUBTOTAL_MAX) return unpriced('amount-too-large');
    subtotal += total;
    return { line, offering, unitPrice: price.amount, unpricedReason: undefined };
  });
  return { currency, lines, subtotal };
}

/** The currency of the cart's prices; undefined while nothing determines it. */
export function currencyOf(cart: Pick<Cart, 'currency' | 'lines'>, catalogue: Catalogue): string | undefined {
  if (cart.currency !== undefined) return cart.currency;
  for (const line of cart.lines) {
    const price = priceOf(line, catalogue.get(line.offeringId));
    if (price !== undefined) return price.currency;
  }
  return undefined;
}

function priceOf(line: CartLine, offering: ListedOffering | undefined) {
  if (offering === undefined) return line.price;
  return offering.status === 'active' ? offering.price : undefined;
}
