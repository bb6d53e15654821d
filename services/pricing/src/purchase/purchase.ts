import type { Claim, HeldClaims } from '@event-commerce/claims';
import type { DroppedAdjustment, PurchaseRequest } from '@event-commerce/contracts';
import { type Caller, RESPOND_WITHIN_MS } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import type { KeptAdjustment } from '../adjustments/domain/adjustment.ts';
import type { RedemptionRepository } from '../redemptions/redemption.repository.ts';
import type { CompanySnapshot } from '../snapshot/domain/snapshot.ts';
import type { SnapshotCache } from '../snapshot/snapshot-cache.ts';
import { claimAll, type Wanted } from '../redemptions/claim-redemptions.ts';
import { keepsChanging, limitReached, notFinal, redeemedByHand, refusalOf, refused } from './claim-refusals.ts';
import { isFullForNow } from '../redemptions/redemption-pools.ts';
import type { OrderRedemptions } from '../redemptions/order-redemptions.ts';
import { type Buyer, type CapKnowledge, type Quote, type QuoteDeps, type Quoted, quoteOrder } from './quote-order.ts';

export type PurchaseDeps = QuoteDeps & {
  orderRedemptions: Pick<OrderRedemptions, 'cancel'>;
  redemptions: Pick<RedemptionRepository, 'findByHand'>;
  snapshots: Pick<SnapshotCache, 'fresh'>;
};

type Purchased = { claims: Claim[] } & Pick<Quote, 'codes' | 'price' | 'platformTotal'>;

type Purchase = (buyer: Buyer, request: PurchaseRequest, held: HeldClaims) => Promise<Purchased>;

/** How long a cap that ran out is remembered, and how many are. */
const RAN_OUT_MS = 5_000;
const RAN_OUT_MAX = 10_000;

/**
 * One to claim, one to price by the counters, one to claim by that price, and as many for what changed in between. On a
 * slow machine they take all of the time, and are made nevertheless.
 */
const PASSES_MIN = 5;

/**
 * What an order is priced by. `free`: as if every cap had room, so that the claims decide. `counted`: by the counters.
 * `fresh`: by the counters, and by what was written even if no response has been sent yet.
 */
type Basis = 'free' | 'counted' | 'fresh';

/**
 * Returns a function that prices an order and claims what makes its price, all of it, and notes in `held` what it claims;
 * or tells why not. The price is first worked out as if every cap had room, and the claims decide. The counters are read only if a claim finds no
 * room, if no claim would decide on a cap that matters, or if the order would be refused. An adjustment that the order
 * names is then refused, any other is left out.
 *
 * The function throws {PlatformError} VALIDATION_FAILED for a code or id that no live adjustment has, or an order that
 * cannot be priced; ADJUSTMENT_NOT_APPLICABLE or REDEMPTION_LIMIT_REACHED with the reason that an evaluation gives, the
 * former also for an id of a reopened order that no live adjustment has any more, the latter also for one that was
 * redeemed for the order by hand, and for an adjustment that would change the total if orders that are being placed did
 * not hold its last places; PRICE_CHANGED if it does not cost `expectedTotal`; SERVICE_UNAVAILABLE if the order was
 * placed and is not shown yet, or if something it needs cannot be read, or keeps changing.
 */
