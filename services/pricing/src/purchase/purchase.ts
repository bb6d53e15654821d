import type { Claim, HeldClaims } from '@event-commerce/claims';
import type { DroppedAdjustment, PlatformError, PurchaseRequest } from '@event-commerce/contracts';
import { atMost, type Caller, RESPOND_WITHIN_MS } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import { codePoolOf, poolNamed } from '../adjustments/domain/pools-of.ts';
import { claimAll, type FullCap } from '../redemptions/claim-redemptions.ts';
import { type ClaimRequest, isOfBudget, poolIdOf } from '../redemptions/claim-request.ts';
import type { OrderRedemptions } from '../redemptions/order-redemptions.ts';
import { withIssuedCodes } from '../codes/with-issued-codes.ts';
import { isFullForNow } from '../redemptions/redemption-pools.ts';
import type { RedemptionRepository } from '../redemptions/redemption.repository.ts';
import type { CompanyAdjustments } from '../snapshot/domain/snapshot.ts';
import type { SnapshotCache } from '../snapshot/snapshot-cache.ts';
import { keepsChanging, limitReached, notFinal, redeemedManually, refusalOf, refused } from './claim-refusals.ts';
import { type Buyer, type CapKnowledge, type Quote, type QuoteDeps, type Quoted, quoteOrder } from './quote-order.ts';

export type PurchaseDeps = QuoteDeps & {
  orderRedemptions: Pick<OrderRedemptions, 'cancel'>;
  redemptions: Pick<RedemptionRepository, 'findManual'>;
  snapshots: Pick<SnapshotCache, 'fresh'>;
};

type Purchased = { claims: Claim[] } & Pick<Quote, 'codes' | 'price' | 'pricedAtMs' | 'platformTotal'>;

/**
 * How an order is priced. `free`: as if every cap had room, so that the claims decide. `counted`: by the counters.
 * `fresh`: by the counters and everything written, even if no response has been sent yet.
 */
type Means = 'free' | 'counted' | 'fresh';

/** An order that is being purchased, and which of its caps turned out to be full. */
interface Purchase {
  deps: PurchaseDeps;
  buyer: Buyer;
  request: PurchaseRequest;
  /** Records what is claimed, even for an order that is refused. */
  held: HeldClaims;
  untilMs: number;
  /** The pools that claims of this order found full, whatever the counters say later. */
  full: Map<string, { claimed: number; byCustomer: number }>;
  /** What this order's claims got of adjustments' tickets and of budgets that ran short. */
  granted: Map<string, number>;
  /** Caps that any order recently found full: their counters are read first, because nearly all claims would fail. */
  ranOut: LRUCache<string, true>;
}

/** A price, and what it was made of. */
interface Priced {
  snapshot: CompanyAdjustments;
  known: CapKnowledge;
  quote: Quoted;
}

/** How long caps that ran out are remembered, and how many of them. */
const RAN_OUT_MS = 5_000;
const RAN_OUT_MAX = 10_000;

/**
 * One to claim, one to price by the counters, one to claim by that price, and two more for changes in between. They are
 * made even if a slow machine needs all the time for them.
 */
export const PASSES_MIN = 5;

/**
 * Returns a function that prices an order, claims everything that makes its price, and records in `held` what it
 * claims; or says why not. The price is first computed as if every cap had room, and the claims decide. The counters
 * are read only if a claim finds no room, if no claim would decide on a cap that matters, or if the order would be
 * refused. The order is then refused if it names a full adjustment; any other full one is left out.
 *
 * The function throws {PlatformError} VALIDATION_FAILED for a code or id that no live adjustment has, or an order that
 * cannot be priced; ADJUSTMENT_NOT_APPLICABLE or REDEMPTION_LIMIT_REACHED with the reason that an evaluation gives: the
 * former also if a reopened order names an adjustment that is no longer live, the latter also for one that was redeemed
 * manually for the order, and for one that would change the total if orders that are being placed did not hold its last
 * places; PRICE_CHANGED if it does not cost `expectedTotal`; SERVICE_UNAVAILABLE if the order was placed and is not
 * shown yet, or if something it needs cannot be read or keeps changing.
 */
