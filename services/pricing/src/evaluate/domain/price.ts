import {
  BASIS_MAX,
  type CartEvaluation,
  type DropReason,
  type DroppedAdjustment,
  type EvaluateCartRequest,
  type EvaluateRequest,
  type Evaluation,
  codeKey,
} from '@event-commerce/contracts';
import { type Candidate, type Line, ticketsChangedBy, ticketsOf } from './candidate.ts';
import { type CartLines, codesOf, inOrderOfContent, type KnownEvents, linesOf } from './cart-lines.ts';
import type { Step } from './cascade.ts';
import { answerCodes, holdersOf } from './codes.ts';
import { noEffect } from './effects/no-effect.ts';
import { budgetLeft } from './eligibility/budget.ts';
import { firstRefusal } from './eligibility/first-refusal.ts';
import { dropped, type Refusal, withoutCode } from './eligibility/refusal.ts';
import type { EvaluationContext } from './eligibility/rule.ts';
import { tagMismatch, tagsOf } from './eligibility/tags.ts';
import { type TicketAllowance, ticketAllowance } from './eligibility/ticket-caps.ts';
import { boundModifiers, boundPrices } from './price-bounds.ts';
import { allocated, allSteps, orderOf, sharesByLine, type Steps, sum, withoutGroups } from './priced-order.ts';
import type { LiveAdjustments } from '../../snapshot/domain/snapshot.ts';
import { settleStages } from './stacking/settle-stages.ts';
import { ticketGroups } from './ticket-groups.ts';
import { type BudgetLimits, withinBudgets } from './within-budgets.ts';

export interface PriceOptions {
  /** The evaluation instant where the request names none: RFC 3339 or epoch milliseconds. */
  now: string | number;
  /** The currency of prices that name none. */
  defaultCurrency: string;
  /** What all customers together have claimed of a pool; called only for `capsToRead().inAll`. */
  claimed: (poolId: string) => number;
  /** What the request's customer has claimed of a pool; called only for `capsToRead().perCustomer`. */
  customerUsage: (poolId: string) => number;
  /** As in the context of a rule. */
  own?: EvaluationContext['own'];
  granted?: EvaluationContext['granted'];
  /**
   * Which dropped adjustments to list. `candidates` leaves out those that target nothing in the cart or need a code
   * that was not presented, so that neither the work nor the response grows with what the company has; `targeted`
   * leaves out only the former, and `none` leaves out all.
   */
  dropped: 'all' | 'targeted' | 'candidates' | 'none';
  events: KnownEvents;
  /** Whether the caller may see codes that were not presented: codes are secrets. */
  showCodes: boolean;
}

/** What a cart costs, and which adjustments did not count. */
export type CartPrice = CartEvaluation & Pick<Evaluation, 'droppedAdjustments'>;

/** What a cart costs, with what an order keeps of that. */
export type OrderPrice = CartPrice & {
  /** For each of `perOrderModifiers`, what it adds to each line. */
  shares: number[][];
  /** For modifiers that change the price of some tickets of a line: how many tickets of each line, by adjustment. */
  units?: Record<string, number[]>;
  /**
   * The adjustments that counted, or would if the order had other tickets, with the indexes of the lines that they
   * apply to, and those of all lines in the order of the cascade. Undefined if there are more than `BASIS_MAX`.
   */
  basis: { lines: number[]; adjustments: { id: string; version: number; lines: number[] }[] } | undefined;
};

/** Where the adjustments of a price come from. */
export type AdjustmentSource = Pick<
  LiveAdjustments,
  'withCode' | 'spareCode' | 'candidates' | 'targetMismatches' | 'budget'
>;

/** Why an adjustment does not count, although it may count for an order with fewer tickets. */
const MAY_COUNT: ReadonlySet<DropReason> = new Set([
  'quantity-below-minimum',
  'quantity-above-maximum',
  'order-total-below-minimum',
  'order-total-above-maximum',
  'eligible-total-below-minimum',
  'replaced-within-category',
  'excluded-by-exclusive',
  'combination-is-cheaper',
  'no-effect',
]);

