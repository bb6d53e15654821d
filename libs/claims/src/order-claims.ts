import {
  type Cause,
  causeOf,
  knownOrderState,
  type OrderChange,
  type OrderOutcome,
  type ReceivedEvent,
  type SettleOrderReply,
  type SettleOrderRequest,
  type Tenant,
} from '@event-commerce/contracts';
import type { Logger, Loop } from '@event-commerce/service-kit';
import { traceIdOf } from '@event-commerce/telemetry';
import { BY_ORDER, type Claim, keepsPlace, statusBy } from './claim.ts';
import type { Pools } from './create-pools.ts';
import { forEachInParts } from './in-parts.ts';
import type { SweepOptions } from './sweep.ts';

/** Knows the outcomes of orders. */
export interface Commerce {
  settleOrder: (request: SettleOrderRequest) => Promise<SettleOrderReply>;
  /** The service's claims among those that an order has. */
  claimsOf: (reply: SettleOrderReply) => readonly string[] | undefined;
  /**
   * The outcome of a claim that no order decides about, but the ledger; undefined while that is open. Absent: it was
   * not confirmed in time.
   */
  ofLedger?: (claim: Claim) => Promise<OrderOutcome | undefined>;
}

export interface OrderClaimsDeps {
  pools: Pick<Pools, 'followOrder' | 'cancel' | 'sweep'>;
  settleOrder: Commerce['settleOrder'];
  /** Which of at most 500 orders wait to be confirmed. */
  waitingOrders: (orderIds: readonly string[]) => Promise<ReadonlySet<string>>;
  logger: Logger;
}

/** What a service contributes to the claims of orders. `Told` is a claim as requests and events describe it. */
interface OrderClaimsConfig<Told> extends OrderClaimsDeps, Commerce {
  toClaim: (told: Told) => Omit<Claim, 'companyId' | 'orderId' | 'status' | 'settledBy'>;
  /**
   * Called with pools of a company after claims in them were released. If it throws, the release throws too, and is
   * repeated.
   */
  released?: (companyId: Tenant, poolIds: readonly string[]) => Promise<void>;
}

/** An order with its claims. */
interface ClaimedOrder<Told> {
  tenant: Tenant;
  id: string;
  claims: readonly Told[];
}

/** The part of an order's event that decides about its claims. */
type OrderEvent = Pick<ReceivedEvent<OrderChange>, 'type' | 'tenant' | 'actor' | 'traceparent'> & {
  data: { id: string; state: string };
};

/** The events of orders whose claims were all pending until then. */
const MAKES_CLAIMS: ReadonlySet<OrderChange> = new Set(['order.pending', 'order.placed', 'order.reopened']);

export type OrderClaims<Told> = ReturnType<typeof createOrderClaims<Told>>;

/**
 * Settles the claims that orders hold: they are kept while the order is pending or placed, released when it is over,
 * and undecided until commerce is asked. Safe to repeat, and for states that arrive in any order.
 */
