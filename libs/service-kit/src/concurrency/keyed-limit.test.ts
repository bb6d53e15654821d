import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { keyedLimit } from './keyed-limit.ts';

afterEach(() => vi.useRealTimers());

test('tasks of one key run up to the limit at the same time, in order of arrival, also after failed ones', async () => {
  const limited = keyedLimit(3);
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const work = (n: number) => async () => {
    begun.push(n);
    most = Math.max(most, (running += 1));
    await turn();
    running -= 1;
    if (n % 4 === 1) throw new Error(`${n} failed`);
    return n;
  };
  const numbers = Array.from({ length: 10 }, (_, n) => n);
  const results = await Promise.allSettled(numbers.map(async (n) => limited('a', work(n))));
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))).toEqual(
    numbers.map((n) => (n % 4 === 1 ? `Error: ${n} failed` : n)),
  );
  expect([begun, most]).toEqual([numbers, 3]);
});

test('tasks of one key do not wait for those of another', async () => {
  const limited = keyedLimit(2);
  const never = new Promise<never>(() => {});
  const running = Array.from({ length: 5 }, async () => limited('a', async () => never));
  expect(await limited('b', async () => 'b')).toBe('b');
  expect(running).toHaveLength(5);
});

test('a task whose turn comes too late is not run, and leaves its turn to the next one', async () => {
  vi.useFakeTimers();
  const limited = keyedLimit(2, { waitsMaxMs: 1_000, tooLate: () => new Error('too late') });
  const ends: (() => void)[] = [];
  const held = [1, 2].map(async () => limited('a', async () => new Promise<void>((resolve) => ends.push(resolve))));
  const late = vi.fn<() => Promise<void>>(async () => undefined);
  const waiting = [1, 2, 3].map(async () => limited('a', late).catch(String));
  await vi.advanceTimersByTimeAsync(999);
  const last = limited('a', async () => 'last');
  await vi.advanceTimersByTimeAsync(1);
  ends[0]?.();
  expect(await Promise.all([...waiting, last])).toEqual([
    ...Array.from({ length: 3 }, () => 'Error: too late'),
    'last',
  ]);
  expect(late).not.toHaveBeenCalled();
  ends[1]?.();
  await Promise.all(held);
});
