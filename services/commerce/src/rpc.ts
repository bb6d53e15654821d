import {
  type CouponStateReply,
  couponStateRequest,
  type OrdersStandingReply,
  ordersStandingRequest,
  type SettleOrderReply,
  settleOrderRequest,
} from '@event-commerce/contracts';
import { type ProcessHandlers, validate } from '@event-commerce/service-kit';
import { ORDER_LIFE } from './domain/order-life.ts';
import type { CouponRepository } from './store/coupon.repository.ts';
import type { OrderRepository } from './store/order.repository.ts';

/** What other services may ask commerce on their own behalf, because no caller waits any more. */
export function commerceAnswers(deps: {
  orders: OrderRepository;
  coupons: CouponRepository;
  clock: () => Date;
}): ProcessHandlers<'commerce'> {
  return {
    settleOrder: async ({ body }): Promise<SettleOrderReply> => {
      const { orderId, reopening } = validate(settleOrderRequest, body);
      return await deps.orders.settle(orderId, reopening, deps.clock());
    },
    couponState: async ({ body }): Promise<CouponStateReply> => {
      const { tenant, couponId } = validate(couponStateRequest, body);
      const coupon = await deps.coupons.find(tenant, couponId);
      return coupon === undefined ? {} : { state: coupon.state };
    },
    ordersStanding: async ({ body }): Promise<OrdersStandingReply> => {
      const { orderIds } = validate(ordersStandingRequest, body);
      const written = await deps.orders.written(orderIds);
      const standing = written.filter(({ state }) => ORDER_LIFE[state].reopen === 'stays');
      const over = written.filter(({ state }) => ORDER_LIFE[state].reopen === 'moves');
      return {
        standing: standing.map(({ id }) => id),
        totals: standing.map(({ total }) => total),
        over: over.map(({ id: orderId, reopenings: reopening }) => ({ orderId, reopening })),
      };
    },
  };
}