const LISTS_ALL_CODES: ReadonlySet<PriceOptions['dropped']> = new Set(['all', 'targeted']);

type CartContext = EvaluateCartRequest['cartContext'];

/** Prices one offering, as a cart of one line. Throws as `priceCart` does. */
export function priceOffering(
  snapshot: LiveAdjustments,
  { offering, cartContext }: EvaluateRequest,
  options: PriceOptions,
): Evaluation {
  const request = { lines: [{ offering, quantity: cartContext.quantity }], cartContext };
  const { lines, ...order } = priceCart(snapshot, request, options);
  const [line] = lines;
  if (line === undefined) throw new TypeError('a cart of one line was priced as an empty one');
  const { basePrice, effectivePrice, perUnitModifiers, groups } = line;
  return { basePrice, effectivePrice, perUnitModifiers, ...(groups === undefined ? {} : { groups }), ...order };
}

/**
 * Prices a cart. Every live adjustment of the snapshot either counts or is dropped with a reason, never both; `total`
 * is `subtotal + modifiers` and never negative. Changes nothing, and returns the same for the same input; the order of
 * the lines changes no amount.
 *
 * @throws {TypeError} when the lines are not of one currency
 * @throws {AmountTooLargeError} when surcharges lead beyond exact integers
 * @throws {TooManyPricesError} when too many adjustments apply to too many lines
 */
export function priceCart(snapshot: LiveAdjustments, request: EvaluateCartRequest, options: PriceOptions): CartPrice {
  return priceAndBudgets(snapshot, request, options).price;
}

/** As `priceCart`, with the ids of budgets that have less left than the cart would take. */
export function priceAndBudgets(
  snapshot: LiveAdjustments,
  request: EvaluateCartRequest,
  options: PriceOptions,
): { price: CartPrice; shortBudgets: ReadonlySet<string> } {
  const { cart, lines } = linesIn(request, options);
  const { price, steps, groups, shortBudgets } = judgeCart(snapshot, { cart, lines }, request, options);
  if (cart.length < 2 || price.perOrderModifiers.length === 0) return { price, shortBudgets };
  const perOrderModifiers = allocated(price.perOrderModifiers, sharesByLine(cart, steps, groups));
  return { price: { ...price, perOrderModifiers }, shortBudgets };
}

/** Prices the cart that an order buys: as `priceCart`, with what the order keeps. */
export function priceForOrder(
  snapshot: LiveAdjustments,
  request: EvaluateCartRequest,
  options: PriceOptions,
): OrderPrice {
  return priceLines(snapshot, linesIn(request, options), request, options);
}

/** `priceForOrder` with adjustments of any source, for the lines of `request` in an order of the caller's choice. */
export function priceLines(
  source: AdjustmentSource,
  { cart, lines }: CartLines,
  request: EvaluateCartRequest,
  options: PriceOptions,
): OrderPrice {
  const { price, steps, candidates, refusals, groups } = judgeCart(source, { cart, lines }, request, options);
  const inOrder = groups?.inOrder ?? lines;
  return {
    ...withoutGroups(price, sharesByLine(cart, steps, groups)),
    basis: basisOf({ cart, lines: inOrder }, candidates, refusals),
  };
}

function linesIn(request: EvaluateCartRequest, { events }: PriceOptions): CartLines {
  const cart = linesOf(request, events);
  return { cart, lines: inOrderOfContent(cart) };
}

function basisOf(
  { cart, lines: all }: CartLines,
  candidates: readonly Candidate[],
  refusals: ReadonlyMap<Candidate, Refusal>,
): OrderPrice['basis'] {
  const relevant = candidates.filter((candidate) => {
    const refusal = refusals.get(candidate);
    return refusal === undefined || MAY_COUNT.has(refusal.reason);
  });
  if (relevant.length > BASIS_MAX) return undefined;
  const indexes = new Map(cart.map((line, index) => [line, index]));
  const indexesOf = (lines: readonly Line[]) => lines.flatMap((line) => indexes.get(line) ?? []);
  return {
    lines: indexesOf(all),
    adjustments: relevant.map(({ adjustment: { source }, lines }) => ({
      id: source.id,
      version: source.version,
      lines: indexesOf(lines).toSorted((a, b) => a - b),
    })),
  };
}

