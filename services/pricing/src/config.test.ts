import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

test('the adjustments of all companies together take half of the heap at most, unless the operator says otherwise', () => {
  const heapMiB = getHeapStatistics().heap_size_limit / 2 ** 20;
  expect(settings.shape.ADJUSTMENT_CACHE_MB.parse(undefined)).toBe(Math.floor(heapMiB / 2));
  expect(settings.shape.ADJUSTMENT_CACHE_MB.parse('300')).toBe(300);
});
