import { prorate } from '@event-commerce/money';
import type { CodeResult, Modifier } from '../adjustments/evaluation.ts';
import { invalidInput } from '../errors/errors.ts';
import type { AmendedLine, AmendRequest, PricedAmendment, StandingLine } from './amend.ts';
import { chargeOf, chargesWithin, splitGoods } from './line-charges.ts';
import { drawnBy } from '../budgets/budget.ts';
import { budgetsIn, redemptionsIn, ticketsIn } from '../messages/rpc.ts';
import type { PriceBasis } from './purchase.ts';

// Computes an amendment once its lines are priced. Commerce needs no other service to return tickets at the prices that
// were paid.

/** The lines of an amended order, and what belongs to them. */
export interface AmendedGoods {
  lines: AmendedLine[];
  /** The modifiers of the order as a whole. */
  modifiers: Modifier[];
  basis: PriceBasis | undefined;
  codes: CodeResult[];
  /** How many tickets each adjustment with limited tickets counts for. */
  tickets: ReadonlyMap<string, number>;
  /** How much they take from budgets. */
  budgets: ReadonlyMap<string, number>;
}

/** `line` with `quantity` of its tickets, at the prices that were paid. */
export function keptLine(line: StandingLine, quantity: number): AmendedLine {
  const { lineId, offering, effectiveUnitPrice, modifiers, bought } = line;
  return {
    lineId,
    quantity,
    unitPrice: offering.price.amount,
    effectiveUnitPrice,
    total: effectiveUnitPrice * quantity,
    modifiers: modifiers.map((one) => ({ ...one, units: quantity, total: one.amount * quantity })),
    ...chargeOf({ unitPrice: effectiveUnitPrice, bought }, quantity),
    bought,
  };
}

/** What remains of an order, at the prices that were paid. */
export function keptGoods({ order }: Pick<AmendRequest, 'order'>): AmendedGoods {
  const lines = inOrder(order.lines)
    .filter(({ remaining }) => remaining > 0)
    .map((line) => keptLine(line, line.remaining));
  const modifiers = keptModifiers(order.modifiers, lines);
  return {
    lines,
    modifiers,
    basis: remainingBasis(order.basis, lines),
    codes: [],
    tickets: keptTickets(order.claims, lines),
    budgets: keptBudgets(order.claims, { lines, modifiers }),
  };
}

/** What remaining lines still take from budgets: no more than the order has of them. */
function keptBudgets(
  claims: AmendRequest['order']['claims'],
  { lines, modifiers }: Pick<AmendedGoods, 'lines' | 'modifiers'>,
): Map<string, number> {
  const drawn = drawnBy([...lines.flatMap((line) => line.modifiers), ...modifiers]);
  return new Map(Array.from(budgetsIn(claims), ([id, had]) => [id, Math.min(had, drawn.get(id) ?? 0)]));
}

/**
 * How many tickets an adjustment still counts for: of a line, as many as before while that many are left, so that none
 * is released too early.
 */
function keptTickets(claims: AmendRequest['order']['claims'], lines: readonly AmendedLine[]): Map<string, number> {
  return new Map(
    Array.from(ticketsIn(claims), ([adjustmentId, had]) => {
      const tickets = sumOf(lines, ({ quantity, modifiers, shares }) => {
        if (modifiers.some((one) => one.adjustmentId === adjustmentId)) return quantity;
        const share = shares.find((one) => one.adjustmentId === adjustmentId);
        return share === undefined ? 0 : (share.units ?? quantity);
      });
      return [adjustmentId, Math.min(had, tickets)];
    }),
  );
}

/** The order's modifiers that `lines` still have a share of. */
export function keptModifiers(modifiers: readonly Modifier[], lines: readonly AmendedLine[]): Modifier[] {
  return modifiers.flatMap((modifier) => {
    let [total, tickets] = [0, 0];
    for (const { quantity, shares } of lines) {
      const share = shares.find(({ adjustmentId }) => adjustmentId === modifier.adjustmentId);
      if (share === undefined) continue;
      total += share.total;
      tickets += quantity;
    }
    return tickets === 0 ? [] : [{ ...modifier, amount: total, total, units: Math.min(modifier.units, tickets) }];
  });
}

function remainingBasis(basis: PriceBasis | undefined, lines: readonly AmendedLine[]): PriceBasis | undefined {
  if (basis === undefined) return undefined;
  const left = new Set(lines.map(({ lineId }) => lineId));
  const remaining = (ids: readonly string[]) => ids.filter((id) => left.has(id));
  return {
    at: basis.at,
    lines: remaining(basis.lines),
    adjustments: basis.adjustments
      .map((one) => ({ ...one, lines: remaining(one.lines) }))
      .filter((one) => one.lines.length > 0),
  };
}

/** The adjustments that change the price of a line. */
export function adjustmentsOn(lines: readonly Pick<AmendedLine, 'modifiers' | 'shares'>[]): Set<string> {
  return new Set(
    lines.flatMap(({ modifiers, shares }) => [...modifiers, ...shares].map(({ adjustmentId }) => adjustmentId)),
  );
}

/**
 * The amendment of an order to `goods`. Fees stay, and tax follows the goods, unless the request states them; a stated
 * total is split over the lines.
 *
 * @throws {PlatformError} VALIDATION_FAILED if nothing is left, or the tax of added tickets is unknown
 */
