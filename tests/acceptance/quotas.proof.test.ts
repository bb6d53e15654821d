import { type CompanyUsage, type QuotaName, QUOTAS } from '@event-commerce/contracts';
import { adjustmentBody, type ApiClient, apiClient, newCode, newCompanyId } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../harness/platform.ts';

const LIMIT = 3;
const KEYS_MAX = 4;

let platform: TestPlatform;
beforeAll(async () => {
  const limits = Object.keys(QUOTAS).map((name) => `${name}=${LIMIT}`);
  const env = { QUOTAS: limits.join(), API_KEYS_MAX: String(KEYS_MAX) };
  platform = await startTestPlatform({ env });
});
afterAll(async () => platform?.stop());

async function clientOf(companyId: string, environment: 'live' | 'test' = 'live', scopes = ['*']): Promise<ApiClient> {
  return (await platform.newCompany({ companyId, scopes, environment })).api;
}

async function usageOf(client: ApiClient): Promise<CompanyUsage['quotas']> {
  const { status, body } = await client.get('/v1/usage');
  expect([status, body.status]).toEqual([200, 'ok']);
  return body.data.quotas;
}

async function eventOf(client: ApiClient): Promise<string> {
  return (await client.post('/v1/events', { name: 'Summer night' })).body.data.id;
}

interface Growth {
  quota: QuotaName;
  add: (client: ApiClient, n: number) => Promise<{ status: number; body: any }>;
  /** How many exist before the first. */
  before?: number;
}

const price = { amount: 5_000, currency: 'EUR' };
const GROWTHS: Growth[] = [
  {
    quota: 'liveAdjustments',
    add: async (client) => client.post('/v1/pricing/adjustments', adjustmentBody(newCode())),
  },
  {
    quota: 'adjustments',
    add: async (client) => client.post('/v1/pricing/adjustments', { ...adjustmentBody(newCode()), status: 'draft' }),
  },
  {
    quota: 'budgets',
    add: async (client) => client.post('/v1/pricing/budgets', { name: 'Summer', limit: price }),
  },
  {
    quota: 'codes',
    add: async (client) => client.post(`/v1/coupons/${await firstCoupon(client)}/codes`, { codes: [newCode()] }),
  },
  { quota: 'coupons', add: async (client) => client.post('/v1/coupons', {}) },
  { quota: 'events', add: async (client) => client.post('/v1/events', { name: 'Summer night' }) },
  {
    quota: 'offerings',
    add: async (client) => client.post(`/v1/events/${await firstEvent(client)}/offerings`, { name: 'Ticket', price }),
  },
  {
    quota: 'purchaseGroups',
    add: async (client) => client.post(`/v1/events/${await firstEvent(client)}/purchase-groups`, { name: 'Friends' }),
  },
  {
    quota: 'openCarts',
    add: async (client, n) => client.post(`/cart/sessions/cart-${n}/item`, { offeringId: 'off_1', quantity: 1 }),
  },
  {
    quota: 'tableCommitments',
    add: async (client) => client.post('/cart/table-commitments', { contextId: 'evt_1', seats: 4 }),
  },
];

async function firstCoupon(client: ApiClient): Promise<string> {
  const { body } = await client.get('/v1/coupons');
  return body.data[0]?.id ?? (await client.post('/v1/coupons', { percentOff: 10, uniqueCodes: true })).body.data.id;
}

async function firstEvent(client: ApiClient): Promise<string> {
  const { body } = await client.get('/v1/events');
  return body.data[0]?.id ?? (await eventOf(client));
}

