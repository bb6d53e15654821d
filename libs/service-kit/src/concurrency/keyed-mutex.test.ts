import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { keyedMutex } from './keyed-mutex.ts';

afterEach(() => vi.useRealTimers());

test('tasks of one key run one after another, even after a failed one, and those of other keys in parallel', async () => {
  const ordered = keyedMutex();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await turn();
    log.push(`${name} ends`);
    if (name === 'a1') throw new Error('a1 failed');
    return name;
  };
  const results = await Promise.allSettled([
    ordered('a', work('a1')),
    ordered('a', work('a2')),
    ordered('b', work('b1')),
    ordered('a', work('a3')),
  ]);
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))).toEqual([
    'Error: a1 failed',
    'a2',
    'b1',
    'a3',
  ]);
  expect(log.filter((line) => line.startsWith('a'))).toEqual(
    ['a1', 'a2', 'a3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  expect(log.indexOf('b1 begins')).toBeLessThan(log.indexOf('a1 ends'));
});

test('a task whose turn comes too late is not run, and the next one does not wait for it', async () => {
  vi.useFakeTimers();
  const ordered = keyedMutex({ waitsMaxMs: 1_000, tooLate: () => new Error('too late') });
  let end = () => {};
  const first = ordered('a', async () => new Promise<void>((resolve) => (end = resolve)));
  const late = vi.fn<() => Promise<string>>(async () => 'late');
  const second = ordered('a', late).catch(String);
  await vi.advanceTimersByTimeAsync(999);
  const third = ordered('a', async () => 'third');
  await vi.advanceTimersByTimeAsync(1);
  end();
  expect([await first, await second, await third]).toEqual([undefined, 'Error: too late', 'third']);
  expect(late).not.toHaveBeenCalled();
});
