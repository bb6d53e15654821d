import { expect, test } from 'vitest';
import { judge } from './judge-sale.ts';
import { saleRun } from './sale-run.ts';

test('a sale under kills sells every ticket, discount and seat exactly once, at the price that was shown', async () => {
  const seed = Date.now();
  const report = await saleRun({
    buyers: 48,
    kills: 3,
    seed,
    supply: { tickets: [10, 8, 4], capacity: 20, redemptions: 5, seats: 3 },
    expiries: false,
    progress: () => {},
  });
  const { ok, seen } = judge(report);
  expect(ok, `${seen}; seed ${seed}`).toBe(true);
}, 400_000);
