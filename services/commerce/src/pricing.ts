import { type BusConnection, call, type RequestContext } from '@event-commerce/bus';
import {
  type ClaimReply,
  type ClaimRequest,
  type CodeHolderReply,
  couponState,
  type FollowCouponReply,
  PlatformError,
  RPC,
} from '@event-commerce/contracts';
import type { Caller, Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import type { CouponAdjustments } from './use-cases/change-coupon.ts';
import type { Redemptions } from './use-cases/place-order.ts';

/** The pricing service's claims over request-reply, on behalf of the current caller. */
export function pricingRedemptions(bus: BusConnection, logger: Logger): Redemptions {
  return {
    async claim(caller, request: ClaimRequest) {
      try {
        return await call<ClaimReply>(bus, RPC.claim, request, contextOf(caller));
      } catch (error) {
        // It is unknown whether anything was claimed; if so it lapses, because no order with this id will be written.
        if (error instanceof PlatformError && error.code === 'UPSTREAM_TIMEOUT') {
          throw new PlatformError('SERVICE_UNAVAILABLE', 'Redemptions cannot be checked now; send the order again.', {
            retryAfterSeconds: 2,
            cause: error,
          });
        }
        throw error;
      }
    },
    async cancel(caller, orderId, claims) {
      if (claims.length === 0) return;
      try {
        await call(bus, RPC.cancelClaims, { orderId, claims }, contextOf(caller));
      } catch (err) {
        const { requestId, traceparent } = caller;
        logger.warn(
          { err, orderId, requestId, traceId: traceIdOf(traceparent) },
          'claims could not be released now; they will lapse',
        );
      }
    },
  };
}

/** The adjustments that the pricing service keeps for coupons. */
export function pricingCoupons(bus: BusConnection): CouponAdjustments {
  return {
    isHeld: async (caller, code, couponId) =>
      (await call<CodeHolderReply>(bus, RPC.codeHolder, { code, couponId }, contextOf(caller))).held,
    follow: async (caller, state) => {
      // Like its event: only what the schema names.
      const data = couponState.parse(state);
      return await call<FollowCouponReply>(bus, RPC.followCoupon, data, contextOf(caller));
    },
  };
}

/** The headers of a request on behalf of `caller`. */
export function contextOf(caller: Caller): RequestContext {
  const { identityToken, requestId, traceparent } = caller;
  return { identityToken, requestId, traceparent };
}
