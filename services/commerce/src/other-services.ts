import { type BusConnection, call } from '@event-commerce/bus';
import {
  type AmendmentClaimed,
  type AmendmentInModes,
  type AmendmentMode,
  type AmendRequest,
  type CheckoutReply,
  type CheckoutRequest,
  type ClaimTicketsReply,
  type ClaimTicketsRequest,
  couponState,
  type EndCheckoutRequest,
  type PurchaseReply,
  type PurchaseRequest,
  type RedemptionClaim,
  type ReleaseCheckoutRequest,
  RPC,
  type RpcEndpoint,
  type RpcRequest,
  type TicketClaim,
} from '@event-commerce/contracts';
import type { Caller, Logger } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import type { CouponAdjustments } from './coupons/change-coupon.ts';

// Every request of commerce to another service, on behalf of its callers. Each waits for its reply as long as the
// endpoint's `timeoutMs` in `RPC` says. If none comes, the outcome of the request is unknown: what it claimed lapses,
// unless an order with it is written.

/** The adjustments that the pricing service keeps for coupons. */
export function pricingCoupons(bus: BusConnection): CouponAdjustments {
  return {
    holderOf: async (caller, code, couponId) => {
      const unanswered = 'The code of the coupon cannot be checked now; try again shortly.';
      return (await call(bus, RPC.codeHolder, { code, couponId }, caller, unanswered)).holder;
    },
    hasBudget: async (caller, budgetId) => {
      const unanswered = 'The budget of the coupon cannot be checked now; try again shortly.';
      return (await call(bus, RPC.budgetExists, { budgetId }, caller, unanswered)).exists;
    },
    follow: async (caller, state) => {
      // Only the fields that the schema names, as in its event.
      const data = couponState.parse(state);
      const unanswered = 'Pricing could not take the change of the coupon in now; send it again.';
      return await call(bus, RPC.followCoupon, data, caller, unanswered);
    },
  };
}

/** Whether no order was written with the claims; otherwise the order is over. */
interface Cancelling {
  unwritten: boolean;
}

/** An order that stands, and its claims, which say what it keeps. */
interface Followed<Claim> {
  orderId: string;
  standing: 'pending' | 'placed';
  claims: Claim[];
}

export type Purchases = ReturnType<typeof pricingPurchases>;

/** The pricing service's part in an order. */
export function pricingPurchases(bus: BusConnection, logger: Logger) {
  return {
    /**
     * Prices an order, and claims everything or refuses. @throws {PlatformError} if the outcome is unknown, or nothing
     * was claimed
     */
    purchase: async (caller: Caller, request: PurchaseRequest): Promise<PurchaseReply> =>
      await call(bus, RPC.purchase, request, caller, 'The order cannot be priced now; send the order again.'),
    /**
     * Prices an amendment in its mode, and claims everything else that it needs, or refuses. @throws {PlatformError} as
     * `purchase`
     */
    amend: async (caller: Caller, request: AmendRequest & { mode: AmendmentMode }): Promise<AmendmentClaimed> =>
      (await call(
        bus,
        RPC.amend,
        request,
        caller,
        'The order cannot be priced now; try again shortly.',
      )) as AmendmentClaimed,
    /** What an amendment would come to in each mode. @throws {PlatformError} if pricing does not respond */
    previewAmendment: async (caller: Caller, request: Omit<AmendRequest, 'mode'>): Promise<AmendmentInModes> =>
      (await call(
        bus,
        RPC.amend,
        request,
        caller,
        'The order cannot be priced now; try again shortly.',
      )) as AmendmentInModes,
    /** Releases what an amended order gives back. Never fails: the order's event does the same. */
    follow: async (caller: Caller, request: Followed<RedemptionClaim>): Promise<void> =>
      release(bus, logger, RPC.cancelClaims, caller, request),
    /** Releases claims. Never fails: what remains lapses later. */
    cancel: async (
      caller: Caller,
      orderId: string,
      claims: readonly RedemptionClaim[],
      { unwritten }: Cancelling = { unwritten: false },
    ): Promise<void> => {
      if (claims.length === 0) return;
      await release(bus, logger, RPC.cancelClaims, caller, { orderId, claims: [...claims], unwritten });
    },
  };
}

