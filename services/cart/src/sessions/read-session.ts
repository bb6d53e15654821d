import {
  type CartSession,
  type Page,
  type PageQuery,
  PlatformError,
  sessionNotFound,
  type Tenant,
} from '@event-commerce/contracts';
import { type Caller, PAGE_BYTES_MAX, pageAfter, storedBytes } from '@event-commerce/service-kit';
import type { Orders } from '../orders.ts';
import { isAlive, type SessionRecord, storedPrices, toCart, toSession } from './session-record.ts';
import type { SessionRepository } from './session.repository.ts';
import { priceAtHand, type PriceDeps } from './price-session.ts';

/** How many sessions of a page are priced at the same time: each may be priced to megabytes. */
const PRICED_TOGETHER = 20;

export interface ReadDeps extends PriceDeps {
  sessions: SessionRepository;
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
 * The sessions with what became of their orders, of which cart may not have been told yet: what the answer about an
 * order said holds for whoever reads its session next. As they are stored while commerce does not respond.
 */
async function asOrdered(
  { orders }: Pick<ReadDeps, 'orders'>,
  sessions: readonly SessionRecord[],
): Promise<readonly SessionRecord[]> {
  const orderIds = sessions.flatMap(({ checkout, ordered }) => (checkout ?? ordered)?.orderId ?? []);
  if (orderIds.length === 0) return sessions;
  let standing: Awaited<ReturnType<Orders['standing']>>;
  try {
    standing = await orders.standing(orderIds);
  } catch (error) {
    if (error instanceof PlatformError) return sessions;
    throw error;
  }
  return sessions.map(({ ordered, ...session }) => {
    const order = session.checkout ?? ordered;
    // One that is being placed, or placed anew, does not stand yet.
    if (order !== undefined && standing.has(order.orderId)) return { ...session, ordered: order };
    // The version that it has once it is opened: whoever read it changes it with that.
    const isToBeOpened = ordered !== undefined && session.checkout === undefined;
    return isToBeOpened ? { ...session, version: session.version + 1 } : session;
  });
}

/**
 * One page of the company's sessions, each as `readSession` returns it. What was added to the prices since they were
 * stored makes them larger: a page that would become too large is cut short.
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
  const cart = toCart(session);
  try {
    const priced = await priceAtHand(deps, caller, cart);
    return toSession(session, { priced, pricedAt: deps.clock(), status: 'current' });
  } catch (error) {
    // Pricing does not respond, or more adjustments apply by now than a price can have.
    if (!(error instanceof PlatformError)) throw error;
    return toSession(session, storedPrices(session));
  }
}
