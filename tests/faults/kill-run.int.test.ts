import { expect, test } from 'vitest';
import { rounds } from '@event-commerce/test-kit';
import { judgeKills } from './kill-report.ts';
import { killRun } from './kill-run.ts';

test('kills at random moments lose no order and no redemption, duplicate none, and exceed no cap', async () => {
  const kills = rounds(40);
  const report = await killRun({ kills, seed: Date.now(), progress: () => {} });
  expect(report.ordersPlaced).toBeGreaterThan(8 * kills);
  expect(judgeKills(report)).toMatchObject({ ok: true });
}, 400_000);
