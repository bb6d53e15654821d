import { type PlatformError, tenantOfKey } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { adjustmentBody, evaluationBody, newCode, proofSize } from '@event-commerce/test-kit';
import { expect, onTestFinished, test } from 'vitest';
import { type Company, type Services, startServices } from '../../../tests/harness/services.ts';
import { adjustmentRepository } from '../src/adjustments/adjustment.repository.ts';
import { claim, evaluate } from './purchases.ts';

const path = '/pricing/adjustments';

async function start(env: Record<string, string> = {}): Promise<Services> {
  const services = await startServices({ replicas: { pricing: 1 }, env: () => env });
  onTestFinished(services.stop);
  return services;
}

const evaluating = async (services: Services, company: Company, ...codes: string[]) =>
  evaluate(services, company, evaluationBody({ codes }));

/** Writes `count` adjustments for as many events, much faster than requests could create them. */
async function insertAdjustments({ models }: Services, { companyId, pricing }: Company, count: number): Promise<void> {
  const { body } = await pricing.post(path, adjustmentBody(newCode()));
  const like = new Map(Object.entries((await models.pricing.adjustments.findById(body.data.id).lean()) ?? {}));
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
    await models.pricing.adjustments.collection.insertMany(documents as never, { ordered: false });
  }
}

test('an adjustment that cannot be read hides no other, is reported, and its claims are refused clearly', async () => {
  const services = await start();
  const company = services.newCompany();
  const [good, odd] = [newCode(), newCode()];
  const { body } = await company.pricing.post(path, adjustmentBody(odd));
  const id: string = body.data.id;
  // As written by a newer version that knows one more effect.
  await services.models.pricing.adjustments.collection.updateOne({ _id: id } as never, {
    $set: { effect: { kind: 'dynamic_price', per: 'unit' } },
  });
  await company.pricing.post(path, adjustmentBody(good));

  const { codes, summary } = await evaluating(services, company, good, odd);
  expect(codes).toMatchObject([{ status: 'applied' }, { code: odd, status: 'unknown' }]);
  expect(summary.total).toBe(8_000);
  for (const claimed of [{ codes: [odd] }, { adjustmentIds: [id] }]) {
    const message = expect.not.stringContaining(odd);
    await expect(claim(services, company, claimed)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message,
    });
  }
  await expect(claim(services, company, { codes: [good] })).resolves.toMatchObject({ claims: [{}] });
  const readiness = await fetch(`${services.replicas.pricing[0]?.url}/readyz`);
  expect([readiness.status, await readiness.json()]).toMatchObject([
    200,
    { data: { ready: true, checks: { adjustments: '1 adjustment cannot be read' } } },
  ]);

  await company.pricing.patch(`${path}/${id}`, { effect: { kind: 'percentage_off', percent: 50 } });
  expect((await evaluating(services, company, odd)).codes).toMatchObject([{ status: 'applied' }]);
});

test('writes while a company is read hide none of its adjustments', async () => {
  const services = await start();
  const company = services.newCompany();
  await insertAdjustments(services, company, 1_000);
  const repository = adjustmentRepository(
    services.models.pricing,
    {} as never,
    {} as never,
    {} as never,
    async () => {},
  );
  const { adjustments } = services.models.pricing;
  const ids = new Set((await adjustments.find({}, { _id: 1 }).lean()).map(({ _id }) => _id));
  const read = new Set<string>();
  let writes = 0;
  for await (const some of repository.readLive(tenantOfKey(company.companyId), 100)) {
    for (const { id } of some) read.add(id);
    // Documents that grow and shrink move within the database's file, even to where the cursor has already been.
    const note = 'x'.repeat(900 * (writes++ % 2));
    await adjustments.collection.updateMany({ companyId: company.companyId }, { $set: { note } });
  }
  expect(writes).toBeGreaterThan(5);
  expect(read).toEqual(ids);
});

test('only a company that is too large is refused, naming the quota, until it is small enough', async () => {
  const services = await start({ ADJUSTMENT_CACHE_MB: '4' });
  const [large, other] = [services.newCompany(), services.newCompany()];
  const code = newCode();
  await other.pricing.post(path, adjustmentBody(code));
  await insertAdjustments(services, large, 3_000);
  for (let round = 0; round < proofSize(1, 3); round++) {
    const refusal = async () =>
      evaluating(services, large).catch((error: PlatformError) => ({ code: error.code, message: error.message }));
    await expect.poll(refusal, { timeout: 15_000 }).toEqual({
      code: 'QUOTA_EXCEEDED',
      message: expect.stringContaining('ADJUSTMENT_CACHE_MB'),
    });
    expect((await evaluating(services, other, code)).summary.total).toBe(8_000);
  }
  await services.models.pricing.adjustments.updateMany(
    { companyId: tenantOfKey(large.companyId), name: /0$|[2-8]$/ },
    { $set: { status: 'archived' }, $inc: { version: 1 } },
  );
  const { body } = await large.pricing.post(path, adjustmentBody(newCode()));
  const asked = async () =>
    evaluating(services, large, body.data.conditions.code).then(({ codes }) => codes[0]?.status);
  await expect.poll(async () => asked().catch(() => 'refused'), { timeout: 15_000 }).toBe('applied');
});

test('a company with 10,000 adjustments is told to retry while it is loaded, and then gets them all in one response', async () => {
  const services = await start();
  const company = services.newCompany();
  await insertAdjustments(services, company, 10_000);
  const answered = async () => {
    const { droppedAdjustments } = await evaluating(services, company);
    return droppedAdjustments.length;
  };
  await expect
    .poll(async () => answered().catch(({ code }: { code: string }) => code), { timeout: 20_000 })
    .toBe(10_001);
});

test('companies that do not fit into memory together are served in turn, with their latest changes', async () => {
  const services = await start({ ADJUSTMENT_CACHE_MB: '2' });
  const companies = Array.from({ length: 6 }, () => ({ company: services.newCompany(), code: newCode(), percent: 20 }));
  const ids = new Map<Company, string>();
  for (const { company, code } of companies) {
    await insertAdjustments(services, company, 600);
    ids.set(company, (await company.pricing.post(path, adjustmentBody(code))).body.data.id);
  }
  type One = (typeof companies)[number];
  const expectItsPrice = async ({ company, code, percent }: One) =>
    expect((await evaluating(services, company, code)).summary.total).toBe(10_000 - 100 * percent);
  const change = async (one: One, percent: number) => {
    one.percent = percent;
    await one.company.pricing.patch(`${path}/${ids.get(one.company)}`, { effect: { percent } });
  };
  // Each company finds itself evicted by the others. Every other round it changes, in memory and shortly before it is
  // evicted.
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
