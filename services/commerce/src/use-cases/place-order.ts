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

export interface PlaceOrderDeps {
  orders: OrderRepository;
  redemptions: Redemptions;
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
  const digest = fingerprint(input);
  const { codes, adjustmentIds } = redeemedBy(input);
  const redeems = codes.length > 0 || adjustmentIds.length > 0;
  // A repeat must not claim again. Without redemptions the write itself finds a repeat, and costs no look-up.
  const earlier = redeems ? await findRepeat(deps, input, digest) : undefined;
  if (earlier !== undefined) return earlier;

  const id = newId('ord');
  const customerId = input.customer.id;
  const claims = redeems
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
    costs: orderCosts(input),
    coupons: redeemedCoupons(input, claims),
    fingerprint: digest,
    claims,
    version: 1,
    createdAt: now,
    outbox: [outboxEntry('order.placed', now, caller)],
  };
  // An error here leaves open whether the order was written: the claims stay, and are settled by whether it was.
  const outcome = await deps.orders.insert(document);
  if (outcome === 'written') return { order: toOrder(document), repeated: false };

  await deps.redemptions.cancel(caller, id, claims);
  if (outcome === 'void') {
    throw new PlatformError('SERVICE_UNAVAILABLE', 'Placing the order took too long and was undone; send it again.', {
      retryAfterSeconds: 1,
    });
  }
  const repeat = await findRepeat(deps, input, digest);
  if (repeat === undefined) throw new PlatformError('INTERNAL_ERROR', 'The order could not be written.');
  return repeat;
}

async function findRepeat(deps: PlaceOrderDeps, input: OrderInput, digest: string): Promise<PlacedOrder | undefined> {
  const stored = await deps.orders.findByNumber(input.companyId, input.orderNumber);
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

function redeemedCoupons(input: OrderInput, claims: readonly Claim[]): OrderCoupon[] {
  const claimByCode = new Map(claims.map((claim) => [claim.code ?? '', claim]));
  return input.coupons.flatMap((given) => {
    const coupon = typeof given === 'string' ? { code: given } : given;
    const claim = claimByCode.get(matchCode(coupon.code));
    return claim === undefined
      ? []
      : [{ ...coupon, adjustmentId: claim.adjustmentId, redemptionId: claim.redemptionId }];
  });
}
