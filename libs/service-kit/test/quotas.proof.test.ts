import { randomUUID } from 'node:crypto';
import { keyOfTenant, quotaLimits, type Tenant, tenantOf } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { createQuotas, newId } from '../src/index.ts';
import { LIMIT, logger, never, newTenant, soon, useQuotas } from './quota-replicas.ts';

const { database, kept, amount, replica } = useQuotas();

test('exactly as many writers succeed as there are places, however many write on several replicas', async () => {
  const tenant = newTenant();
  const replicas = [replica(), replica(), replica()];
  const outcomes = await Promise.all(Array.from({ length: 300 }, async (_, n) => replicas[n % 3]?.add(tenant)));
  expect(Map.groupBy(outcomes, (outcome) => outcome).get('written')?.length).toBe(LIMIT);
  expect(new Set(outcomes)).toEqual(new Set(['written', 'QUOTA_EXCEEDED']));
  expect(await amount(tenant)).toBe(LIMIT);
  expect(await replicas[0]?.usage(tenant)).toEqual({ count: { used: LIMIT, limit: LIMIT } });
});

test('when many arrive together, those that fit are written, and the others are refused at little cost', async () => {
  const tenant = newTenant();
  const { add, usage } = replica();
  for (let n = 0; n < LIMIT - 2; n++) await add(tenant);
  let commands = 0;
  const countCommand = ({ command }: { command: Record<string, unknown> }) => {
    if (Object.values(command).includes('quotas')) commands += 1;
  };
  database().getClient().on('commandStarted', countCommand);
  const outcomes = await Promise.all(Array.from({ length: 50 }, async () => add(tenant)));
  database().getClient().off('commandStarted', countCommand);
  expect(outcomes).toEqual(outcomes.map((_, n) => (n < 2 ? 'written' : 'QUOTA_EXCEEDED')));
  expect((await usage(tenant)).count.used).toBe(LIMIT);
  expect(commands).toBeLessThan(10);
});

test('the error names the quota, its limit, the usage, and what to do', async () => {
  const tenant = newTenant();
  const limits = quotaLimits.parse('coupons=1');
  const quotas = createQuotas(database(), { limits, recount: { coupons: amount }, logger, times: never });
  const add = async () => quotas.use(tenant, { coupons: 1 }, async () => true);
  await add();
  await expect(add()).rejects.toMatchObject({
    code: 'QUOTA_EXCEEDED',
    statusCode: 409,
    message:
      'Your company may have at most 1 coupons, archived ones included. ' +
      'Change coupons that you have instead of creating new ones, or ask the operator to raise the quota coupons.',
    details: [{ path: 'coupons', quota: 'coupons', limit: 1, used: 1 }],
  });
});

test('a failed write takes no place, and a removed record releases its own', async () => {
  const tenant = newTenant();
  const { add, remove, usage } = replica();
  expect(await add(tenant, 'x', async () => undefined)).toBe('not written');
  expect(await add(tenant, 'x', async () => Promise.reject(Object.assign(new Error('taken'), { code: 1 })))).toBe(1);
  for (let n = 0; n < LIMIT - 1; n++) expect(await add(tenant)).toBe('written');
  expect((await usage(tenant)).count.used).toBe(LIMIT);
  await remove(tenant);
  expect(await add(tenant)).toBe('written');
  expect(await add(tenant)).toBe('QUOTA_EXCEEDED');
});

test('live and test are counted separately', async () => {
  const companyId = newId('req');
  const { add } = replica(never, 'coupons=1');
  for (const environment of ['live', 'test'] as const) {
    expect(await add(tenantOf({ companyId, environment }))).toBe('written');
    expect(await add(tenantOf({ companyId, environment }))).toBe('QUOTA_EXCEEDED');
  }
});

