import { allocate } from '@event-commerce/money';
import { type Candidate, type Line, ticketsChangedBy } from './candidate.ts';
import { exactAmount } from './exact-amount.ts';

/** The adjustments to apply, each list in cascade order. */
export interface Selection {
  /** The adjustments of single units, by line index. */
  perUnit: readonly (readonly Candidate[])[];
  perOrder: readonly Candidate[];
}

/** All `candidates` on every line that they apply to, in the given order. */
export function selectAll(lines: readonly Line[], candidates: readonly Candidate[]): Selection {
  const perUnit: Candidate[][] = lines.map(() => []);
  const perOrder: Candidate[] = [];
  for (const candidate of candidates) {
    if (!candidate.adjustment.perUnit) {
      if (candidate.lines.length > 0) perOrder.push(candidate);
      continue;
    }
    for (const line of candidate.lines) perUnit[line.index]?.push(candidate);
  }
  return { perUnit, perOrder };
}

/** What one adjustment did to one price: a line's unit price, or the order's. */
export interface Step {
  candidate: Candidate;
  /** The amount that the effect was computed on. */
  base: number;
  /** Signed minor units; 0 if it did nothing. */
  amount: number;
  /** The price before it. */
  before: number;
  /** Whether it would have deducted more than there was. */
  clamped: boolean;
  /** The tickets that it changes the price of, if it changes the order's; absent for all of its candidate. */
  taken?: readonly Taken[] | undefined;
}

/** Some tickets of a line. */
interface Taken {
  line: Line;
  tickets: number;
}

export interface Outcome {
  /** What the buyer pays, minor units. */
  total: number;
  /** How many adjustments did nothing. */
  idle: number;
}

/**
 * Runs the whole cascade. Steps are recorded only if a list for them is given, because most runs only compare totals.
 */
export function runCascade(
  lines: readonly Line[],
  selection: Selection,
  record?: { perUnit: Step[][]; perOrder: Step[] },
): Outcome {
  let idle = 0;
  const lineTotals = lines.map((line) => {
    const outcome = runPerUnit(line, selection.perUnit[line.index] ?? [], record?.perUnit[line.index]);
    idle += outcome.idle;
    return exactAmount(outcome.total * line.quantity);
  });
  const order = runPerOrder(lineTotals, selection.perOrder, record?.perOrder);
  return { total: order.total, idle: idle + order.idle };
}

/** One line's unit price after `candidates`; `from`: what it was before them, the list price if absent. */
export function runPerUnit(line: Line, candidates: readonly Candidate[], steps?: Step[], from?: Outcome): Outcome {
  let price = from?.total ?? line.listPrice;
  let idle = from?.idle ?? 0;
  for (const candidate of candidates) {
    const { effect, onListPrice } = candidate.adjustment;
    const base = onListPrice ? line.listPrice : price;
    const wanted = effect.amountOn(base, candidate.quantity);
    const clamped = wanted < -price;
    const amount = clamped ? 0 - price : wanted;
    steps?.push({ candidate, base, amount, before: price, clamped });
    if (amount === 0) idle += 1;
    price = exactAmount(price + amount);
  }
  return { total: price, idle };
}

/**
 * What `candidate` alone adds to one line's unit price: the result of `runPerUnit`, fast enough for thousands of
 * comparisons.
 */
function amountAlone({ listPrice }: Line, { adjustment, quantity }: Candidate): number {
  return Math.max(adjustment.effect.amountOn(listPrice, quantity), 0 - listPrice);
}

/**
 * Runs the cascade with one adjustment at a time, for thousands of comparisons: everything that does not depend on it
 * is computed once.
 */
export function runAlone(lines: readonly Line[]): (candidate: Candidate) => Outcome {
  const lineTotals = lines.map((line) => exactAmount(listTotal(line)));
  const cartTotal = exactAmount(sumOf(lines, listTotal));
  return (candidate) => {
    if (!candidate.adjustment.perUnit) {
      return runPerOrder([...lineTotals], candidate.lines.length > 0 ? [candidate] : []);
    }
    let total = cartTotal;
    let idle = 0;
    for (const line of candidate.lines) {
      const amount = amountAlone(line, candidate);
      if (amount === 0) idle += 1;
      else total = exactAmount(total + amount * line.quantity);
    }
    return { total, idle };
  };
}

/**
 * The order's total after `candidates`. Updates `left`, the total of each line: what a candidate deducts or adds is
 * split over the lines of its tickets in proportion to their cost (evenly if they are free), so that a later candidate
 * for some of those lines sees what is really left of them. The amount of the last one is split only if `goesOn`.
 */
