import { weekText } from './condition-text.ts';
import { isCurrencyCode, minorUnitDigits } from '@event-commerce/money';
import { expect, it } from 'vitest';
import { distance, minorUnitsOf, money, time, timeLeft, typedAmount } from './format.ts';

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
])('%j is not an amount of %s', (typed, currency) => {
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

it('every currency has the decimals that the platform counts by', () => {
  for (const code of Intl.supportedValuesOf('currency').filter(isCurrencyCode)) {
    const digits = minorUnitDigits(code);
    const [, decimals = ''] = /\.(\d+)$/.exec(money(123_456, code)) ?? [];
    expect([code, decimals.length, minorUnitsOf('5', code)]).toEqual([code, digits, 5 * 10 ** digits]);
  }
  expect(typedAmount(1_990_000, 'HUF')).toBe('19900.00');
});

it('a time names its zone, which is UTC if the event has none', () => {
  expect(time('2027-07-10T18:00:00Z', 'Europe/Berlin').replace(/\s/g, ' ')).toBe('Jul 10, 2027, 8:00 PM GMT+2');
  expect(time('2027-07-10T18:00:00Z').replace(/\s/g, ' ')).toBe('Jul 10, 2027, 6:00 PM UTC');
});

it('shows how far away a time is in the largest unit that fits', () => {
  expect(distance(0, 3 * 86_400_000)).toBe('in 3 days');
  expect(distance(90 * 60_000, 0)).toBe('2 hours ago');
  expect(distance(0, 30_000)).toBe('in 30 seconds');
});

it.each([
  [-1, '0:00'],
  [59_001, '1:00'],
  [899_000, '14:59'],
  [3_600_000, '1:00:00'],
  [90_061_000, '1 day 1:01:01'],
])('%i ms are left as %s', (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});

it('times of the week are shown by runs of days', () => {
  const at = { from: '17:00', to: '19:00', timezone: 'Europe/Berlin' };
  const text = (...days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[]) =>
    weekText({ recurring: [{ days, ...at }] }).replace(' 17:00–19:00 (Europe/Berlin)', '');
  expect(text('fri', 'mon', 'tue', 'wed', 'thu')).toBe('Mon–Fri');
  expect(text('sat', 'sun')).toBe('Sat, Sun');
  expect(text('mon', 'wed', 'fri')).toBe('Mon, Wed, Fri');
  expect(text('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun')).toBe('daily');
  expect(weekText({})).toBe('');
});
