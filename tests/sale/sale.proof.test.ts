import { proofSize } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { judge } from './judge-sale.ts';
import { saleRun } from './sale-run.ts';

test('a sale under kills sells every ticket, discount and seat exactly once, at the price that was shown', async () => {
  const seed = Date.now();
  const report = await saleRun({
    buyers: proofSize(60, 150),
    kills: proofSize(3, 6),
    seed,
    supply: { tickets: [16, 12, 8], capacity: 32, redemptions: 10, seats: 4 },
    expiries: false,
    progress: () => {},
  });
  const { ok, seen } = judge(report);
  expect(ok, `${seen}; seed ${seed}`).toBe(true);
}, 400_000);
