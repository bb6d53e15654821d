import {
  adjustmentsOn,
  type AmendedGoods,
  type AmendedLine,
  amendmentOf,
  type AmendRequest,
  BASIS_MAX,
  boughtAs,
  chargeOf,
  budgetsIn,
  type CodeResult,
  codeKey,
  drawnBy,
  type EvaluateCartRequest,
  inOrder,
  invalidInput,
  keptGoods,
  keptModifiers,
  modifiersOf,
  type Modifier,
  type OrderShare,
  type PriceBasis,
  type PricedAmendment,
  redemptionsIn,
  repriceUnavailable,
  ticketsIn,
} from '@event-commerce/contracts';
import { allocate } from '@event-commerce/money';
import type { KeptAdjustment } from '../../adjustments/domain/adjustment.ts';
import { hasTicketCap } from '../../adjustments/domain/pools-of.ts';
import type { Line } from '../../evaluate/domain/candidate.ts';
import { linesOfOrder, ranksIn } from '../../evaluate/domain/cart-lines.ts';
import { type AdjustmentSource, type OrderPrice, priceLines, type PriceOptions } from '../../evaluate/domain/price.ts';
import { sum, unitsIn } from '../../evaluate/domain/priced-order.ts';
import { quoteRefusal } from '../../purchase/quote-refusal.ts';
import type { CompanyAdjustments } from '../../snapshot/domain/snapshot.ts';
import { AddedAdjustments, type FrozenAdjustment, RepricedAdjustments } from './frozen-adjustments.ts';

/** All that the price of an amendment depends on. */
export interface Amending {
  request: AmendRequest;
  live: CompanyAdjustments;
  /** The adjustments of the order's basis. */
  frozen: readonly FrozenAdjustment[];
  /** Where caps have room; an adjustment that the order has redeemed has room for it. */
  facts: Pick<PriceOptions, 'events' | 'claimed' | 'customerUsage' | 'granted' | 'defaultCurrency'> & { now: number };
}

/** The codes that the order is to have, by their keys. */
interface Codes {
  all: readonly string[];
  added: ReadonlySet<string>;
  removed: ReadonlySet<string>;
}

/**
 * What stays costs what it cost. Added lines are priced now as an order of their own: order-wide adjustments that the
 * order keeps do not count again, and others that it keeps count without a second redemption.
 *
 * @throws {PlatformError} VALIDATION_FAILED; the refusals of a purchase for a new code
 */
export function amendKeeping(amending: Amending): PricedAmendment {
  const { request, live } = amending;
  const codes = codesOf(request);
  if (codes.removed.size > 0) {
    throw invalidInput('coupons', 'remove a code, which needs mode reprice and chargeDifference');
  }
  const kept = keptGoods(request);
  if (request.added.length === 0) {
    if (codes.added.size > 0) {
      throw invalidInput(
        'coupons',
        'add a code, which mode keep counts for added tickets only; add tickets, or use mode reprice',
      );
    }
    return amendmentOf(request, kept);
  }
  const counted = adjustmentsOn(kept.lines);
  const had = limitedIn(request.order.claims);
  const stays = new Map([...kept.tickets, ...kept.budgets]);
  const priced = pricedTogether(amending, {
    lines: request.added,
    source: () => new AddedAdjustments(live, counted),
    codes: [...codes.all, ...codesNamedBy(live, counted)],
    newCodes: codes.added,
    // What the returned tickets free is available to the added ones.
    own: (id) => (had.get(id) ?? 0) - (stays.get(id) ?? 0),
  });
  return amendmentOf(request, {
    lines: [...kept.lines, ...priced.lines],
    modifiers: onceEach([...kept.modifiers, ...priced.modifiers]),
    basis: kept.basis && priced.basis && joined(kept.basis, priced.basis),
    codes: priced.codes,
    tickets: sums(kept.tickets, priced.tickets),
    budgets: sums(kept.budgets, priced.budgets),
  });
}

