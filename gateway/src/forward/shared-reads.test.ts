import { expect, test } from 'vitest';
import { sharedReads } from './shared-reads.ts';

/** Reads of a changing value, each of which ends when the test says so. */
function underTest() {
  const shared = sharedReads();
  const reads: ((error?: Error) => void)[] = [];
  const state = { value: 0 };
  const read = async (key = 'a') =>
    shared(key, () => {
      const seen = state.value;
      return new Promise<number>((resolve, reject) =>
        reads.push((error) => (error === undefined ? resolve(seen) : reject(error))),
      );
    });
  return { read, reads, state };
}

test('reads that arrive during another share the next one, which sees what was written before they arrived', async () => {
  const { read, reads, state } = underTest();
  const first = read();
  state.value = 1;
  const later = [read(), read(), read()];
  reads[0]?.();
  expect(await first).toBe(0);
  await expect.poll(() => reads.length, { interval: 1 }).toBe(2);
  state.value = 2;
  const last = read();
  reads[1]?.();
  expect(await Promise.all(later)).toEqual([1, 1, 1]);
  await expect.poll(() => reads.length, { interval: 1 }).toBe(3);
  reads[2]?.();
  expect(await last).toBe(2);
});

test('reads of different keys are not shared', async () => {
  const { read, reads } = underTest();
  const both = [read('a'), read('b')];
  expect(reads.length).toBe(2);
  for (const end of reads) end();
  await Promise.all(both);
});

test('a failure reaches those that shared the read, and no later ones', async () => {
  const { read, reads } = underTest();
  const first = read();
  const later = [read(), read()];
  reads[0]?.(new Error('first'));
  await expect(first).rejects.toThrow('first');
  await expect.poll(() => reads.length, { interval: 1 }).toBe(2);
  reads[1]?.();
  expect(await Promise.all(later)).toEqual([0, 0]);
});

test('a slow read does not delay the next', async () => {
  const { read, reads } = underTest();
  const slow = read();
  const later = read();
  await expect.poll(() => reads.length, { interval: 1 }).toBe(2);
  reads[1]?.();
  expect(await later).toBe(0);
  reads[0]?.();
  expect(await slow).toBe(0);
});
