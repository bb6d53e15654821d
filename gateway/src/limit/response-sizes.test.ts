import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createResponseSizes } from './response-sizes.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const MEBIBYTE = 2 ** 20;

test('nothing is known of a kind that had no response', () => {
  const sizes = createResponseSizes();
  sizes.note('a list', 1_000);
  expect(sizes.expected('another list')).toBeUndefined();
});

test('after a large response, no number of small ones makes another large one less likely', () => {
  const sizes = createResponseSizes();
  sizes.note('a list', MEBIBYTE);
  for (let n = 0; n < 1_000; n++) sizes.note('a list', 100);
  expect(sizes.expected('a list')).toBe(MEBIBYTE);
});

test('a large response is forgotten in time, and small ones count again', () => {
  const sizes = createResponseSizes();
  sizes.note('a list', MEBIBYTE);
  vi.advanceTimersByTime(10_000);
  expect(sizes.expected('a list')).toBe(MEBIBYTE / 2);
  vi.advanceTimersByTime(10 * 60_000);
  sizes.note('a list', 100);
  expect(sizes.expected('a list')).toBe(100);
});
