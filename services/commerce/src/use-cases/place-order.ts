import {
  type Claim,
  type ClaimRequest,
  matchCode,
  type Order,
  type OrderCoupon,
  type OrderInput,
  PlatformError,
} from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { type Caller, newId } from '@event-commerce/service-kit';
import { fingerprint } from '../domain/fingerprint.ts';
import { orderCosts } from '../domain/order-costs.ts';
import { redeemedBy } from '../domain/redeemed-by.ts';
import type { OrderDocument } from '../store/models.ts';
import { type OrderRepository, toOrder } from '../store/order.repository.ts';

/** The pricing service, as an order needs it. */
export interface Redemptions {
  /** All or none. @throws {PlatformError} the refusal, or SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT */
  claim(caller: Caller, request: ClaimRequest): Promise<Claim[]>;
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
 * The same order number with the same content answers the first order again.
 *
 * @throws {PlatformError} FORBIDDEN for another company; ORDER_NUMBER_TAKEN; what the pricing service refuses with;
 *   SERVICE_UNAVAILABLE when it cannot be asked: then there is no order, and nothing stays claimed
 */
export async function placeOrder(deps: PlaceOrderDeps, caller: Caller, input: OrderInput): Promise<PlacedOrder> {
  if (input.companyId !== caller.companyId) {
    throw new PlatformError('FORBIDDEN', 'order.companyId is not the company of this API key.', {
      details: [{ path: 'order.companyId', message: 'is not the company of this API key' }],
    });
  }
  const { digest, characters } = fingerprint(input);
  const named = redeemedBy(input);
  const redeems = named.codes.length > 0 || named.adjustmentIds.length > 0 || input.cartSessionId !== undefined;
  // A repeat must not claim again. Without redemptions the write itself finds a repeat, and costs no look-up.
  const earlier = redeems ? await findRepeat(deps, caller, input, digest) : undefined;
  if (earlier !== undefined) return earlier;

  const { codes, adjustmentIds } = await withCart(deps, caller, input.cartSessionId, named);
  const id = newId('ord');
  const customerId = input.customer.id;
  const claims =
    codes.length > 0 || adjustmentIds.length > 0
      ? await deps.redemptions.claim(caller, {
          orderId: id,
          ...(customerId === undefined ? {} : { customerId }),
          codes,
          adjustmentIds,
        })
      : [];
  const now = deps.clock();
  const document: OrderDocument = {
    _id: id,
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

  await deps.redemptions.cancel(caller, id, claims);
  if (outcome === 'void') {
    throw new PlatformError('SERVICE_UNAVAILABLE', 'Placing the order took too long and was undone; send it again.', {
      retryAfterSeconds: 1,
    });
  }
  const repeat = await findRepeat(deps, caller, input, digest);
  if (repeat === undefined) throw new PlatformError('INTERNAL_ERROR', 'The order could not be written.');
  return repeat;
}

async function findRepeat(
  deps: PlaceOrderDeps,
  caller: Caller,
  input: OrderInput,
  digest: string,
): Promise<PlacedOrder | undefined> {
  const stored = await deps.orders.findByNumber(caller.tenant, input.orderNumber);
  if (stored === undefined) return undefined;
  if (stored.fingerprint === digest) return { order: stored.order, repeated: true };
  throw new PlatformError(
    'ORDER_NUMBER_TAKEN',
    `Order number ${input.orderNumber} belongs to an order with other content.`,
    {
      details: [{ path: 'order.orderNumber', message: 'is taken; choose another, or send the same content again' }],
    },
  );
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
