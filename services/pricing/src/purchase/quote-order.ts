import type { ClaimingOrder } from '@event-commerce/claims';
import {
  budgetsIn,
  type CodeResult,
  type DropReason,
  type DroppedAdjustment,
  codeKey,
  drawnBy,
  modifiersOf,
  type PlatformError,
  type PurchaseRequest,
  redemptionsIn,
  storedCode,
  ticketsIn,
} from '@event-commerce/contracts';
import type { Caller } from '@event-commerce/service-kit';
import type { CountedBuyer, KeptAdjustment } from '../adjustments/domain/adjustment.ts';
import { poolAt } from '../budgets/domain/budget.ts';
import { hasTicketCap } from '../adjustments/domain/pools-of.ts';
import { type OrderPrice, priceCart, priceForOrder } from '../evaluate/domain/price.ts';
import { sum, unitsIn } from '../evaluate/domain/priced-order.ts';
import type { CompanyAdjustments } from '../snapshot/domain/snapshot.ts';
import type { RedemptionPools } from '../redemptions/redemption-pools.ts';
import { type BudgetRequest, type ClaimRequest, redemptionOf } from '../redemptions/claim-request.ts';
import { adjustmentGone, codeGone, needsCode, refusalOf, refused } from './claim-refusals.ts';
import type { CapsToRead } from '../evaluate/domain/caps-to-read.ts';
import { claimCountsFor, type Counts, pricedFrom, type PricingDeps, readFacts } from '../evaluate/price-facts.ts';
import { refuseUnlike, refusingTooLarge } from '../evaluate/price-refusals.ts';
import { LOST, quoteRefusal, redeemsTooMany } from './quote-refusal.ts';

export interface QuoteDeps extends PricingDeps {
  pools: RedemptionPools;
}

/** Who places an order, and whether the adjustments that it names count without their codes. */
export interface Buyer {
  caller: Caller;
  mayOmitCodes: boolean;
}

/** An order that cannot be placed at its price. */
interface Refused {
  refusal: PlatformError;
  exhausted: readonly DroppedAdjustment[];
  total?: number;
}

export type Quoted = Quote | Refused;

/** What an order costs, and what it redeems for that. */
export interface Quote {
  requests: ClaimRequest[];
  /** The pools that were assumed to have room, without a check. */
  takenAsFree: ReadonlySet<string>;
  /** The adjustments that do not count because their caps have no room. */
  exhausted: readonly DroppedAdjustment[];
  codes: CodeResult[];
  /** Absent if the order has no lines. */
  price?: OrderPrice;
  /** When it was worked out, epoch milliseconds. */
  pricedAtMs?: number;
  total?: number;
  platformTotal?: number;
}

/** What is known about the caps. */
export interface CapKnowledge {
  /** Whether the counters are read. Otherwise caps are assumed free, and the claims decide. */
  counted: boolean;
  /** The pools that claims of this order found full, whatever the counters say now. */
  full: ReadonlyMap<string, { claimed: number; byCustomer: number }>;
  /**
   * The pools to treat as if nothing of them were claimed: orders that are being placed hold them, or the order itself
   * has redeemed them.
   */
  released?: ReadonlySet<string>;
  /** What this order's claims got of adjustments' tickets and of budgets that ran short. */
  granted?: ReadonlyMap<string, number>;
}

/** The reasons that orders which are being placed may give way to. */
const MAY_BE_CONTENDED: ReadonlySet<DropReason> = new Set([
  'redemption-limit-reached',
  'customer-redemption-limit-reached',
  'code-used-up',
]);

/**
 * Prices an order; changes nothing. The result has a `refusal` if something that the order names does not count for it,
 * or if it does not cost what was expected.
 *
 * @throws {PlatformError} as `evaluateCarts`
 */
