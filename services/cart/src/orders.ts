import { ARRAY_LENGTH_MAX, type Money, RPC, type SettleOrderReply } from '@event-commerce/contracts';
import { type CallAsProcess, settleOrder } from '@event-commerce/service-kit';
import type { OrderOfSession } from './sessions/session-orders.ts';

export type Orders = ReturnType<typeof commerceOrders>;

/** The commerce service over request-reply: what sessions and seats need to know of orders. */
export function commerceOrders(callAsProcess: CallAsProcess) {
  return {
    /**
     * The orders that stand, which means written and not cancelled since, with what each costs.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE
     */
    async standing(orderIds: readonly string[]): Promise<ReadonlyMap<string, Money>> {
      const found = new Map<string, Money>();
      for (let from = 0; from < orderIds.length; from += ARRAY_LENGTH_MAX) {
        const request = { orderIds: orderIds.slice(from, from + ARRAY_LENGTH_MAX) };
        const { standing } = await callAsProcess(RPC.ordersStanding, request);
        for (const { orderId, total } of standing) found.set(orderId, total);
      }
      return found;
    },
    /**
     * Whether an order was written and stands, or is over, for good as far as this reopening. Undefined for one that
     * may still be written.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE
     */
    async became({ orderId, reopening }: OrderOfSession): Promise<'standing' | 'over' | undefined> {
      const { standing, over } = await callAsProcess(RPC.ordersStanding, { orderIds: [orderId] });
      if (standing.some((order) => order.orderId === orderId)) return 'standing';
      return over.some((order) => order.orderId === orderId && order.reopening >= reopening) ? 'over' : undefined;
    },
    /**
     * What became of an order that a session is reserved for. If it was not written, it never will be. `reopening`: see
     * `Reservation`.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE
     */
    async settle(orderId: string, reopening: number): Promise<SettleOrderReply['outcome']> {
      const request = { orderId, ...(reopening === 0 ? {} : { reopening }) };
      return (await settleOrder(callAsProcess, request)).outcome;
    },
  };
}
