import type { Candidate, Line } from '../candidate.ts';
import { runCascade, selectAll, type Selection } from '../cascade.ts';
import { noEffect } from '../effects/no-effect.ts';
import type { Refusal } from '../eligibility/refusal.ts';
import { formatMoney } from '../format-money.ts';
import { type Steps, sum } from '../priced-order.ts';
import { judgeExclusives } from './exclusive.ts';
import { replaceWithinCategory } from './replace-within-category.ts';

/** What the applied adjustments do, and why the others do not apply. */
interface Settled {
  /** What the buyer pays. */
  total: number;
  steps: Steps;
  refusals: ReadonlyMap<Candidate, Refusal>;
}

/**
 * Settles which of the `eligible` adjustments, which are in cascade order, apply: first those at listing, whose result
 * is the list price, then those at checkout.
 */
export function settleStages(lines: readonly Line[], eligible: readonly Candidate[], currency: string): Settled {
  const listing = eligible.findLastIndex(({ adjustment }) => adjustment.atListing) + 1;
  const checkout = listing > 0 ? eligible.slice(listing) : eligible;
  const atCheckout = (before: Steps): Settled =>
    settle(lines, checkout, currency, (selection) => {
      const steps = { perUnit: before.perUnit.map((each) => [...each]), perOrder: [] };
      return { total: runCascade(lines, selection, steps).total, steps, refusals: new Map() };
    });
  if (listing === 0) return atCheckout(noSteps(lines));
  // Compared by what the buyer pays in the end: the lower of two list prices may be that of the wrong tickets.
  return settle(lines, eligible.slice(0, listing), currency, (selection) => {
    const steps = noSteps(lines);
    for (const line of lines) line.listPrice = line.basePrice;
    runCascade(lines, selection, steps);
    for (const line of lines) line.listPrice += sum((steps.perUnit[line.index] ?? []).map(({ amount }) => amount));
    return atCheckout(steps);
  });
}

/**
 * Settles one stage: the cheapest exclusive alone, if the buyer pays no more with it, otherwise all others together.
 * `run`: the result of a selection.
 */
function settle(
  lines: readonly Line[],
  eligible: readonly Candidate[],
  currency: string,
  run: (selection: Selection) => Settled,
): Settled {
  const { best, beaten, idle } = judgeExclusives(lines, eligible);
  const combinable =
    best === undefined && idle.size === 0 ? eligible : eligible.filter(({ adjustment }) => !adjustment.exclusive);
  const { selection, replaced } = replaceWithinCategory(lines, combinable);
  const together = run(selection);
  if (best !== undefined) {
    const alone = run(selectAll(lines, [best]));
    if (alone.total <= together.total) return { ...alone, refusals: excludedBy(best, eligible, alone.refusals) };
    return { ...together, refusals: new Map([...together.refusals, ...lostToOthers(best, alone), ...othersRefused()]) };
  }
  return { ...together, refusals: new Map([...together.refusals, ...othersRefused()]) };

  function lostToOthers(cheapest: Candidate, alone: Settled): [Candidate, Refusal][] {
    const makes = `alone it makes ${formatMoney(alone.total, currency)}`;
    const others = `without it the buyer pays ${formatMoney(together.total, currency)}`;
    const refusal = (detail: string): Refusal => ({ reason: 'combination-is-cheaper', detail });
    const { name } = cheapest.adjustment.source;
    return [
      [cheapest, refusal(`${makes}, ${others}`)],
      ...beaten.map((each): [Candidate, Refusal] => [
        each,
        refusal(`"${name}" is the cheapest exclusive: ${makes}, ${others}`),
      ]),
    ];
  }

  function* othersRefused(): Generator<[Candidate, Refusal]> {
    for (const [candidate, step] of idle) yield [candidate, noEffect(candidate, step, currency)];
    for (const [candidate, winner] of replaced) {
      const { id, name, category } = winner.adjustment.source;
      const detail = `replaced by "${name}" of the same category (${category}), which costs the buyer no more`;
      yield [candidate, { reason: 'replaced-within-category', detail, replacedBy: id }];
    }
  }
}

/** `refusals`: those of later stages, which the exclusive does not affect. */
function excludedBy(
  exclusive: Candidate,
  eligible: readonly Candidate[],
  refusals: ReadonlyMap<Candidate, Refusal>,
): ReadonlyMap<Candidate, Refusal> {
  const { id, name } = exclusive.adjustment.source;
  const detail = `does not combine with "${name}", which is exclusive`;
  const refusal: Refusal = { reason: 'excluded-by-exclusive', detail, replacedBy: id };
  const excluded = eligible.filter((candidate) => candidate !== exclusive);
  return new Map([...refusals, ...excluded.map((candidate) => [candidate, refusal] as const)]);
}

function noSteps(lines: readonly Line[]): Steps {
  return { perUnit: lines.map(() => []), perOrder: [] };
}
