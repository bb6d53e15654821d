import type { Adjustment, EvaluateCartRequest } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  aLine,
  anAdjustment,
  aRequest,
  OPTIONS,
  someAdjustments,
  someCart,
  targeting,
} from '../adjustments.fixture.ts';
import type { Line } from '../candidate.ts';
import { runCascade } from '../cascade.ts';
import { priceCart, priceOffering } from '../price.ts';
import { CompanySnapshot } from '../../../snapshot/domain/snapshot.ts';
import { replaceWithinCategory } from './replace-within-category.ts';
import { lowestByTryingAll } from './lowest-by-trying-all.fixture.ts';

function linesOf(request: EvaluateCartRequest): Line[] {
  return request.lines.map(({ offering, quantity }, index) => ({
    index,
    offeringId: offering.id,
    contexts: [`event/${offering.eventId}`],
    tags: offering.tags,
    basePrice: offering.price.amount,
    listPrice: offering.price.amount,
    quantity,
  }));
}

function live(adjustments: readonly Adjustment[]): Adjustment[] {
  return adjustments.map((adjustment) => ({ ...adjustment, status: 'active' }));
}

describe('what remains of a category is the best for the buyer', () => {
  const adjustments = someAdjustments(7, {
    conditions: 'none',
    atListing: false,
    stacking: ['stackable', 'replace-within-category', 'replace-within-category'],
  }).map(live);

  test('among all ways to choose, for one line', () => {
    fc.assert(
      fc.property(adjustments, someCart(1), (all, request) => {
        const lines = linesOf(request);
        const candidates = new CompanySnapshot(all).candidates(lines);
        const { selection } = replaceWithinCategory(lines, candidates);
        expect(runCascade(lines, selection).total).toBe(lowestByTryingAll(lines, candidates));
      }),
      { numRuns: 2000 },
    );
  });

  test('among all ways to choose, for many lines', () => {
    fc.assert(
      fc.property(adjustments, someCart(3), (all, request) => {
        const lines = linesOf(request);
        const candidates = new CompanySnapshot(all).candidates(lines);
        const { selection } = replaceWithinCategory(lines, candidates);
        const total = runCascade(lines, selection).total;
        expect(total).toBe(lowestByTryingAll(lines, candidates));
      }),
      { numRuns: 1000 },
    );
  });
});

function earlyBird(id: string, changes: Partial<Adjustment> = {}): Adjustment {
  return anAdjustment({ id, category: 'early-bird', stacking: 'replace-within-category', ...changes });
}

function off(percent: number, per: 'unit' | 'order' = 'unit'): Adjustment['effect'] {
  return { kind: 'percentage_off', percent, per };
}

test('the loser names the winner', () => {
  const snapshot = new CompanySnapshot([earlyBird('a', { priority: 9 }), earlyBird('b', { effect: off(20) })]);
  const { perUnitModifiers, droppedAdjustments } = priceOffering(snapshot, aRequest(1000), OPTIONS);
  expect(perUnitModifiers.map(({ adjustmentId }) => adjustmentId)).toEqual(['b']);
  expect(droppedAdjustments).toEqual([
    expect.objectContaining({ adjustmentId: 'a', reason: 'replaced-within-category', replacedBy: 'b' }),
  ]);
});

test('the smallest remains if all are surcharges', () => {
  const surcharge = (percent: number): Adjustment['effect'] => ({
    kind: 'percentage_surcharge',
    percent,
    per: 'unit',
  });
  const snapshot = new CompanySnapshot([
    earlyBird('a', { effect: surcharge(5) }),
    earlyBird('b', { effect: surcharge(3) }),
  ]);
  expect(priceOffering(snapshot, aRequest(1000), OPTIONS).summary.total).toBe(1030);
});

test('the first in cascade order remains on a tie', () => {
  const snapshot = new CompanySnapshot([earlyBird('b'), earlyBird('c', { priority: 1 }), earlyBird('a')]);
  expect(priceOffering(snapshot, aRequest(1000), OPTIONS).perUnitModifiers).toMatchObject([{ adjustmentId: 'c' }]);
});

test('per-unit adjustments on different lines do not exclude each other', () => {
  const snapshot = new CompanySnapshot([
    earlyBird('ga', { targets: [targeting('offering/ga')] }),
    earlyBird('vip', { targets: [targeting('offering/vip')], effect: off(20) }),
  ]);
  const request = { lines: [aLine('ga', 1000, 2), aLine('vip', 5000, 1)], cartContext: {} };
  const { lines, droppedAdjustments } = priceCart(snapshot, request, OPTIONS);
  expect(lines.map(({ effectivePrice }) => effectivePrice.amount)).toEqual([900, 4000]);
  expect(droppedAdjustments).toEqual([]);
});

