import type { Candidate, Line } from './candidate.ts';
import { type BudgetLeft, overdraws } from './eligibility/budget.ts';
import type { Refusal } from './eligibility/refusal.ts';
import type { Steps } from './priced-order.ts';
import { inTakingOrder } from './ticket-groups.ts';

/** What a budget leaves of an adjustment: the most that it takes off the order, or how many tickets it counts for. */
export type BudgetLimit = { most: number } | { units: number };

export type BudgetLimits = ReadonlyMap<Candidate, BudgetLimit>;

/** One run of the cascade. */
interface Run {
  /** What was priced: lines, or groups of tickets. */
  lines: readonly Line[];
  /** Whether tickets of one line may be in several of them. */
  isGrouped: boolean;
  steps: Steps;
  /** The candidate as it was before limits. */
  originalOf: (candidate: Candidate) => Candidate;
}

/**
 * Prices `eligible` so that no budget is overdrawn. What each adjustment takes off is compared with its budget in the
 * order of the cascade. One that would take more is left out, or takes what is left, and the cart is priced again; one
 * that would take too much even so is left out. So each causes at most two more runs.
 */
export function withinBudgets<R extends Run>(
  eligible: readonly Candidate[],
  leftOf: (candidate: Candidate) => BudgetLeft | undefined,
  price: (applying: readonly Candidate[], limits: BudgetLimits, inGroups: boolean) => R,
): { run: R; refusals: Map<Candidate, Refusal>; limits: BudgetLimits } {
  const refusals = new Map<Candidate, Refusal>();
  const limits = new Map<Candidate, BudgetLimit>();
  const hasBudgets = eligible.some(({ adjustment }) => adjustment.conditions.budgetId !== undefined);
  for (let inGroups = false; ;) {
    const run = price(
      refusals.size === 0 ? eligible : eligible.filter((candidate) => !refusals.has(candidate)),
      limits,
      inGroups,
    );
    if (!hasBudgets) return { run, refusals, limits };
    const before = refusals.size + limits.size;
    const needsGroups = limitOverdrawing(run, leftOf, refusals, limits);
    if (!needsGroups && refusals.size + limits.size === before) return { run, refusals, limits };
    inGroups ||= needsGroups;
  }
}

/** Returns whether tickets must be priced in groups first, to know how many of them a budget pays for. */
function limitOverdrawing(
  run: Run,
  leftOf: (candidate: Candidate) => BudgetLeft | undefined,
  refusals: Map<Candidate, Refusal>,
  limits: Map<Candidate, BudgetLimit>,
): boolean {
  const rests = new Map<string, number>();
  for (const { candidate, priced, drawn } of drawnIn(run)) {
    const { budget, left } = leftOf(candidate) ?? {};
    if (budget === undefined || left === undefined) continue;
    const rest = rests.get(budget.id) ?? left;
    if (drawn <= rest) {
      rests.set(budget.id, rest - drawn);
      continue;
    }
    const isFirst = budget.onExhausted === 'partial' && !limits.has(candidate) && rest > 0;
    if (isFirst && candidate.adjustment.perUnit && !run.isGrouped) return true;
    const taking = isFirst ? takingAtMost(rest, candidate, priced, run) : undefined;
    if (taking === undefined) refusals.set(candidate, overdraws(budget, rest, drawn));
    else limits.set(candidate, taking.limit);
    rests.set(budget.id, rest - (taking?.drawn ?? 0));
  }
  return false;
}

interface Drawn {
  candidate: Candidate;
  /** The candidate as it was priced. */
  priced: Candidate;
  drawn: number;
}

/** What each adjustment takes off, in the order of the cascade. */
function drawnIn({ lines, steps, originalOf }: Run): Drawn[] {
  const drawn = new Map<Candidate, Drawn>();
  const add = (priced: Candidate, amount: number) => {
    if (amount >= 0 || priced.adjustment.conditions.budgetId === undefined) return;
    const one = drawn.get(priced) ?? { candidate: originalOf(priced), priced, drawn: 0 };
    drawn.set(priced, { ...one, drawn: one.drawn - amount });
  };
  for (const line of lines) {
    for (const { candidate, amount } of steps.perUnit[line.index] ?? []) add(candidate, amount * line.quantity);
  }
  for (const { candidate, amount } of steps.perOrder) add(candidate, amount);
  return [...drawn.values()].toSorted((a, b) => a.priced.adjustment.position - b.priced.adjustment.position);
}

/** Undefined if `rest` pays for nothing of it. */
function takingAtMost(
  rest: number,
  { adjustment }: Candidate,
  priced: Candidate,
  { steps }: Run,
): { limit: BudgetLimit; drawn: number } | undefined {
  if (!adjustment.perUnit) return { limit: { most: rest }, drawn: rest };
  let [units, drawn] = [0, 0];
  for (const line of inTakingOrder(priced)) {
    const step = steps.perUnit[line.index]?.find(({ candidate }) => candidate === priced);
    const each = Math.max(0, -(step?.amount ?? 0));
    const tickets = each === 0 ? line.quantity : Math.min(line.quantity, Math.floor((rest - drawn) / each));
    units += tickets;
    drawn += tickets * each;
    if (tickets < line.quantity) break;
  }
  return drawn === 0 ? undefined : { limit: { units }, drawn };
}
