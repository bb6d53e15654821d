import { type BusConnection, call } from '@event-commerce/bus';
import {
  ARRAY_LENGTH_MAX,
  type Money,
  type OrdersStandingReply,
  type OrdersStandingRequest,
  RPC,
  type RpcEndpoint,
  type SettleOrderReply,
  type SettleOrderRequest,
} from '@event-commerce/contracts';
import { newId, type SignProcess } from '@event-commerce/service-kit';
import { asUnavailable } from './as-unavailable.ts';

/** The part of the commerce service that sessions and seats need. */
export interface Orders {
  /**
   * Those of the orders that stand: written, and not cancelled since. With what each costs.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE
   */
  standing(orderIds: readonly string[]): Promise<ReadonlyMap<string, Money | undefined>>;
  /**
   * What became of an order that a session is reserved for. If it was not written, it never will be. `reopening`: see
   * `Reservation`.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE
   */
  settle(orderId: string, reopening: number): Promise<SettleOrderReply['outcome']>;
}

/** Asks the commerce service over request-reply. */
export function commerceOrders(bus: BusConnection, sign: SignProcess): Orders {
  const ask = async <Reply>(endpoint: RpcEndpoint, request: object): Promise<Reply> => {
    try {
      return await call<Reply>(bus, endpoint, request, { identityToken: sign('commerce'), requestId: newId('req') });
    } catch (error) {
      throw asUnavailable(error, 'Orders cannot be looked up now; try again shortly.');
    }
  };
  return {
    async standing(orderIds) {
      const found = new Map<string, Money | undefined>();
      for (let from = 0; from < orderIds.length; from += ARRAY_LENGTH_MAX) {
        const request: OrdersStandingRequest = { orderIds: orderIds.slice(from, from + ARRAY_LENGTH_MAX) };
        const { standing, totals = [] } = await ask<OrdersStandingReply>(RPC.ordersStanding, request);
        for (const [n, id] of standing.entries()) found.set(id, totals[n]);
      }
      return found;
    },
    async settle(orderId, reopening) {
      const request: SettleOrderRequest = { orderId, ...(reopening === 0 ? {} : { reopening }) };
      return (await ask<SettleOrderReply>(RPC.settleOrder, request)).outcome;
    },
  };
}