/**
 * Prices what stays and what is added as one purchase, by the adjustments of the order's basis in their versions of
 * that time; on added lines, by all others too. Without `chargeDifference`, what stays and what is returned together
 * cost no more than they did.
 *
 * @throws {PlatformError} REPRICE_UNAVAILABLE, VALIDATION_FAILED; the refusals of a purchase for a new code
 */
export function amendRepricing(amending: Amending): PricedAmendment {
  const { request, live, frozen } = amending;
  const { order, added, chargeDifference } = request;
  const { basis } = order;
  if (basis === undefined || order.isStated) throw repriceUnavailable(request.orderId, order.isStated);
  const codes = codesOf(request);
  if (codes.removed.size > 0 && !chargeDifference) {
    throw invalidInput('coupons', 'remove a code, which needs chargeDifference: the order may cost more without it');
  }
  const kept = keptGoods(request);
  const wasPriced = new Set(basis.lines);
  const remaining = inOrder(order.lines).filter(({ lineId, remaining: left }) => left > 0 && wasPriced.has(lineId));
  const lines = [...remaining.map((line) => ({ ...line, quantity: line.remaining })), ...added];
  const applying = frozen.filter(({ adjustment: { conditions } }) => !codes.removed.has(conditions.codeKey ?? ''));
  const addedIds = new Set(added.map(({ lineId }) => lineId));
  const had = limitedIn(order.claims);
  const priced = pricedTogether(amending, {
    lines,
    source: (idOf) =>
      new RepricedAdjustments({
        live,
        frozen: applying,
        idOf,
        isAdded: (line) => addedIds.has(idOf(line)),
        isJudgedAnew: ({ conditions: { codeKey: key } }) => key !== undefined && codes.added.has(key),
      }),
    rankIn: ranksIn(basis),
    codes: [...codes.all, ...applying.flatMap(({ adjustment }) => adjustment.source.conditions.code ?? [])],
    newCodes: codes.added,
    own: (id) => had.get(id) ?? 0,
  });
  const free = kept.lines.filter(({ lineId }) => !wasPriced.has(lineId));
  const goods = {
    ...priced,
    lines: [...inOrder([...free, ...priced.lines.slice(0, remaining.length)]), ...priced.lines.slice(remaining.length)],
  };
  const before = goodsOf(order.lines.map((line) => ({ charged: chargedNow(line) })));
  const most = before + sum(added.map((line) => listPriceOf(line) * line.quantity));
  if (chargeDifference || goodsOf(goods.lines) <= most) return amendmentOf(request, goods);
  return amendmentOf(request, withholding(request, kept, goods, before));
}

/** One purchase of lines. */
interface Purchase {
  lines: AmendRequest['added'] | (AmendRequest['added'][number] | AmendRequest['order']['lines'][number])[];
  source: (idOf: (line: Line) => string) => AdjustmentSource;
  rankIn?: (lineId: string) => number;
  codes: readonly string[];
  newCodes: ReadonlySet<string>;
  /** How much of an adjustment's tickets, or of a budget, the order already has for this purchase. */
  own: (id: string) => number;
}

function pricedTogether(
  { request, live, frozen, facts }: Amending,
  { lines, source, rankIn, codes, newCodes, own }: Purchase,
): AmendedGoods {
  const { currency } = request;
  const cart: EvaluateCartRequest = {
    lines: lines.map((line) => ({
      offering: { ...line.offering, price: { amount: listPriceOf(line), currency } },
      quantity: line.quantity,
    })),
    cartContext: {
      ...request.cartContext,
      codes: [...codes],
      orderTotal: { amount: sum(lines.map((line) => listPriceOf(line) * line.quantity)), currency },
    },
  };
  const lineIds = lines.map(({ lineId }) => lineId);
  const { idOf, inCascade } = linesOfOrder(cart, facts.events, lineIds, rankIn);
  const options: PriceOptions = { ...facts, own, dropped: 'none', showCodes: false };
  const price = priceLines(source(idOf), inCascade, cart, options);
  const added = price.codes.filter(({ code }) => newCodes.has(codeKey(code)));
  refuseOtherCodeOfCoupon(request, live, added);
  const refusal = quoteRefusal({ codes: added.map(({ code }) => code), adjustmentIds: [], charges: 0 }, live, price);
  if (refusal !== undefined) throw refusal;
  const limited = new Set([
    ...ticketsIn(request.order.claims).keys(),
    ...frozen.flatMap(({ adjustment: { source: one } }) => (limitsTickets(one) ? [one.id] : [])),
  ]);
  return {
    lines: lines.map((line, index) => pricedLine(line.lineId, price, index)),
    modifiers: price.perOrderModifiers,
    basis: price.basis && basisIn(price.basis, lines, facts.now),
    codes: added,
    tickets: new Map([...unitsIn(price)].filter(([id]) => limited.has(id) || limitsTickets(live.get(id)))),
    budgets: drawnBy(modifiersOf(price)),
  };
}

