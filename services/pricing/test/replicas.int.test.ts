import type { Evaluation } from '@event-commerce/contracts';
import { adjustmentBody, evaluationBody, newCode } from '@event-commerce/test-kit';
import { afterEach, expect, test } from 'vitest';
import { natsUrlOfThisFile } from '../../../deploy/local/test/nats-url.ts';
import { repairUsage } from '../src/use-cases/repair-usage.ts';
import { type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
afterEach(async () => pricing.stop());

test('a write is in the next evaluation at once, and within a second on a replica that heard of nothing', async () => {
  // The second replica is on a broker of its own, so the first, which the test asks, hears nothing of its writes.
  pricing = await startPricingReplicas({ replicas: 2, natsUrls: [natsUrlOfThisFile(), natsUrlOfThisFile(1)] });
  const { companyId, api } = pricing.newCompany();
  const evaluate = async (code: string) =>
    pricing.ask<Evaluation>(companyId, evaluationBody({ codes: [code] }), { dropped: 'candidates' });

  const first = newCode();
  await evaluate(first);
  await api(0).post('/pricing/adjustments', adjustmentBody(first));
  expect((await evaluate(first)).summary.total).toBe(8_000);

  const second = newCode();
  await api(1).post('/pricing/adjustments', adjustmentBody(second));
  const writtenMs = performance.now();
  await expect.poll(async () => (await evaluate(second)).codes[0]?.status, { interval: 20 }).toBe('applied');
  expect(performance.now() - writtenMs).toBeLessThan(1_200);
});

test('a cap of 100 is met exactly by 1,000 concurrent redemptions over two replicas that are killed meanwhile', async () => {
  pricing = await startPricingReplicas({ replicas: 2, asProcesses: true, claimTtlMs: 1_000 });
  const company = pricing.newCompany();
  const code = newCode();
  const { body } = await company
    .api(0)
    .post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, maxRedemptions: 100 } }));
  const id: string = body.data.id;

  let answers = 0;
  const redeem = async (orderId: string, replica: number) => {
    const reply = await company.api(replica).post(`/pricing/adjustments/${id}/redemptions`, { orderId });
    answers += 1;
    return reply;
  };
  const kills = (async () => {
    for (const [n, after] of [20, 120, 300].entries()) {
      await expect.poll(() => answers, { interval: 5, timeout: 60_000 }).toBeGreaterThan(after);
      await pricing.replicas[n % 2]?.kill9();
      await pricing.replicas[n % 2]?.restart();
    }
  })();
  const confirmed = new Set<string>();
  const retryUntilAnswered = async (orderId: string, n: number): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      const reply = await redeem(orderId, (n + attempt) % 2).catch(() => undefined);
      if (reply === undefined || reply.status >= 500) continue;
      if (reply.status < 300) confirmed.add(orderId);
      return;
    }
  };
  await Promise.all([kills, ...Array.from({ length: 1_000 }, async (_, n) => retryUntilAnswered(`o${n}`, n))]);

  // Claims whose request was cut off end by themselves; what they held is then free for others.
  const usage = async () => pricing.models.usages.findById(id).lean();
  await expect.poll(async () => (await usage())?.pending.length, { timeout: 30_000 }).toBe(0);
  for (let n = 0; confirmed.size < 100; n++) await retryUntilAnswered(`late${n}`, n);
  expect((await redeem('one-more', 0)).status).toBe(409);

  const ledger = await pricing.models.redemptions.find({ adjustmentId: id, status: 'confirmed' }).lean();
  expect(ledger).toHaveLength(100);
  expect(new Set(ledger.map((entry) => entry.orderId))).toEqual(confirmed);
  expect(await usage()).toMatchObject({ confirmed: 100, claimed: 100 });
  expect(await Array.fromAsync(repairUsage(pricing.usage, { repair: false }))).toEqual([]);
}, 240_000);