export function purchaser(deps: PurchaseDeps): Purchase {
  // Their counters are read before they are claimed: nearly all claims would be in vain.
  const ranOut = new LRUCache<string, true>({ max: RAN_OUT_MAX, ttl: RAN_OUT_MS });

  return async (buyer, request, held) => {
    const { caller } = buyer;
    const { tenant } = caller;
    const untilMs = performance.now() + RESPOND_WITHIN_MS;
    const { orderId: id, former = [], cartContext, adjustmentIds } = request;
    await deps.orderRedemptions.cancel({ tenant, id, claims: former }, caller);

    const hasRunOut = ({ adjustment }: Wanted) =>
      ranOut.has(capOf(adjustment)) || ranOut.has(capOf(adjustment, cartContext.customerId));
    // A cap that was taken as free and is not claimed is decided by nobody, and the price may depend on it.
    const needsCounters = ({ wanted, takenAsFree }: Quote) => {
      const claimed = new Set(wanted.map(({ adjustment }) => adjustment.id));
      return !takenAsFree.isSubsetOf(claimed) || wanted.some(hasRunOut);
    };

    const full = new Map<string, { claimed: number; byCustomer: number }>();
    let basis: Basis = 'free';
    for (let passes = 1; ; passes++) {
      const snapshot = basis === 'fresh' ? await deps.snapshots.fresh(tenant) : await deps.snapshots.get(tenant);
      const counted = basis !== 'free';
      const known = { counted, full };
      const quote = await quoteOrder(deps, buyer, request, snapshot, known);
      if ('refusal' in quote) {
        if (basis === 'fresh') {
          const contended = await contendedCap(deps, buyer, request, snapshot, known, quote);
          throw contended === undefined ? quote.refusal : notFinal(quote.refusal);
        }
      } else if (basis === 'free' && needsCounters(quote)) {
        basis = 'counted';
        continue;
      } else {
        // A buyer who expects the price without it was shown that price.
        const contended =
          counted && request.expectedTotal === undefined
            ? await contendedCap(deps, buyer, request, snapshot, known, quote)
            : undefined;
        if (contended !== undefined) throw refused(contended, contended, { isContended: true });
        const { wanted, takenAsFree: _taken, exhausted: _exhausted, total: _total, ...priced } = quote;
        const order = { ...request, customerId: cartContext.customerId };
        const outcome = await claimAll(deps, tenant, order, wanted, held, untilMs);
        if (outcome.kind === 'claimed') {
          const { claims } = outcome;
          if (request.reopening !== undefined) await refuseRedeemedByHand(deps, caller, id, claims);
          return { claims, ...priced };
        }
        if (outcome.kind === 'full') {
          const { wanted: exhausted, isContended } = outcome;
          const { adjustment, code } = exhausted;
          if (!isContended) ranOut.set(capOf(adjustment, outcome.byCustomer > 0 ? order.customerId : undefined), true);
          if (code !== undefined || adjustmentIds.includes(adjustment.id)) {
            const why = refusalOf(adjustment, order, deps.clock(), outcome) ?? limitReached;
            throw refused(why, { adjustmentId: adjustment.id, code }, { isContended });
          }
          full.set(adjustment.id, outcome);
        }
      }
      if (passes >= PASSES_MIN && performance.now() > untilMs) throw keepsChanging();
      basis = 'fresh';
    }
  };
}

/**
 * The cap, if any, that decides what becomes of an order and has no room only because orders that are being placed hold
 * its last places: they may be refused, and then this order would cost something else, or be accepted.
 */
async function contendedCap(
  deps: PurchaseDeps,
  buyer: Buyer,
  request: PurchaseRequest,
  snapshot: CompanySnapshot,
  known: CapKnowledge,
  quote: Quoted,
): Promise<DroppedAdjustment | undefined> {
  const { customerId } = request.cartContext;
  const contended: DroppedAdjustment[] = [];
  for (const exhausted of quote.exhausted) {
    const adjustment = snapshot.get(exhausted.adjustmentId);
    if (adjustment === undefined || !(await isFullForNow(deps.pools, adjustment, { customerId, quantity: 1 })))
      continue;
    contended.push(exhausted);
  }
  if (contended.length === 0) return undefined;
  const released = new Set(contended.map(({ adjustmentId }) => adjustmentId));
  const otherwise = await quoteOrder(deps, buyer, request, snapshot, { ...known, released });
  return outcomeOf(otherwise) === outcomeOf(quote) ? undefined : contended[0];
}

/** What becomes of an order: its total, or why it is refused at any. */
function outcomeOf(quote: Quoted): string | number | undefined {
  if (!('refusal' in quote)) return quote.total;
  const { code, message } = quote.refusal;
  return code === 'PRICE_CHANGED' ? `${code} ${quote.total}` : message;
}

/**
 * The order may have been redeemed by hand since it was over, and an adjustment keeps one redemption of an order. Looked
 * up after the claims are made: while they stand, nothing is redeemed by hand for their order.
 */
async function refuseRedeemedByHand(
  { redemptions }: PurchaseDeps,
  { tenant }: Caller,
  orderId: string,
  claims: readonly Claim[],
): Promise<void> {
  const adjustmentIds = claims.map(({ poolId }) => poolId);
  const redeemed = await redemptions.findByHand(tenant, adjustmentIds, orderId);
  if (redeemed !== undefined) throw refused(redeemedByHand(redeemed.id), { adjustmentId: redeemed.adjustmentId });
}

/** Identifies the cap of an adjustment, or what it allows one customer. A cap that is raised is another version. */
function capOf({ id, version }: KeptAdjustment, customerId = ''): string {
  return `${id}@${version}|${customerId}`;
}
