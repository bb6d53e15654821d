import { METHODS } from 'node:http';
import { FORWARDED_OPERATIONS, type Operation } from '@event-commerce/contracts';
import { type ApiClient, apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyText, parseKeyText } from '../src/auth/key-format.ts';
import { newRedisPrefix, NEXT_ROOT_KEY, ROOT_KEY, startEchoingGateway, type TestGateway } from './gateway-fixture.ts';
import { rawRequest } from './raw-request.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway();
});
afterAll(async () => gateway?.stop());

const bearer = (key: string) => apiClient(gateway.url, { authorization: `Bearer ${key}` });
/** Requests a route of the table with its parameters filled in. */
const ask = (client: ApiClient, route: Operation, prefix = '') =>
  client[route.method.toLowerCase() as 'get' | 'delete'](prefix + exampleOf(route.url));
const exampleOf = (path: string) => path.replaceAll(/:[A-Za-z]+/g, 'x1');

describe('a request', () => {
  it('without a key is 401 and names the expected scheme', async () => {
    const reply = await apiClient(gateway.url, {}).get('/v1/coupons');
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    expect(reply.body).toMatchObject({ status: 'error', error: { code: 'UNAUTHORIZED' } });
    expect(reply.body.error.requestId).toBe(reply.headers.get('x-request-id'));
  });

  it.each(['Bearer', 'Bearer ', 'Basic abc', 'Bearer eck_live_x', 'Bearer a b'])('with %j is 401', async (value) => {
    expect((await apiClient(gateway.url, { authorization: value }).get('/v1/coupons')).status).toBe(401);
  });

  it.each([
    ['another secret', 'test', () => undefined],
    ['the secret but another environment', 'live', (key: string) => parseKeyText(key)?.secret],
  ] as const)(
    'with the id of a key and %s is 401, whether the key is cached or not',
    async (_, environment, secret) => {
      const { id, key } = await gateway.createKey();
      const forged = createKeyText(environment, id, secret(key)).text;
      const replies = [];
      for (const sent of [forged, key, forged]) replies.push(await bearer(sent).get('/coupons'));
      expect(replies.map(({ status, body }) => [status, body.message])).toEqual([
        [401, 'This API key is not valid. Check that it is complete, and has no quotes or brackets around it.'],
        [200, undefined],
        [401, 'This API key is not valid. Check that it is complete, and has no quotes or brackets around it.'],
      ]);
    },
  );

  it.each([
    [ROOT_KEY, 200],
    [NEXT_ROOT_KEY, 200],
    [`${NEXT_ROOT_KEY}x`, 401],
  ])("with the operator's key %s, one of two while it is being replaced, is %i", async (key, status) => {
    expect((await bearer(key).get('/v1/admin/keys')).status).toBe(status);
  });

  it('with two Authorization headers is 401, even if both have a valid key', async () => {
    const { key } = await gateway.createKey();
    const line = `Authorization: Bearer ${key}\r\n`;
    const reply = await rawRequest(
      gateway.url,
      `GET /coupons HTTP/1.1\r\nHost: a\r\n${line}${line}Connection: close\r\n\r\n`,
    );
    expect(reply.status).toBe(401);
  });

  it("with a valid key reaches the service as the key's company, on every route", async () => {
    const { key, companyId, id } = await gateway.createKey();
    for (const route of FORWARDED_OPERATIONS.filter(({ rpc }) => rpc === undefined)) {
      const { status, body } = await ask(bearer(key), route, '/v1');
      expect([route.url, status, body.data?.service]).toEqual([
        route.url,
        expect.toBeOneOf([200, 201, 202]),
        route.service,
      ]);
      expect(body.data.url).toBe(exampleOf(route.url));
      // Of all the key's scopes, the service gets only those that this request needs.
      const scopes = [route.scope, ...(route.also ?? [])];
      expect(body.data.identity).toMatchObject({ companyId, keyId: id, scopes });
    }
  });

  it('with a key that lacks the scope is 403 and names it, on every route', async () => {
    const none = await gateway.client('keys:admin');
    for (const route of FORWARDED_OPERATIONS) {
      const { status, body } = await ask(none, route);
      expect([route.url, status, body.error.message]).toEqual([route.url, 403, expect.stringContaining(route.scope)]);
    }
  });

  it('may read with a write scope, but not write with a read scope', async () => {
    const writer = await gateway.client('coupons:write');
    const reader = await gateway.client('coupons:read');
    expect((await writer.get('/coupons')).status).toBe(200);
    expect((await reader.get('/coupons')).status).toBe(200);
    expect((await reader.post('/coupons', {})).status).toBe(403);
  });

  it('with the root key is 403 where a company is needed', async () => {
    const reply = await gateway.root.get('/v1/coupons');
    expect(reply.status).toBe(403);
    expect(reply.body.error.message).toContain('create a key');
  });

  it('is 401 for every method of an existing path', async () => {
    for (const method of METHODS.filter((each) => each !== 'CONNECT')) {
      const head = 'Host: a\r\nConnection: close\r\n';
      const { status } = await rawRequest(gateway.url, `${method} /v1/coupons HTTP/1.1\r\n${head}\r\n`);
      expect([method, status]).toEqual([method, 401]);
    }
  });
});

describe('failed authentications', () => {
  it('are limited per address, without delaying keys in use', async () => {
    const own = await gateway.replica({ REDIS_KEY_PREFIX: newRedisPrefix() });
    try {
      const inUse = await own.client('*');
      expect((await inUse.get('/coupons')).status).toBe(200);
      const nobody = apiClient(own.url, { authorization: 'Bearer wrong' });
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 25; attempt++) statuses.push((await nobody.get('/coupons')).status);
      expect(statuses.slice(0, 20)).toEqual(Array<number>(20).fill(401));
      const refused = await nobody.get('/coupons', { 'x-forwarded-for': '192.0.2.77' });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await inUse.get('/coupons')).status).toBe(200);
    } finally {
      await own.stop();
    }
  });
});
