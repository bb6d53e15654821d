import {
  codeKey,
  drawnBy,
  type EvaluateCartRequest,
  modifiersOf,
  PlatformError,
  type ReplayedOrder,
  storedCode,
} from '@event-commerce/contracts';
import { type FrozenAdjustment, issuedCodesIn, RepricedAdjustments } from '../../amend/domain/frozen-adjustments.ts';
import { type KeptAdjustment, sharesFor } from '../../adjustments/domain/adjustment.ts';
import { hasTicketCap, poolOfClaim, ticketPoolOf } from '../../adjustments/domain/pools-of.ts';
import { type KeptBudget, poolAt } from '../../budgets/domain/budget.ts';
import { type KnownEvents, linesOfOrder, ranksIn } from '../../evaluate/domain/cart-lines.ts';
import { IssuedAdjustments } from '../../evaluate/domain/issued-adjustments.ts';
import { type OrderPrice, priceLines } from '../../evaluate/domain/price.ts';
import { sum, unitsIn } from '../../evaluate/domain/priced-order.ts';
import { refusingTooLarge } from '../../evaluate/price-refusals.ts';
import { refused } from '../../purchase/claim-refusals.ts';
import { LOST } from '../../purchase/quote-refusal.ts';
import type { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';
import type { PoolCounts, Taken } from './pool-counts.ts';

/** An order, and what its price depends on. */
export interface OrderToPrice {
  /** With the key of the buyer's e-mail address in its place. */
  order: ReplayedOrder & { basis: NonNullable<ReplayedOrder['basis']> };
  /** The adjustments of its basis. */
  frozen: readonly FrozenAdjustment[];
}

/** The adjustments that would have been different. */
export interface Changes {
  /** The changed and new ones that would have been live, with the company's budgets. */
  live: CompanySnapshot;
  /** All that would have been different: they count as they are in `live`, or not at all. */
  ids: ReadonlySet<string>;
}

/** What lines of orders are part of. */
export interface Places {
  events: KnownEvents;
  tags: ReadonlyMap<string, readonly string[]>;
}

/** An order's price under some changes, and what it takes for that; or why it would have been refused. */
export type Outcome = { price: OrderPrice; taken: Taken[] } | { refusal: string };

/** What an order really took. */
export function takenAsClaimed({ claims }: Pick<ReplayedOrder, 'claims'>): Taken[] {
  return claims.map((claim) => ({
    poolId: poolOfClaim(claim),
    quantity: claim.keeps ?? claim.quantity,
    shares: [...(claim.customerId === undefined ? [] : [claim.customerId]), ...(claim.shares ?? [])],
  }));
}

/**
 * Prices an order as it would have been under `changes` with pools that are claimed as in `counts`: by the adjustments
 * of its basis as they were then, except those that would have been different.
 */
export function priceReplayed(
  { order, frozen }: OrderToPrice,
  { live, ids }: Changes,
  { events, tags }: Places,
  counts: PoolCounts,
): Outcome {
  const { basis, buyer, currency, lines } = order;
  const unchanged = frozen.filter(({ adjustment }) => !ids.has(adjustment.source.id));
  const presented = codesUnder({ order, frozen }, { live, ids });
  const gone = presented.find(({ code }) => code === undefined);
  if (gone !== undefined) return { refusal: `Code ${gone.given} would not have been valid.` };
  const codes = presented.flatMap(({ code }) => code ?? []);
  // How often a code may count is not checked: the orders that have one were able to redeem it.
  const issued = [...issuedCodesIn(order.claims)].flatMap(([adjustmentId, code]) =>
    ids.has(adjustmentId) ? [{ adjustmentId, code, limit: 1, version: 1, claimed: 0 }] : [],
  );
  const changed = issued.length === 0 ? live : new IssuedAdjustments(live, codes, issued);
  const cart: EvaluateCartRequest = {
    lines: lines.map(({ offering, quantity }) => {
      const known = tags.get(offering.id);
      return { offering: { ...offering, ...(known === undefined ? {} : { tags: [...known] }) }, quantity };
    }),
    cartContext: {
      ...buyer,
      now: basis.at,
      codes: [...codes, ...unchanged.flatMap(({ adjustment }) => adjustment.source.conditions.code ?? [])],
      orderTotal: { amount: sum(lines.map(({ offering, quantity }) => offering.price.amount * quantity)), currency },
    },
  };
  const lineIds = lines.map(({ lineId }) => lineId);
  const { idOf, inCascade } = linesOfOrder(cart, events, lineIds, ranksIn(basis));
  const source = new RepricedAdjustments({
    live: changed,
    frozen: unchanged,
    idOf,
    isAdded: () => false,
    isJudgedAnew: () => true,
  });
  const { customerId = '', customerEmail = '' } = buyer;
  try {
    const price = refusingTooLarge('order.items', () =>
      priceLines(source, inCascade, cart, {
        now: basis.at,
        defaultCurrency: currency,
        events,
        claimed: (poolId) => counts.claimed(poolId),
        customerUsage: (poolId) => Math.max(counts.claimed(poolId, customerId), counts.claimed(poolId, customerEmail)),
        dropped: 'candidates',
        showCodes: true,
      }),
    );
    const refusal = whyRefused(price, codes);
    if (refusal !== undefined) return { refusal };
    const definitions = new Map(unchanged.map(({ adjustment: { source: kept } }) => [kept.id, kept]));
    const definitionOf = (id: string) => definitions.get(id) ?? changed.get(id);
    const taken = takenFor(price, definitionOf, (id) => live.budget(id), { ...buyer, nowMs: Date.parse(basis.at) });
    return { price, taken };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { refusal: error.message };
  }
}

/** Why the order is refused, as a purchase is: for a code that does not count, unless it lost against a better one. */
function whyRefused({ codes: results }: OrderPrice, presented: readonly string[]): string | undefined {
  const keys = new Set(presented.map(codeKey));
  for (const { code, status, adjustmentId = '', reason, detail = '' } of results) {
    if (!keys.has(codeKey(code)) || status !== 'dropped' || reason === undefined || LOST.has(reason)) continue;
    return refused({ reason, detail }, { adjustmentId, code: storedCode(code) }).message;
  }
  return undefined;
}

/**
 * The codes that the order presents under the changes: those that it had, but for a changed adjustment the code that
 * this would have had; undefined if it would not have been live.
 */
function codesUnder(
  { order: { coupons, claims }, frozen }: OrderToPrice,
  { live, ids }: Changes,
): { given: string; code: string | undefined }[] {
  const changedTo = (id: string, given: string): { given: string; code: string | undefined }[] => {
    const adjustment = live.get(id);
    if (adjustment === undefined) return [{ given, code: undefined }];
    if (adjustment.conditions.code !== undefined) return [{ given, code: adjustment.conditions.code }];
    // It has issued codes, or no longer needs one.
    return adjustment.conditions.uniqueCodes === true ? [{ given, code: given }] : [];
  };
  const own = coupons.flatMap(({ code, adjustmentId }) =>
    adjustmentId !== undefined && ids.has(adjustmentId) ? changedTo(adjustmentId, code) : [{ given: code, code }],
  );
  // A key with orders:write names adjustments without their codes.
  const entered = new Set(coupons.map(({ adjustmentId }) => adjustmentId));
  const redeemed = new Set(claims.map(({ adjustmentId }) => adjustmentId));
  const named = frozen.flatMap(({ adjustment: { source } }) => {
    const { id, conditions } = source;
    if (!ids.has(id) || entered.has(id) || !redeemed.has(id) || conditions.code === undefined) return [];
    return changedTo(id, conditions.code);
  });
  return [...own, ...named];
}

/** What an order takes of pools for its price. */
function takenFor(
  price: OrderPrice,
  definitionOf: (id: string) => KeptAdjustment | undefined,
  budgetOf: (id: string) => KeptBudget | undefined,
  buyer: ReplayedOrder['buyer'] & { nowMs: number },
): Taken[] {
  const taken: Taken[] = [];
  for (const [id, tickets] of unitsIn(price)) {
    const conditions = definitionOf(id)?.conditions ?? {};
    const shares = sharesFor(conditions, buyer);
    taken.push({ poolId: id, quantity: 1, shares });
    if (hasTicketCap(conditions)) taken.push({ poolId: ticketPoolOf(id), quantity: tickets, shares });
  }
  for (const [id, amount] of drawnBy(modifiersOf(price))) {
    const budget = budgetOf(id);
    if (budget === undefined) continue;
    const shares = buyer.customerId === undefined ? [] : [buyer.customerId];
    taken.push({ poolId: poolAt(budget, buyer.nowMs), quantity: amount, shares });
  }
  return taken;
}
