import { expect, test } from 'vitest';
import { formatMoney } from './format-money.ts';

test.each([
  [3250, 'EUR', '32.50 EUR'],
  [5, 'EUR', '0.05 EUR'],
  [0, 'EUR', '0.00 EUR'],
  [-1, 'EUR', '-0.01 EUR'],
  [1500, 'JPY', '1500 JPY'],
  [1, 'KWD', '0.001 KWD'],
  [Number.MAX_SAFE_INTEGER, 'EUR', '90071992547409.91 EUR'],
])('%i minor units of %s are written %s', (amount, currency, written) => {
  expect(formatMoney(amount, currency)).toBe(written);
});
