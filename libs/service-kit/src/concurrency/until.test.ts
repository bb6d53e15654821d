import { expect, test } from 'vitest';
import { until } from './until.ts';

test('the value is returned as soon as a look finds it, and a look that throws counts as not yet', async () => {
  const looks = [new Error('not yet'), undefined, { id: 7 }];
  const look = () => {
    const seen = looks.shift();
    if (seen instanceof Error) throw seen;
    return seen;
  };
  expect(await until('there is one', 1_000, look, 1)).toEqual({ id: 7 });
});

test('a time-out names what was awaited, with the last error', async () => {
  const look = () => {
    throw new Error('refused');
  };
  await expect(until('the service is ready', 5, look, 1)).rejects.toMatchObject({
    message: 'not so after 0.005 s: the service is ready',
    cause: { message: 'refused' },
  });
});
