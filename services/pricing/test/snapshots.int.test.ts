import { type Evaluation, type PlatformError, tenantOfKey } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { adjustmentBody, evaluationBody, newCode } from '@event-commerce/test-kit';
import { afterEach, expect, test } from 'vitest';
import { adjustmentRepository } from '../src/store/adjustment.repository.ts';
import { type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
afterEach(async () => pricing?.stop());

const path = '/pricing/adjustments';
const evaluating = async ({ companyId }: Company, ...codes: string[]) =>
  pricing.ask<Evaluation>(companyId, evaluationBody({ codes }));

/** Writes `count` adjustments of as many events, much faster than they could be created. */
async function insertAdjustments({ companyId, api }: Company, count: number): Promise<void> {
  const { body } = await api().post(path, adjustmentBody(newCode()));
  const like = new Map(Object.entries((await pricing.models.adjustments.findById(body.data.id).lean()) ?? {}));
  for (const own of ['_id', 'heldCode', 'outbox']) like.delete(own);
  for (let done = 0; done < count; done += 5_000) {
    const documents = Array.from({ length: Math.min(5_000, count - done) }, (_, n) => ({
      ...Object.fromEntries(like),
      _id: newId('adj'),
      name: `Adjustment ${done + n}`,
      targets: [{ urn: `urn:v1:${companyId}:events:event/evt_${done + n}_x`, eventId: `evt_${done + n}_x` }],
      conditions: { minQuantity: 2 },
      type: 'promotion',
    }));
    await pricing.models.adjustments.collection.insertMany(documents as never, { ordered: false });
  }
}

test('an adjustment that cannot be read hides no other, is reported, and its claims are refused clearly', async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
  const company = pricing.newCompany();
  const [good, odd] = [newCode(), newCode()];
  const { body } = await company.api().post(path, adjustmentBody(odd));
  const id: string = body.data.id;
  // As a newer version, which knows one more effect, writes it.
  await pricing.models.adjustments.collection.updateOne({ _id: id } as never, {
    $set: { effect: { kind: 'dynamic_price', per: 'unit' } },
  });
  await company.api().post(path, adjustmentBody(good));

  const { codes, summary } = await evaluating(company, good, odd);
  expect(codes).toMatchObject([{ status: 'applied' }, { code: odd, status: 'unknown' }]);
  expect(summary.total).toBe(8_000);
  for (const claimed of [{ codes: [odd] }, { adjustmentIds: [id] }]) {
    const message = expect.not.stringContaining(odd);
    await expect(pricing.claim(company.companyId, claimed)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message,
    });
  }
  await expect(pricing.claim(company.companyId, { codes: [good] })).resolves.toMatchObject({ claims: [{}] });
  const readiness = await fetch(`${pricing.replicas[0]?.url}/readyz`);
  expect([readiness.status, await readiness.json()]).toMatchObject([
    200,
    { data: { ready: true, checks: { adjustments: '1 adjustment cannot be read' } } },
  ]);

  await company.api().patch(`${path}/${id}`, { effect: { kind: 'percentage_off', percent: 50 } });
  expect((await evaluating(company, odd)).codes).toMatchObject([{ status: 'applied' }]);
});

test('writes while a company is read hide none of its adjustments', async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
  const company = pricing.newCompany();
  await insertAdjustments(company, 1_000);
  const repository = adjustmentRepository(pricing.models, {} as never, {} as never, {} as never, async () => {});
  const { adjustments } = pricing.models;
  const ids = new Set((await adjustments.find({}, { _id: 1 }).lean()).map(({ _id }) => _id));
  const read = new Set<string>();
  let writes = 0;
  for await (const some of repository.readLive(tenantOfKey(company.companyId), 100)) {
    for (const { id } of some) read.add(id);
    // What grows and shrinks moves about in the database's file: to where the cursor has been, too.
    const note = 'x'.repeat(900 * (writes++ % 2));
    await adjustments.collection.updateMany({ companyId: company.companyId }, { $set: { note } });
  }
  expect(writes).toBeGreaterThan(5);
  expect(read).toEqual(ids);
});

test('a company that is too large is refused by itself, naming the quota, until it is small enough', async () => {
  pricing = await startPricingReplicas({ replicas: 1, env: { ADJUSTMENT_CACHE_MB: '8' } });
  const [large, other] = [pricing.newCompany(), pricing.newCompany()];
  const code = newCode();
  await other.api().post(path, adjustmentBody(code));
  await insertAdjustments(large, 6_000);
  for (let round = 0; round < 3; round++) {
    const refusal = async () =>
      evaluating(large).catch((error: PlatformError) => ({ code: error.code, message: error.message }));
    await expect.poll(refusal, { timeout: 15_000 }).toEqual({
      code: 'QUOTA_EXCEEDED',
      message: expect.stringContaining('ADJUSTMENT_CACHE_MB'),
    });
    expect((await evaluating(other, code)).summary.total).toBe(8_000);
  }
  await pricing.models.adjustments.updateMany(
    { companyId: tenantOfKey(large.companyId), name: /0$|[2-8]$/ },
    { $set: { status: 'archived' }, $inc: { version: 1 } },
  );
  const { body } = await large.api().post(path, adjustmentBody(newCode()));
  const asked = async () => evaluating(large, body.data.conditions.code).then(({ codes }) => codes[0]?.status);
  await expect.poll(async () => asked().catch(() => 'refused'), { timeout: 15_000 }).toBe('applied');
});

test('a company of 10,000 adjustments is told to wait while it is loaded, and then has them all in one answer', async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
  const company = pricing.newCompany();
  await insertAdjustments(company, 10_000);
  const answered = async () => {
    const { droppedAdjustments } = await evaluating(company);
    return droppedAdjustments.length;
  };
  await expect
    .poll(async () => answered().catch(({ code }: { code: string }) => code), { timeout: 20_000 })
    .toBe(10_001);
});

test('companies that do not fit into the memory together are served one after the other, with what changed', async () => {
  pricing = await startPricingReplicas({ replicas: 1, env: { ADJUSTMENT_CACHE_MB: '2' } });
  const companies = Array.from({ length: 6 }, () => ({ company: pricing.newCompany(), code: newCode(), percent: 20 }));
  const ids = new Map<Company, string>();
  for (const { company, code } of companies) {
    await insertAdjustments(company, 600);
    ids.set(company, (await company.api().post(path, adjustmentBody(code))).body.data.id);
  }
  type One = (typeof companies)[number];
  const expectItsPrice = async ({ company, code, percent }: One) =>
    expect((await evaluating(company, code)).summary.total).toBe(10_000 - 100 * percent);
  const change = async (one: One, percent: number) => {
    one.percent = percent;
    await one.company.api().patch(`${path}/${ids.get(one.company)}`, { effect: { percent } });
  };
  // Each finds its place taken by the others. Every other round it changes, in memory and shortly before it is evicted.
  for (let round = 0; round < 4; round++) {
    for (const one of companies) {
      await expectItsPrice(one);
      if (round % 2 === 0) continue;
      await change(one, 50 + round);
      await expectItsPrice(one);
      await change(one, 10 + round);
    }
  }
});
