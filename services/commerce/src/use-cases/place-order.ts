import {
  type Claim,
  matchCode,
  type Order,
  type OrderCoupon,
  type OrderInput,
  orderNumberTaken,
  otherCompany,
  PlatformError,
} from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { type Caller, notShownYet, retryOnConflict } from '@event-commerce/service-kit';
import { fingerprint } from '../domain/fingerprint.ts';
import { orderCosts } from '../domain/order-costs.ts';
import { redeemedBy } from '../domain/redeemed-by.ts';
import type { OrderDocument } from '../store/models.ts';
import { type OrderRecord, toOrder } from '../store/order-record.ts';
import type { OrderRepository } from '../store/order.repository.ts';
import { claimOrder, type ClaimOrderDeps, type OrderClaims, ticketItems, type WantedClaims } from './claim-order.ts';

/** The part of the cart service that orders need. */
export interface Carts {
  /**
   * Everything behind the session's current price. @throws {PlatformError} VALIDATION_FAILED if there is no such
   * session
   */
  adjustmentsOf(caller: Caller, sessionId: string): Promise<{ adjustmentId: string; code?: string }[]>;
}

export interface PlaceOrderDeps extends ClaimOrderDeps {
  orders: OrderRepository;
  carts: Carts;
  clock: () => Date;
}

export interface PlacedOrder {
  order: Order;
  /** Whether this order had been placed before, and is returned again. */
  repeated: boolean;
}

/**
 * Places an order: claims everything that it redeems and its tickets, and writes it together with its event: `order.placed`
 * confirms the claims, `order.pending` holds them. Repeating an order number with the same content returns the first order, even while that is
 * being placed: copies of an order share its claims and its id, and the first one written is the order.
 *
 * @throws {PlatformError} FORBIDDEN for another company; ORDER_NUMBER_TAKEN; the refusals of pricing and events;
 * SERVICE_UNAVAILABLE if one of them is needed and cannot be reached: then no order exists, and nothing stays claimed
 */
export async function placeOrder(deps: PlaceOrderDeps, caller: Caller, input: OrderInput): Promise<PlacedOrder> {
  if (input.companyId !== caller.companyId) {
    throw otherCompany('order.companyId');
  }
  const sent = fingerprint(input);
  const named = redeemedBy(input);
  const items = ticketItems(input);
  const claims =
    items.length > 0 || named.codes.length > 0 || named.adjustmentIds.length > 0 || input.cartSessionId !== undefined;
  // Without claims the write itself detects a repeat, without a look-up.
  const earlier = claims ? await findRepeat(deps, caller, input, sent.digest) : undefined;
  if (earlier !== undefined) return earlier;

  const wanted = { ...(await withCart(deps, caller, input.cartSessionId, named)), items };
  return await retryOnConflict(async (before) => placeOnce(deps, caller, input, sent, wanted, before > 0), undone);
}

function undone(): PlatformError {
  return new PlatformError('SERVICE_UNAVAILABLE', 'Placing the order took too long and was undone; send it again.', {
    retryAfterSeconds: 1,
  });
}

