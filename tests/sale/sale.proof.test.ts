import { expect, test } from 'vitest';
import { judge } from './judge-sale.ts';
import { saleRun } from './sale-run.ts';

test('a sale under kills sells every ticket, discount and seat exactly once, at the price that was shown', async () => {
  const seed = Date.now();
  const report = await saleRun({
    buyers: 150,
    kills: 6,
    seed,
    supply: { tickets: [24, 20, 10], capacity: 48, redemptions: 14, seats: 5 },
    expiries: false,
    progress: () => {},
  });
  const { ok, seen } = judge(report);
  expect(ok, `${seen}; seed ${seed}`).toBe(true);
}, 400_000);