export function purchaser(
  deps: PurchaseDeps,
): (buyer: Buyer, request: PurchaseRequest, held: HeldClaims) => Promise<Purchased> {
  const ranOut = new LRUCache<string, true>({ ...atMost(RAN_OUT_MAX), ttl: RAN_OUT_MS });
  return async (buyer, request, held) => {
    const untilMs = performance.now() + RESPOND_WITHIN_MS;
    await releaseFormer(deps, buyer.caller, request);
    const purchase: Purchase = { deps, buyer, request, held, untilMs, full: new Map(), granted: new Map(), ranOut };
    let means: Means = 'free';
    for (let passes = 1; ; passes++) {
      const outcome = await purchaseBy(means, purchase);
      if (typeof outcome !== 'string') return outcome;
      if (passes >= PASSES_MIN && performance.now() > untilMs) throw keepsChanging();
      means = outcome;
    }
  };
}

/** Releases what a reopened order had before. */
async function releaseFormer(
  { orderRedemptions }: PurchaseDeps,
  caller: Caller,
  { orderId: id, former = [] }: PurchaseRequest,
): Promise<void> {
  await orderRedemptions.cancel({ tenant: caller.tenant, id, claims: former }, caller);
}

/** One pass: price, then claim by that price. Resolves with the means of the next pass if this one decides nothing. */
async function purchaseBy(means: Means, purchase: Purchase): Promise<Purchased | Means> {
  const { quote, ...by } = await priceBy(means, purchase);
  if ('refusal' in quote) {
    if (means !== 'fresh') return 'fresh';
    throw await refusalBy({ quote, ...by }, quote.refusal, purchase);
  }
  if (means === 'free' && needsCounters(quote, purchase)) return 'counted';
  if (means !== 'free') await refuseContended({ quote, ...by }, purchase);
  return (await claimQuoted(quote, purchase)) ?? 'fresh';
}

async function priceBy(means: Means, { deps, buyer, request, full, granted }: Purchase): Promise<Priced> {
  const { tenant } = buyer.caller;
  const stored = await (means === 'fresh' ? deps.snapshots.fresh(tenant) : deps.snapshots.get(tenant));
  const snapshot = await withIssuedCodes(deps, tenant, stored, codesIn(request));
  const known = { counted: means !== 'free', full, granted };
  return { snapshot, known, quote: await quoteOrder(deps, buyer, request, snapshot, known) };
}

/** The codes of an order; for a reopened one, also those that it last had. */
function codesIn({ codes, former = [] }: PurchaseRequest): string[] {
  return [...codes, ...former.flatMap(({ code, keeps }) => (code === undefined || keeps === 0 ? [] : [code]))];
}

/** The refusal of an order; it is not final if orders that are being placed decide it. */
async function refusalBy(priced: Priced, refusal: PlatformError, purchase: Purchase): Promise<PlatformError> {
  return (await contendedCap(priced, purchase)) === undefined ? refusal : notFinal(refusal);
}

/**
 * Whether to read the counters first: no claim decides a cap that was assumed free and may affect the price; or only
 * the counters say how much a customer has left, because a share gives all or nothing; or a cap ran out recently.
 */
function needsCounters({ requests, takenAsFree }: Quote, { request, ranOut }: Purchase): boolean {
  const { customerId, customerEmail } = request.cartContext;
  const claimed = new Set(requests.map(poolIdOf));
  const isShared = (one: ClaimRequest) => {
    if (one.isWhole) return false;
    if (isOfBudget(one)) return one.budget.per === 'customer';
    return one.tickets !== undefined && one.adjustment.conditions.maxTicketsPerCustomer !== undefined;
  };
  const hasRunOut = (one: ClaimRequest) =>
    [undefined, customerId, customerEmail].some((share) => ranOut.has(capOf(one, share)));
  return !takenAsFree.isSubsetOf(claimed) || requests.some((one) => isShared(one) || hasRunOut(one));
}

/** Refuses an order that would cost something else if orders that are being placed were refused. */
async function refuseContended(priced: Priced, purchase: Purchase): Promise<void> {
  // A buyer who expects the price without the adjustment was shown that price.
  if (purchase.request.expectedTotal !== undefined) return;
  const contended = await contendedCap(priced, purchase);
  if (contended !== undefined) throw refused(contended, contended, { isContended: true });
}

/**
 * Claims what makes the price. Undefined if an adjustment was changed, a cap that the order does not depend on is full,
 * or it got less than its price needs.
 */
