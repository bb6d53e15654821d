import { expect, test } from 'vitest';
import { forEachInParts } from './in-parts.ts';

test('work is done for every item, few at a time, and a failure prevents no other', async () => {
  const done: number[] = [];
  let [running, most] = [0, 0];
  const all = Array.from({ length: 120 }, (_, n) => n);
  const working = forEachInParts(all, async (n) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (n === 7 || n === 70) throw new Error(`failed for ${n}`);
    done.push(n);
  });
  await expect(working).rejects.toThrow('failed for 7');
  expect(done).toEqual(all.filter((n) => n !== 7 && n !== 70));
  expect(most).toBe(50);
});
