import { type CallAsProcess, settleOrder, waitingOrders } from '@event-commerce/service-kit';

// Every request of events to another service. Each waits for its reply as long as the endpoint's `timeoutMs` in `RPC`
// says: 6 seconds. Without one it throws SERVICE_UNAVAILABLE, and the sweep retries.

/** Asks commerce for the outcome of the orders that tickets are held for. Settling an order is safe to repeat. */
export function commerceOrders(callAsProcess: CallAsProcess) {
  return {
    settleOrder: async (request: Parameters<typeof settleOrder>[1]) => settleOrder(callAsProcess, request),
    waitingOrders: async (orderIds: readonly string[]) => waitingOrders(callAsProcess, orderIds),
  };
}
