import { expect, test } from 'vitest';
import { LIMIT, newTenant, soon, useQuotas } from './quota-replicas.ts';

const { amount, replica } = useQuotas();

test('no recount admits too many while many write', async () => {
  const tenant = newTenant();
  // No write takes longer than a recount waits for those that began before it.
  const times = { ...soon, settledAfterMs: 2_000 };
  const replicas = [replica(times), replica(times)];
  const untilMs = performance.now() + 5_000;
  let most = 0;
  const write = async (n: number) => {
    while (performance.now() < untilMs) await replicas[n % 2]?.add(tenant);
  };
  const watch = async () => {
    while (performance.now() < untilMs) most = Math.max(most, await amount(tenant));
  };
  await Promise.all([watch(), ...Array.from({ length: 20 }, async (_, n) => write(n))]);
  expect(most).toBe(LIMIT);
});
