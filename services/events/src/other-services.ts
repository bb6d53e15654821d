import { type BusConnection, call } from '@event-commerce/bus';
import { CARTS_MAX, type Money, RPC } from '@event-commerce/contracts';
import { type CallAsProcess, type Caller, settleOrder, waitingOrders } from '@event-commerce/service-kit';

// Every request of events to another service. Each waits for its reply as long as the endpoint's `timeoutMs` in `RPC`
// says: 6 seconds. Without one it throws SERVICE_UNAVAILABLE, and the sweep retries.

/** Asks commerce for the outcome of the orders that tickets are held for. Settling an order is safe to repeat. */
export function commerceOrders(callAsProcess: CallAsProcess) {
  return {
    settleOrder: async (request: Parameters<typeof settleOrder>[1]) => settleOrder(callAsProcess, request),
    waitingOrders: async (orderIds: readonly string[]) => waitingOrders(callAsProcess, orderIds),
  };
}

/** An offering as its listed price needs it. */
interface ListedPriceRequest {
  id: string;
  eventId: string;
  price: Money;
  tags: readonly string[];
}

/**
 * Asks pricing for the listed prices of offerings: the price of one ticket after adjustments at listing, for an unknown
 * buyer. By the offering's id; without those that cannot be priced.
 */
export function listedPrices(bus: BusConnection) {
  return async (caller: Caller, offerings: readonly ListedPriceRequest[]): Promise<Map<string, Money>> => {
    const unanswered = 'What is left can be read now, but not from which price; try again shortly.';
    const parts = Array.from({ length: Math.ceil(offerings.length / CARTS_MAX) }, (_, part) =>
      offerings.slice(part * CARTS_MAX, (part + 1) * CARTS_MAX),
    );
    const replies = await Promise.all(
      parts.map(async (part) => {
        const carts = part.map(({ id, eventId, price, tags }) => ({
          lines: [{ offering: { id, eventId, price, tags: [...tags] }, quantity: 1 }],
          cartContext: {},
        }));
        return (await call(bus, RPC.evaluateCarts, { carts }, caller, unanswered)).carts;
      }),
    );
    return new Map(
      replies.flat().flatMap((reply) => {
        const [line] = 'evaluation' in reply ? reply.evaluation.lines : [];
        return line === undefined ? [] : [[line.offeringId, line.listPrice ?? line.basePrice]];
      }),
    );
  };
}
