import { apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEchoingGateway, type TestGateway } from './gateway-fixture.ts';

const SHOP = 'https://shop.example';

let closed: TestGateway;
let gateway: TestGateway;
beforeAll(async () => {
  closed = await startEchoingGateway();
  gateway = await closed.replica({ CORS_ORIGINS: [SHOP, 'http://localhost:5173'] });
});
afterAll(async () => {
  await gateway?.stop();
  await closed?.stop();
});

const preflight = async (path: string, origin = SHOP, { url } = gateway) =>
  await fetch(`${url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });
const allowed = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');

describe('a page of an allowed origin', () => {
  it.each([
    '/v1/orders',
    '/v1/orders/ord_1',
    '/v1/pricing/adjustments/evaluate',
    '/v1/admin/keys',
    '/v1/usage',
    '/readyz',
    '/v1/nothing',
  ])('asks without a key what it may send: %s', async (path) => {
    const reply = await preflight(path);
    expect([reply.status, allowed(reply), await reply.text()]).toEqual([204, SHOP, '']);
    expect(reply.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(reply.headers.get('access-control-allow-headers')).toBe('authorization,content-type,idempotency-key');
    expect(reply.headers.get('vary')?.toLowerCase()).toContain('origin');
  });

  it('reads responses and errors, with the headers that a client needs', async () => {
    const { key } = await gateway.createKey();
    const page = { origin: SHOP };
    const client = apiClient(gateway.url, { ...page, authorization: `Bearer ${key}` });
    const replies = [
      await client.get('/v1/coupons/cpn_1'),
      await client.post('/v1/orders', {}),
      await client.get('/v1/nothing'),
      await client.get('/v1//coupons'),
      await client.delete('/v1/coupons'),
      await apiClient(gateway.url, page).get('/v1/coupons'),
    ];
    expect(replies.map((reply) => [reply.status, allowed(reply)])).toEqual(
      [200, 201, 404, 400, 405, 401].map((status) => [status, SHOP]),
    );
    const exposed = replies[0]?.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['etag', 'ratelimit', 'ratelimit-policy', 'retry-after', 'x-request-id']),
    );
  });
});

describe('a page of another origin', () => {
  it.each([
    ['none is allowed', () => closed, SHOP],
    ['others are', () => gateway, 'https://shop.example.evil.test'],
  ])('is asked for no key, and allowed nothing, when %s', async (_what, at, origin) => {
    const reply = await preflight('/v1/orders', origin, at());
    expect([reply.status, allowed(reply)]).toEqual([204, null]);
    const client = apiClient(at().url, { origin, authorization: `Bearer ${(await at().createKey()).key}` });
    expect(allowed(await client.get('/v1/coupons'))).toBeNull();
  });

  it('reads /openapi.json', async () => {
    expect(allowed(await apiClient(closed.url, { origin: SHOP }).get('/openapi.json'))).toBe('*');
  });
});

it('OPTIONS that is not a preflight is 405 with a key, and 404 for an unknown path', async () => {
  const { key } = await gateway.createKey();
  const options = async (path: string, headers: Record<string, string> = {}) =>
    await fetch(`${gateway.url}${path}`, { method: 'OPTIONS', headers });
  expect((await options('/v1/orders')).status).toBe(401);
  expect((await options('/v1/orders', { authorization: `Bearer ${key}` })).status).toBe(405);
  const nothing = await options('/v1/nothing', { origin: SHOP });
  expect([nothing.status, ((await nothing.json()) as any).error.code]).toEqual([404, 'NOT_FOUND']);
});