describe.each(GROWTHS)('$quota', ({ quota, add }) => {
  test('a company that reaches a quota is told so; other companies are not affected', async () => {
    const [company, other] = [newCompanyId(), newCompanyId()];
    const [client, neighbour, testWorld] = [
      await clientOf(company),
      await clientOf(other),
      await clientOf(company, 'test'),
    ];
    for (let n = 0; n < LIMIT; n++)
      expect([n, (await add(client, n)).status]).toEqual([n, expect.toBeOneOf([200, 201])]);
    const refused = await add(client, LIMIT);
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      {
        code: 'QUOTA_EXCEEDED',
        message: expect.stringContaining(`at most ${LIMIT} ${QUOTAS[quota].what}`) as string,
        details: [{ path: quota, quota, limit: LIMIT, used: LIMIT }],
      },
    ]);
    const used = async (world: ApiClient) => (await usageOf(world))[quota].count;
    await expect.poll(async () => used(client)).toEqual({ used: LIMIT, limit: LIMIT });
    expect((await add(neighbour, 0)).status).toBeLessThan(300);
    expect((await add(testWorld, 0)).status).toBeLessThan(300);
    await expect.poll(async () => used(testWorld)).toMatchObject({ used: 1 });
  });
});

test('a company sees how many active keys it has, and how many it may have', async () => {
  const company = newCompanyId();
  const client = await clientOf(company);
  const path = '/v1/admin/keys';
  const body = { name: 'another', scopes: ['events:read'] };
  const usedKeys = async (of = client) => (await usageOf(of)).apiKeys;
  expect(await usedKeys()).toEqual({ count: { used: 1, limit: KEYS_MAX } });
  const made = [];
  for (let n = 1; n < KEYS_MAX; n++) made.push((await client.post(path, body)).body.data.id);
  expect(await usedKeys()).toEqual({ count: { used: KEYS_MAX, limit: KEYS_MAX } });
  expect((await client.post(path, body)).body.error.code).toBe('QUOTA_EXCEEDED');
  await client.post(`${path}/${made[0]}/revoke`);
  expect((await usedKeys()).count.used).toBe(KEYS_MAX - 1);
  expect((await usedKeys(await clientOf(company, 'test'))).count.used).toBe(1);
});

test('archiving an adjustment makes room for another live one', async () => {
  const client = await clientOf(newCompanyId());
  const path = '/v1/pricing/adjustments';
  const made = [];
  for (let n = 0; n < 2; n++) made.push((await client.post(path, adjustmentBody(newCode()))).body.data.id);
  await client.patch(`${path}/${made[0]}`, { status: 'paused' });
  const live = async () => (await usageOf(client)).liveAdjustments.count.used;
  await expect.poll(live).toBe(1);
  await client.delete(`${path}/${made[1]}`);
  await expect.poll(live, { timeout: 5_000 }).toBe(0);
  expect((await usageOf(client)).adjustments.count.used).toBe(2);
});

test("a coupon beyond pricing's quota is refused and not created", async () => {
  const client = await clientOf(newCompanyId());
  for (let n = 0; n < LIMIT; n++) await client.post('/v1/pricing/adjustments', adjustmentBody(newCode()));
  const blank = (await client.post('/v1/coupons', {})).body.data.id;
  const refused = await client.post('/v1/coupons', { code: newCode(), percentOff: 10 });
  expect([refused.status, refused.body.error.details[0].quota]).toEqual([409, 'liveAdjustments']);
  const changed = await client.patch(`/v1/coupons/${blank}`, { code: newCode(), percentOff: 10 });
  expect([changed.status, changed.body.error.code]).toEqual([409, 'QUOTA_EXCEEDED']);
  const { data } = (await client.get('/v1/coupons')).body;
  expect(data).toEqual([expect.objectContaining({ id: blank, status: 'active' })]);
  expect(data[0]).not.toHaveProperty('code');
});

test('any key of a company can read its usage; the root key belongs to no company', async () => {
  const reader = await clientOf(newCompanyId(), 'live', ['orders:read']);
  expect(Object.keys(await usageOf(reader)).toSorted()).toEqual([...Object.keys(QUOTAS), 'apiKeys'].toSorted());
  const root = apiClient(platform.url, { authorization: `Bearer ${platform.rootApiKey}` });
  expect((await root.get('/v1/usage')).status).toBe(403);
});