export function runPerOrder(left: number[], candidates: readonly Candidate[], steps?: Step[], goesOn = false): Outcome {
  let total = 0;
  for (const lineTotal of left) total += lineTotal;
  exactAmount(total);
  let idle = 0;
  for (const [position, candidate] of candidates.entries()) {
    const { effect } = candidate.adjustment;
    const before = sumOf(candidate.lines, (line) => left[line.index] ?? 0);
    const { base, worth, taken } = orderBase(candidate, left, before);
    const wanted = Math.max(effect.amountOn(base, candidate.quantity), -(candidate.most ?? Infinity));
    const clamped = wanted < -worth;
    const amount = clamped ? 0 - worth : wanted;
    steps?.push({ candidate, base, amount, before, clamped, taken });
    if (amount === 0) idle += 1;
    else if (goesOn || position < candidates.length - 1) shareOut(amount, taken ?? allOf(candidate), left);
    total = exactAmount(total + amount);
  }
  return { total, idle };
}

interface OrderBase {
  /** What the effect is computed on. */
  base: number;
  /** What its tickets cost at this point: it deducts no more than that. */
  worth: number;
  /** Undefined for all of its tickets. */
  taken?: readonly Taken[];
}

function orderBase(candidate: Candidate, left: readonly number[], before: number): OrderBase {
  const { lines, adjustment } = candidate;
  const { effect, onListPrice } = adjustment;
  const leftOf = (line: Line): number => left[line.index] ?? 0;
  if (effect.unitsTaken === undefined) {
    return { base: onListPrice ? sumOf(lines, listTotal) : before, worth: before };
  }
  const taken = cheapest(ticketsChangedBy(candidate), lines, onListPrice ? listTotal : leftOf, leftOf);
  const worth = costOf(taken, leftOf);
  return { base: onListPrice ? costOf(taken, listTotal) : worth, worth, taken };
}

function allOf({ lines }: Candidate): Taken[] {
  return lines.map((line) => ({ line, tickets: line.quantity }));
}

/**
 * The `count` cheapest tickets by `totalOf`, ties broken by `leftOf`, with each line's total spread evenly over its
 * tickets.
 */
function cheapest(
  count: number,
  lines: readonly Line[],
  totalOf: (line: Line) => number,
  leftOf: (line: Line) => number,
): Taken[] {
  const byUnitPrice = lines
    .map((line) => ({ line, unitPrice: totalOf(line) / line.quantity, unitLeft: leftOf(line) / line.quantity }))
    .toSorted((a, b) => a.unitPrice - b.unitPrice || a.unitLeft - b.unitLeft || a.line.index - b.line.index);
  const taken: Taken[] = [];
  let toTake = count;
  for (const { line } of byUnitPrice) {
    if (toTake === 0) break;
    const tickets = Math.min(toTake, line.quantity);
    taken.push({ line, tickets });
    toTake -= tickets;
  }
  return taken;
}

function costOf(taken: readonly Taken[], totalOf: (line: Line) => number): number {
  let cost = 0;
  for (const { line, tickets } of taken) cost += partOf(totalOf(line), tickets, line);
  return cost;
}

function partOf(lineTotal: number, tickets: number, { quantity }: Line): number {
  return tickets === quantity ? lineTotal : (allocate(lineTotal, [tickets, quantity - tickets])[0] ?? 0);
}

/**
 * Splits `amount` over the tickets of each line. Updates `left`, the total of each line; `shares`, if given, gets what is
 * added to each.
 */
function shareOut(amount: number, taken: readonly Taken[], left: number[], shares?: number[]): void {
  const add = ({ index }: Line, part: number): void => {
    left[index] = (left[index] ?? 0) + part;
    if (shares !== undefined) shares[index] = part;
  };
  const [only] = taken;
  if (taken.length === 1 && only !== undefined) {
    add(only.line, amount);
    return;
  }
  const weights = taken.map(({ line, tickets }) => partOf(left[line.index] ?? 0, tickets, line));
  const parts = allocate(amount, weights.some(Boolean) ? weights : taken.map(({ tickets }) => tickets));
  for (const [position, { line }] of taken.entries()) add(line, parts[position] ?? 0);
}

/**
 * What each of `steps` of the order adds to each line, by index: split as in the cascade, for the last one too. `left`:
 * the total of each line before them; updated.
 */
export function sharesOf(steps: readonly Step[], left: number[]): number[][] {
  return steps.map(({ candidate, amount, taken }) => {
    const shares = left.map(() => 0);
    if (amount !== 0) shareOut(amount, taken ?? allOf(candidate), left, shares);
    return shares;
  });
}

function sumOf(lines: readonly Line[], totalOf: (line: Line) => number): number {
  let sum = 0;
  for (const line of lines) sum += totalOf(line);
  return sum;
}

function listTotal({ listPrice, quantity }: Line): number {
  return listPrice * quantity;
}
