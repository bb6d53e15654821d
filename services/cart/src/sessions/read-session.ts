import {
  type CartSession,
  type Page,
  type PageQuery,
  PlatformError,
  sessionNotFound,
  type Tenant,
} from '@event-commerce/contracts';
import { type Caller, PAGE_BYTES_MAX, pageAfter, storedBytes } from '@event-commerce/service-kit';
import type { Orders, OrderStandings } from '../orders.ts';
import type { TableRepository } from '../tables/table.repository.ts';
import { isAlive, type SessionRecord, storedPrices, toCart, toSession } from './session-record.ts';
import type { SessionRepository } from './session.repository.ts';
import { priceAtHand, type PriceDeps } from './price-session.ts';

/** How many sessions of a page are priced at the same time: the prices of each may take megabytes. */
const PRICED_TOGETHER = 20;

export interface ReadDeps extends PriceDeps {
  sessions: SessionRepository;
  tables: TableRepository;
  orders: Orders;
}

/**
 * The session with current prices: adjustments begin and end, and codes run out, without a change of the cart. Changes
 * nothing. If it cannot be priced now, the session has the prices of its last change, and says so.
 *
 * @throws {PlatformError} CART_SESSION_NOT_FOUND
 */
export async function readSession(deps: ReadDeps, caller: Caller, id: string): Promise<CartSession> {
  return await showSession(deps, caller, await findSession(deps, caller.tenant, id));
}

/** `session` as `readSession` returns it. */
export async function showSession(deps: ReadDeps, caller: Caller, session: SessionRecord): Promise<CartSession> {
  const [current = session] = await asOrdered(deps, [session]);
  return await withPrices(deps, caller, current);
}

/**
 * The sessions with the outcome of their orders, even if cart has not heard of it yet: the next read of a session
 * agrees with the last response about its order. Returns the stored sessions while commerce does not respond.
 */
async function asOrdered(
  { orders }: Pick<ReadDeps, 'orders'>,
  sessions: readonly SessionRecord[],
): Promise<readonly SessionRecord[]> {
  const ordering = sessions.flatMap(({ checkout, ordered, orderedPrice }) => {
    const order = checkout ?? ordered;
    return order === undefined
      ? []
      : [{ id: order.orderId, isPriced: checkout === undefined && orderedPrice !== undefined }];
  });
  if (ordering.length === 0) return sessions;
  const unpriced = ordering.filter(({ isPriced }) => !isPriced).map(({ id }) => id);
  let found: OrderStandings;
  try {
    found = await orders.shown(
      ordering.map(({ id }) => id),
      new Set(unpriced),
    );
  } catch (error) {
    if (error instanceof PlatformError) return sessions;
    throw error;
  }
  return sessions.map((session) => {
    const { ordered, checkout } = session;
    const order = checkout ?? ordered;
    if (order === undefined) return session;
    const { orderId, reopening } = order;
    const standing = found.standing.get(orderId);
    if (standing !== undefined) {
      const { price } = standing;
      return { ...session, ordered: order, ...(price === undefined ? {} : { orderedPrice: JSON.stringify(price) }) };
    }
    // An order that is being placed or reopened is neither.
    return (found.over.get(orderId) ?? -1) >= reopening ? asOpened(session) : session;
  });
}

/**
 * The session as it will be once cart hears that its order is over, at the version that it will have then: callers use
 * that version to change it.
 */
function asOpened({
  ordered,
  orderedPrice: _price,
  tableCommitmentId,
  seatHeldUntil: _held,
  ...session
}: SessionRecord): SessionRecord {
  const isChanged = ordered !== undefined || tableCommitmentId !== undefined;
  return { ...session, version: session.version + (isChanged ? 1 : 0) };
}

/**
 * One page of the company's sessions, each as `readSession` returns it. Prices may have grown since they were stored: a
 * page that would become too large is cut short.
 */
export async function listSessions(deps: ReadDeps, caller: Caller, query: PageQuery): Promise<Page<CartSession>> {
  const { data, page } = await deps.sessions.page(caller.tenant, query, deps.clock());
  const current = await asOrdered(deps, data);
  const shown: CartSession[] = [];
  let bytes = 0;
  for (let from = 0; from < current.length; from += PRICED_TOGETHER) {
    const some = current.slice(from, from + PRICED_TOGETHER).map(async (one) => withPrices(deps, caller, one));
    for (const session of await Promise.all(some)) {
      bytes += storedBytes(session);
      if (bytes > PAGE_BYTES_MAX && shown.length > 0) {
        const found = { documents: data.slice(0, shown.length), more: true };
        return { data: shown, page: pageAfter(found, query, 'cart-sessions', ({ sessionId }) => sessionId) };
      }
      shown.push(session);
    }
  }
  return { data: shown, page };
}

/** @throws {PlatformError} CART_SESSION_NOT_FOUND, also for a session that expired */
export async function findSession(
  deps: Pick<ReadDeps, 'sessions' | 'clock'>,
  tenant: Tenant,
  id: string,
): Promise<SessionRecord> {
  const session = await deps.sessions.load(tenant, id);
  if (!isAlive(session, deps.clock())) throw sessionNotFound(id);
  return session;
}

async function withPrices(deps: ReadDeps, caller: Caller, session: SessionRecord): Promise<CartSession> {
  // What an order costs does not change.
  if (session.ordered !== undefined) return await withSeats(deps, session, storedPrices(session));
  const cart = toCart(session);
  try {
    const priced = await priceAtHand(deps, caller, { cart, sessionId: session.sessionId });
    return await withSeats(deps, session, { priced, pricedAt: deps.clock(), status: 'current' });
  } catch (error) {
    // Pricing does not respond, or more adjustments apply than a price can have.
    if (!(error instanceof PlatformError)) throw error;
    return await withSeats(deps, session, storedPrices(session));
  }
}

/** The session as the API shows it, with the number of its seats, which its table stores. */
export async function withSeats(
  { tables }: Pick<ReadDeps, 'tables'>,
  session: SessionRecord,
  prices: Parameters<typeof toSession>[1],
): Promise<CartSession> {
  return toSession(
    session,
    prices,
    session.tableCommitmentId === undefined ? undefined : await tables.seatsOf(session),
  );
}
