import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

test('the adjustments of all companies together use at most half of the heap by default', () => {
  const heapMiB = getHeapStatistics().heap_size_limit / 2 ** 20;
  expect(settings.shape.ADJUSTMENT_CACHE_MB.parse(undefined)).toBe(Math.floor(heapMiB / 2));
  expect(settings.shape.ADJUSTMENT_CACHE_MB.parse('300')).toBe(300);
});
