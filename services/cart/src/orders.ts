import { ARRAY_LENGTH_MAX, type Money, RPC, type SettleOrderReply } from '@event-commerce/contracts';
import { asUnavailable, type CallAsProcess, settleOrder } from '@event-commerce/service-kit';
import type { OrderOfSession } from './store/session-orders.ts';

/** The part of the commerce service that sessions and seats need. */
export interface Orders {
  /**
   * Those of the orders that stand: written, and not cancelled since. With what each costs.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE
   */
  standing(orderIds: readonly string[]): Promise<ReadonlyMap<string, Money | undefined>>;
  /**
   * Whether an order was written and stands, or is over, for good as far as this reopening. Undefined for one that may
   * still be written.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE
   */
  became(order: OrderOfSession): Promise<'standing' | 'over' | undefined>;
  /**
   * What became of an order that a session is reserved for. If it was not written, it never will be. `reopening`: see
   * `Reservation`.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE
   */
  settle(orderId: string, reopening: number): Promise<SettleOrderReply['outcome']>;
}

/** Asks the commerce service over request-reply. */
export function commerceOrders(callAsProcess: CallAsProcess): Orders {
  const ask: CallAsProcess = async (endpoint, request, requestId) => {
    try {
      return await callAsProcess(endpoint, request, requestId);
    } catch (error) {
      throw asUnavailable(error, 'Orders cannot be looked up now; try again shortly.');
    }
  };
  return {
    async standing(orderIds) {
      const found = new Map<string, Money | undefined>();
      for (let from = 0; from < orderIds.length; from += ARRAY_LENGTH_MAX) {
        const request = { orderIds: orderIds.slice(from, from + ARRAY_LENGTH_MAX) };
        const { standing, totals = [] } = await ask(RPC.ordersStanding, request);
        for (const [n, id] of standing.entries()) found.set(id, totals[n]);
      }
      return found;
    },
    async became({ orderId, reopening }) {
      const { standing, over = [] } = await ask(RPC.ordersStanding, { orderIds: [orderId] });
      if (standing.includes(orderId)) return 'standing';
      return over.some((order) => order.orderId === orderId && order.reopening >= reopening) ? 'over' : undefined;
    },
    async settle(orderId, reopening) {
      const request = { orderId, ...(reopening === 0 ? {} : { reopening }) };
      return (await settleOrder(ask, request)).outcome;
    },
  };
}
