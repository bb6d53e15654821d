import {
  type CartEvaluation,
  type CartLineEvaluation,
  type Modifier,
  modifiersOf as modifiersOfPrice,
} from '@event-commerce/contracts';
import { allocate } from '@event-commerce/money';
import { type Candidate, type Line, ticketsChangedBy } from './candidate.ts';
import { sharesOf, type Step } from './cascade.ts';
import { exactAmount } from './exact-amount.ts';
import { piecesByLine, type TicketGroups } from './ticket-groups.ts';

/** What the applied adjustments add: per unit of each line, and per order. */
export interface Steps {
  perUnit: Step[][];
  perOrder: Step[];
}

export function allSteps({ perUnit, perOrder }: Steps): Step[] {
  const all: Step[] = [];
  for (const steps of perUnit) for (const step of steps) all.push(step);
  for (const step of perOrder) all.push(step);
  return all;
}

/**
 * The prices and modifiers that result from `steps`, with `lines` as they are ordered. `groups`: what the cascade priced
 * in place of the lines.
 */
export function orderOf(
  lines: readonly Line[],
  steps: Steps,
  currency: string,
  clampedAtZero: boolean,
  groups?: TicketGroups,
) {
  const pieces = groups && piecesByLine(groups);
  const priced = lines.map((line): CartLineEvaluation => {
    if (pieces === undefined) return pricedLine(line, steps.perUnit[line.index] ?? [], currency);
    const [first, ...others] = unlikePieces(pieces.get(line) ?? [], steps, currency);
    return first === undefined || others.length === 0
      ? pricedLine(line, first?.steps ?? [], currency)
      : groupedLine(line, [first, ...others]);
  });
  const perOrderModifiers = modifiersOf(steps.perOrder, ticketsChangedBy, 1);
  const subtotal = exactAmount(sum(lines.map((line) => line.basePrice * line.quantity)));
  const total = sum(priced.map((line) => line.total)) + sum(perOrderModifiers.map((modifier) => modifier.total));
  return {
    lines: priced,
    perOrderModifiers,
    summary: {
      subtotal,
      modifiers: total - subtotal,
      total,
      currency,
      clampedAtZero,
    },
  };
}

/** A line whose tickets all cost the same. */
function pricedLine(line: Line, ofLine: readonly Step[], currency: string): CartLineEvaluation {
  const perUnitModifiers = modifiersOf(ofLine, () => line.quantity, line.quantity);
  const atListing = sum(ofLine.map(({ candidate, amount }) => (candidate.adjustment.atListing ? amount : 0)));
  const unitPrice = line.basePrice + sum(perUnitModifiers.map(({ amount }) => amount));
  return {
    offeringId: line.offeringId,
    quantity: line.quantity,
    basePrice: { amount: line.basePrice, currency },
    ...(atListing === 0 ? {} : { listPrice: { amount: line.basePrice + atListing, currency } }),
    effectivePrice: { amount: unitPrice, currency },
    perUnitModifiers,
    total: unitPrice * line.quantity,
  };
}

/** Tickets of one line that cost the same, with the steps of each. */
interface PricedPiece {
  steps: readonly Step[];
  priced: CartLineEvaluation;
}

/** The parts of a line that differ in price or in what makes it. */
function unlikePieces(
  pieces: readonly { line: Line; group: Line; tickets: number }[],
  { perUnit }: Steps,
  currency: string,
): PricedPiece[] {
  const unlike = new Map<string, PricedPiece>();
  for (const { line, group, tickets } of pieces) {
    const steps = (perUnit[group.index] ?? []).filter(({ amount }) => amount !== 0);
    const key = JSON.stringify(
      steps.map(({ candidate, base, amount }) => [candidate.adjustment.position, base, amount]),
    );
    const quantity = tickets + (unlike.get(key)?.priced.quantity ?? 0);
    unlike.set(key, { steps, priced: pricedLine({ ...line, quantity }, steps, currency) });
  }
  return [...unlike.values()];
}

function groupedLine(line: Line, pieces: readonly PricedPiece[]): CartLineEvaluation {
  const groups = pieces.map(({ priced }) => priced);
  const dearest = groups.reduce((one, other) =>
    other.effectivePrice.amount > one.effectivePrice.amount ? other : one,
  );
  const changes = new Map<string, { step: Step; tickets: number }>();
  for (const { steps, priced } of pieces) {
    for (const step of steps) {
      const key = JSON.stringify([step.candidate.adjustment.position, step.base, step.amount]);
      changes.set(key, { step, tickets: priced.quantity + (changes.get(key)?.tickets ?? 0) });
    }
  }
  const inOrder = [...changes.values()].toSorted(
    (a, b) => a.step.candidate.adjustment.position - b.step.candidate.adjustment.position,
  );
  return {
    ...dearest,
    quantity: line.quantity,
    perUnitModifiers: inOrder.flatMap(({ step, tickets }) => modifiersOf([step], () => tickets, tickets)),
    groups: groups.map(({ quantity, effectivePrice, perUnitModifiers }) => ({
      quantity,
      effectivePrice,
      perUnitModifiers,
    })),
    total: exactAmount(sum(groups.map(({ total }) => total))),
  };
}

