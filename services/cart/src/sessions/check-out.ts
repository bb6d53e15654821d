import {
  cartAlreadyOrdered,
  cartBeingOrdered,
  type CheckoutReply,
  type CheckoutRequest,
  joinRefusals,
  sessionNotFound,
  tableNotJoinable,
} from '@event-commerce/contracts';
import { type Caller, retryOnConflict, versionConflict } from '@event-commerce/service-kit';
import type { Cart, Catalogue } from './domain/cart.ts';
import { currencyOf } from './domain/list-prices.ts';
import type { OfferingCatalogue } from './offering-catalogue.ts';
import type { OrderAttempt, OrderOfSession, ReservedSession, SessionLife, SessionOrders } from './session-orders.ts';
import { toCart } from './session-record.ts';
import { findSession, type ReadDeps } from './read-session.ts';

export interface CheckOutDeps extends Pick<ReadDeps, 'sessions' | 'defaultCurrency' | 'clock'> {
  catalogue: Pick<OfferingCatalogue, 'find'>;
  sessionOrders: SessionOrders;
}

/** Where an order names its session. */
const PATH = 'order.cartSessionId';

/**
 * Reserves a session for an order, and tells what is in it. Copies of the order share the reservation, which holds
 * until the order is written or the last of them lets go of it.
 *
 * @throws {PlatformError} CART_SESSION_NOT_FOUND; CART_ALREADY_ORDERED, with a time to retry after while another order
 * is being placed; TABLE_NOT_JOINABLE if a reopened order's session does not sit at its table any more;
 * SERVICE_UNAVAILABLE if the catalogue must be asked and does not respond
 */
export async function checkOut(deps: CheckOutDeps, caller: Caller, request: CheckoutRequest): Promise<CheckoutReply> {
  const { sessionId, sessionCreatedAt, tableCommitmentId, reopening = 0, ...copy } = request;
  const order = { ...copy, reopening };
  const createdAt = sessionCreatedAt === undefined ? undefined : new Date(sessionCreatedAt);
  const session = await retryOnConflict(
    async () => reserve(deps, caller, { sessionId, createdAt }, order),
    versionConflict('The cart session'),
  );
  const heldFor = session.checkout.orderId;
  try {
    if (tableCommitmentId !== undefined) refuseOtherTable(session, tableCommitmentId);
    const ids = session.lines.map(({ offeringId }) => offeringId);
    // A request over the broker comes after the notices that this process has to know of.
    const catalogue = await deps.catalogue.find(caller, ids, { isCaughtUp: true });
    const { version } = session;
    return {
      orderId: heldFor,
      ...contents(toCart(session), catalogue, deps.defaultCurrency),
      version,
      sessionCreatedAt: session.createdAt.toISOString(),
    };
  } catch (error) {
    await deps.sessionOrders.release(caller.tenant, sessionId, heldFor, order.attempt);
    throw error;
  }
}

/** Undefined if the session was released in between. */
async function reserve(
  { sessionOrders, sessions, clock }: CheckOutDeps,
  { tenant }: Caller,
  life: SessionLife,
  order: OrderAttempt,
): Promise<ReservedSession | undefined> {
  const reserved = await sessionOrders.reserve(tenant, life, order, clock());
  if (reserved !== undefined) return reserved;
  const { sessionId, createdAt } = life;
  const shared = await sessionOrders.share(tenant, sessionId, order);
  if (shared !== undefined) return shared;
  const session = await findSession({ sessions, clock }, tenant, sessionId);
  if (createdAt !== undefined && createdAt.getTime() !== session.createdAt.getTime()) throw sessionNotFound(sessionId);
  const { ordered, checkout } = session;
  if (ordered !== undefined && !isEarlier(ordered, order)) {
    throw cartAlreadyOrdered(sessionId, ordered.orderId, PATH);
  }
  const isCopy = checkout?.key === order.key && checkout.content === order.content;
  if (checkout !== undefined && !isCopy && !isEarlier(checkout, order)) {
    throw cartBeingOrdered(sessionId, checkout.orderId, PATH);
  }
  return undefined;
}

/** Whether `other` is the order before it was reopened. */
function isEarlier(other: OrderOfSession, { orderId, reopening }: OrderOfSession): boolean {
  return other.orderId === orderId && other.reopening < reopening;
}

/** @throws {PlatformError} TABLE_NOT_JOINABLE */
function refuseOtherTable({ tableCommitmentId: joined }: ReservedSession, tableId: string): void {
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
