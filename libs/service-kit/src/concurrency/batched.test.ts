import { setImmediate as turn } from 'node:timers/promises';
import { PlatformError } from '@event-commerce/contracts';
import fc from 'fast-check';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { batched, LATER } from './batched.ts';

/** Batches that end when the test says so. */
function held() {
  const runs: { items: readonly number[]; end: (results?: readonly (number | Error)[]) => void }[] = [];
  const call = batched(
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

test('calls made during a run share the next one, and each gets its own result', async () => {
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

test('an error that a run returns for one item fails only that item', async () => {
  const { call, nextRun } = held();
  const calls = [call(1), call(2)];
  (await nextRun(1))?.end([new Error('not this one'), 2]);
  expect(await Promise.allSettled(calls)).toMatchObject([{ reason: { message: 'not this one' } }, { value: 2 }]);
});

test('only the items that make a run fail are rejected, however many they are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(99), { maxLength: 20 }), async (culprits) => {
      let runs = 0;
      const call = batched(async (items: readonly number[]) => {
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

test('an outage fails all items, is not retried, and the next run starts', async () => {
  let runs = 0;
  const call = batched<number, number>(async () => {
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

test('a large item delays nobody, and waits for nobody', async () => {
  const runs: { items: readonly number[]; end: () => void }[] = [];
  const call = batched(
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

test('a run that never ends is abandoned in time, and the calls behind it continue', async () => {
  const runs: (readonly number[])[] = [];
  const call = batched(
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

/** Runs by key that end on command. */
function controlled() {
  const batches: { key: string; batch: readonly number[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const submit = batched<{ of: string; n: number }, string>(
    (items, key) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>();
      const finish = () => resolve(items.map(({ n }) => `${key}${n}`));
      batches.push({ key, batch: items.map(({ n }) => n), finish, fail: reject });
      return promise;
    },
    { key: ({ of }) => of, itemsMax: 200, waitingMax: 2_000 },
  );
  return { batches, submit: async (of: string, n: number) => submit({ of, n }) };
}

test('calls from one turn are one batch of their key, and so are those made while it runs; other keys do not wait', async () => {
  const { batches, submit } = controlled();
  const results = [submit('a', 1), submit('a', 2), submit('b', 3)];
  await turn();
  expect(batches.map(({ key, batch }) => [key, batch])).toEqual([
    ['a', [1, 2]],
    ['b', [3]],
  ]);
  results.push(submit('a', 4));
  await turn();
  results.push(submit('a', 5));
  await turn();
  expect(batches).toHaveLength(2);
  batches[0]?.finish();
  await expect.poll(() => batches[2]).toMatchObject({ key: 'a', batch: [4, 5] });
  batches[1]?.finish();
  batches[2]?.finish();
  expect(await Promise.all(results)).toEqual(['a1', 'a2', 'b3', 'a4', 'a5']);
});

test('a batch that fails fails its requests only', async () => {
  const { batches, submit } = controlled();
  const first = submit('a', 1);
  await turn();
  const second = submit('a', 2);
  batches[0]?.fail(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => batches).toHaveLength(2);
  batches[1]?.finish();
  expect(await second).toBe('a2');
});

test('a request that makes its batch fail is rejected alone, and runs of one key never overlap', async () => {
  let running = 0;
  const submit = batched<number, number>(
    async (items) => {
      running += 1;
      expect(running).toBe(1);
      await turn();
      running -= 1;
      if (items.includes(7)) throw new RangeError('cannot be written');
      return items;
    },
    { key: () => 'a', itemsMax: 5 },
  );
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => submit(n)));
  expect(outcomes.flatMap((outcome, n) => (outcome.status === 'rejected' ? [n] : []))).toEqual([7]);
});

test('calls above the limit of a key are refused at once', async () => {
  const { batches, submit } = controlled();
  const all = Array.from({ length: 2_001 }, (_, n) => submit('a', n));
  const [last] = all.slice(-1);
  await expect(last).rejects.toThrow(PlatformError);
  for (let n = 0; n < 10; n++) {
    await expect.poll(() => batches.length).toBe(n + 1);
    batches[n]?.finish();
  }
  expect(await Promise.all(all.slice(0, -1))).toHaveLength(2_000);
  expect(Math.max(...batches.map(({ batch }) => batch.length))).toBe(200);
});

test('without a key, everything that waits runs at once, in full batches', async () => {
  const { call, runs, nextRun } = held();
  const first = call(0);
  await nextRun(1);
  const behind = Array.from({ length: 250 }, async (_, n) => call(n));
  runs[0]?.end();
  await first;
  await nextRun(4);
  expect(runs.map(({ items }) => items.length)).toEqual([1, 100, 100, 50]);
  for (const run of runs) run.end();
  expect(await Promise.all(behind)).toHaveLength(250);
});

test('a run that returns too few outcomes fails its items', async () => {
  const call = batched<number, number>(async (items) => items.slice(1));
  await expect(call(1)).rejects.toThrow(TypeError);
});

test('items that a run leaves for later lead the next one, before newer ones', async () => {
  const batches: (readonly number[])[] = [];
  const submit = batched<number, number>(
    async (items) => {
      batches.push(items);
      await turn();
      return items.map((item, index) => (index < 2 ? item * 10 : LATER));
    },
    { key: () => 'a' },
  );
  const results = [1, 2, 3, 4, 5].map(async (item) => submit(item));
  await turn();
  results.push(submit(6));
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60]);
  expect(batches).toEqual([
    [1, 2, 3, 4, 5],
    [3, 4, 5, 6],
    [5, 6],
  ]);
});