/** For each modifier of the order, what it adds to each of `lines`, which are as in `orderOf`. */
export function sharesByLine(lines: readonly Line[], { perUnit, perOrder }: Steps, groups?: TicketGroups): number[][] {
  const left: number[] = [];
  for (const line of groups?.lines ?? lines) {
    const unitPrice = line.basePrice + sum((perUnit[line.index] ?? []).map(({ amount }) => amount));
    left[line.index] = unitPrice * line.quantity;
  }
  const counting = perOrder.filter(({ amount }) => amount !== 0);
  const before = [...left];
  const shares = sharesOf(counting, left);
  if (groups === undefined) return shares.map((ofModifier) => lines.map(({ index }) => ofModifier[index] ?? 0));
  return sharesOfPieces(lines, shares, before, groups);
}

/**
 * As `sharesByLine`, for groups: each of a group's tickets has an even part. The parts are differences of what the
 * tickets cost after and before a modifier, so that no line falls below zero.
 */
function sharesOfPieces(
  lines: readonly Line[],
  shares: readonly (readonly number[])[],
  costs: number[],
  { pieces }: TicketGroups,
): number[][] {
  const byGroup = Map.groupBy(pieces, ({ group }) => group.index);
  return shares.map((ofModifier) => {
    const onLines = new Map<Line, number>();
    for (const [index, inGroup] of byGroup) {
      const share = ofModifier[index] ?? 0;
      if (share === 0) continue;
      const tickets = inGroup.map((piece) => piece.tickets);
      const cost = costs[index] ?? 0;
      const [was, is] = [allocate(cost, tickets), allocate(cost + share, tickets)];
      for (const [place, { line }] of inGroup.entries()) {
        onLines.set(line, (onLines.get(line) ?? 0) + (is[place] ?? 0) - (was[place] ?? 0));
      }
      costs[index] = cost + share;
    }
    return lines.map((line) => onLines.get(line) ?? 0);
  });
}

/**
 * The price as an order keeps it, with `shares`, from `sharesByLine`. A line whose tickets differ in price is listed at
 * its price before adjustments of single units: what these change counts as a change of the whole line, and each ticket
 * has an even part of it. So it does not matter which tickets are returned.
 */
export function withoutGroups<Price extends Pick<CartEvaluation, 'lines' | 'perOrderModifiers'>>(
  price: Price,
  shares: readonly (readonly number[])[],
): Price & { shares: number[][]; units?: Record<string, number[]> } {
  if (price.lines.every(({ groups }) => groups === undefined))
    return { ...price, shares: shares.map((each) => [...each]) };
  const moved = new Map<string, { modifier: Modifier; shares: number[]; units: number[] }>();
  const none = () => price.lines.map(() => 0);
  const lines = price.lines.map(({ groups, ...line }, index) => {
    if (groups === undefined) return line;
    for (const { total, units, base, ...modifier } of line.perUnitModifiers) {
      const before = moved.get(modifier.adjustmentId);
      const {
        modifier: sums = { total: 0, units: 0, base: 0 },
        shares: ofLines = none(),
        units: tickets = none(),
      } = before ?? {};
      ofLines[index] = (ofLines[index] ?? 0) + total;
      tickets[index] = (tickets[index] ?? 0) + units;
      const whole = { total: sums.total + total, units: sums.units + units, base: sums.base + base * units };
      const changed = { ...modifier, ...whole, amount: whole.total };
      moved.set(modifier.adjustmentId, { modifier: changed, shares: ofLines, units: tickets });
    }
    return {
      ...line,
      effectivePrice: line.basePrice,
      perUnitModifiers: [],
      total: line.basePrice.amount * line.quantity,
    };
  });
  return {
    ...price,
    lines,
    perOrderModifiers: [...Array.from(moved.values(), ({ modifier }) => modifier), ...price.perOrderModifiers],
    shares: [...Array.from(moved.values(), (each) => each.shares), ...shares.map((each) => [...each])],
    units: Object.fromEntries(Array.from(moved, ([id, { units }]) => [id, units])),
  };
}

/** `modifiers` of the order, each with what it adds to the lines: `shares`, from `sharesByLine`. */
export function allocated(modifiers: readonly Modifier[], shares: readonly (readonly number[])[]): Modifier[] {
  return modifiers.map((modifier, position) => ({
    ...modifier,
    allocations: (shares[position] ?? []).flatMap((amount, line) => (amount === 0 ? [] : [{ line, amount }])),
  }));
}

/** `times`: how often each amount counts in the order. */
function modifiersOf(steps: readonly Step[], unitsOf: (candidate: Candidate) => number, times: number): Modifier[] {
  return steps
    .filter(({ amount }) => amount !== 0)
    .map(({ candidate, base, amount }) => {
      const { id, name, type, category, origin, conditions, effect } = candidate.adjustment.source;
      const code = conditions.code === undefined ? {} : { code: conditions.code };
      return {
        adjustmentId: id,
        name,
        type,
        category,
        origin,
        ...code,
        effect,
        base,
        amount,
        units: unitsOf(candidate),
        total: exactAmount(amount * times),
        ...(candidate.limited === undefined ? {} : { limited: candidate.limited }),
        ...(conditions.budgetId === undefined ? {} : { budgetId: conditions.budgetId }),
      };
    });
}

/** How many tickets each adjustment of a price counts for. */
export function unitsIn(price: Pick<CartEvaluation, 'lines' | 'perOrderModifiers'>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { adjustmentId, units } of modifiersOfPrice(price)) {
    sums.set(adjustmentId, (sums.get(adjustmentId) ?? 0) + units);
  }
  return sums;
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
