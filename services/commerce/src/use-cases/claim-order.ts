import { randomBytes } from 'node:crypto';
import type {
  Claim,
  ClaimReply,
  ClaimRequest,
  ClaimTicketsReply,
  ClaimTicketsRequest,
  OrderInput,
  TicketClaim,
} from '@event-commerce/contracts';
import { keyOfTenant } from '@event-commerce/contracts';
import { type Caller, claimKey, newId } from '@event-commerce/service-kit';

/** The part of the pricing service that orders need. */
export interface Redemptions {
  /** All or none. @throws {PlatformError} the refusal, or SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT */
  claim(caller: Caller, request: ClaimRequest): Promise<ClaimReply>;
  /** Releases claims, or what `attempt` relies on. Cannot fail: a remaining claim lapses. */
  cancel(caller: Caller, orderId: string, claims: readonly Claim[], attempt?: string): Promise<void>;
}

/** The part of the events service that orders need. */
export interface Tickets {
  /** All or none. @throws {PlatformError} the refusal, or SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT */
  claim(caller: Caller, request: ClaimTicketsRequest): Promise<ClaimTicketsReply>;
  /** As of redemptions. */
  cancel(caller: Caller, orderId: string, claims: readonly TicketClaim[], attempt?: string): Promise<void>;
}

export interface ClaimOrderDeps {
  redemptions: Redemptions;
  tickets: Tickets;
}

/** Everything that an order claimed, and the order id that it is held for. */
export interface OrderClaims {
  orderId: string;
  claims: Claim[];
  tickets: TicketClaim[];
}

/** What an order claims: codes and adjustments of pricing, and tickets of events for items that name an offering. */
export interface WantedClaims {
  codes: string[];
  adjustmentIds: string[];
  items: ClaimTicketsRequest['items'];
}

export function ticketItems(input: Pick<OrderInput, 'items'>): ClaimTicketsRequest['items'] {
  return input.items.flatMap(({ offeringId, quantity }, index) =>
    offeringId === undefined || quantity === 0 ? [] : [{ index, offeringId, quantity }],
  );
}

/**
 * Claims everything of an order, all or none: what one service granted is let go when another one refuses. Pricing and events are asked
 * side by side; with `inTurn` events is asked for the order id that pricing has claims for. Undefined when the two hold claims for
 * different copies of the order: those were let go, and have to be made in turn.
 *
 * @throws {PlatformError} what the services refuse, pricing's refusal first
 */
export async function claimOrder(
  { redemptions, tickets }: ClaimOrderDeps,
  caller: Caller,
  input: OrderInput,
  content: string,
  { codes, adjustmentIds, items }: WantedClaims,
  inTurn: boolean,
): Promise<OrderClaims | undefined> {
  const orderId = newId('ord');
  const attempt = randomBytes(6).toString('base64url');
  const key = claimKey('order number', keyOfTenant(caller.tenant), input.orderNumber);
  const order = { orderId, key, content, attempt };
  const customerId = input.customer.id;

  const redeeming: Promise<ClaimReply | undefined> =
    codes.length === 0 && adjustmentIds.length === 0
      ? Promise.resolve(undefined)
      : redemptions.claim(caller, {
          ...order,
          ...(customerId === undefined ? {} : { customerId }),
          codes,
          adjustmentIds,
        });
  const ticketing = async (): Promise<ClaimTicketsReply | undefined> => {
    if (items.length === 0) return undefined;
    const heldFor = inTurn ? ((await redeeming)?.orderId ?? orderId) : orderId;
    return await tickets.claim(caller, { ...order, orderId: heldFor, items });
  };
  const [redeemed, held] = await Promise.allSettled([redeeming, ticketing()]);

  // A pricing service of an earlier release knows no copies, and holds the claims for the order that asked.
  const redeemedFor = redeemed.status === 'fulfilled' ? idOf(redeemed.value, orderId) : undefined;
  const heldFor = held.status === 'fulfilled' ? idOf(held.value, undefined) : undefined;
  const letGo = async () => {
    const claims = redeemed.status === 'fulfilled' ? (redeemed.value?.claims ?? []) : [];
    const taken = held.status === 'fulfilled' ? (held.value?.claims ?? []) : [];
    await Promise.all([
      redemptions.cancel(caller, redeemedFor ?? orderId, claims, attempt),
      tickets.cancel(caller, heldFor ?? orderId, taken, attempt),
    ]);
  };
  if (redeemed.status === 'rejected' || held.status === 'rejected') {
    await letGo();
    throw redeemed.status === 'rejected' ? redeemed.reason : (held as PromiseRejectedResult).reason;
  }
  if (redeemedFor !== undefined && heldFor !== undefined && redeemedFor !== heldFor) {
    await letGo();
    return undefined;
  }
  return {
    orderId: redeemedFor ?? heldFor ?? orderId,
    claims: redeemed.value?.claims ?? [],
    tickets: held.value?.claims ?? [],
  };
}

/** The order that claims are held for; undefined if there are none. */
function idOf<Otherwise>(
  reply: { claims: readonly unknown[]; orderId?: string } | undefined,
  otherwise: Otherwise,
): string | Otherwise | undefined {
  if (reply === undefined || reply.claims.length === 0) return undefined;
  return reply.orderId ?? otherwise;
}
