import {
  cartAlreadyOrdered,
  cartBeingOrdered,
  cartChanged,
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
import { endOrder, type FollowOrderDeps } from './follow-order.ts';
import type { OrderOfSession, SessionLife } from './session-orders.ts';
import { toCart, type UnpricedSession } from './session-record.ts';
import { findSession, type ReadDeps, showSession } from './read-session.ts';
import { createJoinTable } from '../tables/join-table.ts';

export type CheckOutDeps = FollowOrderDeps & ReadDeps;

/** Where an order names its session. */
const PATH = 'order.cartSessionId';

/**
 * Reserves a session for an order, and returns its content. Copies of the order share the reservation, which lasts
 * until the order is written, or commerce releases it. So it also lasts if the reply is TABLE_NOT_JOINABLE, because the
 * session of a reopened order sits at another table, or SERVICE_UNAVAILABLE, because the catalogue must be asked and
 * does not respond.
 *
 * @throws {PlatformError} CART_SESSION_NOT_FOUND; CART_ALREADY_ORDERED, with a time to retry after while another order
 * is being placed; CART_CHANGED if the session is at another version than the order; TABLE_NOT_JOINABLE if the seats of
 * a reopened order cannot be taken again: then nothing is reserved
 */
export async function checkOut(deps: CheckOutDeps, caller: Caller, request: CheckoutRequest): Promise<CheckoutReply> {
  const { sessionId, sessionCreatedAt, tableCommitmentId, seats, cartVersion, orderId, reopening = 0 } = request;
  const order = { orderId, reopening };
  const createdAt = sessionCreatedAt === undefined ? undefined : new Date(sessionCreatedAt);
  let tookSeat = false;
  const session = await retryOnConflict(async () => {
    tookSeat ||=
      tableCommitmentId !== undefined &&
      (await takeSeatAgain(deps, caller, { sessionId, createdAt }, { tableId: tableCommitmentId, seats }));
    return await reserve(deps, caller, { sessionId, createdAt, version: cartVersion }, { ...order, tookSeat });
  }, versionConflict('The cart session'));
  try {
    if (tableCommitmentId !== undefined) refuseOtherTable(session, tableCommitmentId);
    const ids = session.lines.map(({ offeringId }) => offeringId);
    // A request over the broker arrives after the notices that this process has to know about.
    const catalogue = await deps.catalogue.find(caller, ids, { isCaughtUp: true });
    const seatsNow = await deps.tables.seatsOf(session);
    return {
      ...contents(toCart(session), catalogue, deps.defaultCurrency),
      ...(seatsNow === undefined ? {} : { seats: seatsNow }),
      version: session.version,
      sessionCreatedAt: session.createdAt.toISOString(),
    };
  } catch (error) {
    if (error instanceof PlatformError) return { refusal: toRefusal(error) };
    throw error;
  }
}

/**
 * Takes the seats that the order had before it was over, if the session has none. Returns whether it took them: they
 * are then given up with the reservation.
 *
 * @throws {PlatformError} TABLE_NOT_JOINABLE
 */
async function takeSeatAgain(
  deps: CheckOutDeps,
  { attempt: _ofTheOrder, ...caller }: Caller,
  { sessionId, createdAt }: SessionLife,
  { tableId, seats }: { tableId: string; seats: number | undefined },
): Promise<boolean> {
  const session = await deps.sessions.load(caller.tenant, sessionId);
  const isOpen = session?.ordered === undefined && session?.checkout === undefined;
  const isSame = createdAt === undefined || createdAt.getTime() === session?.createdAt.getTime();
  if (session === undefined || !isOpen || !isSame || session.tableCommitmentId !== undefined) return false;
  await createJoinTable(deps)({ caller, sessionId, tableId, seats, ifMatch: undefined });
  return true;
}

/** Undefined if the session was released in between. */
async function reserve(
  deps: CheckOutDeps,
  caller: Caller,
  life: SessionLife,
  order: OrderOfSession & { tookSeat: boolean },
): Promise<UnpricedSession | undefined> {
  const { tenant } = caller;
  const reserved = await deps.sessionOrders.reserve(tenant, life, order, deps.clock());
  if (reserved !== undefined) return reserved;
  const { sessionId, createdAt, version } = life;
  const session = await findSession(deps, tenant, sessionId);
  if (createdAt !== undefined && createdAt.getTime() !== session.createdAt.getTime()) throw sessionNotFound(sessionId);
  const { ordered, checkout } = session;
  const { orderId, reopening } = order;
  if ([ordered, checkout].some((one) => one?.orderId === orderId && one.reopening < reopening)) {
    // The order is over, even if cart has not heard of it.
    await endOrder(deps, caller, sessionId, { orderId, reopening: reopening - 1 });
    return undefined;
  }
  if (ordered !== undefined) throw cartAlreadyOrdered(sessionId, ordered.orderId, PATH);
  if (checkout !== undefined && (checkout.orderId !== orderId || checkout.reopening > reopening)) {
    throw cartBeingOrdered(sessionId, checkout.orderId, PATH);
  }
  if (version !== undefined && version !== session.version) {
    throw cartChanged(version, await showSession(deps, caller, session));
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
