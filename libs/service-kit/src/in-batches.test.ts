import fc from 'fast-check';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { inBatches } from './in-batches.ts';

/** Batches that end when the test says so. */
function held() {
  const runs: { items: readonly number[]; end: (results?: readonly (number | Error)[]) => void }[] = [];
  const call = inBatches(
    (items: readonly number[]) =>
      new Promise<readonly (number | Error)[]>((resolve) => {
        runs.push({ items, end: (results = items.map((item) => item * 10)) => resolve(results) });
      }),
  );
  const nextRun = async (n: number) => {
    await expect.poll(() => runs.length, { interval: 1 }).toBe(n);
    return runs[n - 1];
  };
  return { call, runs, nextRun };
}

test('what comes while a run is under way goes together with the next one, and each call gets its own result', async () => {
  const { call, nextRun } = held();
  const first = call(1);
  const firstRun = await nextRun(1);
  const later = [call(2), call(3)];
  firstRun?.end();
  expect(await first).toBe(10);
  const secondRun = await nextRun(2);
  expect(secondRun?.items).toEqual([2, 3]);
  secondRun?.end();
  expect(await Promise.all(later)).toEqual([20, 30]);
});

test('an error that a run answers for one item is that item’s own', async () => {
  const { call, nextRun } = held();
  const calls = [call(1), call(2)];
  (await nextRun(1))?.end([new Error('not this one'), 2]);
  expect(await Promise.allSettled(calls)).toMatchObject([{ reason: { message: 'not this one' } }, { value: 2 }]);
});

test('items that make a whole run fail, fail alone, whichever and however many they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(99), { maxLength: 20 }), async (culprits) => {
      let runs = 0;
      const call = inBatches(async (items: readonly number[]) => {
        runs += 1;
        const culprit = items.find((item) => culprits.includes(item));
        if (culprit !== undefined) throw new RangeError(`cannot serialise ${culprit}`);
        return items.map((item) => item * 10);
      });
      const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => call(n)));
      for (const [n, outcome] of outcomes.entries()) {
        if (culprits.includes(n)) expect(outcome).toMatchObject({ reason: { message: `cannot serialise ${n}` } });
        else expect(outcome).toEqual({ status: 'fulfilled', value: n * 10 });
      }
      // Halving finds a culprit of 100 in at most 7 steps of two runs.
      expect(runs).toBeLessThanOrEqual(1 + culprits.length * 14);
    }),
  );
});

test('an outage is everybody’s, nothing is run again for it, and the next run goes ahead', async () => {
  let runs = 0;
  const call = inBatches<number, number>(async () => {
    runs += 1;
    throw new mongoose.mongo.MongoNetworkError('connection closed');
  });
  const failed = await Promise.allSettled([call(1), call(2)]);
  expect(failed).toMatchObject([
    { reason: { message: 'connection closed' } },
    { reason: { message: 'connection closed' } },
  ]);
  await expect(call(3)).rejects.toThrow('connection closed');
  expect(runs).toBe(2);
});

test('a large item keeps nobody waiting, and waits for nobody', async () => {
  const runs: { items: readonly number[]; end: () => void }[] = [];
  const call = inBatches(
    (items: readonly number[]) => new Promise<readonly number[]>((end) => runs.push({ items, end: () => end(items) })),
    { isLarge: (item) => item > 100 },
  );
  const large = call(101);
  const small = [call(1), call(2)];
  await expect.poll(() => runs.map(({ items }) => items), { interval: 1 }).toEqual([[101], [1, 2]]);
  runs[1]?.end();
  expect(await Promise.all(small)).toEqual([1, 2]);
  runs[0]?.end();
  expect(await large).toBe(101);
});

test('a run that never ends is given up in time, and those who wait behind it go ahead', async () => {
  const runs: (readonly number[])[] = [];
  const call = inBatches(
    (items: readonly number[]) => {
      runs.push(items);
      return runs.length === 1 ? new Promise<never>(() => {}) : Promise.resolve(items);
    },
    { timeoutMs: 20 },
  );
  const stuck = call(1);
  await expect.poll(() => runs.length, { interval: 1 }).toBe(1);
  const behind = call(2);
  await expect(stuck).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', statusCode: 503 });
  expect(await behind).toBe(2);
});
