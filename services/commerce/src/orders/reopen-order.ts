import {
  aboutOrder,
  hasCode,
  joinRefusals,
  type Order,
  PlatformError,
  type ReopenOrderInput,
  redemptionsIn,
  tableNotJoinable,
} from '@event-commerce/contracts';
import {
  type Caller,
  type IfMatch,
  refuseOtherVersion,
  retryOnConflict,
  versionConflict,
  wasChangedBy,
} from '@event-commerce/service-kit';
import { ORDER_LIFE } from './domain/order-life.ts';
import { standingClaims } from './domain/kept-claims.ts';
import type { OrderDocument } from '../models.ts';
import type { OrderRecord } from './order-record.ts';
import { currentOrder } from './move-order.ts';
import { type ClaimRequest, OrderAttempt } from './order-attempt.ts';
import { numberOfRevision } from './order-number.repository.ts';
import type { PlaceOrderDeps } from './place-order.ts';

/**
 * Reopens a cancelled or expired order as placed, or as pending for a while, at the price that it had. Everything that
 * it had is claimed again, all or nothing, as the order's next revision. Two requests for one revision share what it
 * holds, and the first one written is the reopening. Reopening an order that is pending or placed changes nothing.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND, VERSION_CONFLICT; the refusals of pricing, events and cart;
 * SERVICE_UNAVAILABLE if one of them is needed and cannot be reached: then the order stays as it is, and nothing stays
 * claimed
 */
export async function reopenOrder(
  deps: PlaceOrderDeps,
  caller: Caller,
  id: string,
  input: ReopenOrderInput,
  ifMatch: IfMatch,
): Promise<Order> {
  return await retryOnConflict(async () => {
    const record = await currentOrder(deps, caller, id);
    if (ORDER_LIFE[record.state].reopen === 'stays' || wasChangedBy(caller, record)) return record.order;
    refuseOtherVersion(ifMatch, 'order', record.order.version);
    return await reopenOnce(deps, caller, record, input);
  }, versionConflict('The order'));
}

/** Undefined if the order was changed since it was read, or this revision of it can never be written. */
async function reopenOnce(
  deps: PlaceOrderDeps,
  caller: Caller,
  record: OrderRecord,
  { expiresInSeconds }: ReopenOrderInput,
): Promise<Order | undefined> {
  const { id, order } = record;
  const revision = record.revision + 1;
  const attempt = new OrderAttempt(deps, caller, {
    id,
    number: numberOfRevision(caller.tenant, id, revision),
    fingerprint: record.fingerprint,
    revision,
  });
  if (!(await attempt.enter())) return undefined;
  let claimed: ReturnType<typeof reclaimed>;
  try {
    const seat = await takeSession(attempt, record);
    claimed = reclaimed(order, await attempt.claim(neededAgain(record)), seat);
  } catch (error) {
    // Another request may have got what this one was refused, reopened the order, and even cancelled it since. Or the
    // number of this revision was used up, and the next one must be tried.
    const current = await leave(deps, caller, attempt, { id, revision });
    const isSame = current.order.version === order.version && current.revision === record.revision;
    if (isSame) throw error instanceof PlatformError ? aboutOrder(error) : error;
    return reopenedOrder(current);
  }
  const now = deps.clock();
  const until = expiresInSeconds === undefined ? {} : { expiresAt: new Date(now.getTime() + expiresInSeconds * 1000) };
  // After an error here it is unknown whether the order was reopened: what it holds stays held until that is settled.
  const reopened = await deps.orders.reopen(caller, record, { ...claimed, ...until }, now);
  if (reopened !== undefined) {
    await attempt.releaseExcept(reopened);
    return reopened.order;
  }
  return reopenedOrder(await leave(deps, caller, attempt, { id, revision }));
}

/**
 * Reserves the cart session again, with the seats that the order had; an order without a seat gets those that the
 * session has now. A session ends some days after its last change, even while an order has it. An order without a seat
 * then needs no session; one with a seat cannot be reopened, because its seat belongs to the session.
 */
async function takeSession(
  attempt: OrderAttempt,
  { order, tableCommitmentId, seats, sessionCreatedAt }: OrderRecord,
): Promise<Pick<OrderDocument, 'tableCommitmentId' | 'seats'>> {
  if (order.cartSessionId === undefined) return {};
  try {
    const session = await attempt.checkOut(order.cartSessionId, { tableCommitmentId, seats, sessionCreatedAt });
    return {
      ...(session.tableCommitmentId === undefined ? {} : { tableCommitmentId: session.tableCommitmentId }),
      ...(session.seats === undefined ? {} : { seats: session.seats }),
    };
  } catch (error) {
    if (!hasCode(error, 'CART_SESSION_NOT_FOUND')) throw error;
    if (tableCommitmentId !== undefined) throw tableNotJoinable(joinRefusals.ended(tableCommitmentId));
    return {};
  }
}

/** The part of what it claimed that a reopening writes. */
function reclaimed(
  { coupons }: Order,
  { purchase, tickets }: Awaited<ReturnType<OrderAttempt['claim']>>,
  seat: Pick<OrderDocument, 'tableCommitmentId' | 'seats'>,
) {
  const claims = purchase?.claims ?? [];
  return {
    claims,
    tickets: tickets?.claims ?? [],
    coupons: coupons.map((coupon) => {
      const claim = redemptionsIn(claims).find(({ adjustmentId }) => adjustmentId === coupon.adjustmentId);
      return claim === undefined ? coupon : { ...coupon, redemptionId: claim.redemptionId };
    }),
    ...seat,
  };
}

/** Releases what `attempt` holds and the order does not have. Returns the order as it is now. */
async function leave(
  deps: PlaceOrderDeps,
  caller: Caller,
  attempt: OrderAttempt,
  { id, revision }: { id: string; revision: number },
): Promise<OrderRecord> {
  const current = await currentOrder(deps, caller, id);
  const isReopened = current.revision === revision && reopenedOrder(current) !== undefined;
  await (current.revision < revision ? attempt.leave() : attempt.releaseExcept(current, { withSession: isReopened }));
  return current;
}

/** The order, if another request reopened it. */
function reopenedOrder({ state, order }: OrderRecord): Order | undefined {
  return ORDER_LIFE[state].reopen === 'stays' ? order : undefined;
}

/**
 * What the order had, at the price that it had: no code has to be presented again, and offerings may have new prices.
 */
function neededAgain({ order, claims, tickets }: OrderRecord): ClaimRequest {
  const items = order.items.flatMap(({ offeringId, quantity }, index) =>
    offeringId === undefined ? [] : [{ index, offeringId, quantity }],
  );
  const { id: customerId, email } = order.customer;
  return {
    purchase:
      standingClaims(claims).length === 0
        ? undefined
        : {
            lines: [],
            codes: [],
            adjustmentIds: [...new Set(redemptionsIn(standingClaims(claims)).map(({ adjustmentId }) => adjustmentId))],
            cartContext: { ...(customerId === undefined ? {} : { customerId }), customerEmail: email },
            charges: 0,
            former: [...claims],
          },
    tickets: items.length === 0 ? undefined : { customer: { id: customerId, email }, items, former: [...tickets] },
  };
}