export async function quoteOrder(
  deps: QuoteDeps,
  { caller, mayOmitCodes }: Buyer,
  request: PurchaseRequest,
  snapshot: CompanyAdjustments,
  known: CapKnowledge,
): Promise<Quoted> {
  const presented = new Set(request.codes.map(codeKey));
  const named = new Map<string, KeptAdjustment>();
  for (const adjustmentId of request.adjustmentIds) {
    const adjustment = snapshot.get(adjustmentId);
    if (adjustment === undefined) return refusing(adjustmentGone(snapshot, adjustmentId, request));
    const { code } = adjustment.conditions;
    if (code !== undefined && !mayOmitCodes && !presented.has(codeKey(code))) return refusing(needsCode(adjustmentId));
    named.set(adjustmentId, adjustment);
  }
  if (request.lines.length === 0) return quoteNamed(deps, request, snapshot, named);

  const { statesPrices, charged, listed } = cartsOf(deps, request, named);
  refuseUnlike(deps, caller.tenant, charged, 'order.items');
  const { takenAsFree, free } = freeCounts();
  const counts = known.counted
    ? async (_deps: PricingDeps, caps: readonly CapsToRead[]) => countsForOrder(deps, request, known, caps)
    : free;
  const read = async () => (await readFacts(deps, caller, [{ snapshot, cart: charged }], 'order.items', counts))[0];
  return await pricedFrom(deps, caller, snapshot, charged, read, (facts) =>
    refusingTooLarge('order.items', () => {
      // The reasons are needed for a refusal only, and there may be thousands.
      const dropped = known.counted || named.size > 0 ? 'candidates' : 'none';
      const options = { ...facts, dropped, showCodes: false, granted: known.granted } as const;
      const price = priceForOrder(snapshot, charged, options);
      const { total } = price.summary;
      const exhausted = price.droppedAdjustments.filter(({ reason }) => MAY_BE_CONTENDED.has(reason));
      const refusal = quoteRefusal(request, snapshot, price);
      if (refusal !== undefined) return { refusal, exhausted, total };
      return {
        requests: [...requestsOf(snapshot, price, presented), ...budgetRequestsOf(snapshot, price, facts.now)],
        takenAsFree,
        exhausted,
        codes: price.codes.filter(({ code }) => presented.has(codeKey(code))),
        price,
        pricedAtMs: facts.now,
        total,
        platformTotal: statesPrices ? priceCart(snapshot, listed, options).summary.total : total,
      };
    }),
  );
}

/** If nothing is priced, the windows and caps of the named adjustments decide. */
function quoteNamed(
  { clock }: QuoteDeps,
  { codes, cartContext: buyer, former = [] }: PurchaseRequest,
  snapshot: CompanyAdjustments,
  named: ReadonlyMap<string, KeptAdjustment>,
): Quoted {
  const now = clock();
  const had = redemptionsIn(former).filter(({ keeps }) => keeps !== 0);
  const formerly = new Map(had.map(({ adjustmentId, code }) => [adjustmentId, code]));
  const redeemed = new Map(Array.from(named, ([id, adjustment]) => [id, { adjustment, code: formerly.get(id) }]));
  const results = new Map<string, CodeResult>();
  for (const spelt of codes) {
    const key = codeKey(spelt);
    if (results.has(key)) continue;
    const adjustment = snapshot.holderOf(spelt, now.getTime());
    if (adjustment === undefined) {
      const spare = snapshot.spareCode(spelt);
      if (spare === undefined) return refusing(codeGone(snapshot, spelt));
      if (!LOST.has(spare.reason)) return refusing(refused(spare, { ...spare, code: storedCode(spelt) }));
      results.set(key, { code: spelt, status: 'dropped', ...spare });
      continue;
    }
    redeemed.set(adjustment.id, { adjustment, code: adjustment.conditions.code ?? spelt });
    results.set(key, { code: spelt, status: 'applied', adjustmentId: adjustment.id });
  }
  const requests = [...redeemed.values()].flatMap(({ adjustment, code }) => redemptionOf(adjustment, code));
  for (const { adjustment, code, ...asked } of requests) {
    const refusal = refusalOf({ adjustment, ...asked }, buyer, now, { claimed: 0, byCustomer: 0 });
    if (refusal !== undefined) return refusing(refused(refusal, { adjustmentId: adjustment.id, code }));
  }
  const tooMany = redeemsTooMany(redeemed.size);
  if (tooMany !== undefined) return refusing(tooMany);
  return {
    requests: [...requests, ...ticketsAgain(former, named), ...budgetsAgain(former, snapshot, named, now)],
    takenAsFree: new Set(),
    exhausted: [],
    codes: [...results.values()],
  };
}

/** The tickets that a reopened order had, at the price of that time: all of them, or it is refused. */
function ticketsAgain(
  former: NonNullable<PurchaseRequest['former']>,
  named: ReadonlyMap<string, KeptAdjustment>,
): ClaimRequest[] {
  const tickets = ticketsIn(former);
  return [...named].flatMap(([id, adjustment]): ClaimRequest[] => {
    const had = tickets.get(id) ?? 0;
    return had > 0 && hasTicketCap(adjustment.conditions) ? [{ adjustment, tickets: had, isWhole: true }] : [];
  });
}

