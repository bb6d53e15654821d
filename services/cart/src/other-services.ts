import { type BusConnection, call } from '@event-commerce/bus';
import {
  type EvaluateCartsReply,
  type EvaluateCartsRequest,
  type ListedOffering,
  type OrdersStandingReply,
  RPC,
  type RpcRequest,
} from '@event-commerce/contracts';
import type { Caller, CallAsProcess } from '@event-commerce/service-kit';

// Every request of cart to another service. Each waits for its reply as long as the endpoint's `timeoutMs` in `RPC` says:
// 6 seconds. Without one it throws SERVICE_UNAVAILABLE; all of them only read, except `settleOrder`, which is safe to
// repeat.

/** Asks events for offerings. Unknown ids are left out. */
export async function readOfferings(bus: BusConnection, caller: Caller, ids: string[]): Promise<ListedOffering[]> {
  const unanswered = 'Catalogue prices are unavailable; try again shortly.';
  return (await call(bus, RPC.offerings, { ids }, caller, unanswered)).offerings;
}

/** Asks pricing for the prices of carts, and whether known ones still hold. */
export async function evaluateCarts(
  bus: BusConnection,
  caller: Caller,
  request: EvaluateCartsRequest,
): Promise<EvaluateCartsReply> {
  const unanswered = 'The cart cannot be priced now, and was not changed; try again shortly.';
  return await call(bus, RPC.evaluateCarts, request, caller, unanswered);
}

/** Asks commerce which of some orders are pending or placed. Only cart itself waits for the reply. */
export async function readOrders(
  callAsProcess: CallAsProcess,
  request: RpcRequest<typeof RPC.ordersStanding>,
): Promise<OrdersStandingReply> {
  return await callAsProcess(RPC.ordersStanding, request);
}

/** Asks commerce for the outcome of an order. If it was not written, it never will be. */
export { settleOrder } from '@event-commerce/service-kit';
