import { setTimeout as delay } from 'node:timers/promises';
import { connectBus } from '@event-commerce/bus';
import { compareCounters } from '@event-commerce/claims';
import { type Evaluation, tenantOfKey } from '@event-commerce/contracts';
import { createLogger } from '@event-commerce/service-kit';
import { adjustmentBody, evaluationBody, newCode, rounds } from '@event-commerce/test-kit';
import { afterEach, expect, test } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { CHANGES_KEPT, changeLogRepository } from '../src/store/change-log.repository.ts';
import { redemptionCollections } from '../src/store/redemption-pools.ts';
import { type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
afterEach(async () => pricing?.stop());

const path = '/pricing/adjustments';
/** How long a change waits for a replica that does not acknowledge it. */
const LEASE_MS = 1_000;
/** A change takes at least this long if it waited for one: timers may be a little early. */
const WAITED_MS = 0.9 * LEASE_MS;
/** How soon a client asks again whose replica is gone. Sooner, many of them would hold up its restart. */
const RETRY_AFTER_MS = 100;
const evaluating = async ({ companyId }: Company, ...codes: string[]) =>
  pricing.ask<Evaluation>(companyId, evaluationBody({ codes }), { dropped: 'candidates' });

test('what an answer said of an adjustment holds for the next request on any replica, round after round', async () => {
  pricing = await startPricingReplicas({ replicas: 2 });
  const wrong = await Promise.all(Array.from({ length: 5 }, async () => changingAndAsking(rounds(100))));
  expect(wrong.flat()).toEqual([]);
}, 240_000);

/** What was otherwise than the answer before it said, of `count` rounds. */
async function changingAndAsking(count: number): Promise<string[]> {
  const company = pricing.newCompany();
  const [code, moved] = [newCode(), newCode()];
  const ids: string[] = [];
  for (const body of [adjustmentBody(code), adjustmentBody(moved), adjustmentBody(newCode(), { status: 'draft' })]) {
    ids.push((await company.api().post(path, body)).body.data.id);
  }
  const [changing, ...holders] = ids;
  const wrong: string[] = [];
  for (let round = 0; round < count; round++) {
    const api = company.api(round % 2);
    const percent = (round % 50) + 1;
    await api.patch(`${path}/${changing}`, { effect: { kind: 'percentage_off', percent } });
    const { total } = (await evaluating(company, code)).summary;
    if (total !== 10_000 - percent * 100) wrong.push(`round ${round}: ${percent} percent off makes ${total}`);
    if (round % 10 > 0) continue;
    // A code that goes from one adjustment to another belongs to the other for whoever orders next.
    const [from, to] = (round / 10) % 2 === 0 ? holders : holders.toReversed();
    await api.patch(`${path}/${from}`, { status: 'paused' });
    await api.patch(`${path}/${to}`, { status: 'active', conditions: { code: moved } });
    const { claims } = await pricing.claim(company.companyId, { codes: [moved] });
    if (claims[0]?.adjustmentId !== to) wrong.push(`round ${round}: ${moved} is ${claims[0]?.adjustmentId}, not ${to}`);
  }
  return wrong;
}

test('what an answer said holds on a replica that heard of nothing, and one that is gone delays one answer', async () => {
  // The second replica is on a broker of its own, so the first, which the test asks, hears nothing of its writes.
  pricing = await startPricingReplicas({ replicas: 2, natsUrls: [natsUrlOfThisFile(), natsUrlOfThisFile(1)] });
  const company = pricing.newCompany();
  await evaluating(company);
  for (let round = 0; round < 3; round++) {
    const code = newCode();
    const { status } = await company.api(1).post(path, adjustmentBody(code));
    expect(status).toBe(201);
    expect((await evaluating(company, code)).codes).toMatchObject([{ status: 'applied' }]);
  }
});

test('whoever hears of a change finds it in the next price, from a replica that heard of nothing too', async () => {
  const others = natsUrlOfThisFile(1);
  pricing = await startPricingReplicas({ replicas: 2, natsUrls: [natsUrlOfThisFile(), others] });
  const company = pricing.newCompany();
  await evaluating(company);
  const logger = createLogger({ service: 'test', level: 'silent' });
  const bus = await connectBus({ url: others, name: 'test', logger });
  const { promise: heard, resolve, reject } = Promise.withResolvers<Evaluation>();
  const code = newCode();
  bus.nats.subscribe('domain.pricing.adjustment.created', {
    callback: () => void evaluating(company, code).then(resolve, reject),
  });
  await bus.nats.flush();
  expect((await company.api(1).post(path, adjustmentBody(code))).status).toBe(201);
  expect((await heard).codes).toMatchObject([{ status: 'applied' }]);
  await bus.close();
});

test('a code that two replicas are asked for at once is held by one adjustment, round after round', async () => {
  pricing = await startPricingReplicas({ replicas: 2, asProcesses: true });
  const company = pricing.newCompany();
  for (let round = 0; round < rounds(20); round++) {
    const code = newCode();
    const replies = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => company.api(n % 2).post(path, adjustmentBody(code))),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...Array(19).fill(409)]);
    expect((await evaluating(company, code)).summary.total).toBe(8_000);
  }
});

