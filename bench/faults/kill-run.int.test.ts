import { expect, test } from 'vitest';
import { judgeKills, killRun } from './kill-run.ts';

test('20 kills at random moments lose no order and no redemption, double none, and pass no cap', async () => {
  const report = await killRun({ kills: 20, seed: Date.now(), progress: () => {} });
  expect(report.ordersPlaced).toBeGreaterThan(160);
  expect(judgeKills(report)).toMatchObject({ ok: true });
}, 400_000);
