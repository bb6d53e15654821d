import type { Adjustment } from '@event-commerce/contracts';
import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aLine, anAdjustment, OPTIONS, someAdjustments, targeting } from '../adjustments.fixture.ts';
import type { Candidate, Line } from '../candidate.ts';
import { runCascade, runPerUnit } from '../cascade.ts';
import { priceCart } from '../price.ts';
import { CompanySnapshot } from '../../../snapshot/domain/snapshot.ts';
import { lowestByTryingAll } from './lowest-by-trying-all.fixture.ts';
import { replaceWithinCategory } from './replace-within-category.ts';

/** `each` competitors for every ticket in each of `categories`, with effects of every kind. */
function competitors(categories: number, each: number, per: 'unit' | 'any'): fc.Arbitrary<Adjustment[]> {
  const count = categories * each;
  const stacking: Adjustment['stacking'][] = ['replace-within-category'];
  return someAdjustments(count, { minLength: count, conditions: 'none', atListing: false, stacking }).map((all) =>
    all.map((one, index) => ({
      ...one,
      status: 'active',
      category: `category-${index % categories}`,
      targets: [targeting('event/*')],
      effect: per === 'unit' && one.effect.kind !== 'buy_x_get_y' ? { ...one.effect, per } : one.effect,
    })),
  );
}

function someLines(count: number): fc.Arbitrary<Line[]> {
  const line = fc.record({ price: fc.integer({ min: 3000, max: 20_000 }), quantity: fc.integer({ min: 1, max: 4 }) });
  return fc.array(line, { minLength: count, maxLength: count }).map((all) =>
    all.map(({ price, quantity }, index) => ({
      index,
      offeringId: `off_${index}`,
      contexts: ['event/evt_1'],
      tags: [],
      basePrice: price,
      listPrice: price,
      quantity,
    })),
  );
}

function lowestFound(lines: readonly Line[], candidates: readonly Candidate[]): number {
  return runCascade(lines, replaceWithinCategory(lines, candidates).selection).total;
}

test.each([
  { categories: 4, each: 4, per: 'unit', lines: 1 },
  { categories: 8, each: 2, per: 'unit', lines: 1 },
  { categories: 5, each: 3, per: 'unit', lines: 1 },
  { categories: 4, each: 4, per: 'any', lines: 1 },
  { categories: 8, each: 2, per: 'any', lines: 1 },
  { categories: 4, each: 2, per: 'any', lines: 2 },
] as const)(
  '$each rivals in each of $categories categories ($per) on $lines line(s): the lowest of all totals is found',
  ({ categories, each, per, lines: count }) => {
    fc.assert(
      fc.property(competitors(categories, each, per), someLines(count), (all, lines) => {
        const candidates = new CompanySnapshot(all).candidates(lines);
        expect(lowestFound(lines, candidates)).toBe(lowestByTryingAll(lines, candidates));
      }),
      { numRuns: proofSize(100, 300) },
    );
  },
);

test('with any number of categories, a worthless one raises no price', () => {
  const rival = (
    id: string,
    category: string,
    priority: number,
    effectBase: Adjustment['effectBase'],
    effect: Adjustment['effect'],
  ): Adjustment => anAdjustment({ id, category, priority, effectBase, effect, stacking: 'replace-within-category' });
  const amountOff = (amount: number): Adjustment['effect'] => ({ kind: 'amount_off', amount, per: 'unit' });
  const percentOff = (percent: number): Adjustment['effect'] => ({
    kind: 'percentage_off',
    percent,
    per: 'unit',
  });
  const two = [
    rival('p0', 'p', 0, 'current-price', amountOff(4000)),
    rival('p1', 'p', 1, 'list-price', amountOff(4500)),
    rival('q0', 'q', 2, 'list-price', percentOff(30)),
    rival('q1', 'q', 1, 'current-price', percentOff(50)),
  ];
  const totalWith = (more: number): number => {
    const cents = Array.from({ length: 2 * more }, (_, n) =>
      rival(`z${n}`, `cents-${n % more}`, -9, 'list-price', amountOff(1)),
    );
    const request = { lines: [aLine('off_1', 10_000, 1)], cartContext: {} };
    return priceCart(new CompanySnapshot([...two, ...cents]), request, OPTIONS).summary.total;
  };
  for (const more of [0, 5, 6, 9]) expect(totalWith(more)).toBe(1000 - more);
});

test('no effect turns a lower price into a higher result than a higher price', () => {
  const price = fc.integer({ min: 0, max: 20_000 });
  fc.assert(
    fc.property(competitors(1, 20, 'unit'), someLines(1), price, price, (all, lines, one, other) => {
      const [line] = lines;
      for (const candidate of new CompanySnapshot(all).candidates(lines)) {
        if (line === undefined || !candidate.adjustment.perUnit) continue;
        const after = (total: number): number => runPerUnit(line, [candidate], undefined, { total, idle: 0 }).total;
        expect(after(Math.min(one, other))).toBeLessThanOrEqual(after(Math.max(one, other)));
      }
    }),
  );
});

test('each competitor counts or is replaced, even with more than the search follows', () => {
  fc.assert(
    fc.property(competitors(20, 5, 'any'), someLines(2), (all, lines) => {
      const candidates = new CompanySnapshot(all).candidates(lines);
      const { selection, replaced } = replaceWithinCategory(lines, candidates);
      const counting = new Set([...selection.perUnit.flat(), ...selection.perOrder]);
      expect(counting.size + replaced.size).toBe(all.length);
    }),
    { numRuns: 5 },
  );
});
