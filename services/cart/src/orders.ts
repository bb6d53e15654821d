import { type BusConnection, call } from '@event-commerce/bus';
import { ARRAY_LENGTH_MAX, type OrdersStandingReply, type OrdersStandingRequest, RPC } from '@event-commerce/contracts';
import { newId, type SignProcess } from '@event-commerce/service-kit';
import { asUnavailable } from './as-unavailable.ts';

/** The part of the commerce service that seats need. */
export interface Orders {
  /**
   * Those of the orders that stand: written, and not cancelled since.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE
   */
  standing(orderIds: readonly string[]): Promise<Set<string>>;
}

/** Asks the commerce service over request-reply. */
export function commerceOrders(bus: BusConnection, sign: SignProcess): Orders {
  return {
    async standing(orderIds) {
      const found = new Set<string>();
      for (let from = 0; from < orderIds.length; from += ARRAY_LENGTH_MAX) {
        const request: OrdersStandingRequest = { orderIds: orderIds.slice(from, from + ARRAY_LENGTH_MAX) };
        try {
          const context = { identityToken: sign('commerce'), requestId: newId('req') };
          const { standing } = await call<OrdersStandingReply>(bus, RPC.ordersStanding, request, context);
          for (const id of standing) found.add(id);
        } catch (error) {
          throw asUnavailable(error, 'Orders cannot be looked up now; try again shortly.');
        }
      }
      return found;
    },
  };
}