async function claimQuoted(quote: Quote, purchase: Purchase): Promise<Purchased | undefined> {
  const { deps, buyer, request, held, untilMs } = purchase;
  const { tenant } = buyer.caller;
  const { requests, takenAsFree: _taken, exhausted: _exhausted, total: _total, ...priced } = quote;
  const order = { ...request, ...request.cartContext };
  const outcome = await claimAll(deps, tenant, order, requests, held, untilMs);
  if (outcome.kind === 'full') leaveOutOrRefuse(outcome, purchase);
  if (outcome.kind === 'short') purchase.granted.set(outcome.of, outcome.granted);
  if (outcome.kind !== 'claimed') return undefined;
  const { claims } = outcome;
  if (request.revision !== undefined) await refuseRedeemedManually(deps, tenant, request.orderId, claims);
  return { claims, ...priced };
}

/** The next pass prices the order without an adjustment whose cap is full, unless the order names it. */
function leaveOutOrRefuse(cap: FullCap, { deps, request, full, ranOut }: Purchase): void {
  const { request: claim, isContended, byCustomer } = cap;
  const { customerId, customerEmail } = request.cartContext;
  if (!isContended) ranOut.set(capOf(claim, byCustomer > 0 ? (customerId ?? customerEmail) : undefined), true);
  const [adjustmentId, code] = isOfBudget(claim) ? [claim.adjustmentId] : [claim.adjustment.id, claim.code];
  // What a budget leaves of an adjustment is only known once the order is priced again.
  const decides = isOfBudget(claim)
    ? claim.isWhole === true
    : code !== undefined || request.adjustmentIds.includes(adjustmentId);
  if (decides) {
    const why = refusalOf(claim, request.cartContext, deps.clock(), cap) ?? limitReached;
    throw refused(why, { adjustmentId, code }, { isContended });
  }
  full.set(poolIdOf(claim), cap);
}

/**
 * Somebody may have redeemed manually for the order since it ended, and an adjustment has one redemption per order.
 * Looked up after the claims are made: while they are held, nothing can be redeemed manually for their order.
 */
export async function refuseRedeemedManually(
  { redemptions }: Pick<PurchaseDeps, 'redemptions'>,
  tenant: Caller['tenant'],
  orderId: string,
  claims: readonly Claim[],
): Promise<void> {
  if (claims.length === 0) return;
  const adjustmentIds = claims.flatMap(({ poolId }) => poolNamed(poolId).adjustmentId ?? []);
  const redeemed = await redemptions.findManual(tenant, adjustmentIds, orderId);
  if (redeemed !== undefined) throw refused(redeemedManually(redeemed.id), { adjustmentId: redeemed.adjustmentId });
}

/**
 * The cap, if any, that decides the outcome of an order and has no room only because orders that are being placed hold
 * its last places: if those are refused, this order would cost something else, or be accepted.
 */
async function contendedCap(
  { snapshot, known, quote }: Priced,
  { deps, buyer, request }: Purchase,
): Promise<DroppedAdjustment | undefined> {
  const contended: DroppedAdjustment[] = [];
  for (const exhausted of quote.exhausted) {
    const adjustment = snapshot.get(exhausted.adjustmentId);
    if (adjustment === undefined) continue;
    if (await isFullForNow(deps.pools, adjustment, { ...request.cartContext, quantity: 1 })) contended.push(exhausted);
  }
  if (contended.length === 0) return undefined;
  const released = new Set(
    contended.flatMap(({ adjustmentId: id, code }) => (code === undefined ? [id] : [id, codePoolOf(id, code)])),
  );
  const otherwise = await quoteOrder(deps, buyer, request, snapshot, { ...known, released });
  return outcomeOf(otherwise) === outcomeOf(quote) ? undefined : contended[0];
}

/** The outcome of an order: its total, or why it is refused at any total. */
function outcomeOf(quote: Quoted): string | number | undefined {
  if (!('refusal' in quote)) return quote.total;
  const { code, message } = quote.refusal;
  return code === 'PRICE_CHANGED' ? `${code} ${quote.total}` : message;
}

/** Identifies the cap of a pool, or what it allows one customer. A cap that is raised is another version. */
function capOf(request: ClaimRequest, share = ''): string {
  const { version } = isOfBudget(request) ? request.budget : request.adjustment;
  return `${poolIdOf(request)}@${version}|${share}`;
}