export function createOrderClaims<Told>(config: OrderClaimsConfig<Told>) {
  const { pools, logger, toClaim, released } = config;

  const toClaims = (
    { tenant: companyId, id: orderId, claims }: ClaimedOrder<Told>,
    status: 'pending' | 'held' = 'held',
  ): Claim[] => claims.map((told) => ({ ...toClaim(told), companyId, orderId, status, settledBy: 'commerce' }));

  const tell = async (companyId: Tenant, claims: readonly Claim[]): Promise<void> => {
    const poolIds = claims.map(({ poolId }) => poolId);
    await released?.(companyId, poolIds);
  };

  const settle = async (tenant: Tenant, claims: readonly Claim[], outcome: OrderOutcome, cause?: Cause) => {
    const isKept = keepsPlace(BY_ORDER[outcome]);
    await forEachInParts(claims, async (claim) => {
      if ((await pools.followOrder(claim, outcome, cause)) !== 'lapsed' || !isKept || claim.keeps === 0) return;
      // Commerce declared the order void before the claim lapsed, and then wrote it: that must not be possible.
      const traceId = traceIdOf(cause?.traceparent);
      const { id: claimId, orderId } = claim;
      logger.error({ claimId, orderId, traceId }, 'an order was placed although its claim had lapsed');
    });
    const reduced = isKept ? claims.filter(({ keeps = Infinity, quantity }) => keeps < quantity) : claims;
    if (reduced.length > 0) await tell(tenant, reduced);
  };

  const asked = new Map<string, Promise<SettleOrderReply>>();
  /** Asks once for all claims of an order that are settled at the same time. */
  const settleOnce = async (request: SettleOrderRequest): Promise<SettleOrderReply> => {
    const key = JSON.stringify([request.orderId, request.revision]);
    const known = asked.get(key);
    if (known !== undefined) return await known;
    const reply = config.settleOrder(request).finally(() => asked.delete(key));
    asked.set(key, reply);
    return await reply;
  };

  return {
    /** Settles `claims` of an order by the state in its event. */
    async follow(event: OrderEvent, claims: readonly Told[]): Promise<void> {
      const { tenant, data, type } = event;
      const state = knownOrderState(data.state);
      if (state === undefined) return;
      const order = { tenant, id: data.id, claims };
      const status = MAKES_CLAIMS.has(type) ? 'pending' : 'held';
      await settle(tenant, toClaims(order, status), state, causeOf(event));
    },

    /** Releases what an amended order does not keep of its claims, as its event does. */
    async reduce(order: ClaimedOrder<Told>, standing: 'pending' | 'placed', cause?: Cause): Promise<void> {
      await settle(order.tenant, toClaims(order), standing, cause);
    },

    /** Releases the claims of a cancelled order, as its event does. */
    async cancel(order: ClaimedOrder<Told>, cause?: Cause): Promise<void> {
      await settle(order.tenant, toClaims(order), 'cancelled', cause);
    },

    /** Ends pending claims whose order was never written with them, and never will be. */
    async release(order: ClaimedOrder<Told>): Promise<void> {
      const claims = toClaims(order, 'pending');
      await forEachInParts(claims, async (claim) => pools.cancel(claim));
      await tell(order.tenant, claims);
    },

    /**
     * Settles claims that stayed pending too long, or held, by the outcome of their orders. Commerce is asked about the
     * orders of many held claims at once, because nearly all of those are waiting. While commerce cannot be reached, no
     * claim ends.
     */
    sweep: (options: Pick<SweepOptions, 'ttlMs' | 'seeFull'>): Loop =>
      pools.sweep({
        ...options,
        logger,
        waitingOf: config.waitingOrders,
        end: async (claim) => {
          const { outcome, ...part } = await outcomeFor(claim, { ...config, settleOrder: settleOnce });
          if (outcome === undefined) return;
          const { keeps = Infinity } = part;
          // Its order is still waiting, with all of it.
          if (statusBy(outcome, part) === claim.status && keeps >= claim.quantity) return;
          await settle(claim.companyId, [{ ...claim, ...part }], outcome);
        },
      }),
  };
}

/**
 * The outcome of a claim's order for this claim, how much of it the order keeps, unless that is everything, and whether
 * it is held for an amendment. A pending claim may be more than the order needed, and a held one may be from before the
 * order was reopened.
 */
export async function outcomeFor(
  claim: Claim,
  { settleOrder, claimsOf, ofLedger = async () => 'void' }: Commerce,
): Promise<{ outcome: OrderOutcome | undefined } & Pick<Claim, 'keeps' | 'held'>> {
  const { id, orderId, revision, settledBy, status } = claim;
  if (settledBy === 'ledger') return { outcome: await ofLedger(claim) };
  const reply = await settleOrder({ orderId, revision });
  const belongsToOrder = claimsOf(reply)?.includes(id) ?? reply.outcome !== 'void';
  if (!belongsToOrder) return { outcome: keepsPlace(status) ? 'cancelled' : 'void' };
  const keeps = reply.keeps?.[id];
  return {
    outcome: reply.outcome,
    ...(keeps === undefined ? {} : { keeps }),
    ...(reply.held?.includes(id) === true ? { held: true as const } : {}),
  };
}