/** A coupon's redemption by an order counts for one of its codes: another one would count nowhere. */
function refuseOtherCodeOfCoupon(
  { order }: AmendRequest,
  live: CompanyAdjustments,
  added: readonly CodeResult[],
): void {
  const redeemed = new Set(redemptionsIn(order.claims).map(({ adjustmentId }) => adjustmentId));
  const other = added.find(
    ({ adjustmentId = '' }) => redeemed.has(adjustmentId) && live.get(adjustmentId)?.conditions.uniqueCodes === true,
  );
  if (other === undefined) return;
  throw invalidInput(
    'coupons',
    `include ${other.code}, and the order has redeemed another code of the same coupon; remove that one in an amendment of its own, then add ${other.code}`,
  );
}

/** How much an order has claimed of adjustments' tickets and of budgets. */
function limitedIn(claims: AmendRequest['order']['claims']): ReadonlyMap<string, number> {
  return new Map([...ticketsIn(claims), ...budgetsIn(claims)]);
}

function limitsTickets(adjustment: KeptAdjustment | undefined): boolean {
  return adjustment !== undefined && hasTicketCap(adjustment.conditions);
}

/** One modifier for each adjustment: it may count for some of the kept tickets and for some of the added ones. */
function onceEach(modifiers: readonly Modifier[]): Modifier[] {
  return [...Map.groupBy(modifiers, ({ adjustmentId }) => adjustmentId).values()].map((ofOne) => ofOne.reduce(both));
}

function both(one: Modifier, other: Modifier): Modifier {
  const reason = (one.limited ?? other.limited)?.reason;
  const wanted = (one.limited ?? { wanted: one.units }).wanted + (other.limited ?? { wanted: other.units }).wanted;
  const units = one.units + other.units;
  return {
    ...one,
    base: one.base + other.base,
    amount: one.amount + other.amount,
    units,
    total: one.total + other.total,
    ...(reason === undefined ? {} : { limited: { wanted, units, reason } }),
  };
}

/** The sums of both, by key. */
function sums(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...one.keys(), ...other.keys()].map((key) => [key, (one.get(key) ?? 0) + (other.get(key) ?? 0)]));
}

function pricedLine(lineId: string, price: OrderPrice, index: number): AmendedLine {
  const line = price.lines[index];
  if (line === undefined) throw new TypeError('a line was not priced');
  const { quantity, basePrice, effectivePrice, perUnitModifiers, total } = line;
  const shares = price.perOrderModifiers.flatMap(({ adjustmentId, name, code }, modifier): OrderShare[] => {
    const share = price.shares[modifier]?.[index] ?? 0;
    const units = price.units?.[adjustmentId]?.[index];
    const said = { ...(code === undefined ? {} : { code }), ...(units === undefined ? {} : { units }) };
    return share === 0 ? [] : [{ adjustmentId, name, ...said, total: share }];
  });
  return boughtAs({
    lineId,
    quantity,
    unitPrice: basePrice.amount,
    effectiveUnitPrice: effectivePrice.amount,
    total,
    modifiers: perUnitModifiers,
    shares,
    withheld: 0,
    charged: total + sum(shares.map((share) => share.total)),
  });
}