export type Tickets = ReturnType<typeof eventsTickets>;

/** The events service's part in an order. */
export function eventsTickets(bus: BusConnection, logger: Logger) {
  return {
    /** Claims all tickets, or refuses. @throws {PlatformError} as `Purchases.purchase` */
    claim: async (caller: Caller, request: ClaimTicketsRequest): Promise<ClaimTicketsReply> =>
      await call(bus, RPC.claimTickets, request, caller, 'Tickets cannot be checked now; send the order again.'),
    /** Releases what an amended order gives back. Never fails: the order's event does the same. */
    follow: async (caller: Caller, request: Followed<TicketClaim>): Promise<void> =>
      release(bus, logger, RPC.cancelTickets, caller, request),
    /** Releases tickets. Never fails: what remains lapses later. */
    cancel: async (
      caller: Caller,
      orderId: string,
      claims: readonly TicketClaim[],
      { unwritten }: Cancelling = { unwritten: false },
    ): Promise<void> => {
      if (claims.length === 0) return;
      await release(bus, logger, RPC.cancelTickets, caller, { orderId, claims: [...claims], unwritten });
    },
  };
}

export type Carts = ReturnType<typeof cartCheckouts>;

/** The cart service's part in an order. */
export function cartCheckouts(bus: BusConnection, logger: Logger) {
  return {
    /** Reserves the session. @throws {PlatformError} as `Purchases.purchase` */
    checkout: async (caller: Caller, request: CheckoutRequest): Promise<CheckoutReply> =>
      await call(bus, RPC.checkout, request, caller, 'The cart session cannot be read now; send the order again.'),
    /** Ends the reservation of a session. Never fails: a reservation that remains lapses later. */
    release: async (caller: Caller, request: ReleaseCheckoutRequest): Promise<void> =>
      release(bus, logger, RPC.releaseCheckout, caller, request),
    /** Shows the session what its amended order costs. Never fails: the order's event does the same. */
    followAmended: async (caller: Caller, request: EndCheckoutRequest): Promise<void> =>
      release(bus, logger, RPC.followAmendment, caller, request),
    /** Opens the session of an order that is over. Never fails: if this does not open it, the order's event does. */
    end: async (caller: Caller, request: EndCheckoutRequest): Promise<void> =>
      release(bus, logger, RPC.endCheckout, caller, request),
  };
}

/** Offerings with these ids, as the events service has them now. Unknown ids are left out. */
export async function readOfferings(bus: BusConnection, caller: Caller, ids: string[], unanswered: string) {
  return (await call(bus, RPC.offerings, { ids }, caller, unanswered)).offerings;
}

/** The ids of the first `limit` offerings of an event. */
export async function readOfferingsOfEvent(bus: BusConnection, caller: Caller, eventId: string, limit: number) {
  const unanswered = 'The offerings of the event cannot be read now; try again shortly.';
  return (await call(bus, RPC.offeringsOfEvent, { eventId, limit }, caller, unanswered)).ids;
}

/** The last call-off of an event. @throws {PlatformError} EVENT_NOT_FOUND, CALL_OFF_NOT_FOUND */
export async function readCallOffOfEvent(bus: BusConnection, caller: Caller, eventId: string): Promise<string> {
  const unanswered = 'The call-off of the event cannot be read now; try again shortly.';
  return (await call(bus, RPC.callOffOfEvent, { eventId }, caller, unanswered)).id;
}

/** The time zones of what a coupon names, as the events service has them. */
export { eventTimeZones } from '@event-commerce/service-kit';

/** What cannot be released now lapses later. */
async function release<To extends RpcEndpoint>(
  bus: BusConnection,
  logger: Logger,
  endpoint: To,
  caller: Caller,
  request: RpcRequest<To> & { orderId: string },
): Promise<void> {
  try {
    await call(bus, endpoint, request, caller);
  } catch (err) {
    const { requestId, traceparent } = caller;
    logger.warn(
      { err, orderId: request.orderId, requestId, traceId: traceIdOf(traceparent) },
      'releasing claims failed, will retry',
    );
  }
}