export function amendmentOf(request: AmendRequest, goods: AmendedGoods): PricedAmendment {
  const { order, added, costs: stated } = request;
  if (goods.lines.length === 0) throw invalidInput('items', 'leave no ticket; cancel the order');
  if (added.length > 0 && order.tax > 0 && stated.tax === undefined) {
    throw invalidInput('costs.tax', 'is required: the order has tax, and tickets are added');
  }
  const standing = inOrder(order.lines).map((line) => keptLine(line, line.quantity));
  const before = costsOf(standing, order);
  const worth = sumOf(goods.lines, ({ charged }) => charged);
  const taxNow = order.taxed.goods === 0 ? order.tax : prorate(order.taxed.tax, worth, order.taxed.goods);
  const charges = { fees: stated.fees ?? order.fees, tax: stated.tax ?? taxNow };
  const within = stated.total === undefined ? charges : chargesWithin(stated.total, charges);
  const lines =
    stated.total === undefined ? goods.lines : chargedAs(goods.lines, stated.total - within.fees - within.tax);
  const after = costsOf(lines, within);
  const on = { before: adjustmentsOn(standing), after: adjustmentsOn(lines) };
  const redeemed = redemptionsIn(order.claims).map(({ adjustmentId }) => adjustmentId);
  // What was redeemed without changing a price is released with the order.
  const stays = (id: string) => on.after.has(id) || !on.before.has(id);
  const isStated =
    order.isStated || stated.total !== undefined || added.some(({ statedPrice }) => statedPrice !== undefined);
  const basis = isStated ? undefined : goods.basis;
  return {
    due: after.total - before.total,
    withheld: sumOf(lines, ({ withheld }) => withheld),
    costs: { before, after },
    lines: changesOf(standing, lines),
    modifiers: modifierChanges(standing, lines, [...order.modifiers, ...goods.modifiers]),
    redemptions: {
      kept: redeemed.filter(stays),
      claimed: [...on.after].filter((id) => !redeemed.includes(id)),
      released: redeemed.filter((id) => !stays(id)),
      tickets: Object.fromEntries(goods.tickets),
      budgets: Object.fromEntries(goods.budgets),
    },
    codes: goods.codes,
    order: {
      lines,
      modifiers: goods.modifiers,
      taxed:
        stated.tax === undefined ? order.taxed : { tax: within.tax, goods: sumOf(lines, ({ charged }) => charged) },
      isStated,
      ...(basis === undefined ? {} : { basis }),
    },
  };
}

/** The order of the lines in the order, whatever their order in a request: `ln_10` follows `ln_9`. */
export function inOrder<Line extends { lineId: string }>(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => a.lineId.localeCompare(b.lineId, 'en', { numeric: true }));
}

/** `lines` that cost `goods` together, because that was stated. */
function chargedAs(lines: readonly AmendedLine[], goods: number): AmendedLine[] {
  const parts = splitGoods(lines, goods);
  return lines.map((line, index) => {
    const charged = parts[index] ?? 0;
    return charged === line.charged ? line : boughtAs({ ...line, charged });
  });
}

/** `line` as it is bought now: later returns refund parts of it. */
export function boughtAs(line: Omit<AmendedLine, 'bought'>): AmendedLine {
  const { quantity, charged, shares, withheld } = line;
  return { ...line, bought: { quantity, charged, shares, withheld } };
}

function costsOf(
  lines: readonly AmendedLine[],
  { fees, tax }: { fees: number; tax: number },
): PricedAmendment['costs']['after'] {
  const subtotal = sumOf(lines, ({ unitPrice, quantity }) => unitPrice * quantity);
  const goods = sumOf(lines, ({ charged }) => charged);
  return { subtotal, modifiers: goods - subtotal, fees, tax, total: goods + fees + tax };
}

function changesOf(standing: readonly AmendedLine[], lines: readonly AmendedLine[]): PricedAmendment['lines'] {
  const before = new Map(standing.map((line) => [line.lineId, line]));
  const after = new Map(lines.map((line) => [line.lineId, line]));
  return [...new Set([...before.keys(), ...after.keys()])].map((lineId) => {
    const of = (line: AmendedLine | undefined) => ({ quantity: line?.quantity ?? 0, charged: line?.charged ?? 0 });
    const [was, is] = [of(before.get(lineId)), of(after.get(lineId))];
    return {
      lineId,
      quantity: { before: was.quantity, after: is.quantity },
      charged: { before: was.charged, after: is.charged },
      due: is.charged - was.charged,
    };
  });
}

function modifierChanges(
  standing: readonly AmendedLine[],
  lines: readonly AmendedLine[],
  ofOrder: readonly Modifier[],
): PricedAmendment['modifiers'] {
  const names = new Map(
    [...ofOrder, ...[...standing, ...lines].flatMap(({ modifiers }) => modifiers)].map((one) => [
      one.adjustmentId,
      one,
    ]),
  );
  const [before, after] = [totalsOf(standing), totalsOf(lines)];
  return [...new Set([...before.keys(), ...after.keys()])].map((adjustmentId) => {
    const { name = adjustmentId, code } = names.get(adjustmentId) ?? {};
    const total = { before: before.get(adjustmentId) ?? 0, after: after.get(adjustmentId) ?? 0 };
    return { adjustmentId, name, ...(code === undefined ? {} : { code }), total };
  });
}

/** What each adjustment adds to all lines. */
function totalsOf(lines: readonly AmendedLine[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { modifiers, shares } of lines) {
    for (const { adjustmentId, total } of [...modifiers, ...shares]) {
      totals.set(adjustmentId, (totals.get(adjustmentId) ?? 0) + total);
    }
  }
  return totals;
}

function sumOf<T>(all: readonly T[], amountOf: (one: T) => number): number {
  return all.reduce((sum, one) => sum + amountOf(one), 0);
}
