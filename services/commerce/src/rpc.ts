import type { RpcHandlers } from '@event-commerce/service-kit';
import { ORDER_LIFE } from './orders/domain/order-life.ts';
import type { CallOffOrders } from './call-offs/call-off-orders.ts';
import type { CouponRepository } from './coupons/coupon.repository.ts';
import type { CustomerOrders } from './orders/erase-customer.ts';
import type { OrderRepository } from './orders/order.repository.ts';
import type { ReplayOrders } from './orders/replay-orders.ts';

/** What other services may ask commerce on their own behalf, because no caller waits any longer. */
export function commerceAnswers(deps: {
  orders: OrderRepository;
  coupons: CouponRepository;
  customerOrders: CustomerOrders;
  callOffOrders: Pick<CallOffOrders, 'dealWithPage'>;
  replayOrders: ReplayOrders;
}): RpcHandlers<'commerce'> {
  return {
    settleOrder: async ({ body: { orderId, revision } }) => deps.orders.settle(orderId, revision),
    couponState: async ({ body: { tenant, couponId } }) => {
      const coupon = await deps.coupons.find(tenant, couponId);
      return coupon === undefined ? {} : { state: coupon.state };
    },
    countOrders: async ({ body }) => ({ count: await deps.replayOrders.count(body) }),
    ordersCreated: async ({ body }) => deps.replayOrders.page(body),
    callOffOrders: async ({ body }) => deps.callOffOrders.dealWithPage(body),
    findCustomer: async ({ body: { tenant, id } }) => deps.customerOrders.find(tenant, id),
    eraseFromOrders: async ({ body }) => deps.customerOrders.erase(body),
    ordersStanding: async ({ body: { orderIds, ...wanted } }) => {
      const written = await deps.orders.written(orderIds, wanted);
      const standing = written.filter(({ state }) => ORDER_LIFE[state].reopen === 'stays');
      const over = written.filter(({ state }) => ORDER_LIFE[state].reopen === 'moves');
      return {
        standing: standing.map(({ id: orderId, state, revision, total, seats, price }) => ({
          orderId,
          isPending: state === 'pending',
          revision,
          total,
          ...(seats === undefined ? {} : { seats }),
          ...(price === undefined ? {} : { price }),
        })),
        over: over.map(({ id: orderId, revision }) => ({ orderId, revision })),
      };
    },
  };
}