/**
 * Keeps what stays at the prices that were paid, prices what is added at list prices, and withholds what the returned
 * tickets were worth: the order costs what it did plus what is added.
 */
function withholding(request: AmendRequest, kept: AmendedGoods, repriced: AmendedGoods, before: number): AmendedGoods {
  const added = request.added.map(({ lineId, quantity, ...line }) => {
    const unitPrice = listPriceOf(line);
    const total = unitPrice * quantity;
    const prices = { unitPrice, effectiveUnitPrice: unitPrice, total, charged: total };
    return boughtAs({ lineId, quantity, ...prices, modifiers: [], shares: [], withheld: 0 });
  });
  const worth = before - goodsOf(kept.lines);
  const bearing = kept.lines.length > 0 ? kept.lines : added;
  const weights = bearing.map(({ charged }) => charged);
  const parts = allocate(worth, weights.some(Boolean) ? weights : bearing.map(({ quantity }) => quantity));
  const withheld = bearing.map((line, index) => {
    const part = parts[index] ?? 0;
    return boughtAs({ ...line, charged: line.charged + part, withheld: line.withheld + part });
  });
  const lines = kept.lines.length > 0 ? [...withheld, ...added] : withheld;
  return {
    lines,
    modifiers: keptModifiers(request.order.modifiers, lines),
    basis: repriced.basis,
    codes: repriced.codes.map(withoutEffect),
    tickets: kept.tickets,
    budgets: kept.budgets,
  };
}

/** A new code does not count for an order that keeps its prices. */
function withoutEffect({ code, adjustmentId }: CodeResult): CodeResult {
  const detail = 'the order costs less at the prices that were paid';
  const id = adjustmentId === undefined ? {} : { adjustmentId };
  return { code, status: 'dropped', ...id, reason: 'combination-is-cheaper', detail };
}

function codesOf({ order, codes = order.codes }: AmendRequest): Codes {
  const [had, has] = [new Set(order.codes.map(codeKey)), new Set(codes.map(codeKey))];
  return { all: codes, added: has.difference(had), removed: had.difference(has) };
}

/** The codes of live adjustments `ids`: the order may have redeemed them by id. */
function codesNamedBy(live: CompanyAdjustments, ids: ReadonlySet<string>): string[] {
  return [...ids].flatMap((id) => live.get(id)?.conditions.code ?? []);
}

function listPriceOf({
  offering,
  ...line
}: {
  offering: { price: { amount: number } };
  statedPrice?: number | undefined;
}): number {
  return line.statedPrice ?? offering.price.amount;
}

function chargedNow(line: AmendRequest['order']['lines'][number]): number {
  return chargeOf({ unitPrice: line.effectiveUnitPrice, bought: line.bought }, line.quantity).charged;
}

function goodsOf(lines: readonly { charged: number }[]): number {
  return sum(lines.map(({ charged }) => charged));
}

function basisIn(
  { lines, adjustments }: NonNullable<OrderPrice['basis']>,
  priced: readonly { lineId: string; statedPrice?: number | undefined }[],
  now: number,
): PriceBasis | undefined {
  if (priced.some(({ statedPrice }) => statedPrice !== undefined)) return undefined;
  const idsOf = (places: readonly number[]) => places.flatMap((place) => priced[place]?.lineId ?? []);
  return {
    at: new Date(now).toISOString(),
    lines: idsOf(lines),
    adjustments: adjustments.map((one) => ({ ...one, lines: idsOf(one.lines) })),
  };
}

/** Merges both; an adjustment in both has the version of the first. Undefined if there are too many. */
function joined(first: PriceBasis, second: PriceBasis): PriceBasis | undefined {
  const adjustments = new Map(first.adjustments.map((one) => [one.id, one]));
  for (const one of second.adjustments) {
    const own = adjustments.get(one.id);
    adjustments.set(one.id, own === undefined ? one : { ...own, lines: [...own.lines, ...one.lines] });
  }
  if (adjustments.size > BASIS_MAX) return undefined;
  return { at: second.at, lines: [...first.lines, ...second.lines], adjustments: [...adjustments.values()] };
}
