import type { CartItem, CartSummary, CodeResult, ListedOffering, Modifier, Money } from '@event-commerce/contracts';

/** One offering in a cart as the buyer chose it. */
export interface CartLine {
  offeringId: string;
  quantity: number;
  /** What the caller said about an offering that the catalogue does not have. */
  price?: Money;
  name?: string;
}

/** A cart as the buyer and the shop composed it, without prices. */
export interface Cart {
  contextId?: string;
  /** Set by the caller; if absent, the currency of the first line that has a price. */
  currency?: string;
  customerId?: string;
  customerEmail?: string;
  customerSegment?: string;
  channelId?: string;
  lines: CartLine[];
  coupons: string[];
  tableCommitmentId?: string;
}

/** The price of a cart at one moment. */
export interface PricedCart {
  items: CartItem[];
  couponResults: CodeResult[];
  perOrderModifiers: Modifier[];
  summary: CartSummary;
}

/** The catalogue's data of the relevant offerings, by id. */
export type Catalogue = ReadonlyMap<string, ListedOffering>;