function judgeCart(
  snapshot: AdjustmentSource,
  { cart, lines }: CartLines,
  request: EvaluateCartRequest,
  options: PriceOptions,
) {
  const { cartContext } = request;
  const currency = currencyOf(request, options.defaultCurrency);
  const context = contextOf(snapshot, cartContext, ticketsOf(lines), currency, options);
  const { codes, holders } = context;
  const candidates = snapshot.candidates(lines, LISTS_ALL_CODES.has(options.dropped) ? undefined : codes);
  const refusals = new Map<Candidate, Refusal>();
  let cartTags: ReadonlySet<string> | undefined;

  const eligible = candidates.filter((candidate) => {
    const refusal = candidate.tagged
      ? firstRefusal(candidate.adjustment, context, candidate)
      : tagMismatch(candidate.adjustment, (cartTags ??= tagsOf(lines)));
    if (refusal !== undefined) refusals.set(candidate, refusal);
    return refusal === undefined;
  });

  const within = withinBudgets(
    eligible,
    ({ adjustment }) => budgetLeft(adjustment, context),
    runner(lines, context, currency),
  );
  const { steps, groups, originalOf } = within.run;
  for (const [candidate, refusal] of within.refusals) refusals.set(candidate, refusal);
  for (const [candidate, refusal] of within.run.refusals) refusals.set(originalOf(candidate), refusal);
  const { counting, firstSteps, clampedAtZero, modifiers, characters } = tally(steps, originalOf);
  boundModifiers(lines.length, modifiers, characters);
  for (const candidate of eligible) {
    if (counting.has(candidate) || refusals.has(candidate)) continue;
    refusals.set(candidate, noEffect(candidate, firstSteps.get(candidate), currency));
  }

  const droppedCandidates = candidates.flatMap((candidate): DroppedAdjustment[] => {
    const refusal = refusals.get(candidate);
    if (refusal === undefined) return [];
    // A presented code gets a result whatever is listed.
    if (options.dropped === 'none' && candidate.adjustment.conditions.codeKey === undefined) return [];
    return [dropped(candidate.adjustment.source, refusal)];
  });
  const price: CartPrice = {
    ...orderOf(cart, steps, currency, clampedAtZero, groups),
    droppedAdjustments: options.dropped === 'none' ? [] : listed(),
    codes: answerCodes(cartContext.codes ?? [], holders, counting, droppedCandidates, (code) =>
      snapshot.spareCode(code),
    ),
  };
  return { price, steps, candidates, refusals, groups, shortBudgets: shortOf(refusals, within.limits) };

  function listed(): DroppedAdjustment[] {
    const all =
      options.dropped === 'all' ? droppedCandidates.concat(snapshot.targetMismatches(candidates)) : droppedCandidates;
    if (options.showCodes) return all;
    return all.map((each) => (each.code === undefined || codes.has(codeKey(each.code)) ? each : withoutCode(each)));
  }
}

/** Runs the cascade, for one cart. All runs together may take no longer than a single one may. */
function runner(lines: readonly Line[], context: EvaluationContext, currency: string) {
  let prices = 0;
  return (eligible: readonly Candidate[], limits: BudgetLimits, inGroups: boolean) => {
    // An earlier run may have changed it.
    if (prices > 0) for (const line of lines) line.listPrice = line.basePrice;
    const whole = new Map<Candidate, Candidate>();
    const limited = limits.size === 0 ? eligible : eligible.map((candidate) => atMost(candidate, limits, whole));
    const allowanceOf = (candidate: Candidate): TicketAllowance => {
      const limit = limits.get(candidate);
      const allowance = ticketAllowance(candidate.adjustment, context);
      if (limit === undefined || !('units' in limit) || limit.units >= allowance.units) return allowance;
      return { units: limit.units, reason: 'budget-exhausted' };
    };
    const needsGroups = inGroups || eligible.some(({ adjustment }) => adjustment.limitsTickets);
    const groups = needsGroups ? ticketGroups(lines, limited, allowanceOf, inGroups) : undefined;
    const { lines: priced, candidates: applying } = groups ?? { lines, candidates: limited };
    prices += sum(applying.map((candidate) => candidate.lines.length));
    boundPrices(priced.length, prices);
    const originalOf = (candidate: Candidate): Candidate => {
      const ungrouped = groups?.originalOf(candidate) ?? candidate;
      return whole.get(ungrouped) ?? ungrouped;
    };
    const settled = settleStages(priced, applying, currency);
    return { ...settled, groups, lines: priced, isGrouped: groups !== undefined, originalOf };
  };
}

