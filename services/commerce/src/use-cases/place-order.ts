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

/** The part of the pricing service that orders need. */
export interface Redemptions {
  /** All or none. @throws {PlatformError} the refusal, or SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT */
  claim(caller: Caller, request: ClaimRequest): Promise<ClaimReply>;
  /** Releases claims. Cannot fail: a remaining claim lapses. */
  cancel(caller: Caller, orderId: string, claims: readonly Claim[]): Promise<void>;
}

/** The part of the cart service that orders need. */
export interface Carts {
  /**
   * Everything behind the session's current price. @throws {PlatformError} VALIDATION_FAILED if there is no such
   * session
   */
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
  /** Whether this order had been placed before, and is returned again. */
  repeated: boolean;
}

/**
 * Places an order: claims everything that it redeems, and writes it together with its `order.placed` event, which then
 * confirms the claims. Repeating an order number with the same content returns the first order, even while that is
 * being placed: copies of an order share its claims and its id, and the first one written is the order.
 *
 * @throws {PlatformError} FORBIDDEN for another company; ORDER_NUMBER_TAKEN; the pricing service's refusals;
 * SERVICE_UNAVAILABLE if it cannot be reached: then no order exists, and nothing stays claimed
 */
export async function placeOrder(deps: PlaceOrderDeps, caller: Caller, input: OrderInput): Promise<PlacedOrder> {
  if (input.companyId !== caller.companyId) {
    throw otherCompany('order.companyId');
  }
  const sent = fingerprint(input);
  const named = redeemedBy(input);
  const redeems = named.codes.length > 0 || named.adjustmentIds.length > 0 || input.cartSessionId !== undefined;
  // Without redemptions the write itself detects a repeat, without a look-up.
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

/** Undefined if it took so long that the order was declared void in the meantime. */
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
    // A copy may have placed the order by now, with the redemptions that this one was refused.
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
  // After this error it is unknown whether the order was written: the claims stay, and are settled accordingly.
  const outcome = await deps.orders.insert(document, characters);
  if (outcome === 'written') return { order: toOrder(document), repeated: false };
  if (outcome === 'void') {
    await deps.redemptions.cancel(caller, orderId, claims);
    return undefined;
  }
  const standing = await deps.orders.findByNumber(caller.tenant, input.orderNumber);
  if (standing === undefined) throw notShownYet();
  // Another copy may have had a different cart: claims outside this order's are released.
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
  // A pricing service of an earlier release knows no copies, and holds the claims for the order that asked.
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

/** @throws {PlatformError} ORDER_NUMBER_TAKEN if the content of `stored` differs from `input` */
function repeatOf(stored: StoredOrder, input: OrderInput, digest: string): PlacedOrder {
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
