import { expect, test } from 'vitest';
import { killRun } from './kill-run.ts';

test('20 kills at random moments lose no order and no redemption, double none, and pass no cap', async () => {
  const report = await killRun({ kills: 20, seed: Date.now(), progress: () => {} });
  expect(report.ordersPlaced).toBeGreaterThan(160);
  expect(report).toMatchObject({
    lostOrders: [],
    strayOrders: [],
    lostRedemptions: [],
    strayRedemptions: [],
    passedCaps: [],
    wrongCounters: [],
    pendingClaims: 0,
    unpublishedEvents: 0,
    unheardOrders: [],
  });
}, 400_000);
