import {
  ARRAY_LENGTH_MAX,
  type Money,
  type OrdersStandingReply,
  type SettleOrderReply,
} from '@event-commerce/contracts';
import { batched, type CallAsProcess } from '@event-commerce/service-kit';
import { readOrders, settleOrder } from './other-services.ts';
import { type OrderedPrice, orderedPrice } from './sessions/domain/ordered-price.ts';
import type { OrderOfSession } from './sessions/session-orders.ts';

export type Orders = ReturnType<typeof commerceOrders>;

/** An order that is pending or placed, with its price if requested. */
export interface StandingOrder {
  total: Money;
  /** How many seats it has at its table. */
  seats?: number;
  price?: OrderedPrice;
}

/** The state of some orders; an order in neither map is not written yet, or never will be. */
export interface OrderStandings {
  standing: ReadonlyMap<string, StandingOrder>;
  /** Those that are over, with the last revision that was used up: every reopening up to it is over. */
  over: ReadonlyMap<string, number>;
}

/** The commerce service over request-reply: what sessions and seats need to know about orders. */
export function commerceOrders(callAsProcess: CallAsProcess) {
  /** Each order, or the last revision that was used up if it is over. */
  const ask = batched(
    async (
      asked: readonly { orderId: string; isPriced: boolean }[],
    ): Promise<(StandingOrder | number | undefined)[]> => {
      const orderIds = asked.map(({ orderId }) => orderId);
      const pricesOf = asked.filter(({ isPriced }) => isPriced).map(({ orderId }) => orderId);
      const { standing, over } = await readOrders(callAsProcess, { orderIds, pricesOf, isShown: true });
      const found = new Map<string, StandingOrder | number>([
        ...standing.map((order) => [order.orderId, standingOrder(order)] as const),
        ...over.map(({ orderId, revision }) => [orderId, revision] as const),
      ]);
      return orderIds.map((id) => found.get(id));
    },
    { itemsMax: ARRAY_LENGTH_MAX },
  );

  return {
    /**
     * The state of orders, for display: at worst a moment old. Concurrent calls are batched.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE
     */
    async shown(orderIds: readonly string[], pricesOf: ReadonlySet<string> = new Set()): Promise<OrderStandings> {
      const standing = new Map<string, StandingOrder>();
      const over = new Map<string, number>();
      const asked = orderIds.map(async (orderId) => ask({ orderId, isPriced: pricesOf.has(orderId) }));
      for (const [nth, found] of (await Promise.all(asked)).entries()) {
        const orderId = orderIds[nth] as string;
        if (typeof found === 'number') over.set(orderId, found);
        else if (found !== undefined) standing.set(orderId, found);
      }
      return { standing, over };
    },
    /**
     * An order that is pending or placed, with its price, or `over`, which is final for this reopening. Undefined for
     * an order that may still be written.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE
     */
    async became({ orderId, reopening }: OrderOfSession): Promise<StandingOrder | 'over' | undefined> {
      const request = { orderIds: [orderId], pricesOf: [orderId] };
      const { standing, over } = await readOrders(callAsProcess, request);
      if (standing[0] !== undefined) return standingOrder(standing[0]);
      return over.some(({ revision }) => revision >= reopening) ? 'over' : undefined;
    },
    /**
     * The outcome of an order that a session is reserved for. If it was not written, it never will be. `reopening`: see
     * `Reservation`.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE
     */
    async settle(orderId: string, reopening: number): Promise<SettleOrderReply['outcome']> {
      const request = { orderId, ...(reopening === 0 ? {} : { revision: reopening }) };
      return (await settleOrder(callAsProcess, request)).outcome;
    },
  };
}

function standingOrder({ price, seats, total }: OrdersStandingReply['standing'][number]): StandingOrder {
  return {
    total,
    ...(seats === undefined ? {} : { seats }),
    ...(price === undefined ? {} : { price: orderedPrice(price, total.currency) }),
  };
}
