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

test('what arrives while a batch runs is one batch after it, and other keys do not wait', async () => {
  const { batches, submit } = controlled();
  const results = [submit('a', 1), submit('a', 2), submit('a', 3), submit('b', 4)];
  expect(batches.map(({ key, batch }) => [key, batch])).toEqual([
    ['a', [1]],
    ['b', [4]],
  ]);
  batches[0]?.finish();
  await turn();
  expect(batches[2]).toMatchObject({ key: 'a', batch: [2, 3] });
  batches[1]?.finish();
  batches[2]?.finish();
  expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'b4']);
});

test('a batch that fails fails its requests only', async () => {
  const { batches, submit } = controlled();
  const first = submit('a', 1);
  const second = submit('a', 2);
  batches[0]?.fail(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await turn();
  batches[1]?.finish();
  expect(await second).toBe('a2');
});

test('more than may wait are refused at once', async () => {
  const { batches, submit } = controlled();
  const all = Array.from({ length: 2_002 }, (_, n) => submit('a', n));
  const [last] = all.slice(-1);
  await expect(last).rejects.toThrow(PlatformError);
  for (let n = 0; n < 11; n++) {
    batches[n]?.finish();
    await turn();
  }
  expect(await Promise.all(all.slice(0, -1))).toHaveLength(2_001);
  expect(Math.max(...batches.map(({ batch }) => batch.length))).toBe(200);
});
