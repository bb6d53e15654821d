import { type BusConnection, call } from '@event-commerce/bus';
import {
  type CouponState,
  type EventContextRecord,
  keyOfTenant,
  type OrdersCreatedReply,
  type PlacesOf,
  RPC,
  type RpcRequest,
  type Tenant,
} from '@event-commerce/contracts';
import { type Caller, type CallAsProcess, settleOrder, waitingOrders } from '@event-commerce/service-kit';

// Every request of pricing to another service. Each waits for its reply as long as the endpoint's `timeoutMs` in `RPC`
// says: 6 seconds, and 3 for contexts, because pricing's own caller waits meanwhile. Without a reply it throws
// SERVICE_UNAVAILABLE. All of them only read, except settling an order, which can safely be repeated.

/** Asks events what events are part of, with the series of those that are instances. Unknown ids are left out. */
export async function readEventContexts(
  bus: BusConnection,
  caller: Caller,
  ids: string[],
): Promise<EventContextRecord[]> {
  return (await call(bus, RPC.eventContexts, { ids }, caller)).events;
}

/** Asks events for the time zones of what an adjustment names. */
export { eventTimeZones } from '@event-commerce/service-kit';

/** Asks commerce for a coupon as it is now. */
export async function readCouponState(
  callAsProcess: CallAsProcess,
  tenant: Tenant,
  couponId: string,
): Promise<CouponState | undefined> {
  const request = { tenant: keyOfTenant(tenant), couponId };
  return (await callAsProcess(RPC.couponState, request, `coupon-${couponId}`)).state;
}

/** Asks commerce for the outcome of the orders that claims are held for. */
export function commerceOrders(callAsProcess: CallAsProcess) {
  return {
    settleOrder: async (request: Parameters<typeof settleOrder>[1]) => settleOrder(callAsProcess, request),
    waitingOrders: async (orderIds: readonly string[]) => waitingOrders(callAsProcess, orderIds),
  };
}

export type CommerceReplays = ReturnType<typeof commerceReplays>;

/** Asks commerce for the orders of a period, to replay them. */
export function commerceReplays(callAsProcess: CallAsProcess) {
  return {
    count: async (request: RpcRequest<typeof RPC.countOrders>): Promise<number> =>
      (await callAsProcess(RPC.countOrders, request)).count,
    page: async (request: RpcRequest<typeof RPC.ordersCreated>): Promise<OrdersCreatedReply> =>
      callAsProcess(RPC.ordersCreated, request),
  };
}

export type EventPlaces = ReturnType<typeof eventPlaces>;

/** Asks events what the lines of orders are part of now. */
export function eventPlaces(callAsProcess: CallAsProcess) {
  return async (tenant: Tenant, ids: { eventIds: string[]; offeringIds: string[] }): Promise<PlacesOf> =>
    callAsProcess(RPC.placesOf, { tenant: keyOfTenant(tenant), ...ids });
}
