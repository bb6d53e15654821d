import { type BusConnection, serve } from '@event-commerce/bus';
import {
  type CouponStateReply,
  couponStateRequest,
  type OrdersStandingReply,
  ordersStandingRequest,
  RPC,
  type SettleOrderReply,
  settleOrderRequest,
} from '@event-commerce/contracts';
import { parseJson, toPlatformError, validate, type VerifyProcess } from '@event-commerce/service-kit';
import type { CouponRepository } from './store/coupon.repository.ts';
import type { OrderRepository } from './store/order.repository.ts';

const IN_FLIGHT_MAX = 256;

/**
 * What other processes ask of commerce. They ask when no caller waits any more, and so by their own word.
 * The returned function stops answering and waits for requests in progress.
 */
export function serveCommerce(
  bus: BusConnection,
  deps: { orders: OrderRepository; coupons: CouponRepository; clock: () => Date; verifyProcess: VerifyProcess },
): () => Promise<void> {
  const options = { group: 'commerce', inFlightMax: IN_FLIGHT_MAX, toPlatformError };
  const stops = [
    serve(bus, RPC.settleOrder, options, async (request) => {
      deps.verifyProcess(request.identityToken, RPC.settleOrder);
      const { orderId } = validate(settleOrderRequest, parseJson(request.body));
      const data: SettleOrderReply = await deps.orders.settle(orderId, deps.clock());
      return JSON.stringify({ data });
    }),
    serve(bus, RPC.couponState, options, async (request) => {
      deps.verifyProcess(request.identityToken, RPC.couponState);
      const { tenant, couponId } = validate(couponStateRequest, parseJson(request.body));
      const coupon = await deps.coupons.find(tenant, couponId);
      const data: CouponStateReply = coupon === undefined ? {} : { state: coupon.state };
      return JSON.stringify({ data });
    }),
    serve(bus, RPC.ordersStanding, options, async (request) => {
      deps.verifyProcess(request.identityToken, RPC.ordersStanding);
      const { orderIds } = validate(ordersStandingRequest, parseJson(request.body));
      const data: OrdersStandingReply = { standing: await deps.orders.standing(orderIds) };
      return JSON.stringify({ data });
    }),
  ];
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}
