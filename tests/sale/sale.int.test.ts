import { expect, test } from 'vitest';
import { judge } from './judge-sale.ts';
import { saleRun } from './sale-run.ts';

test('a sale under kills sells every ticket, discount and seat exactly once, at the price that was shown', async () => {
  const seed = Date.now();
  const report = await saleRun({
    buyers: 100,
    kills: 3,
    seed,
    supply: { tickets: [20, 20, 10], capacity: 45, redemptions: 10, seats: 4 },
    expiries: false,
    progress: () => {},
  });
  const { ok, seen } = judge(report);
  expect(ok, `${seen}; seed ${seed}`).toBe(true);
}, 400_000);
