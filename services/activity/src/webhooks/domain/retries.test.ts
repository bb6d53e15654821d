import { expect, test } from 'vitest';
import { probeDelayMs, retryDelayMs } from './retries.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
].map((delayMs, n) => [n + 1, delayMs] as const);

test.each(DELAYS)('after failure %i, an event is retried after %i ms, spread by a fifth', (failures, delayMs) => {
  expect(retryDelayMs(failures, 0, 0.5)).toBe(delayMs);
  expect(retryDelayMs(failures, 0, 0)).toBeCloseTo(delayMs * 0.8);
  expect(retryDelayMs(failures, 0, 1)).toBeCloseTo(delayMs * 1.2);
  for (let n = 0; n < 100; n++) {
    const spread = (retryDelayMs(failures) ?? 0) / delayMs;
    expect(spread).toBeGreaterThanOrEqual(0.8);
    expect(spread).toBeLessThanOrEqual(1.2);
  }
});

test('an event is given up when its ninth retry has failed, whatever the endpoint asks for', () => {
  expect(retryDelayMs(10)).toBeUndefined();
  expect(retryDelayMs(10, HOUR)).toBeUndefined();
});

test('the endpoint may ask for a longer delay, of at most an hour, and never for a shorter one', () => {
  expect(retryDelayMs(1, 20 * SECOND)).toBe(20 * SECOND);
  expect(retryDelayMs(1, HOUR)).toBe(HOUR);
  expect(retryDelayMs(1, 24 * HOUR)).toBe(HOUR);
  expect(retryDelayMs(1, 1, 0.5)).toBe(5 * SECOND);
  expect(retryDelayMs(9, 24 * HOUR, 0.5)).toBe(24 * HOUR);
});

test('an endpoint that is down is probed after a second, then after twice as long each time, and finally every five minutes', () => {
  expect([1, 2, 3, 9, 10, 100].map(probeDelayMs)).toEqual([
    SECOND,
    2 * SECOND,
    4 * SECOND,
    256 * SECOND,
    5 * MINUTE,
    5 * MINUTE,
  ]);
});