test('a replica that is killed holds up changes for two seconds, and none after that', async () => {
  pricing = await startPricingReplicas({ replicas: 2, asProcesses: true });
  const company = pricing.newCompany();
  const awaited = async () => (await pricing.models.changeLogs.collection.findOne())?.['members'];
  const tookMs = async () => {
    const beganAtMs = performance.now();
    expect((await company.api().post(path, adjustmentBody(newCode()))).status).toBe(201);
    return performance.now() - beganAtMs;
  };
  expect(await awaited()).toHaveLength(2);
  expect(Math.min(await tookMs(), await tookMs())).toBeLessThan(WAITED_MS);
  await pricing.replicas[1]?.kill9();

  // One change waits for it in vain; the next one, for what is left of the time in which it may use what it read before.
  expect(await tookMs()).toBeGreaterThan(WAITED_MS);
  const after = [await tookMs(), await tookMs(), await tookMs(), await tookMs()];
  expect(Math.min(...after)).toBeLessThan(WAITED_MS);
  expect(await awaited()).toHaveLength(1);
});

test('a replica that missed more changes than the log keeps reads its companies anew', async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
  const [company, other] = [pricing.newCompany(), pricing.newCompany()];
  const code = newCode();
  const { body } = await company.api().post(path, adjustmentBody(code));
  const total = async () => (await evaluating(company, code)).summary.total;
  expect(await total()).toBe(8_000);
  // Reads what the replica may have read in the log while it loaded the company.
  expect(await total()).toBe(8_000);
  // Written and logged by a process that nobody hears.
  const id: string = body.data.id;
  await pricing.models.adjustments.updateOne({ _id: id }, { $set: { 'effect.percent': 50 }, $inc: { version: 1 } });
  expect(await total()).toBe(8_000);
  const tenant = tenantOfKey(other.companyId);
  const others = Array.from({ length: CHANGES_KEPT }, (_, n) => ({ tenant, id: `adj_${n}`, version: 1 }));
  // In one write: a replica that read the log between two would find the change in it.
  const missed = { tenant: tenantOfKey(company.companyId), id, version: 2 };
  await changeLogRepository(pricing.models).append([missed, ...others]);
  const loggedAtMs = performance.now();
  let lastOldAtMs = 0;
  await expect
    .poll(async () => {
      const askedAtMs = performance.now();
      const found = await total();
      if (found === 8_000) lastOldAtMs = askedAtMs;
      return found;
    })
    .toBe(5_000);
  expect(lastOldAtMs - loggedAtMs).toBeLessThan(LEASE_MS);
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
      if (reply === undefined || reply.status >= 500) {
        await delay(RETRY_AFTER_MS);
        continue;
      }
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
  expect(await Array.fromAsync(compareCounters(redemptionCollections(pricing.models), { repair: false }))).toEqual([]);
}, 240_000);
