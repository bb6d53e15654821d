import { setImmediate as turn } from 'node:timers/promises';
import { PlatformError } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { coalesceByKey } from './coalesce-by-key.ts';

/** Batches that end when they are told to. */
function controlled() {
  const batches: { key: string; batch: readonly number[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const submit = coalesceByKey<number, string>((key, batch) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ result: string }[]>();
    const finish = () => resolve(batch.map((request) => ({ result: `${key}${request}` })));
    batches.push({ key, batch: [...batch], finish, fail: reject });
    return promise;
  });
  return { batches, submit };
}

test('what arrives in one turn is one batch, and so is what arrives while it runs; other keys do not wait', async () => {
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

test('a request that makes its batch fail, fails alone, and the others never run at the same time', async () => {
  let running = 0;
  const submit = coalesceByKey<number, number>(async (_key, batch) => {
    running += 1;
    expect(running).toBe(1);
    await turn();
    running -= 1;
    if (batch.includes(7)) throw new RangeError('cannot be written');
    return batch.map((result) => ({ result }));
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => submit('a', n)));
  expect(outcomes.flatMap((outcome, n) => (outcome.status === 'rejected' ? [n] : []))).toEqual([7]);
});

test('more than may wait are refused at once', async () => {
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

test('requests that a batch leaves for later lead the next one, before those that came meanwhile', async () => {
  const batches: (readonly number[])[] = [];
  const submit = coalesceByKey<number, number>(async (_key, batch) => {
    batches.push([...batch]);
    await turn();
    return batch.map((request, index) => (index < 2 ? { result: request * 10 } : undefined));
  });
  const results = [1, 2, 3, 4, 5].map(async (request) => submit('a', request));
  await turn();
  results.push(submit('a', 6));
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60]);
  expect(batches).toEqual([
    [1, 2, 3, 4, 5],
    [3, 4, 5, 6],
    [5, 6],
  ]);
});
