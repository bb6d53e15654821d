import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocate, isCurrencyCode, isExactPercent, percentOf, percentUnits, prorate } from './index.ts';

const amounts = fc.maxSafeInteger();
const units = fc.integer({ min: 0, max: 1_000_000 });

describe('percentOf', () => {
  test('is the exact share, half away from zero', () => {
    expect(percentOf(5, percentUnits(10))).toBe(1); // 0.5 -> 1
    expect(percentOf(-5, percentUnits(10))).toBe(-1);
    expect(percentOf(4, percentUnits(10))).toBe(0);
    expect(percentOf(1999, percentUnits(12.5))).toBe(250); // 249.875
  });

  test('is never more than half a minor unit from the exact share, for every safe integer', () => {
    fc.assert(
      fc.property(amounts, units, (amount, share) => {
        const doubledError = BigInt(percentOf(amount, share)) * 2_000_000n - BigInt(amount) * BigInt(share) * 2n;
        const magnitude = doubledError < 0n ? -doubledError : doubledError;
        expect(magnitude <= 1_000_000n).toBe(true);
      }),
    );
  });

  test('rounds a discount and a surcharge of the same size alike', () => {
    fc.assert(
      fc.property(amounts, units, (amount, share) => {
        expect(percentOf(-amount, share) + percentOf(amount, share)).toBe(0);
      }),
    );
  });
});

test('a percentage with four decimals is exact, one with five is not', () => {
  fc.assert(fc.property(units, (share) => isExactPercent(share / 10_000) && percentUnits(share / 10_000) === share));
  expect(isExactPercent(12.34567)).toBe(false);
});

describe('allocate', () => {
  const weights = fc.array(fc.nat(), { minLength: 1, maxLength: 20 });

  test('parts add up to the whole', () => {
    fc.assert(
      fc.property(amounts, weights, (amount, parts) => {
        expect(allocate(amount, parts).reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(amount));
      }),
    );
  });

  test('a part without weight gets nothing while another has weight', () => {
    expect(allocate(100, [0, 1, 0])).toEqual([0, 100, 0]);
  });
});

test('currency codes are those of ISO 4217 that are used for payments', () => {
  expect(isCurrencyCode('EUR')).toBe(true);
  expect(isCurrencyCode('eur')).toBe(false);
  for (const none of ['ABC', 'XXX', 'XTS', 'XAU', 'XDR']) expect(isCurrencyCode(none)).toBe(false);
  for (const fund of ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW']) {
    expect(isCurrencyCode(fund)).toBe(false);
  }
  for (const withdrawn of ['ANG', 'BGN', 'CUC', 'HRK', 'DEM']) expect(isCurrencyCode(withdrawn)).toBe(false);
  for (const shared of ['XAF', 'XOF', 'XPF', 'XCD', 'XCG']) expect(isCurrencyCode(shared)).toBe(true);
});

describe('prorate', () => {
  test('is the exact part, half away from zero', () => {
    expect(prorate(-302, 2, 3)).toBe(-201);
    expect(prorate(-5, 1, 2)).toBe(-3);
    expect(prorate(5, 1, 2)).toBe(3);
    expect(prorate(0, 1, 2)).toBe(0);
  });

  test('of all units is the whole, and of more units never less', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 1_000_000 }), fc.nat(), (amount, whole, n) => {
        expect(prorate(amount, whole, whole)).toBe(amount);
        const part = n % whole;
        const step = prorate(amount, part + 1, whole) - prorate(amount, part, whole);
        expect(Math.sign(step) * Math.sign(amount)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
