import { type BusConnection, serve } from '@event-commerce/bus';
import {
  type CheckedOut,
  type OfferingsReply,
  type OrderOutcome,
  type OrderPrice,
  type OrdersStandingReply,
  ordersStandingRequest,
  type OrderState,
  PlatformError,
  RPC,
  type SettleOrderReply,
  settleOrderRequest,
} from '@event-commerce/contracts';
import { parseJson, toPlatformError, validate } from '@event-commerce/service-kit';

/** The limit of a real service, so that a test can request as much at once. */
const IN_FLIGHT_MAX = 512;

export type SimulatedOrders = ReturnType<typeof serveOrders>;

/** Replies like the commerce service: the state of orders, and the outcome of one that a session is reserved for. */
export function serveOrders(bus: BusConnection) {
  const outcomes = new Map<string, OrderOutcome>();
  const prices = new Map<string, OrderPrice>();
  const options = { group: 'commerce', inFlightMax: IN_FLIGHT_MAX, toPlatformError };
  let isDown = false;
  let refused = 0;
  const stops = [
    serve(bus, RPC.ordersStanding, options, (request) => {
      const { orderIds, pricesOf = [] } = validate(ordersStandingRequest, parseJson(request.body));
      const standing = orderIds
        .filter((id) => ['pending', 'placed'].includes(outcomes.get(id) ?? 'void'))
        .map((orderId) => {
          const price = prices.get(orderId) ?? priceOf([]);
          const total = { amount: price.costs.total, currency: 'EUR' };
          const isPending = outcomes.get(orderId) === 'pending';
          return { orderId, isPending, revision: 0, total, ...(pricesOf.includes(orderId) ? { price } : {}) };
        });
      const over = orderIds
        .filter((id) => ['cancelled', 'expired'].includes(outcomes.get(id) ?? 'void'))
        .map((orderId) => ({ orderId, revision: 0 }));
      return JSON.stringify({ data: { standing, over } satisfies OrdersStandingReply });
    }),
    serve(bus, RPC.settleOrder, options, (request) => {
      if (isDown) {
        refused += 1;
        throw new PlatformError('SERVICE_UNAVAILABLE', 'The database does not answer.');
      }
      const { orderId } = validate(settleOrderRequest, parseJson(request.body));
      // Final: the order can no longer be written.
      const outcome = outcomes.get(orderId) ?? 'void';
      outcomes.set(orderId, outcome);
      return JSON.stringify({ data: { outcome } satisfies SettleOrderReply });
    }),
  ];
  return {
    /** Writes an order, if it was not declared void, or changes it. Returns whether it is written. */
    write: (id: string, state: OrderState): boolean => {
      if (outcomes.get(id) !== 'void') outcomes.set(id, state);
      return outcomes.get(id) === state;
    },
    /** What the order costs: the sum of the items of a checkout. */
    price: (id: string, items: CheckedOut['items']) => void prices.set(id, priceOf(items)),
    place: (id: string) => void outcomes.set(id, 'placed'),
    cancel: (id: string) => void outcomes.set(id, 'cancelled'),
    /** Sets whether settling an order fails from now on. */
    setDown: (down: boolean) => void (isDown = down),
    /** How often settling was refused for that reason. */
    refused: () => refused,
    stop: async () => {
      await Promise.all(stops.map(async (stop) => stop()));
    },
  };
}

function priceOf(items: CheckedOut['items']): OrderPrice {
  const priced = items.map(({ offeringId, quantity, price }) => {
    const unitPrice = price?.amount ?? 0;
    const total = unitPrice * quantity;
    return { offeringId, quantity, unitPrice, effectiveUnitPrice: unitPrice, total, modifiers: [], priced: true };
  });
  const total = priced.reduce((sum, one) => sum + one.total, 0);
  return {
    items: priced,
    costs: { subtotal: total, modifiers: 0, fees: 0, tax: 0, total },
    modifiers: [],
    coupons: [],
    createdAt: '2027-01-01T00:00:00.000Z',
  };
}

/** Replies like the events service of companies that sell nothing: it has none of the offerings. */
export function serveEmptyCatalogue(bus: BusConnection): () => Promise<void> {
  return serve(bus, RPC.offerings, { group: 'events', inFlightMax: IN_FLIGHT_MAX, toPlatformError }, () =>
    JSON.stringify({ data: { offerings: [] } satisfies OfferingsReply }),
  );
}
