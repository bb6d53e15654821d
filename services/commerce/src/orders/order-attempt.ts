import { randomBytes } from 'node:crypto';
import { EVENT_BYTES_MAX, isNoResponders } from '@event-commerce/bus';
import {
  accepted,
  type AmendmentMode,
  type AmendRequest,
  type CheckedOut,
  type CheckoutRequest,
  type ClaimTicketsRequest,
  invalidInput,
  orderBeingPlaced,
  PlatformError,
  type PurchaseRequest,
  type RedemptionClaim,
  type TicketClaim,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { type Caller, firstIdAt, RESPOND_WITHIN_MS, retryOnConflict } from '@event-commerce/service-kit';
import type { Carts, Purchases, Tickets } from '../other-services.ts';
import { inTurnIfLarge } from './large-orders.ts';
import type { HeldForOrder, OrderNumbers } from './order-number.repository.ts';
import type { OrderRecord } from './order-record.ts';
import { PLACED_WITHIN_MS } from './order-search.ts';
import type { OrderRepository } from './order.repository.ts';

/**
 * The largest size, as JSON, of everything that an order has claimed: its events list it, and an event too large to be
 * published would settle nothing. The rest of an event is for the order's other data.
 */
export const CLAIMS_BYTES_MAX = EVENT_BYTES_MAX - 112 * 1024;

/** Longer than any attempt lasts: an attempt that has not left its number by then was killed, or no longer matters. */
const ATTEMPT_MAX_MS = 60_000;

export interface AttemptDeps {
  orders: Pick<OrderRepository, 'isVoid' | 'settle' | 'useUp'>;
  numbers: OrderNumbers;
  purchases: Purchases;
  tickets: Tickets;
  carts: Carts;
}

/** The order that an attempt is for. */
interface AttemptedOrder {
  id: string;
  /** The number that all copies of the order enter: see `orderNumbers`. */
  number: string;
  fingerprint: string;
  /** Which revision of the order it is; absent for a new one. */
  revision?: number;
}

type WithoutOrder<Request> = Omit<Request, 'orderId' | 'revision'>;

/** What an order requests from pricing and events, if it needs them. */
export interface ClaimRequest {
  /** For an amendment, instead of `purchase`. */
  amend?: AmendRequest & { mode: AmendmentMode };
  purchase?: WithoutOrder<PurchaseRequest> | undefined;
  tickets?: WithoutOrder<ClaimTicketsRequest> | undefined;
}

/**
 * One attempt to get everything that an order needs. It enters the order's number first, so that all copies of the
 * order share one id and what is held for it. An attempt that fails leaves the number; what they hold is released only
 * when all have left. An attempt whose requests may still take effect does not leave, as if it had been killed: the
 * next copy continues with what it holds, or the sweeps of other services settle it.
 */
export class OrderAttempt {
  private readonly deps: AttemptDeps;
  private readonly caller: Caller;
  private readonly order: AttemptedOrder;
  private readonly id = randomBytes(6).toString('base64url');
  private hasEntered = false;
  private isCertain = true;
  private readonly redemptions = new Map<string, RedemptionClaim>();
  private readonly tickets = new Map<string, TicketClaim>();
  private sessionId: string | undefined;

  constructor(deps: AttemptDeps, caller: Caller, order: AttemptedOrder) {
    this.deps = deps;
    this.caller = caller;
    this.order = { ...order };
  }

  get orderId(): string {
    return this.order.id;
  }

  /**
   * Enters the order's number. A new order that is not the first copy gets the id of the first. Resolves with false if
   * this revision can never be written, or another change of the order may be about to write it: read the order again.
   *
   * @throws {PlatformError} ORDER_NUMBER_TAKEN if an order with other content is being placed under the number
   */
  async enter(): Promise<boolean> {
    const { numbers } = this.deps;
    const { number } = this.order;
    const isNew = this.order.revision === undefined;
    // Orders are found by the time in their id: a new order cannot have the id of an old attempt.
    const oldest = isNew ? firstIdAt('ord', Date.now() - PLACED_WITHIN_MS / 2) : '';
    const enterOnce = async (): Promise<boolean | undefined> => {
      const entered = await numbers.enter(this.numbered, oldest);
      if (entered?.kind === 'abandoned') {
        // Its last attempt is leaving now, or was killed.
        await this.abandon(entered.orderId, entered.left);
        return isNew ? undefined : false;
      }
      if (entered?.kind === 'taken') {
        const isOver = await this.isOver(entered);
        if (isOver) await numbers.remove(number, entered.orderId);
        if (!isNew) return false;
        if (!isOver) throw orderBeingPlaced();
      } else if (entered !== undefined) {
        const isOther = entered.orderId !== this.order.id;
        if (!isOther || !(await this.deps.orders.isVoid(entered.orderId))) {
          this.hasEntered = true;
          this.order.id = entered.orderId;
          return true;
        }
        await numbers.remove(number, entered.orderId);
      }
      return undefined;
    };
    return await retryOnConflict(enterOnce, () => tryAgainShortly('The order is being placed; try again shortly.'));
  }

  /**
   * Reserves the order's cart session, at the version and with the seats that it must have.
   *
   * @throws {PlatformError} the refusal, or SERVICE_UNAVAILABLE
   */
  async checkOut(
    sessionId: string,
    only: Pick<CheckoutRequest, 'cartVersion' | 'tableCommitmentId' | 'seats' | 'sessionCreatedAt'>,
  ): Promise<CheckedOut> {
    const request = { sessionId, ...this.ordering, ...only };
    const reply = await this.asked(this.deps.carts.checkout(this.caller, request));
    this.sessionId = sessionId;
    return accepted(reply);
  }

  /**
   * Asks pricing and events side by side. A large order waits for the company's others.
   *
   * @throws {PlatformError} what the services refuse, pricing's refusal first; VALIDATION_FAILED if the order is too
   * large; SERVICE_UNAVAILABLE if its turn does not come in time
   */
  async claim(request: ClaimRequest) {
    return await inTurnIfLarge(this.caller.tenant, sizeOf(request), async () => this.claimNow(request));
  }

  /** Ends the attempt as failed. What it holds stays held as long as another copy of the order may need it. */
  async leave(): Promise<void> {
    if (!this.hasEntered || !this.isCertain) return;
    const { numbers } = this.deps;
    try {
      const left = await numbers.leave(this.numbered, this.held);
      if (left !== undefined) await this.abandon(this.order.id, left);
    } catch {
      // What remains is settled later, as after a kill.
    }
  }

  /** Ends the attempt because its order id was declared void. */
  async leaveVoid(): Promise<void> {
    // What other copies hold lapses: that is why the id is void.
    await this.deps.numbers.remove(this.order.number, this.order.id);
    await this.release(this.order.id, this.held);
  }

  /**
   * Releases what this attempt holds and the order does not have, once it is known whether the order was written or
   * reopened. `withSession`: the order has the cart session.
   */
  async releaseExcept(
    { claims, tickets }: Pick<OrderRecord, 'claims' | 'tickets'>,
    { withSession } = { withSession: true },
  ): Promise<void> {
    const kept = new Set([...claims.map(({ redemptionId }) => redemptionId), ...tickets.map(({ claimId }) => claimId)]);
    const { redemptions, tickets: held, sessions } = this.held;
    await this.release(this.order.id, {
      redemptions: redemptions.filter(({ redemptionId }) => !kept.has(redemptionId)),
      tickets: held.filter(({ claimId }) => !kept.has(claimId)),
      sessions: withSession ? [] : sessions,
    });
  }

  private get held(): HeldForOrder {
    return {
      redemptions: [...this.redemptions.values()],
      tickets: [...this.tickets.values()],
      sessions: this.sessionId === undefined ? [] : [this.sessionId],
    };
  }

  private get numbered() {
    const { id: orderId, number, fingerprint } = this.order;
    return { id: number, tenant: this.caller.tenant, orderId, fingerprint, attempt: this.id };
  }

  /** The order as it is named in requests to other services. */
  private get requested() {
    const { id: orderId, revision } = this.order;
    return { orderId, ...(revision === undefined ? {} : { revision }) };
  }

  /** The order as cart knows it. */
  private get ordering() {
    const { id: orderId, revision: reopening } = this.order;
    return { orderId, ...(reopening === undefined ? {} : { reopening }) };
  }

  private async claimNow({ amend, purchase, tickets }: ClaimRequest) {
    const { caller, deps, requested } = this;
    const [amended, purchased, claimed] = await Promise.allSettled([
      amend && this.asked(deps.purchases.amend(caller, { ...amend, ...requested })),
      purchase && this.asked(deps.purchases.purchase(caller, { ...requested, ...purchase })),
      tickets && this.asked(deps.tickets.claim(caller, { ...requested, ...tickets })),
    ]);
    for (const one of [...claimsIn<RedemptionClaim>(amended), ...claimsIn<RedemptionClaim>(purchased)])
      this.redemptions.set(one.redemptionId, one);
    for (const one of claimsIn<TicketClaim>(claimed)) this.tickets.set(one.claimId, one);
    const result = { amended: claimedIn(amended), purchase: claimedIn(purchased), tickets: claimedIn(claimed) };
    refuseTooMuch(result.amended?.claims ?? result.purchase?.claims ?? [], result.tickets?.claims ?? []);
    return result;
  }

  /** The reply, unless the outcome of the request is unknown. */
  private async asked<Reply>(request: Promise<Reply>): Promise<Reply> {
    try {
      return await request;
    } catch (error) {
      this.isCertain &&= hasDoneNothing(error);
      throw error;
    }
  }

  /** Whether the order under the number, or its revision, was not written, and never will be. */
  private async isOver({ orderId, since }: { orderId: string; since: Date }): Promise<boolean> {
    const { orders } = this.deps;
    const { revision } = this.order;
    const ageMs = Date.now() - since.getTime();
    if (revision !== undefined) {
      // An attempt that is only slow then tries the next revision.
      if (ageMs >= RESPOND_WITHIN_MS) await orders.useUp(orderId, revision);
      return ageMs >= RESPOND_WITHIN_MS;
    }
    if (await orders.isVoid(orderId)) return true;
    if (ageMs < ATTEMPT_MAX_MS) return false;
    return (await orders.settle(orderId, undefined)).outcome === 'void';
  }

  /** Releases what an abandoned order holds. If it is a revision, its number is used up. */
  private async abandon(orderId: string, left: HeldForOrder): Promise<void> {
    const { revision } = this.order;
    if (revision !== undefined) await this.deps.orders.useUp(orderId, revision);
    await this.release(orderId, left);
    await this.deps.numbers.remove(this.order.number, orderId);
  }

  /** Releases what no order has or ever will have. */
  private async release(orderId: string, { redemptions, tickets, sessions }: HeldForOrder): Promise<void> {
    const { caller, deps } = this;
    const of = { ...this.ordering, orderId };
    await Promise.all([
      deps.purchases.cancel(caller, orderId, redemptions, { unwritten: true }),
      deps.tickets.cancel(caller, orderId, tickets, { unwritten: true }),
      ...sessions.map(async (sessionId) => deps.carts.release(caller, { ...of, sessionId })),
    ]);
  }
}

/** Whether a request certainly had no effect: it was refused, or nobody received it. */
function hasDoneNothing(error: unknown): boolean {
  return isNoResponders(error) || (error instanceof PlatformError && error.statusCode < 500);
}

function sizeOf({ purchase, tickets }: ClaimRequest): number {
  const redeemed = (purchase?.codes.length ?? 0) + (purchase?.adjustmentIds.length ?? 0);
  return Math.max(redeemed, tickets?.items.length ?? 0);
}

/** Everything that is held according to a reply. */
function claimsIn<Claim>(reply: PromiseSettledResult<{ claims?: Claim[]; spare?: Claim[] } | undefined>): Claim[] {
  if (reply.status === 'rejected') return [];
  return [...(reply.value?.claims ?? []), ...(reply.value?.spare ?? [])];
}

/** The reply, unless it is a refusal. @throws the refusal, or why there is no reply */
function claimedIn<Reply extends object>(reply: PromiseSettledResult<Reply | undefined>) {
  if (reply.status === 'rejected') throw reply.reason;
  return reply.value && accepted(reply.value);
}

function refuseTooMuch(claims: readonly RedemptionClaim[], tickets: readonly TicketClaim[]): void {
  if (Buffer.byteLength(JSON.stringify([claims, tickets])) <= CLAIMS_BYTES_MAX) return;
  const detail = 'need more redemptions and tickets than one order can hold; split it into several orders';
  throw invalidInput('order.items', detail);
}
