import { expect, test } from 'vitest';
import { fairTurns } from './fair-turns.ts';

test('keys take turns, each in its own order, whichever sends most', async () => {
  const inTurn = fairTurns();
  const order: string[] = [];
  const send = async (key: string, count: number) =>
    Promise.all(Array.from({ length: count }, async (_, n) => inTurn(key, () => order.push(`${key}${n}`))));
  await Promise.all([send('a', 4), send('b', 1), send('c', 2)]);
  expect(order).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', 'a2', 'a3']);
});

test('other work gets its turn between two tasks', async () => {
  const inTurn = fairTurns();
  const order: string[] = [];
  const works = Array.from({ length: 3 }, async (_, n) =>
    inTurn('a', () => {
      order.push(`work ${n}`);
      setImmediate(() => order.push(`event ${n}`));
    }),
  );
  await Promise.all(works);
  await new Promise(setImmediate);
  expect(order).toEqual(['work 0', 'event 0', 'work 1', 'event 1', 'work 2', 'event 2']);
});

test('a failed task rejects for its caller, and the next one runs', async () => {
  const inTurn = fairTurns();
  const failing = inTurn('a', () => {
    throw new Error('too large');
  });
  const next = inTurn('a', () => 'done');
  await expect(failing).rejects.toThrow('too large');
  expect(await next).toBe('done');
});