/** Undefined if it took so long that the order was declared void in the meantime, or copies of it have to claim in turn. */
async function placeOnce(
  deps: PlaceOrderDeps,
  caller: Caller,
  input: OrderInput,
  { digest, characters }: { digest: string; characters: number },
  wanted: WantedClaims,
  inTurn: boolean,
): Promise<PlacedOrder | undefined> {
  let claimed: OrderClaims | undefined;
  try {
    claimed = await claimOrder(deps, caller, input, digest, wanted, inTurn);
  } catch (error) {
    // A copy may have placed the order by now, with what this one was refused.
    const repeat = await findRepeat(deps, caller, input, digest);
    if (repeat === undefined) throw error;
    return repeat;
  }
  if (claimed === undefined) return undefined;
  const { orderId, claims, tickets } = claimed;
  const now = deps.clock();
  const { expiresInSeconds, ...said } = input;
  const document: OrderDocument = {
    _id: orderId,
    ...said,
    companyId: caller.tenant,
    costs: orderCosts(input),
    coupons: redeemedCoupons(input, claims),
    fingerprint: digest,
    claims,
    tickets,
    version: 1,
    createdAt: now,
    changedAt: now,
    ...(expiresInSeconds === undefined ? {} : { expiresAt: new Date(now.getTime() + expiresInSeconds * 1000) }),
    outbox: [outboxEntry(said.status === 'pending' ? 'order.pending' : 'order.placed', now, caller)],
  };
  // After this error it is unknown whether the order was written: the claims stay, and are settled accordingly.
  const outcome = await deps.orders.insert(document, characters);
  if (outcome === 'written') return { order: toOrder(document), repeated: false };
  if (outcome === 'void') {
    await cancel(deps, caller, claimed);
    return undefined;
  }
  const standing = await deps.orders.findByNumber(caller.tenant, input.orderNumber);
  if (standing === undefined) throw notShownYet();
  // Another copy may have had a different cart: claims outside this order's are released.
  const kept = new Set(standing.claims.map(({ redemptionId }) => redemptionId));
  const keptTickets = new Set(standing.tickets.map(({ claimId }) => claimId));
  await cancel(deps, caller, {
    orderId,
    claims: claims.filter(({ redemptionId }) => !kept.has(redemptionId)),
    tickets: tickets.filter(({ claimId }) => !keptTickets.has(claimId)),
  });
  return repeatOf(standing, input, digest);
}

/** Releases claims of an order that was not written. */
async function cancel({ redemptions, tickets }: ClaimOrderDeps, caller: Caller, claimed: OrderClaims): Promise<void> {
  const { orderId } = claimed;
  await Promise.all([
    redemptions.cancel(caller, orderId, claimed.claims),
    tickets.cancel(caller, orderId, claimed.tickets),
  ]);
}

async function findRepeat(
  deps: PlaceOrderDeps,
  caller: Caller,
  input: OrderInput,
  digest: string,
): Promise<PlacedOrder | undefined> {
  const stored = await deps.orders.findByNumber(caller.tenant, input.orderNumber);
  return stored && repeatOf(stored, input, digest);
}

/** @throws {PlatformError} ORDER_NUMBER_TAKEN if the content of `stored` differs from `input` */
function repeatOf(stored: OrderRecord, input: OrderInput, digest: string): PlacedOrder {
  if (stored.fingerprint === digest) return { order: stored.order, repeated: true };
  throw orderNumberTaken(input.orderNumber);
}

/** What the order itself redeems, and what its cart session's price is made of. */
async function withCart(
  deps: PlaceOrderDeps,
  caller: Caller,
  cartSessionId: string | undefined,
  named: { codes: string[]; adjustmentIds: string[] },
): Promise<{ codes: string[]; adjustmentIds: string[] }> {
  if (cartSessionId === undefined) return named;
  const inCart = await deps.carts.adjustmentsOf(caller, cartSessionId);
  return {
    codes: [...named.codes, ...inCart.flatMap(({ code }) => (code === undefined ? [] : [code]))],
    adjustmentIds: [
      ...named.adjustmentIds,
      ...inCart.flatMap(({ adjustmentId, code }) => (code === undefined ? [adjustmentId] : [])),
    ],
  };
}

/** The coupons as sent, then those of the cart, each with what it redeemed. */
function redeemedCoupons(input: OrderInput, claims: readonly Claim[]): OrderCoupon[] {
  const given = new Map(
    input.coupons.map((coupon) => {
      const whole = typeof coupon === 'string' ? { code: coupon } : coupon;
      return [matchCode(whole.code), whole] as const;
    }),
  );
  const claimByCode = new Map(
    claims.flatMap((claim) => (claim.code === undefined ? [] : [[claim.code, claim] as const])),
  );
  const order = [...given.keys(), ...[...claimByCode.keys()].filter((code) => !given.has(code))];
  return order.flatMap((code) => {
    const claim = claimByCode.get(code);
    if (claim === undefined) return [];
    return [{ code, ...given.get(code), adjustmentId: claim.adjustmentId, redemptionId: claim.redemptionId }];
  });
}
