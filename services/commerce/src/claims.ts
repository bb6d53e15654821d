import { type BusConnection, call } from '@event-commerce/bus';
import {
  type ClaimReply,
  type ClaimTicketsReply,
  PlatformError,
  RPC,
  type RpcEndpoint,
} from '@event-commerce/contracts';
import type { Caller, Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import { contextOf } from './pricing.ts';
import type { Redemptions, Tickets } from './use-cases/claim-order.ts';

/** The pricing service's claims over request-reply, on behalf of the current caller. */
export function pricingRedemptions(bus: BusConnection, logger: Logger): Redemptions {
  return {
    claim: async (caller, request) =>
      await claim<ClaimReply>(bus, RPC.claim, caller, request, 'Redemptions cannot be checked now'),
    cancel: async (caller, orderId, claims, attempt) =>
      cancel(bus, logger, RPC.cancelClaims, caller, { orderId, claims, attempt }),
  };
}

/** The events service's tickets likewise. */
export function eventsTickets(bus: BusConnection, logger: Logger): Tickets {
  return {
    claim: async (caller, request) =>
      await claim<ClaimTicketsReply>(bus, RPC.claimTickets, caller, request, 'Tickets cannot be checked now'),
    cancel: async (caller, orderId, claims, attempt) =>
      cancel(bus, logger, RPC.cancelTickets, caller, { orderId, claims, attempt }),
  };
}

async function claim<Reply>(
  bus: BusConnection,
  endpoint: RpcEndpoint,
  caller: Caller,
  request: object,
  problem: string,
): Promise<Reply> {
  try {
    return await call<Reply>(bus, endpoint, request, contextOf(caller));
  } catch (error) {
    // It is unknown whether anything was claimed; if so it lapses, because no order with this id will be written.
    if (error instanceof PlatformError && error.code === 'UPSTREAM_TIMEOUT') {
      throw new PlatformError('SERVICE_UNAVAILABLE', `${problem}; send the order again.`, {
        retryAfterSeconds: 2,
        cause: error,
      });
    }
    throw error;
  }
}

async function cancel(
  bus: BusConnection,
  logger: Logger,
  endpoint: RpcEndpoint,
  caller: Caller,
  request: { orderId: string; claims: readonly unknown[]; attempt: string | undefined },
): Promise<void> {
  if (request.claims.length === 0) return;
  try {
    await call(bus, endpoint, request, contextOf(caller));
  } catch (err) {
    const { requestId, traceparent } = caller;
    logger.warn(
      { err, orderId: request.orderId, requestId, traceId: traceIdOf(traceparent) },
      'claims could not be released now; they will lapse',
    );
  }
}
