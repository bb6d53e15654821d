import {
  cartAlreadyOrdered,
  cartBeingOrdered,
  cartChanged,
  type CheckoutReply,
  type CheckoutRequest,
  joinRefusals,
  sessionNotFound,
  tableNotJoinable,
} from '@event-commerce/contracts';
import { type Caller, retryOnConflict, versionConflict } from '@event-commerce/service-kit';
import type { Cart, Catalogue } from './domain/cart.ts';
import { currencyOf } from './domain/list-prices.ts';
import { endOrder, type FollowOrderDeps } from './follow-order.ts';
import type { OrderAttempt, OrderOfSession, ReservedSession, SessionLife } from './session-orders.ts';
import { toCart } from './session-record.ts';
import { releaseReservation } from './release-reservation.ts';
import { findSession, type ReadDeps, showSession } from './read-session.ts';
import { createJoinTable } from '../tables/join-table.ts';

export type CheckOutDeps = FollowOrderDeps & ReadDeps;

/** Where an order names its session. */
const PATH = 'order.cartSessionId';

/**
 * Reserves a session for an order, and tells what is in it. Copies of the order share the reservation, which holds
 * until the order is written or the last of them lets go of it.
 *
 * @throws {PlatformError} CART_SESSION_NOT_FOUND; CART_ALREADY_ORDERED, with a time to retry after while another order
 * is being placed; CART_CHANGED if the session is at another version than the order; TABLE_NOT_JOINABLE if a reopened
 * order cannot have its seats again; SERVICE_UNAVAILABLE if the catalogue must be asked and does not respond
 */
export async function checkOut(deps: CheckOutDeps, caller: Caller, request: CheckoutRequest): Promise<CheckoutReply> {
  const { sessionId, sessionCreatedAt, tableCommitmentId, seats, cartVersion, reopening = 0, ...copy } = request;
  const order = { ...copy, reopening };
  const createdAt = sessionCreatedAt === undefined ? undefined : new Date(sessionCreatedAt);
  let tookSeat = false;
  const session = await retryOnConflict(async () => {
    tookSeat ||=
      tableCommitmentId !== undefined &&
      (await takeSeatAgain(deps, caller, { sessionId, createdAt }, { tableId: tableCommitmentId, seats }));
    return await reserve(deps, caller, { sessionId, createdAt, version: cartVersion }, { ...order, tookSeat });
  }, versionConflict('The cart session'));
  const heldFor = session.checkout.orderId;
  try {
    if (tableCommitmentId !== undefined) refuseOtherTable(session, tableCommitmentId);
    const ids = session.lines.map(({ offeringId }) => offeringId);
    // A request over the broker comes after the notices that this process has to know of.
    const catalogue = await deps.catalogue.find(caller, ids, { isCaughtUp: true });
    const { version } = session;
    const seatsNow = await deps.tables.seatsOf(session);
    return {
      orderId: heldFor,
      ...contents(toCart(session), catalogue, deps.defaultCurrency),
      ...(seatsNow === undefined ? {} : { seats: seatsNow }),
      version,
      sessionCreatedAt: session.createdAt.toISOString(),
    };
  } catch (error) {
    await releaseReservation(deps, caller.tenant, { sessionId, orderId: heldFor, attempt: order.attempt });
    throw error;
  }
}

/**
 * Takes the seats again that the order had before it was over, if the session has none. Returns whether it took them:
 * they are given up again with the reservation.
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
  order: OrderAttempt,
): Promise<ReservedSession | undefined> {
  const { sessionOrders, clock } = deps;
  const { tenant } = caller;
  const reserved = await sessionOrders.reserve(tenant, life, order, clock());
  if (reserved !== undefined) return reserved;
  const { sessionId, createdAt, version } = life;
  const shared = await sessionOrders.share(tenant, sessionId, order);
  if (shared !== undefined) return shared;
  const session = await findSession(deps, tenant, sessionId);
  if (createdAt !== undefined && createdAt.getTime() !== session.createdAt.getTime()) throw sessionNotFound(sessionId);
  const { ordered, checkout } = session;
  if ([ordered, checkout].some((former) => former !== undefined && isEarlier(former, order))) {
    // It is over, whether cart was told of that or not.
    await endOrder(deps, caller, sessionId, { ...order, reopening: order.reopening - 1 });
    return undefined;
  }
  if (ordered !== undefined) throw cartAlreadyOrdered(sessionId, ordered.orderId, PATH);
  const isCopy = checkout?.key === order.key && checkout.content === order.content;
  if (checkout !== undefined && !isCopy) throw cartBeingOrdered(sessionId, checkout.orderId, PATH);
  if (version !== undefined && version !== session.version) {
    throw cartChanged(version, await showSession(deps, caller, session));
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
