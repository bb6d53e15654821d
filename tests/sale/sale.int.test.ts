import { expect, test } from 'vitest';
import { judge } from './judge-sale.ts';
import { saleRun } from './sale-run.ts';

test('a sale under kills sells every ticket, discount and seat exactly once, at the price that was shown', async () => {
  const report = await saleRun({
    buyers: 100,
    kills: 3,
    seed: Date.now(),
    supply: { tickets: [20, 20, 10], capacity: 45, redemptions: 10, seats: 4 },
    expiries: false,
    progress: () => {},
  });
  expect(judge(report)).toMatchObject({ ok: true });
}, 400_000);