/** What a reopened order took from budgets, at the price of that time: all of it, or it is refused. */
function budgetsAgain(
  former: NonNullable<PurchaseRequest['former']>,
  snapshot: CompanyAdjustments,
  named: ReadonlyMap<string, KeptAdjustment>,
  now: Date,
): BudgetRequest[] {
  return [...budgetsIn(former)].flatMap(([budgetId, amount]): BudgetRequest[] => {
    const budget = snapshot.budget(budgetId);
    if (budget === undefined || amount === 0) return [];
    const drawing = named.values().find(({ conditions }) => conditions.budgetId === budgetId);
    const adjustmentId = drawing?.id ?? [...named.keys()][0] ?? '';
    return [{ budget, poolId: poolAt(budget, now.getTime()), amount, adjustmentId, isWhole: true }];
  });
}

/** What the price takes from budgets. */
function budgetRequestsOf(snapshot: CompanyAdjustments, price: OrderPrice, nowMs: number): BudgetRequest[] {
  const drawing = new Map(Array.from(modifiersOf(price), ({ budgetId, adjustmentId }) => [budgetId, adjustmentId]));
  return [...drawnBy(modifiersOf(price))].flatMap(([budgetId, amount]): BudgetRequest[] => {
    const budget = snapshot.budget(budgetId);
    if (budget === undefined) return [];
    return [{ budget, poolId: poolAt(budget, nowMs), amount, adjustmentId: drawing.get(budgetId) ?? '' }];
  });
}

/** Refused before it was priced. */
function refusing(refusal: PlatformError): Refused {
  return { refusal, exhausted: [] };
}

/** The order as a cart: at the prices that are charged, and at list prices. */
function cartsOf(
  { defaultCurrency }: QuoteDeps,
  { lines, cartContext, codes }: PurchaseRequest,
  named: ReadonlyMap<string, KeptAdjustment>,
) {
  const ofNamed = [...named.values()].flatMap(({ conditions }) => conditions.code ?? []);
  const currency = lines[0]?.offering.price.currency ?? defaultCurrency;
  const cartOf = (priced: PurchaseRequest['lines']) => ({
    lines: priced,
    cartContext: {
      ...cartContext,
      codes: [...codes, ...ofNamed],
      orderTotal: { amount: sum(priced.map(({ offering, quantity }) => offering.price.amount * quantity)), currency },
    },
  });
  const charged = lines.map((line) => {
    const { offering, statedPrice: amount } = line;
    return amount === undefined ? line : { ...line, offering: { ...offering, price: { ...offering.price, amount } } };
  });
  const statesPrices = lines.some(({ statedPrice }) => statedPrice !== undefined);
  return { statesPrices, charged: cartOf(charged), listed: cartOf(lines) };
}

/** The claim counts as the order sees them. */
export async function countsForOrder(
  deps: QuoteDeps,
  order: ClaimingOrder,
  { full, released = new Set() }: CapKnowledge,
  caps: readonly CapsToRead[],
) {
  const counts = await claimCountsFor(deps, caps);
  // Read after the counters: this finds all of the order's own claims that they include, unless the order has been
  // placed by now.
  const asked = new Set(caps.flatMap(({ inAll, perCustomer, perEmail }) => [...inAll, ...perCustomer, ...perEmail]));
  const own = await deps.pools.pendingOf(order, [...asked]);
  // The order can use what a copy of it has claimed.
  const isFree = (id: string) => released.has(id) || (!full.has(id) && own.has(id));
  return (buyer: CountedBuyer): Counts => {
    const { claimed, customerUsage } = counts(buyer);
    return {
      claimed: (id) => (isFree(id) ? 0 : (full.get(id)?.claimed ?? claimed(id))),
      customerUsage: (id) => (isFree(id) ? 0 : (full.get(id)?.byCustomer ?? customerUsage(id))),
    };
  };
}

/** Caps are checked last: anything else that the order lacks was found before. */
function freeCounts(): { free: Counts; takenAsFree: ReadonlySet<string> } {
  const takenAsFree = new Set<string>();
  const noneOf = (id: string): number => {
    takenAsFree.add(id);
    return 0;
  };
  return { free: { claimed: noneOf, customerUsage: noneOf }, takenAsFree };
}

/** The claims that make the price. */
function requestsOf(snapshot: CompanyAdjustments, price: OrderPrice, presented: ReadonlySet<string>): ClaimRequest[] {
  return [...unitsIn(price)].flatMap(([adjustmentId, tickets]): ClaimRequest[] => {
    const adjustment = snapshot.get(adjustmentId);
    if (adjustment === undefined) return [];
    const { code } = adjustment.conditions;
    const isPresented = code !== undefined && presented.has(codeKey(code));
    const redeemed = redemptionOf(adjustment, isPresented ? code : undefined);
    if (!hasTicketCap(adjustment.conditions)) return redeemed;
    return [...redeemed, { adjustment, tickets, ...(isPresented ? { code } : {}) }];
  });
}
