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

test('an error of one item is its own, one of the run is everybody’s, and the next run goes ahead', async () => {
  const { call, nextRun } = held();
  const calls = [call(1), call(2)];
  (await nextRun(1))?.end([new Error('not this one'), 2]);
  expect(await Promise.allSettled(calls)).toMatchObject([{ reason: { message: 'not this one' } }, { value: 2 }]);

  const failing = inBatches<number, number>(async () => Promise.reject(new Error('the database is away')));
  const failed = await Promise.allSettled([failing(1), failing(2)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(failing(3)).rejects.toThrow('the database is away');
});

test('a run that never ends is given up in time, and those who wait behind it go ahead', async () => {
  const runs: (readonly number[])[] = [];
  const call = inBatches((items: readonly number[]) => {
    runs.push(items);
    return runs.length === 1 ? new Promise<never>(() => {}) : Promise.resolve(items);
  }, 20);
  const stuck = call(1);
  await expect.poll(() => runs.length, { interval: 1 }).toBe(1);
  const behind = call(2);
  await expect(stuck).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', statusCode: 503 });
  expect(await behind).toBe(2);
});
