import { proofSize } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { judgeKills } from './kill-report.ts';
import { killRun } from './kill-run.ts';

test('kills at random moments lose no order and no redemption, duplicate none, and exceed no cap', async () => {
  const kills = proofSize(3, 8);
  const seed = Date.now();
  const report = await killRun({ kills, seed, progress: () => {} });
  expect(report.ordersPlaced).toBeGreaterThan(8 * kills);
  const { ok, seen } = judgeKills(report);
  expect(ok, `${seen}; seed ${seed}`).toBe(true);
}, 400_000);
