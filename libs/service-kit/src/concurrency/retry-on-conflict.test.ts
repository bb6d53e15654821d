import { expect, test } from 'vitest';
import { retryOnConflict, versionConflict } from './retry-on-conflict.ts';

test('an attempt that lost is retried, and gets the number of attempts before it', async () => {
  const seen: number[] = [];
  const result = await retryOnConflict(async (before) => {
    seen.push(before);
    return before < 3 ? undefined : 'written';
  }, versionConflict('The coupon'));
  expect([result, seen]).toEqual(['written', [0, 1, 2, 3]]);
});

test('a few attempts are made even after the deadline; then the error names what is being changed', async () => {
  let attempts = 0;
  const losing = retryOnConflict(
    async () => {
      attempts += 1;
      return undefined;
    },
    versionConflict('The coupon'),
    performance.now(),
  );
  await expect(losing).rejects.toMatchObject({
    code: 'VERSION_CONFLICT',
    message: 'The coupon is being changed by other requests. Read it, and send your change again.',
  });
  expect(attempts).toBe(5);
});

test('an attempt that throws is not retried', async () => {
  let attempts = 0;
  const failing = retryOnConflict(async () => {
    attempts += 1;
    throw new RangeError('no such coupon');
  }, versionConflict('The coupon'));
  await expect(failing).rejects.toThrow('no such coupon');
  expect(attempts).toBe(1);
});
