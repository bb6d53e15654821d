import { expect, it } from 'vitest';
import { distance, minorUnitsOf, typedAmount } from './format.ts';

it.each([
  ['49.90', 'EUR', 4990],
  ['49,9', 'EUR', 4990],
  ['50', 'EUR', 5000],
  ['0.29', 'EUR', 29],
  ['1.234', 'KWD', 1234],
  ['500', 'JPY', 500],
])('%s %s is %i minor units', (typed, currency, amount) => {
  expect(minorUnitsOf(typed, currency)).toBe(amount);
});

it.each([
  ['49.999', 'EUR'],
  ['5.5', 'JPY'],
  ['-5', 'EUR'],
  ['5 euros', 'EUR'],
  ['', 'EUR'],
])('%j is no amount of %s', (typed, currency) => {
  expect(minorUnitsOf(typed, currency)).toBeUndefined();
});

it('an amount is shown in a field as it can be typed', () => {
  for (const [amount, currency] of [
    [4990, 'EUR'],
    [500, 'JPY'],
  ] as const) {
    expect(minorUnitsOf(typedAmount(amount, currency), currency)).toBe(amount);
  }
});

it('tells how far away a time is in the largest unit that fits', () => {
  expect(distance(0, 3 * 86_400_000)).toBe('in 3 days');
  expect(distance(90 * 60_000, 0)).toBe('2 hours ago');
  expect(distance(0, 30_000)).toBe('in 30 seconds');
});
