import { type BusConnection, serve } from '@event-commerce/bus';
import { RPC, type SettleOrderReply, settleOrderRequest } from '@event-commerce/contracts';
import { parseJson, toPlatformError, validate } from '@event-commerce/service-kit';
import type { OrderRepository } from './store/order.repository.ts';

const IN_FLIGHT_MAX = 256;

/**
 * What other processes ask of commerce. Settling carries no identity: pricing asks it when no caller waits any more.
 * The function that comes back stops answering and waits for what is under way.
 */
export function serveCommerce(
  bus: BusConnection,
  deps: { orders: OrderRepository; clock: () => Date },
): () => Promise<void> {
  const options = { group: 'commerce', inFlightMax: IN_FLIGHT_MAX, toPlatformError };
  return serve(bus, RPC.settleOrder, options, async (request) => {
    const { orderId } = validate(settleOrderRequest, parseJson(request.body));
    const data: SettleOrderReply = { outcome: await deps.orders.settle(orderId, deps.clock()) };
    return JSON.stringify({ data });
  });
}
