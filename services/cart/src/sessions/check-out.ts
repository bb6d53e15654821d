import {
  cartAlreadyOrdered,
  cartBeingOrdered,
  type CheckoutReply,
  type CheckoutRequest,
  joinRefusals,
  PlatformError,
  sessionNotFound,
  tableNotJoinable,
  toRefusal,
} from '@event-commerce/contracts';
import { type Caller, retryOnConflict, versionConflict } from '@event-commerce/service-kit';
import type { Cart, Catalogue } from './domain/cart.ts';
import { currencyOf } from './domain/list-prices.ts';
import type { OfferingCatalogue } from './offering-catalogue.ts';
import type { OrderOfSession, SessionLife, SessionOrders } from './session-orders.ts';
import { toCart, type UnpricedSession } from './session-record.ts';
import { findSession, type ReadDeps } from './read-session.ts';

export interface CheckOutDeps extends Pick<ReadDeps, 'sessions' | 'defaultCurrency' | 'clock'> {
  catalogue: Pick<OfferingCatalogue, 'find'>;
  sessionOrders: SessionOrders;
}

/** Where an order names its session. */
const PATH = 'order.cartSessionId';

/**
 * Reserves a session for an order, and tells what is in it. Copies of the order share the reservation, which holds until
 * the order is written, or commerce releases it. So it holds too if the reply is the refusal TABLE_NOT_JOINABLE, because
 * the session of a reopened order does not sit at its table any more, or SERVICE_UNAVAILABLE, because the catalogue must
 * be asked and does not respond.
 *
 * @throws {PlatformError} CART_SESSION_NOT_FOUND; CART_ALREADY_ORDERED, with a time to retry after while another order
 * is being placed: then nothing is reserved
 */
export async function checkOut(deps: CheckOutDeps, caller: Caller, request: CheckoutRequest): Promise<CheckoutReply> {
  const { sessionId, sessionCreatedAt, tableCommitmentId, orderId, reopening = 0 } = request;
  const createdAt = sessionCreatedAt === undefined ? undefined : new Date(sessionCreatedAt);
  const session = await retryOnConflict(
    async () => reserve(deps, caller, { sessionId, createdAt }, { orderId, reopening }),
    versionConflict('The cart session'),
  );
  try {
    if (tableCommitmentId !== undefined) refuseOtherTable(session, tableCommitmentId);
    const ids = session.lines.map(({ offeringId }) => offeringId);
    // A request over the broker comes after the notices that this process has to know of.
    const catalogue = await deps.catalogue.find(caller, ids, { isCaughtUp: true });
    return {
      ...contents(toCart(session), catalogue, deps.defaultCurrency),
      version: session.version,
      sessionCreatedAt: session.createdAt.toISOString(),
    };
  } catch (error) {
    if (error instanceof PlatformError) return { refusal: toRefusal(error) };
    throw error;
  }
}

/** Undefined if the session was released in between. */
async function reserve(
  { sessionOrders, sessions, clock }: CheckOutDeps,
  { tenant }: Caller,
  life: SessionLife,
  order: OrderOfSession,
): Promise<UnpricedSession | undefined> {
  const reserved = await sessionOrders.reserve(tenant, life, order, clock());
  if (reserved !== undefined) return reserved;
  const { sessionId, createdAt } = life;
  const session = await findSession({ sessions, clock }, tenant, sessionId);
  if (createdAt !== undefined && createdAt.getTime() !== session.createdAt.getTime()) throw sessionNotFound(sessionId);
  const { ordered, checkout } = session;
  // What the order had before it was reopened, or a copy of it reserved, is its own.
  if (ordered !== undefined && (ordered.orderId !== order.orderId || ordered.reopening >= order.reopening)) {
    throw cartAlreadyOrdered(sessionId, ordered.orderId, PATH);
  }
  if (checkout !== undefined && (checkout.orderId !== order.orderId || checkout.reopening > order.reopening)) {
    throw cartBeingOrdered(sessionId, checkout.orderId, PATH);
  }
  return undefined;
}

/** @throws {PlatformError} TABLE_NOT_JOINABLE */
function refuseOtherTable({ tableCommitmentId: joined }: UnpricedSession, tableId: string): void {
  if (joined === tableId) return;
  throw tableNotJoinable(joined === undefined ? joinRefusals.left(tableId) : joinRefusals.elsewhere(joined));
}

function contents(cart: Cart, catalogue: Catalogue, defaultCurrency: string) {
  const { lines, coupons: codes, currency = currencyOf(cart, catalogue) ?? defaultCurrency, ...chosen } = cart;
  const items = lines.map(({ price, ...line }) => {
    const listed = catalogue.get(line.offeringId);
    if (listed === undefined) return { ...line, ...(price === undefined ? {} : { price }) };
    const { availability: _counted, event: _event, ...offering } = listed;
    return { ...line, offering };
  });
  return { items, codes, currency, ...chosen };
}
