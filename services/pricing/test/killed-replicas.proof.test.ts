import { setTimeout as delay } from 'node:timers/promises';
import { compareCounters } from '@event-commerce/claims';
import { adjustmentBody, newCode, proofSize } from '@event-commerce/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { redemptionCollections } from '../src/redemptions/redemption-pools.ts';

const path = '/pricing/adjustments';
/** A change takes at least this long if it waited one second for a replica: timers may be a little early. */
const WAITED_MS = 900;
/** How soon a client retries if its replica is gone. Sooner retries by many clients would delay its restart. */
const RETRY_AFTER_MS = 100;
const CAP = proofSize(40, 100);

async function startProcesses(): Promise<Services> {
  const services = await startServices({ replicas: { pricing: 2 }, asProcesses: ['pricing'], claimTtlMs: 1_000 });
  onTestFinished(services.stop);
  return services;
}

test('a killed replica delays changes for at most two seconds', async () => {
  const services = await startProcesses();
  const company = services.newCompany();
  const awaited = async () => (await services.models.pricing.changeLogs.collection.findOne())?.['members'];
  const tookMs = async () => {
    const beganAtMs = performance.now();
    expect((await company.pricing.post(path, adjustmentBody(newCode()))).status).toBe(201);
    return performance.now() - beganAtMs;
  };
  expect(await awaited()).toHaveLength(2);
  expect(Math.min(await tookMs(), await tookMs())).toBeLessThan(WAITED_MS);
  await services.replicas.pricing[1]?.kill9();

  // One change waits until it times out; the next waits for the rest of the time in which the replica may use what it
  // read before.
  expect(await tookMs()).toBeGreaterThan(WAITED_MS);
  const after = [await tookMs(), await tookMs(), await tookMs(), await tookMs()];
  expect(Math.min(...after)).toBeLessThan(WAITED_MS);
  expect(await awaited()).toHaveLength(1);
});

test('many concurrent redemptions on two replicas that are killed meanwhile fill a cap exactly', async () => {
  const services = await startProcesses();
  const company = services.newCompany();
  const code = newCode();
  const { body } = await company.pricing
    .replica(0)
    .post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, maxRedemptions: CAP } }));
  const id: string = body.data.id;

  let answers = 0;
  const redeem = async (orderId: string, replica: number) => {
    const reply = await company.pricing.replica(replica).post(`/pricing/adjustments/${id}/redemptions`, { orderId });
    answers += 1;
    return reply;
  };
  const kills = (async () => {
    for (const [n, after] of [0.2 * CAP, 1.2 * CAP, 3 * CAP].entries()) {
      await expect.poll(() => answers, { interval: 5, timeout: 60_000 }).toBeGreaterThan(after);
      await services.replicas.pricing[n % 2]?.kill9();
      await services.replicas.pricing[n % 2]?.restart();
    }
  })();
  const confirmed = new Set<string>();
  const retryUntilAnswered = async (orderId: string, n: number): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      const reply = await redeem(orderId, (n + attempt) % 2).catch(() => undefined);
      if (reply === undefined || reply.status >= 500) {
        await delay(RETRY_AFTER_MS);
        continue;
      }
      if (reply.status < 300) confirmed.add(orderId);
      return;
    }
  };
  await Promise.all([kills, ...Array.from({ length: 10 * CAP }, async (_, n) => retryUntilAnswered(`o${n}`, n))]);

  // Claims whose request was cut off lapse; what they held is then free for others.
  const usage = async () => services.models.pricing.usages.findById(id).lean();
  await expect.poll(async () => (await usage())?.pending.length, { timeout: 30_000 }).toBe(0);
  for (let n = 0; confirmed.size < CAP; n++) await retryUntilAnswered(`late${n}`, n);
  expect((await redeem('one-more', 0)).status).toBe(409);

  const ledger = await services.models.pricing.redemptions.find({ adjustmentId: id, status: 'confirmed' }).lean();
  expect(ledger).toHaveLength(CAP);
  expect(new Set(ledger.map((entry) => entry.orderId))).toEqual(confirmed);
  expect(await usage()).toMatchObject({ confirmed: CAP, claimed: CAP });
  expect(
    await Array.fromAsync(compareCounters(redemptionCollections(services.models.pricing), { repair: false })),
  ).toEqual([]);
}, 240_000);