test('one that applies on some lines and is replaced on others is applied', () => {
  const snapshot = new CompanySnapshot([
    earlyBird('everywhere'),
    earlyBird('vip', { targets: [targeting('offering/vip')], effect: off(20) }),
  ]);
  const request = { lines: [aLine('ga', 1000, 2), aLine('vip', 5000, 1)], cartContext: {} };
  const { lines, droppedAdjustments } = priceCart(snapshot, request, OPTIONS);
  expect(lines.map(({ perUnitModifiers }) => perUnitModifiers.map(({ adjustmentId }) => adjustmentId))).toEqual([
    ['everywhere'],
    ['vip'],
  ]);
  expect(droppedAdjustments).toEqual([]);
});

test.each([
  [11, 'order'],
  [9, 'unit'],
])('per-unit adjustments on all lines together compete with %i %% off per order', (percent, winner) => {
  const snapshot = new CompanySnapshot([earlyBird('unit'), earlyBird('order', { effect: off(percent, 'order') })]);
  const request = { lines: [aLine('ga', 1000, 2), aLine('vip', 5000, 1)], cartContext: {} };
  const { droppedAdjustments } = priceCart(snapshot, request, OPTIONS);
  expect(droppedAdjustments).toMatchObject([{ reason: 'replaced-within-category', replacedBy: winner }]);
});

test('an adjustment that is better alone loses if the other makes the whole order cheaper', () => {
  const snapshot = new CompanySnapshot([
    earlyBird('first', { priority: 9, effect: { kind: 'amount_off', amount: 1000, currency: 'EUR', per: 'unit' } }),
    anAdjustment({
      id: 'fee',
      priority: 5,
      effectBase: 'current-price',
      effect: { kind: 'amount_surcharge', amount: 600, currency: 'EUR', per: 'unit' },
    }),
    earlyBird('last', { effectBase: 'current-price', effect: off(90) }),
  ]);
  // first: 1000 - 1000 + 600 = 600. last: (1000 + 600) - 90 % = 160, though alone it takes off only 900.
  const { summary, perUnitModifiers } = priceOffering(snapshot, aRequest(1000), OPTIONS);
  expect(summary.total).toBe(160);
  expect(perUnitModifiers.map(({ adjustmentId }) => adjustmentId)).toEqual(['fee', 'last']);
});

test('a dearer line wins if it makes the whole order cheaper', () => {
  // The bundle reduces about 60.00 to 30.00, split by price, and what is left of "free" is given away: the dearer
  // "free" is before that, the less of the 30.00 falls on "paid".
  const snapshot = new CompanySnapshot([
    earlyBird('half', { targets: [targeting('offering/free')], effect: off(50) }),
    earlyBird('fee', {
      targets: [targeting('offering/free')],
      effect: { kind: 'percentage_surcharge', percent: 10, per: 'unit' },
    }),
    anAdjustment({
      id: 'bundle',
      priority: 1,
      effectBase: 'current-price',
      effect: { kind: 'fixed_price', amount: 3000, currency: 'EUR', per: 'order' },
    }),
    anAdjustment({
      id: 'given-away',
      effectBase: 'current-price',
      targets: [targeting('offering/free')],
      effect: off(100, 'order'),
    }),
  ]);
  const request = { lines: [aLine('paid', 5000, 1), aLine('free', 1000, 1)], cartContext: {} };
  const { summary, lines } = priceCart(snapshot, request, OPTIONS);
  expect(lines[1]?.perUnitModifiers).toMatchObject([{ adjustmentId: 'fee' }]);
  expect(summary.total).toBe(2459); // 30.00 x 50.00 / 61.00; with half off it would be 30.00 x 50.00 / 55.00 = 27.27
});

test('with too many competitors to try every combination, no single change would make the order cheaper', () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    anAdjustment({
      id: `adj_${index}`,
      category: `category-${index % 6}`,
      stacking: 'replace-within-category',
      effectBase: index % 2 === 0 ? 'current-price' : 'list-price',
      priority: (index * 7) % 11,
      effect: off(1 + ((index * 13) % 17), index % 4 === 0 ? 'order' : 'unit'),
    }),
  );
  const lines = linesOf({ lines: [aLine('off_1', 9999, 3)], cartContext: {} });
  const candidates = new CompanySnapshot(many).candidates(lines);
  const { selection, replaced } = replaceWithinCategory(lines, candidates);
  const { total } = runCascade(lines, selection);
  const kept = [...selection.perUnit.flat(), ...selection.perOrder];
  expect(kept.length + replaced.size).toBe(60);
  for (const loser of replaced.keys()) {
    const { category } = loser.adjustment.source;
    const swapped = [...kept.filter((each) => each.adjustment.source.category !== category), loser].toSorted(
      (a, b) => a.adjustment.position - b.adjustment.position,
    );
    const perUnit = [swapped.filter(({ adjustment }) => adjustment.perUnit)];
    const perOrder = swapped.filter(({ adjustment }) => !adjustment.perUnit);
    expect(runCascade(lines, { perUnit, perOrder }).total).toBeGreaterThanOrEqual(total);
  }
});