test('records that were never counted are counted from the first write on', async () => {
  const tenant = newTenant();
  await kept().insertMany(
    Array.from({ length: LIMIT - 1 }, () => ({ _id: randomUUID(), companyId: tenant, text: 'x' })) as never,
  );
  const replicas = [replica(), replica()];
  const outcomes = await Promise.all(Array.from({ length: 20 }, async (_, n) => replicas[n % 2]?.add(tenant)));
  expect(outcomes.filter((outcome) => outcome === 'written').length).toBe(1);
});

test('a tenant that is counted for the first time is counted once, and holds up no other', async () => {
  const [large, other] = [newTenant(), newTenant()];
  const counted = Promise.withResolvers<void>();
  let counts = 0;
  const { add, usage } = replica(never, undefined, async (tenant) => {
    if (tenant === large) {
      counts += 1;
      await counted.promise;
    }
    return amount(tenant);
  });
  const ofLarge = [add(large), add(large)];
  expect(await Promise.all([add(other), add(other)])).toEqual(['written', 'written']);
  expect((await usage(other)).count.used).toBe(2);
  ofLarge.push(add(large));
  counted.resolve();
  expect(await Promise.all(ofLarge)).toEqual(['written', 'written', 'written']);
  expect((await usage(large)).count.used).toBe(3);
  expect(counts).toBe(1);
});

test('a recount finds places that a lost connection left reserved, and records that the database removed on its own', async () => {
  const tenant = newTenant();
  // No write takes longer than a recount waits for those that began before it.
  const { add, usage } = replica({ ...soon, settledAfterMs: 1_000 });
  for (let n = 0; n < LIMIT; n++) {
    expect(await add(tenant, 'x', async () => Promise.reject(new Error('lost')))).toBe('lost');
  }
  await expect.poll(async () => add(tenant), { timeout: 10_000 }).toBe('written');
  for (let n = 0; n < LIMIT; n++) await add(tenant);
  await kept().deleteMany({ companyId: tenant });
  await expect.poll(async () => add(tenant), { timeout: 10_000 }).toBe('written');
  await expect.poll(async () => (await usage(tenant)).count.used, { timeout: 10_000 }).toBe(1);
});

test('a tenant that was refused is recounted before many that were not, if they have waited less than ten times as long', async () => {
  const own = database().useDb(`t${randomUUID().slice(0, 8)}`);
  const recounted: Tenant[] = [];
  const quotas = createQuotas(own, {
    limits: quotaLimits.parse(undefined),
    recount: {
      coupons: async (tenant) => {
        recounted.push(tenant);
        return await Promise.resolve(0);
      },
    },
    logger,
    times: { ...never, settledAfterMs: 0 },
  });
  const underWay = async (length: number, refused: (n: number) => boolean): Promise<Tenant[]> => {
    const tenants = Array.from({ length }, newTenant);
    const documents = tenants.map((tenant, n) => ({
      _id: keyOfTenant(tenant),
      used: { coupons: { count: 1, bytes: 1 } },
      since: {},
      recount: { id: `${n}`, refused: refused(n) },
    }));
    await own.collection<(typeof documents)[0]>('quotas').insertMany(documents);
    return tenants;
  };
  const run = async () => quotas.recounts.run(new AbortController().signal);
  const first = await underWay(50, (n) => n === 49);
  await run();
  expect([recounted[0], recounted.length]).toEqual([first[49], 20]);
  // These have not waited yet.
  await underWay(50, () => true);
  await run();
  expect(recounted).toHaveLength(40);
  expect(first).toEqual(expect.arrayContaining(recounted));
  await own.dropDatabase();
});

test('a tenant whose recount fails delays that of no other', async () => {
  const [failing, other] = [newTenant(), newTenant()];
  let failures = 0;
  const { add, usage } = replica(soon, undefined, async (tenant) => {
    const found = await amount(tenant);
    if (tenant === failing && found > 0) throw new Error(`its recount took too long, time ${++failures}`);
    return found;
  });
  expect(await add(failing)).toBe('written');
  await expect.poll(() => failures, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await add(other, 'x', async () => Promise.reject(new Error('lost')))).toBe('lost');
  await expect.poll(async () => (await usage(other)).count.used, { timeout: 10_000 }).toBe(0);
});
