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

/** The pricing service's claims over request-reply, in the name of the caller whose request is being served. */
export function pricingRedemptions(bus: BusConnection, logger: Logger): Redemptions {
  return {
    async claim(caller, request: ClaimRequest) {
      try {
        return await call<ClaimReply>(bus, RPC.claim, request, contextOf(caller));
      } catch (error) {
        // Whether something was claimed is unknown; it lapses, since no order with this id will be written.
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
          'claims could not be given back now; they lapse',
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
      // As its event carries it: no more than the schema names.
      const data = couponState.parse(state);
      return await call<FollowCouponReply>(bus, RPC.followCoupon, data, contextOf(caller));
    },
  };
}

/** What a request in the name of `caller` carries. */
export function contextOf(caller: Caller): RequestContext {
  const { identityToken, requestId, traceparent } = caller;
  return { identityToken, requestId, traceparent };
}
