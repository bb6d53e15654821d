import { randomUUID } from 'node:crypto';
import { createLogger } from '@event-commerce/service-kit';
import { apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll, beforeEach, expect, test, onTestFinished } from 'vitest';
import { echoServices, newRedisPrefix, ROOT_KEY, startTestGateway, type TestGateway } from './gateway-fixture.ts';

type Line = Record<string, unknown> & { level: number; msg: string };

const text: string[] = [];
const logger = createLogger({
  service: 'gateway',
  level: 'info',
  destination: { write: (line) => void text.push(line) },
});
const lines = () => text.map((line) => JSON.parse(line) as Line);
const answered = () => lines().filter(({ msg }) => msg === 'answered');
const audited = (audit: string) => lines().filter((line) => line['audit'] === audit);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ...(await echoServices()), cart: 'http://127.0.0.1:9' }, {}, logger);
});
afterAll(async () => gateway?.stop());
beforeEach(() => {
  text.length = 0;
});

test('each request has one line: route, status, duration and key', async () => {
  const { id: keyId, key, companyId } = await gateway.createKey();
  text.length = 0;
  const api = apiClient(gateway.url, { authorization: `Bearer ${key}` });
  const requestId = randomUUID();
  const buyer = 'ada@example.com';
  const path = `/v1/orders?email=${encodeURIComponent(buyer)}`;
  await api.get(path, { 'x-request-id': requestId });
  await api.post('/v1/orders', { order: { customer: { email: buyer } } });
  await api.get('/v1/events/evt_of-ada@example.com');

  await expect.poll(() => answered().length).toBe(3);
  expect(answered()[0]).toEqual({
    level: 30,
    time: expect.any(String) as string,
    service: 'gateway',
    pid: process.pid,
    requestId,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    method: 'GET',
    route: '/orders',
    status: 200,
    ms: expect.any(Number) as number,
    companyId,
    keyId,
    msg: 'answered',
  });
  expect(answered()[1]).toMatchObject({ method: 'POST', route: '/orders', status: 201 });
  expect(answered()[2]).toMatchObject({ method: 'GET', route: '/events/:id', status: 200 });
  expect(text.join('')).not.toContain('example.com');
  expect(text.join('')).not.toContain(key);
});

test('an error line has its code', async () => {
  const api = await gateway.client('events:read');
  text.length = 0;
  await api.get('/v1/orders');
  await expect
    .poll(answered)
    .toEqual([
      expect.objectContaining({ status: 403, code: 'FORBIDDEN', audit: 'access-denied', companyId: api.companyId }),
    ]);
});

test('issuing, rotating and revoking a key, and every use of the root key, leave an audit line', async () => {
  const { id, companyId } = await gateway.createKey({ scopes: ['orders:read'], name: 'Ada Lovelace' });
  const rotated = await gateway.root.post(`/v1/admin/keys/${id}/rotate`, { overlapSeconds: 60 });
  const next = rotated.body.data.id as string;
  await gateway.root.post(`/v1/admin/keys/${next}/revoke`);
  await expect.poll(() => audited('root-key-used').length).toBe(3);

  const about = { by: 'root', companyId, client: '127.0.0.1', requestId: expect.any(String) as string };
  expect(audited('api-key-issued')).toEqual([
    expect.objectContaining({ ...about, keyId: id, scopes: ['orders:read'], environment: 'test', expires: null }),
  ]);
  expect(audited('api-key-rotated')).toEqual([
    expect.objectContaining({ ...about, keyId: id, rotatedTo: next, overlapSeconds: 60 }),
  ]);
  expect(audited('api-key-revoked')).toEqual([expect.objectContaining({ ...about, keyId: next })]);
  expect(audited('root-key-used').map(({ method, route, status }) => [method, route, status])).toEqual([
    ['POST', '/admin/keys', 201],
    ['POST', '/admin/keys/:id/rotate', 201],
    ['POST', '/admin/keys/:id/revoke', 200],
  ]);
  expect(text.join('')).not.toContain(rotated.body.data.key);
  expect(text.join('')).not.toContain(ROOT_KEY);
  expect(text.join('')).not.toContain('Lovelace');
});

test('requests without a valid key get ten lines a second and a count, however many there are; a key gets all of its lines', async () => {
  // Only this gateway counts the failed attempts of their address.
  const own = await gateway.replica({ REDIS_KEY_PREFIX: newRedisPrefix() });
  onTestFinished(() => own.stop());
  const api = await own.client('events:read');
  // The key is in use from now on: invalid keys from the same address do not slow it down.
  await api.get('/v1/events');
  text.length = 0;
  const stranger = apiClient(own.url, { authorization: `Bearer ${randomUUID()}` });
  await Promise.all(Array.from({ length: 100 }, () => stranger.get('/v1/events')));
  await Promise.all(Array.from({ length: 30 }, () => api.get('/v1/events')));
  await expect
    .poll(() => {
      const refused = lines().filter((line) => line['audit'] === 'access-denied' || line['code'] === 'RATE_LIMITED');
      return refused.reduce((total, line) => total + ((line['repeated'] as number | undefined) ?? 1), 0);
    })
    .toBe(100);
  const known = answered().filter((line) => line['companyId'] === api.companyId);
  const strange = answered().filter((line) => line['companyId'] === undefined);
  expect(known).toHaveLength(30);
  // Ten lines for each second that the hundred requests took.
  expect(strange.length).toBeLessThanOrEqual(50);
  expect(strange[0]).toMatchObject({ status: 401, code: 'UNAUTHORIZED', audit: 'access-denied', client: '127.0.0.1' });
});

test('while a service is down, each request has its line, and the stack of the error is logged once a second', async () => {
  // No request runs out of time waiting for a slot, however slow the machine.
  const own = await gateway.replica({ UPSTREAM_TIMEOUT_MS: 20_000 });
  onTestFinished(() => own.stop());
  const api = await own.client('carts:read');
  text.length = 0;
  await Promise.all(Array.from({ length: 100 }, () => api.get('/v1/cart/sessions/one')));
  await expect.poll(() => answered().length).toBe(100);
  expect(new Set(answered().map(({ status, code }) => `${String(status)} ${String(code)}`))).toEqual(
    new Set(['502 BAD_GATEWAY']),
  );
  const counted = () =>
    lines()
      .filter(({ level }) => level === 50)
      .reduce((total, line) => total + ((line['repeated'] as number | undefined) ?? 1), 0);
  await expect.poll(counted).toBe(100);
  expect(lines().filter(({ err }) => err !== undefined).length).toBeLessThan(10);
});

test('probes leave no line', async () => {
  await fetch(`${gateway.url}/healthz`);
  await fetch(`${gateway.url}/readyz`);
  const api = await gateway.client('events:read');
  text.length = 0;
  await fetch(`${gateway.url}/healthz`);
  await api.get('/v1/events');
  await expect.poll(() => answered().length).toBe(1);
  expect(answered()[0]).toMatchObject({ route: '/events' });
});
