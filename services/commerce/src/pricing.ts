import { type BusConnection, call, type RequestContext } from '@event-commerce/bus';
import { type CodeHolderReply, couponState, type FollowCouponReply, RPC } from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import type { CouponAdjustments } from './use-cases/change-coupon.ts';

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
