import { EVENT_BYTES_MAX } from '@event-commerce/bus';
import {
  type CheckoutReply,
  type CheckoutRequest,
  type ClaimTicketsReply,
  type ClaimTicketsRequest,
  invalidInput,
  type PurchaseReply,
  type PurchaseRequest,
  type RedemptionClaim,
  type ReleaseCheckoutRequest,
  type RPC,
  type RpcRequest,
  type TicketClaim,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { type Caller, firstIdAt, newAttempt } from '@event-commerce/service-kit';
import { fingerprint } from './domain/fingerprint.ts';
import { PLACED_WITHIN_MS } from './order-search.ts';
import { inTurnIfLarge } from './large-orders.ts';

/**
 * How large, as JSON, all that an order has claimed may be: its events tell of it, and one that is too large to be
 * published would settle nothing. The rest is for whatever else an event tells of an order.
 */
export const CLAIMS_BYTES_MAX = EVENT_BYTES_MAX - 112 * 1024;

/** The part of the pricing service that orders need. */
export interface Purchases {
  /** Prices and claims, all or none. @throws {PlatformError} the refusal, or SERVICE_UNAVAILABLE */
  purchase(caller: Caller, request: PurchaseRequest): Promise<PurchaseReply>;
  /**
   * Releases the claims of an order that is over, or what `attempt` relies on. Cannot fail: what remains ends later.
   */
  cancel(caller: Caller, orderId: string, claims: readonly RedemptionClaim[], attempt?: string): Promise<void>;
}

/** The part of the events service that orders need. */
export interface Tickets {
  /** Claims all tickets or none. @throws {PlatformError} the refusal, or SERVICE_UNAVAILABLE */
  claim(caller: Caller, request: ClaimTicketsRequest): Promise<ClaimTicketsReply>;
  /** Releases tickets, as `Purchases.cancel` releases redemptions. Cannot fail. */
  cancel(caller: Caller, orderId: string, claims: readonly TicketClaim[], attempt?: string): Promise<void>;
}

/** The part of the cart service that orders need. */
export interface Carts {
  /** Reserves the session. @throws {PlatformError} CART_SESSION_NOT_FOUND or another refusal, or SERVICE_UNAVAILABLE */
  checkout(caller: Caller, request: CheckoutRequest): Promise<CheckoutReply>;
  /** Ends the reservation of a session. Cannot fail: one that remains lapses. */
  release(caller: Caller, request: ReleaseCheckoutRequest): Promise<void>;
  /** Opens the session of an order that is over, and frees its seat. Cannot fail: the order's event does it too. */
  end(caller: Caller, request: RpcRequest<typeof RPC.endCheckout>): Promise<void>;
}

export interface AttemptDeps {
  purchases: Purchases;
  tickets: Tickets;
  carts: Carts;
}

/** The order that an attempt is for; copies of it have the key and the fingerprint in common. */
interface AttemptedOrder {
  orderId: string;
  key: string;
  fingerprint: string;
  /** The number of the reopening; absent for a new order. */
  reopening?: number;
}

/** The order as requests to other services have it. */
type RequestedOrder = Omit<AttemptedOrder, 'fingerprint'> & { content: string };

type WithoutOrder<Request> = Omit<Request, keyof RequestedOrder | 'attempt'>;

/** What an order asks of the services that it needs something of. */
export interface Wanted {
  purchase?: WithoutOrder<PurchaseRequest> | undefined;
  tickets?: WithoutOrder<ClaimTicketsRequest> | undefined;
}

/** What the services granted, and the order id that it is held for: that of the copy that came first. */
export interface Granted {
  orderId: string;
  purchase: PurchaseReply | undefined;
  claims: readonly RedemptionClaim[];
  tickets: readonly TicketClaim[];
  /** Offerings at other versions than the order's: then nothing is granted. */
  changed?: ClaimTicketsReply['changed'];
}

/** Services hold what is the order's for different copies of it. */
export interface Divided {
  /** The copy that the next attempt is for. It may be gone: then nobody lets go of what is held for it. */
  nextFor: string;
}

/**
 * One attempt to get everything that an order needs, all or none. It remembers what it got, so that it can let go of
 * that, and of no more: other copies of the order may rely on the same claims.
 */
export class OrderAttempt {
  private readonly deps: AttemptDeps;
  private readonly caller: Caller;
  private readonly attempt = newAttempt();
  private order: RequestedOrder;
  private sessionId: string | undefined;
  private redeemed: { orderId: string; claims: readonly RedemptionClaim[] } = { orderId: '', claims: [] };
  private held: { orderId: string; claims: readonly TicketClaim[] } = { orderId: '', claims: [] };

  constructor(deps: AttemptDeps, caller: Caller, { fingerprint: content, ...order }: AttemptedOrder) {
    this.deps = deps;
    this.caller = caller;
    this.order = { ...order, content };
  }

  /**
   * Reserves the cart session that the order is made of, at the version and with the seat that it must have.
   *
   * @throws {PlatformError} the refusal, or SERVICE_UNAVAILABLE
   */
  async checkOut(
    sessionId: string,
    only: Pick<CheckoutRequest, 'cartVersion' | 'tableCommitmentId' | 'seats' | 'sessionCreatedAt'> = {},
  ): Promise<CheckoutReply> {
    const request = { sessionId, ...this.order, attempt: this.attempt, ...only };
    const reply = await this.deps.carts.checkout(this.caller, request);
    this.sessionId = sessionId;
    this.order = { ...this.order, orderId: reply.orderId, content: this.contentWith(reply) };
    return reply;
  }

  /**
   * Asks pricing and events side by side; with `inTurn` events is asked for the order id that pricing has claims for. A
   * large order waits for the company's others.
   *
   * @throws {PlatformError} what the services refuse, pricing's refusal first; VALIDATION_FAILED if it is too much;
   * SERVICE_UNAVAILABLE if it is held for an attempt of long ago, or if its turn does not come in time
   */
  async claim(wanted: Wanted, inTurn: boolean): Promise<Granted | Divided> {
    return await inTurnIfLarge(this.caller.tenant, sizeOf(wanted), async () => this.claimNow(wanted, inTurn));
  }

  /** Gives up what this attempt got. Other copies of the order keep what they rely on. */
  async letGo(): Promise<void> {
    await this.giveBack(this.redeemed.claims, this.held.claims, true);
  }

  /** Gives up what this attempt got and `standing`, the order that was written instead, does not have. */
  async leaveTo(standing: {
    order: { id: string };
    claims: readonly RedemptionClaim[];
    tickets: readonly TicketClaim[];
  }): Promise<void> {
    const redemptions = new Set(standing.claims.map(({ redemptionId }) => redemptionId));
    const tickets = new Set(standing.tickets.map(({ claimId }) => claimId));
    await this.giveBack(
      this.redeemed.claims.filter(({ redemptionId }) => !redemptions.has(redemptionId)),
      this.held.claims.filter(({ claimId }) => !tickets.has(claimId)),
      standing.order.id !== this.order.orderId,
    );
  }

  private async claimNow({ purchase, tickets }: Wanted, inTurn: boolean): Promise<Granted | Divided> {
    const { caller, deps } = this;
    const order = { ...this.order, attempt: this.attempt };
    const purchasing = purchase === undefined ? undefined : deps.purchases.purchase(caller, { ...order, ...purchase });
    const ticketing = async (): Promise<ClaimTicketsReply | undefined> => {
      if (tickets === undefined) return undefined;
      const orderId = inTurn ? heldFor(await purchasing) : undefined;
      return await deps.tickets.claim(caller, { ...order, ...(orderId === undefined ? {} : { orderId }), ...tickets });
    };
    const [purchased, claimed] = await Promise.allSettled([purchasing, ticketing()]);
    if (purchased.status === 'fulfilled' && purchased.value !== undefined) this.redeemed = purchased.value;
    if (claimed.status === 'fulfilled' && claimed.value !== undefined) this.held = claimed.value;
    if (purchased.status === 'rejected') throw purchased.reason;
    if (claimed.status === 'rejected') throw claimed.reason;

    const reservedFor = this.sessionId === undefined ? undefined : order.orderId;
    const holders = [reservedFor, heldFor(purchased.value), heldFor(claimed.value)];
    const [orderId = order.orderId, nextFor] = new Set(holders.filter((holder) => holder !== undefined));
    if (nextFor !== undefined) return { nextFor };
    this.refuseOld(orderId);
    this.refuseTooMuch();
    return {
      orderId,
      purchase: purchased.value,
      claims: this.redeemed.claims,
      tickets: this.held.claims,
      ...(claimed.value?.changed === undefined ? {} : { changed: claimed.value.changed }),
    };
  }

  /** A new order is found by the time of its id: it cannot have the id of an attempt that failed long before it. */
  private refuseOld(orderId: string): void {
    if (this.order.reopening !== undefined || orderId > firstIdAt('ord', Date.now() - PLACED_WITHIN_MS / 2)) return;
    throw tryAgainShortly('What an earlier attempt at this order holds is still being given back; try again shortly.');
  }

  private refuseTooMuch(): void {
    const bytes = Buffer.byteLength(JSON.stringify([this.redeemed.claims, this.held.claims]));
    if (bytes <= CLAIMS_BYTES_MAX) return;
    const detail = 'take more redemptions and tickets than one order can keep; split it into several orders';
    throw invalidInput('order.items', detail);
  }

  /**
   * What a new order claims is also decided by its session. That may change between two copies of the order, and then
   * they share no claims. A reopened order has its own items.
   */
  private contentWith({ sessionCreatedAt, version }: CheckoutReply): string {
    const { content, reopening } = this.order;
    return reopening === undefined ? fingerprint([content, sessionCreatedAt, version]).fingerprint : content;
  }

  private async giveBack(
    claims: readonly RedemptionClaim[],
    tickets: readonly TicketClaim[],
    session: boolean,
  ): Promise<void> {
    const { attempt, caller, deps, sessionId } = this;
    const { orderId } = this.order;
    await Promise.all([
      deps.purchases.cancel(caller, this.redeemed.orderId, claims, attempt),
      deps.tickets.cancel(caller, this.held.orderId, tickets, attempt),
      ...(session && sessionId !== undefined ? [deps.carts.release(caller, { sessionId, orderId, attempt })] : []),
    ]);
  }
}

function sizeOf({ purchase, tickets }: Wanted): number {
  const redeemed = (purchase?.codes.length ?? 0) + (purchase?.adjustmentIds.length ?? 0);
  return Math.max(redeemed, tickets?.items.length ?? 0);
}

/** The order that claims are held for; undefined if there are none. */
function heldFor(reply: { orderId: string; claims: readonly unknown[] } | undefined): string | undefined {
  return reply === undefined || reply.claims.length === 0 ? undefined : reply.orderId;
}
