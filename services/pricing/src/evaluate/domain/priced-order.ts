import type { CartLineEvaluation, Modifier } from '@event-commerce/contracts';
import type { Candidate, Line } from './candidate.ts';
import { sharesOf, type Step } from './cascade.ts';
import { exactAmount } from './exact-amount.ts';

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

/** The prices and modifiers that result from `steps`, with `lines` as they are ordered. */
export function orderOf(lines: readonly Line[], steps: Steps, currency: string, clampedAtZero: boolean) {
  const priced = lines.map((line): CartLineEvaluation => {
    const ofLine = steps.perUnit[line.index] ?? [];
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

/** For each modifier of the order, what it adds to each of `lines`, which are as in `orderOf`. */
export function sharesByLine(lines: readonly Line[], { perUnit, perOrder }: Steps): number[][] {
  const left: number[] = [];
  for (const line of lines) {
    const unitPrice = line.basePrice + sum((perUnit[line.index] ?? []).map(({ amount }) => amount));
    left[line.index] = unitPrice * line.quantity;
  }
  const counting = perOrder.filter(({ amount }) => amount !== 0);
  return sharesOf(counting, left).map((shares) => lines.map(({ index }) => shares[index] ?? 0));
}

/** `modifiers` of the order, each with what it adds to the lines: `shares`, from `sharesByLine`. */
export function allocated(modifiers: readonly Modifier[], shares: readonly (readonly number[])[]): Modifier[] {
  return modifiers.map((modifier, position) => ({
    ...modifier,
    allocations: (shares[position] ?? []).flatMap((amount, line) => (amount === 0 ? [] : [{ line, amount }])),
  }));
}

function ticketsChangedBy({ adjustment: { effect }, quantity }: Candidate): number {
  return effect.unitsTaken?.(quantity) ?? quantity;
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
      };
    });
}

export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
