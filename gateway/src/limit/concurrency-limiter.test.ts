import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

const newLimiter = () => createConcurrencyLimiter({ service: 'commerce', inFlightMax: 8 });

/** The error code for each of `count` requests of the company; undefined for those that may go on. */
function codesOf(limiter: ReturnType<typeof newLimiter>, company: string, count: number): (string | undefined)[] {
  return Array.from({ length: count }, () => {
    try {
      limiter.enter(company);
      return undefined;
    } catch (error) {
      return (error as { code: string }).code;
    }
  });
}

const ENTERED = Array<undefined>(4).fill(undefined);

test('a company gets 429 above half of the requests in flight, and another company is admitted', () => {
  const limiter = newLimiter();
  expect(codesOf(limiter, 'a', 5)).toEqual([...ENTERED, 'RATE_LIMITED']);
  expect(codesOf(limiter, 'b', 1)).toEqual([undefined]);
});

test('a company below its share gets 503 when the service is at its limit', () => {
  const limiter = newLimiter();
  expect(codesOf(limiter, 'a', 4)).toEqual(ENTERED);
  expect(codesOf(limiter, 'b', 4)).toEqual(ENTERED);
  expect(codesOf(limiter, 'c', 1)).toEqual(['SERVICE_UNAVAILABLE']);
});

test('a request that leaves frees a slot for another, and a refused one takes none', () => {
  const limiter = newLimiter();
  codesOf(limiter, 'a', 10);
  limiter.leave('a');
  expect(codesOf(limiter, 'a', 2)).toEqual([undefined, 'RATE_LIMITED']);
  for (let n = 0; n < 4; n++) limiter.leave('a');
  expect(codesOf(limiter, 'b', 5)).toEqual([...ENTERED, 'RATE_LIMITED']);
  expect(codesOf(limiter, 'a', 5)).toEqual([...ENTERED, 'RATE_LIMITED']);
});
