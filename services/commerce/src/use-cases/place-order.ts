import {
  type Claim,
  type ClaimReply,
  type ClaimRequest,
  keyOfTenant,
  matchCode,
  type Order,
  type OrderCoupon,
  type OrderInput,
  orderNumberTaken,
  otherCompany,
  PlatformError,
} from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { type Caller, claimKey, newId, notShownYet, retryOnConflict } from '@event-commerce/service-kit';
import { fingerprint } from '../domain/fingerprint.ts';
import { orderCosts } from '../domain/order-costs.ts';
import { redeemedBy } from '../domain/redeemed-by.ts';
import type { OrderDocument } from '../store/models.ts';
import { type OrderRepository, type StoredOrder, toOrder } from '../store/order.repository.ts';

/** The pricing service, as an order needs it. */
export interface Redemptions {
  /** All or none. @throws {PlatformError} the refusal, or SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT */
  claim(caller: Caller, request: ClaimRequest): Promise<ClaimReply>;
  /** Gives claims back. Does not fail: a claim that stays is released when it lapses. */
  cancel(caller: Caller, orderId: string, claims: readonly Claim[]): Promise<void>;
}

/** The cart service, as an order needs it. */
export interface Carts {
  /** What makes the session's price now. @throws {PlatformError} VALIDATION_FAILED when there is no such session */
  adjustmentsOf(caller: Caller, sessionId: string): Promise<{ adjustmentId: string; code?: string }[]>;
}

export interface PlaceOrderDeps {
  orders: OrderRepository;
  redemptions: Redemptions;
  carts: Carts;
  clock: () => Date;
}

export interface PlacedOrder {
  order: Order;
  /** Whether this order had been placed before, and is answered again. */
  repeated: boolean;
}

/**
 * Places an order: claims all that it redeems, writes it together with its `order.placed` event, which then confirms the claims.
 * The same order number with the same content answers the first order again, also while that is being placed: copies of an order
 * share its claims and its id, and the first that is written is the order.
 *
 * @throws {PlatformError} FORBIDDEN for another company; ORDER_NUMBER_TAKEN; what the pricing service refuses with;
 *   SERVICE_UNAVAILABLE when it cannot be asked: then there is no order, and nothing stays claimed
 */
export async function placeOrder(deps: PlaceOrderDeps, caller: Caller, input: OrderInput): Promise<PlacedOrder> {
  if (input.companyId !== caller.companyId) {
    throw otherCompany('order.companyId');
  }
  const sent = fingerprint(input);
  const named = redeemedBy(input);
  const redeems = named.codes.length > 0 || named.adjustmentIds.length > 0 || input.cartSessionId !== undefined;
  // Without redemptions the write itself finds a repeat, and costs no look-up.
  const earlier = redeems ? await findRepeat(deps, caller, input, sent.digest) : undefined;
  if (earlier !== undefined) return earlier;

  const wanted = await withCart(deps, caller, input.cartSessionId, named);
  return await retryOnConflict(async () => placeOnce(deps, caller, input, sent, wanted), undone);
}

function undone(): PlatformError {
  return new PlatformError('SERVICE_UNAVAILABLE', 'Placing the order took too long and was undone; send it again.', {
    retryAfterSeconds: 1,
  });
}

/** Undefined when it took so long that the order was declared void meanwhile. */
async function placeOnce(
  deps: PlaceOrderDeps,
  caller: Caller,
  input: OrderInput,
  { digest, characters }: { digest: string; characters: number },
  wanted: { codes: string[]; adjustmentIds: string[] },
): Promise<PlacedOrder | undefined> {
  let claimed: ClaimReply;
  try {
    claimed = await claimFor(deps, caller, input, digest, wanted);
  } catch (error) {
    // The order may have been placed since, by a copy that has what this one was refused.
    const repeat = await findRepeat(deps, caller, input, digest);
    if (repeat === undefined) throw error;
    return repeat;
  }
  const { orderId, claims } = claimed;
  const now = deps.clock();
  const document: OrderDocument = {
    _id: orderId,
    ...input,
    companyId: caller.tenant,
    costs: orderCosts(input),
    coupons: redeemedCoupons(input, claims),
    fingerprint: digest,
    claims,
    version: 1,
    createdAt: now,
    outbox: [outboxEntry('order.placed', now, caller)],
  };
  // An error here leaves open whether the order was written: the claims stay, and are settled by whether it was.
  const outcome = await deps.orders.insert(document, characters);
  if (outcome === 'written') return { order: toOrder(document), repeated: false };
  if (outcome === 'void') {
    await deps.redemptions.cancel(caller, orderId, claims);
    return undefined;
  }
  const standing = await deps.orders.findByNumber(caller.tenant, input.orderNumber);
  if (standing === undefined) throw notShownYet();
  // Another copy's cart may have been another one: what that did not claim is given back.
  const kept = new Set(standing.claims.map(({ redemptionId }) => redemptionId));
  await deps.redemptions.cancel(
    caller,
    orderId,
    claims.filter(({ redemptionId }) => !kept.has(redemptionId)),
  );
  return repeatOf(standing, input, digest);
}

async function claimFor(
  { redemptions }: PlaceOrderDeps,
  caller: Caller,
  input: OrderInput,
  digest: string,
  { codes, adjustmentIds }: { codes: string[]; adjustmentIds: string[] },
): Promise<ClaimReply> {
  const orderId = newId('ord');
  if (codes.length === 0 && adjustmentIds.length === 0) return { orderId, claims: [] };
  const customerId = input.customer.id;
  const reply: Partial<ClaimReply> & Pick<ClaimReply, 'claims'> = await redemptions.claim(caller, {
    orderId,
    key: claimKey('order number', keyOfTenant(caller.tenant), input.orderNumber),
    content: digest,
    ...(customerId === undefined ? {} : { customerId }),
    codes,
    adjustmentIds,
  });
  // A pricing service of an earlier release knows nothing of copies, and holds the claims for the order that asked.
  return { claims: reply.claims, orderId: reply.orderId ?? orderId };
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

/** @throws {PlatformError} ORDER_NUMBER_TAKEN when `stored` says something else than `input` */
function repeatOf(stored: StoredOrder, input: OrderInput, digest: string): PlacedOrder {
  if (stored.fingerprint === digest) return { order: stored.order, repeated: true };
  throw orderNumberTaken(input.orderNumber);
}

/** What the order redeems by itself, and what its cart session's price is made of. */
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

/** The coupons as they were sent, then those of the cart, each with what it redeemed. */
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
