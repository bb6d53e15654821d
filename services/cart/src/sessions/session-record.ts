import {
  type CartItem,
  type CartSession,
  type Cause,
  companyIdOf,
  type DomainEvent,
  type DomainEventData,
  invalidInput,
} from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry } from '@event-commerce/outbox';
import { DOCUMENT_BYTES_MAX } from '@event-commerce/service-kit';
import type { Cart, PricedCart } from './domain/cart.ts';
import { modifierTotals, type OrderedPrice } from './domain/ordered-price.ts';
import type { SessionDocument } from '../models.ts';

/** A session as the store returns it. `priced` is still text, because not every reader needs the prices. */
export type SessionRecord = Omit<SessionDocument, 'outbox'>;

/** A session without its prices, which are most of it. */
export type UnpricedSession = Omit<SessionRecord, 'priced' | 'orderedPrice'>;

/**
 * Whether the session exists for callers: one that was idle for too long is gone, even if not deleted yet. No session
 * ends while it is being ordered.
 */
export function isAlive(session: SessionRecord | undefined, now: Date): session is SessionRecord {
  return session !== undefined && (session.expiresAt > now || session.checkout !== undefined);
}

/** The content of the cart, without prices. */
export function toCart(chosen: Cart): Cart {
  const {
    contextId,
    currency,
    customerId,
    customerEmail,
    customerSegment,
    channelId,
    tableCommitmentId,
    lines,
    coupons,
  } = chosen;
  return {
    ...(contextId === undefined ? {} : { contextId }),
    ...(currency === undefined ? {} : { currency }),
    ...(customerId === undefined ? {} : { customerId }),
    ...(customerEmail === undefined ? {} : { customerEmail }),
    ...(customerSegment === undefined ? {} : { customerSegment }),
    ...(channelId === undefined ? {} : { channelId }),
    ...(tableCommitmentId === undefined ? {} : { tableCommitmentId }),
    lines,
    coupons,
  };
}

/** What was chosen, under the API's names: for the history, which compares two states. */
export function choicesOf(cart: Cart) {
  const { lines: items, ...others } = toCart(cart);
  return { ...others, items };
}

/** Prices of a session, and whether they are current. */
interface SessionPrices {
  priced: PricedCart;
  pricedAt: Date;
  status: CartSession['priceStatus'];
}

/**
 * The prices as they are stored.
 *
 * @throws {PlatformError} VALIDATION_FAILED if they are too large to be stored
 */
export function pricesToStore(priced: PricedCart): string {
  const text = JSON.stringify(priced);
  // A character takes at most three bytes.
  if (text.length * 3 > DOCUMENT_BYTES_MAX && Buffer.byteLength(text) > DOCUMENT_BYTES_MAX) {
    throw invalidInput('items', 'exceed the price adjustments that one cart can have; split them into several carts');
  }
  return text;
}

/** The most characters of an order's price to store: the session's own prices may fill most of the document. */
const ORDERED_PRICE_LENGTH_MAX = 1024 * 1024;

/**
 * The order's price as it is stored with its session; undefined if it is too large: it is then requested on each read.
 */
export function orderedPriceToStore(price: OrderedPrice): string | undefined {
  const text = JSON.stringify(price);
  return text.length > ORDERED_PRICE_LENGTH_MAX ? undefined : text;
}

/**
 * What the order costs, if the session is ordered and has that price; otherwise what the session cost at its last
 * change.
 */
export function storedPrices({ priced, pricedAt, ordered, orderedPrice }: SessionRecord): SessionPrices {
  if (ordered === undefined || orderedPrice === undefined) {
    return { priced: JSON.parse(priced) as PricedCart, pricedAt, status: 'stored' };
  }
  const price = JSON.parse(orderedPrice) as OrderedPrice;
  return { priced: price, pricedAt: new Date(price.pricedAt), status: 'current' };
}

/** The session as the API shows it, with the number of its `seats` at the table. */
export function toSession(
  record: SessionRecord,
  { priced, pricedAt, status }: SessionPrices,
  seats?: number,
): CartSession {
  const { lines: _lines, coupons, currency: _currency, ...chosen } = toCart(record);
  const { ordered, seatHeldUntil } = record;
  return {
    id: record.sessionId,
    companyId: companyIdOf(record.companyId),
    ...(ordered === undefined ? { status: 'open' } : { status: 'ordered', orderId: ordered.orderId }),
    // An ordered session cannot be ordered again.
    items: ordered === undefined ? priced.items : priced.items.map(withoutAvailability),
    coupons,
    couponResults: priced.couponResults,
    perOrderModifiers: priced.perOrderModifiers,
    summary: priced.summary,
    total: priced.summary.total,
    currency: priced.summary.currency,
    ...chosen,
    ...(seats === undefined ? {} : { seats }),
    ...(seatHeldUntil === undefined || ordered !== undefined ? {} : { seatHeldUntil: seatHeldUntil.toISOString() }),
    version: record.version,
    createdAt: record.createdAt.toISOString(),
    changedAt: record.changedAt.toISOString(),
    expiresAt: record.expiresAt.toISOString(),
    pricedAt: pricedAt.toISOString(),
    priceStatus: status,
  };
}

function withoutAvailability({ available: _available, unavailableReason: _why, ...item }: CartItem): CartItem {
  return item;
}

/** The event of a session that gives up its seat at the table. */
export function tableLeft(
  { createdAt, leaves = 0 }: Pick<SessionDocument, 'createdAt' | 'leaves'>,
  tableCommitmentId: string,
  now: Date,
  about: Cause & { after?: { version: number } } = {},
): OutboxEntry {
  const extra = { tableCommitmentId, sessionCreatedAt: createdAt.toISOString(), leaves };
  return outboxEntry('cart.table_left', now, { ...about, extra });
}

/** The domain event of a session's outbox entry. */
export function sessionEvent(entry: OutboxEntry, document: SessionDocument): DomainEvent {
  const session = toSession(document, storedPrices(document));
  const { priceStatus: _status, ...data } = session;
  const about = { subject: document.sessionId, tenant: document.companyId };
  if (entry.type === 'cart.ordered') {
    const { orderId } = entry.extra as { orderId: string };
    return domainEvent(
      { ...entry, type: entry.type },
      { ...about, data: { ...data, orderId, modifiers: modifierTotals(session) } },
    );
  }
  if (entry.type === 'cart.table_left') {
    const left = entry.extra as DomainEventData<'cart.table_left'>['left'];
    return domainEvent({ ...entry, type: entry.type }, { ...about, data: { ...data, left } });
  }
  return domainEvent(entry as OutboxEntry & { type: 'cart.updated' }, { ...about, data });
}
