import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chargeOf } from './line-charges.ts';

const share = (adjustmentId: string, total: number) => ({ adjustmentId, name: adjustmentId, total });

const line = fc
  .record({
    quantity: fc.integer({ min: 1, max: 60 }),
    unitPrice: fc.nat(10_000),
    cuts: fc.array(fc.nat(1_000), { maxLength: 4 }),
    withheld: fc.nat(5_000),
    stated: fc.integer({ min: -500, max: 5_000 }),
  })
  .map(({ quantity, unitPrice, cuts, withheld, stated }) => {
    // Adjustments take no more than there is.
    let left = unitPrice * quantity;
    const shares = cuts.map((cut, n) => {
      const total = -Math.min(left, cut * quantity);
      left += total;
      return share(`adj_${n}`, total);
    });
    return { unitPrice, bought: { quantity, shares, withheld, charged: Math.max(0, left + withheld + stated) } };
  });

test('all tickets of a line cost what was charged, zero tickets cost nothing, and more never cost less', () => {
  fc.assert(
    fc.property(line, (bought) => {
      const { quantity, charged } = bought.bought;
      expect(chargeOf(bought, quantity).charged).toBe(charged);
      expect(chargeOf(bought, 0)).toEqual({ charged: 0, shares: [], withheld: 0 });
      for (let remaining = 1; remaining <= quantity; remaining++) {
        expect(chargeOf(bought, remaining).charged).toBeGreaterThanOrEqual(chargeOf(bought, remaining - 1).charged);
      }
    }),
  );
});

test('tickets returned in any steps refund exactly what was paid, for each promotion too', () => {
  fc.assert(
    fc.property(line, fc.array(fc.nat()), (bought, steps) => {
      const { quantity, charged, shares } = bought.bought;
      const remaining = [...new Set(steps.map((n) => n % quantity))].toSorted((a, b) => b - a);
      let before = chargeOf(bought, quantity);
      let paidBack = 0;
      for (const left of [...remaining, 0]) {
        const after = chargeOf(bought, left);
        paidBack += before.charged - after.charged;
        before = after;
      }
      expect(paidBack).toBe(charged);
      const half = chargeOf(bought, quantity >> 1);
      const { unitPrice } = bought;
      const stated = charged - unitPrice * quantity - shares.reduce((sum, { total }) => sum + total, 0);
      if (stated === bought.bought.withheld) {
        const parts = half.shares.reduce((sum, { total }) => sum + total, half.withheld);
        expect(unitPrice * (quantity >> 1) + parts).toBe(half.charged);
      }
    }),
  );
});

test('a promotion keeps its part of what remains', () => {
  const yen = { unitPrice: 1_005, bought: { quantity: 3, charged: 2_713, shares: [share('adj', -302)], withheld: 0 } };
  expect([3, 2, 1, 0].map((remaining) => chargeOf(yen, remaining).charged)).toEqual([2_713, 1_809, 904, 0]);
  expect(chargeOf(yen, 2).shares).toEqual([share('adj', -201)]);
});
