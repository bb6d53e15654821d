import { type BusConnection, call } from '@event-commerce/bus';
import {
  couponState,
  PlatformError,
  RPC,
  type RpcEndpoint,
  type RpcReply,
  type RpcRequest,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { asUnavailable, type Caller, type Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import type { CouponAdjustments } from './use-cases/change-coupon.ts';
import type { Carts, Purchases, Tickets } from './use-cases/order-attempt.ts';

// What commerce asks of other services over request-reply, on behalf of its callers.

/** The adjustments that the pricing service keeps for coupons. */
export function pricingCoupons(bus: BusConnection): CouponAdjustments {
  return {
    isHeld: async (caller, code, couponId) => {
      try {
        return (await call(bus, RPC.codeHolder, { code, couponId }, caller)).held;
      } catch (error) {
        throw asUnavailable(error, 'The code of the coupon cannot be checked now; try again shortly.');
      }
    },
    follow: async (caller, state) => {
      // Like its event: only what the schema names.
      const data = couponState.parse(state);
      try {
        return await call(bus, RPC.followCoupon, data, caller);
      } catch (error) {
        throw asUnavailable(error, 'Pricing could not take the change of the coupon in now; send it again.');
      }
    },
  };
}

/** The pricing service's part of an order. */
export function pricingPurchases(bus: BusConnection, logger: Logger): Purchases {
  return {
    purchase: async (caller, request) =>
      await ask(bus, RPC.purchase, caller, request, 'The order cannot be priced now'),
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

/** The events service's tickets likewise. */
export function eventsTickets(bus: BusConnection, logger: Logger): Tickets {
  return {
    claim: async (caller, request) =>
      await ask(bus, RPC.claimTickets, caller, request, 'Tickets cannot be checked now'),
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

/** The cart service's sessions likewise. */
export function cartCheckouts(bus: BusConnection, logger: Logger): Carts {
  return {
    checkout: async (caller, request) =>
      await ask(bus, RPC.checkout, caller, request, 'The cart session cannot be read now'),
    release: async (caller, request) => giveBack(bus, logger, RPC.releaseCheckout, caller, request),
  };
}

/**
 * Asks another service something for an order. If no reply comes, it is unknown what the request did: whatever it
 * claimed lapses, because no order with its id is written.
 *
 * @throws {PlatformError} the refusal, which may be that the service cannot answer now; SERVICE_UNAVAILABLE with
 * `problem` if there was no reply in time
 */
export async function ask<To extends RpcEndpoint>(
  bus: BusConnection,
  endpoint: To,
  caller: Caller,
  request: RpcRequest<To>,
  problem: string,
): Promise<RpcReply<To>> {
  try {
    return await call(bus, endpoint, request, caller);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== 'UPSTREAM_TIMEOUT') throw error;
    throw tryAgainShortly(`${problem}; send the order again.`, { seconds: 2, cause: error });
  }
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