/** `candidate` with the most that it may take off the order. `whole`: receives the original. */
function atMost(candidate: Candidate, limits: BudgetLimits, whole: Map<Candidate, Candidate>): Candidate {
  const limit = limits.get(candidate);
  if (limit === undefined || !('most' in limit)) return candidate;
  const units = ticketsChangedBy(candidate);
  const limited = {
    ...candidate,
    most: limit.most,
    limited: { wanted: units, units, reason: 'budget-exhausted' as const },
  };
  whole.set(limited, candidate);
  return limited;
}

/** The budgets because of which adjustments take off less, or nothing. */
function shortOf(refusals: ReadonlyMap<Candidate, Refusal>, limits: BudgetLimits): Set<string> {
  const refused = [...refusals].flatMap(([candidate, { reason }]) =>
    reason === 'budget-exhausted' ? [candidate] : [],
  );
  return new Set([...refused, ...limits.keys()].flatMap(({ adjustment }) => adjustment.conditions.budgetId ?? []));
}

function contextOf(
  snapshot: AdjustmentSource,
  context: CartContext,
  tickets: number,
  currency: string,
  options: PriceOptions,
): EvaluationContext {
  const nowMs = new Date(context.now ?? options.now).getTime();
  const codes = codesOf(context);
  const { orderTotal } = context;
  return {
    nowMs,
    codes,
    holders: holdersOf(snapshot, codes, nowMs),
    currency,
    customerId: context.customerId,
    customerEmail: context.customerEmail,
    customerSegment: context.customerSegment,
    channelId: context.channelId,
    tickets,
    orderTotal: orderTotal === undefined ? undefined : { ...orderTotal, currency: orderTotal.currency ?? currency },
    claimed: options.claimed,
    customerUsage: options.customerUsage,
    own: options.own,
    granted: options.granted,
    budgetOf: (id) => snapshot.budget(id),
  };
}

/** Which candidates changed a price, the first step of each, and how many modifiers that makes, with how much text. */
function tally(steps: Steps, originalOf: (candidate: Candidate) => Candidate) {
  const counting = new Set<Candidate>();
  const firstSteps = new Map<Candidate, Step>();
  let clampedAtZero = false;
  let modifiers = 0;
  let characters = 0;
  for (const step of allSteps(steps)) {
    const candidate = originalOf(step.candidate);
    clampedAtZero ||= step.clamped;
    if (step.amount !== 0) {
      counting.add(candidate);
      modifiers += 1;
      characters += charactersOf(candidate);
    }
    if (!firstSteps.has(candidate)) firstSteps.set(candidate, step);
  }
  return { counting, firstSteps, clampedAtZero, modifiers, characters };
}

/** The length of the texts in a modifier, which companies choose. */
function charactersOf({ adjustment: { source } }: Candidate): number {
  const { name, type, category, origin, conditions } = source;
  return name.length + type.length + category.length + origin.length + (conditions.code?.length ?? 0);
}

function currencyOf({ lines }: Pick<EvaluateCartRequest, 'lines'>, defaultCurrency: string): string {
  const [currency = defaultCurrency, ...others] = new Set(
    lines.map(({ offering }) => offering.price.currency ?? defaultCurrency),
  );
  if (others.length > 0) throw new TypeError(`one cart has one currency, not ${[currency, ...others].join(', ')}`);
  return currency;
}
