import { type BusConnection, call } from '@event-commerce/bus';
import {
  type CancelClaimsRequest,
  type CancelTicketsRequest,
  type CheckoutReply,
  type ClaimTicketsReply,
  type PurchaseReply,
  type ReleaseCheckoutRequest,
  RPC,
  type RpcEndpoint,
} from '@event-commerce/contracts';
import type { Caller, Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import { asked } from './asked.ts';
import { contextOf } from './pricing.ts';
import type { Carts, Purchases, Tickets } from './use-cases/order-attempt.ts';

/** The pricing service's part of an order over request-reply, on behalf of the current caller. */
export function pricingPurchases(bus: BusConnection, logger: Logger): Purchases {
  return {
    purchase: async (caller, request) =>
      await asked(call<PurchaseReply>(bus, RPC.purchase, request, contextOf(caller)), 'The order cannot be priced now'),
    cancel: async (caller, orderId, claims, attempt) => {
      if (claims.length > 0)
        await giveBack(bus, logger, RPC.cancelClaims, caller, {
          orderId,
          claims: [...claims],
          ...(attempt === undefined ? {} : { attempt }),
        });
    },
  };
}

/** The events service's tickets likewise. */
export function eventsTickets(bus: BusConnection, logger: Logger): Tickets {
  return {
    claim: async (caller, request) =>
      await asked(
        call<ClaimTicketsReply>(bus, RPC.claimTickets, request, contextOf(caller)),
        'Tickets cannot be checked now',
      ),
    cancel: async (caller, orderId, claims, attempt) => {
      if (claims.length > 0)
        await giveBack(bus, logger, RPC.cancelTickets, caller, {
          orderId,
          claims: [...claims],
          ...(attempt === undefined ? {} : { attempt }),
        });
    },
  };
}

/** The cart service's sessions likewise. */
export function cartCheckouts(bus: BusConnection, logger: Logger): Carts {
  return {
    checkout: async (caller, request) =>
      await asked(
        call<CheckoutReply>(bus, RPC.checkout, request, contextOf(caller)),
        'The cart session cannot be read now',
      ),
    release: async (caller, request) => giveBack(bus, logger, RPC.releaseCheckout, caller, request),
  };
}

/** What cannot be given back now ends by itself. */
async function giveBack(
  bus: BusConnection,
  logger: Logger,
  endpoint: RpcEndpoint,
  caller: Caller,
  request: CancelClaimsRequest | CancelTicketsRequest | ReleaseCheckoutRequest,
): Promise<void> {
  try {
    await call(bus, endpoint, request, contextOf(caller));
  } catch (err) {
    const { requestId, traceparent } = caller;
    logger.warn(
      { err, orderId: request.orderId, requestId, traceId: traceIdOf(traceparent) },
      'what an order took could not be given back now; it will lapse',
    );
  }
}
