import { type BusConnection, call } from '@event-commerce/bus';
import { couponState, RPC, type RpcEndpoint, type RpcRequest } from '@event-commerce/contracts';
import type { Caller, Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import type { CouponAdjustments, CouponDeps } from './coupons/change-coupon.ts';
import type { Carts, Purchases, Tickets } from './orders/order-attempt.ts';

// What commerce asks of other services over request-reply, on behalf of its callers. If no reply comes, it is unknown
// what the request did: whatever it claimed lapses, because no order with its id is written.

/** The adjustments that the pricing service keeps for coupons. */
export function pricingCoupons(bus: BusConnection): CouponAdjustments {
  return {
    holderOf: async (caller, code, couponId) => {
      const unanswered = 'The code of the coupon cannot be checked now; try again shortly.';
      return (await call(bus, RPC.codeHolder, { code, couponId }, caller, unanswered)).holder;
    },
    follow: async (caller, state) => {
      // Like its event: only what the schema names.
      const data = couponState.parse(state);
      const unanswered = 'Pricing could not take the change of the coupon in now; send it again.';
      return await call(bus, RPC.followCoupon, data, caller, unanswered);
    },
  };
}

/** Asks the events service for the time zones of what a coupon names. */
export function eventsTimeZones(bus: BusConnection): CouponDeps['timeZones'] {
  const unanswered =
    'The time zone of the events cannot be read now; try again shortly, or write the time with a zone.';
  return async (caller, places) => {
    if (Object.values(places).every((ids) => ids.length === 0)) return [];
    return (await call(bus, RPC.timeZones, places, caller, unanswered)).zones;
  };
}

/** The pricing service's part in an order. */
export function pricingPurchases(bus: BusConnection, logger: Logger): Purchases {
  return {
    purchase: async (caller, request) =>
      await call(bus, RPC.purchase, request, caller, 'The order cannot be priced now; send the order again.'),
    cancel: async (caller, orderId, claims, attempt) => {
      if (claims.length === 0) return;
      await giveBack(bus, logger, RPC.cancelClaims, caller, {
        orderId,
        claims: [...claims],
        ...(attempt === undefined ? {} : { attempt }),
      });
    },
  };
}

/** The events service's part in an order. */
export function eventsTickets(bus: BusConnection, logger: Logger): Tickets {
  return {
    claim: async (caller, request) =>
      await call(bus, RPC.claimTickets, request, caller, 'Tickets cannot be checked now; send the order again.'),
    cancel: async (caller, orderId, claims, attempt) => {
      if (claims.length === 0) return;
      await giveBack(bus, logger, RPC.cancelTickets, caller, {
        orderId,
        claims: [...claims],
        ...(attempt === undefined ? {} : { attempt }),
      });
    },
  };
}

/** The cart service's part in an order. */
export function cartCheckouts(bus: BusConnection, logger: Logger): Carts {
  return {
    checkout: async (caller, request) =>
      await call(bus, RPC.checkout, request, caller, 'The cart session cannot be read now; send the order again.'),
    release: async (caller, request) => giveBack(bus, logger, RPC.releaseCheckout, caller, request),
    end: async (caller, request) => giveBack(bus, logger, RPC.endCheckout, caller, request),
  };
}

/** What cannot be given back now ends by itself. */
async function giveBack<To extends RpcEndpoint>(
  bus: BusConnection,
  logger: Logger,
  endpoint: To,
  caller: Caller,
  request: RpcRequest<To> & { orderId: string },
): Promise<void> {
  try {
    await call(bus, endpoint, request, caller);
  } catch (err) {
    const { requestId, traceparent } = caller;
    logger.warn(
      { err, orderId: request.orderId, requestId, traceId: traceIdOf(traceparent) },
      'what an order took could not be given back now; that happens later',
    );
  }
}
