import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '@event-commerce/test-kit';
import { Redis } from 'ioredis';
import { startEchoingGateway, type TestGateway } from './gateway-fixture.ts';
import { rawRequest } from './raw-request.ts';

let gateway: TestGateway;
/** Allows three requests, and one more in 100 seconds: a slow test machine must not refill it. */
let slow: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway(PATIENT);
  slow = await gateway.replica({ RATE_LIMIT_PER_SECOND: 0.01, RATE_LIMIT_BURST: 3 });
});
afterAll(async () => {
  await slow?.stop();
  await gateway?.stop();
});

/** Long time-outs: a slow test machine must not cause a 408 or a 504. */
const PATIENT = { UPSTREAM_TIMEOUT_MS: 20_000, HEADERS_TIMEOUT_MS: 20_000, REQUEST_TIMEOUT_MS: 20_000 };
const clientOf = (key: string, url = gateway.url) => apiClient(url, { authorization: `Bearer ${key}` });

describe('the rate limit of a key', () => {
  it('admits exactly the burst of 200 requests at once, across replicas', async () => {
    const replica = await gateway.replica();
    try {
      // Refills so slowly that nothing is refilled during the test.
      const { key } = await gateway.createKey({ rateLimit: { perSecond: 1, burst: 57 } });
      const began = Date.now();
      const replies = await Promise.all(
        Array.from({ length: 200 }, (_, at) => clientOf(key, at % 2 ? gateway.url : replica.url).get('/coupons')),
      );
      const refilled = Math.floor((Date.now() - began) / 1000);
      const admitted = replies.filter(({ status }) => status === 200).length;
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(200 - admitted);
      expect(admitted).toBeGreaterThanOrEqual(57);
      expect(admitted).toBeLessThanOrEqual(57 + refilled);
    } finally {
      await replica.stop();
    }
  });

  it('is not exhausted for long after the clock of Redis is set back', async () => {
    const { key } = await gateway.createKey({ rateLimit: { perSecond: 1, burst: 30 } });
    const send = async () => (await clientOf(key).get('/coupons')).status;
    const statuses = await Promise.all(Array.from({ length: 60 }, send));
    expect(statuses).toContain(429);
    const redis = new Redis(gateway.config.REDIS_URL);
    try {
      // Times that were stored before are then in the future.
      for (const name of await redis.keys(`${gateway.config.REDIS_KEY_PREFIX}*`)) {
        const [arrival, ahead] = ((await redis.get(name)) ?? '').split('.');
        await redis.set(name, `${Number(arrival) + 3_600_000_000}.${ahead}`, 'KEEPTTL');
      }
    } finally {
      redis.disconnect();
    }
    expect(await send()).toBe(200);
  });

  it('never admits more than the burst plus the refill, in any window', async () => {
    const limit = { perSecond: 20, burst: 5 };
    const { key } = await gateway.createKey({ rateLimit: limit });
    const client = clientOf(key);
    const admitted: { sentAtMs: number; answeredAtMs: number }[] = [];
    const began = performance.now();
    while (performance.now() - began < 2_000) {
      const sentAtMs = performance.now();
      const { status } = await client.get('/coupons');
      if (status === 200) admitted.push({ sentAtMs, answeredAtMs: performance.now() });
    }
    for (const [first, { sentAtMs }] of admitted.entries()) {
      for (const [last, { answeredAtMs }] of admitted.entries()) {
        if (last < first) continue;
        const refilled = (limit.perSecond * (answeredAtMs - sentAtMs)) / 1000;
        expect(last - first + 1).toBeLessThanOrEqual(limit.burst + refilled + 1);
      }
    }
    expect(admitted.length).toBeGreaterThanOrEqual(20);
  });

  it('admits as many of the requests in one packet as fit, and tells each what is left', async () => {
    const { key } = await gateway.createKey();
    const request = (more = '') => `GET /coupons HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
    const packet = request().repeat(5) + request('Connection: close\r\n');
    const { text } = await rawRequest(slow.url, packet);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    const left = [...text.matchAll(/^ratelimit: "default";r=(\d+)/gm)].map(([, remaining]) => Number(remaining));
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
    expect(left).toEqual([2, 1, 0, 0, 0, 0]);
  });

  it('is in the headers of every authenticated response', async () => {
    const { key } = await gateway.createKey({ scopes: ['coupons:read'] });
    const client = clientOf(key, slow.url);
    const [first, forbidden, third, refused] = [
      await client.get('/coupons'),
      await client.get('/orders'),
      await client.get('/coupons'),
      await client.get('/coupons'),
    ];
    expect([first, forbidden, third, refused].map(({ status }) => status)).toEqual([200, 403, 200, 429]);
    for (const reply of [first, forbidden, third, refused]) {
      expect(reply.headers.get('ratelimit-policy')).toBe('"default";q=3;w=300');
      expect(reply.headers.get('ratelimit')).toMatch(/^"default";r=[0-2];t=[1-9]\d{0,2}$/);
    }
    expect(first.headers.get('ratelimit')).toBe('"default";r=2;t=100');
    const resetSeconds = Number(/t=(\d+)/.exec(refused.headers.get('ratelimit') ?? '')?.[1]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(resetSeconds);
    expect(refused.body.error.code).toBe('RATE_LIMITED');
  });

  it('is the configured default for a key without one of its own', async () => {
    const reply = await (await gateway.client('*')).get('/coupons');
    expect(reply.headers.get('ratelimit-policy')).toBe('"default";q=10000;w=1');
  });
});

describe('the rate limit of a company', () => {
  /**
   * How many of `count` simultaneous requests with each of `keys` are admitted; at most `refilled` were refilled in
   * between.
   */
  const admittedOf = async (keys: readonly string[], count: number, url = gateway.url) => {
    const began = Date.now();
    const replies = await Promise.all(
      keys.flatMap((key) => Array.from({ length: count }, () => clientOf(key, url).get('/admin/keys?limit=1'))),
    );
    const admitted = replies.filter(({ status }) => status !== 429).length;
    return { admitted, refilled: Math.ceil((Date.now() - began) / 1000) };
  };

  it("applies to all its keys together, and a request refused by a key's own limit takes nothing from the others", async () => {
    const own = await gateway.replica({
      RATE_LIMIT_PER_SECOND: 1,
      RATE_LIMIT_BURST: 10,
      COMPANY_RATE_LIMIT_PER_SECOND: 1,
      COMPANY_RATE_LIMIT_BURST: 14,
    });
    try {
      const one = await gateway.createKey();
      const two = await gateway.createKey({ companyId: one.companyId });
      const other = await gateway.createKey();
      const first = await admittedOf([one.key], 40, own.url);
      expect(first.admitted).toBeGreaterThanOrEqual(10);
      expect(first.admitted).toBeLessThanOrEqual(10 + first.refilled);
      const second = await admittedOf([two.key], 40, own.url);
      expect(first.admitted + second.admitted).toBeGreaterThanOrEqual(14);
      expect(first.admitted + second.admitted).toBeLessThanOrEqual(14 + first.refilled + second.refilled + 1);
      expect((await admittedOf([other.key], 10, own.url)).admitted).toBe(10);
    } finally {
      await own.stop();
    }
  });

  it.each([
    ['with Redis', {}],
    ['without Redis', { REDIS_URL: 'redis://127.0.0.1:9' }],
  ])('%s holds for all its keys when one of them has more', async (_title, redis) => {
    const company = { COMPANY_RATE_LIMIT_PER_SECOND: 1, COMPANY_RATE_LIMIT_BURST: 20 };
    const own = await gateway.replica({ ...company, ...redis });
    try {
      const usual = await own.createKey({ rateLimit: { perSecond: 1, burst: 20 } });
      const more = await own.createKey({ companyId: usual.companyId, rateLimit: { perSecond: 1, burst: 60 } });
      const third = await own.createKey({ companyId: usual.companyId, rateLimit: { perSecond: 1, burst: 20 } });
      const began = Date.now();
      let admitted = 0;
      for (const [key, count] of [
        [usual, 20],
        [more, 5],
        [third, 20],
        [more, 60],
        [third, 20],
      ] as const) {
        admitted += (await admittedOf([key.key], count, own.url)).admitted;
      }
      expect(admitted).toBeGreaterThanOrEqual(60);
      expect(admitted).toBeLessThanOrEqual(60 + Math.ceil((Date.now() - began) / 1000));
    } finally {
      await own.stop();
    }
  });

  it('is shared by a key with its own limit and the keys it issues', async () => {
    const limit = { perSecond: 1, burst: 16 };
    const admin = await gateway.createKey({ scopes: ['keys:admin', 'coupons:read'], rateLimit: limit });
    const children: string[] = [];
    for (let n = 0; n < 5; n++) {
      const body = { name: 'child', scopes: ['keys:admin'], rateLimit: limit };
      const { status, body: answer } = await clientOf(n < 3 ? admin.key : (children[0] as string)).post(
        '/admin/keys',
        body,
      );
      expect(status).toBe(201);
      children.push(answer.data.key as string);
    }
    const { admitted, refilled } = await admittedOf(children, 30);
    // Issuing them used five requests.
    expect(admitted).toBeGreaterThanOrEqual(11);
    expect(admitted).toBeLessThanOrEqual(11 + 5 + refilled + 1);
  });

  it('is shared by a key with its own limit and the keys that replace it in turn', async () => {
    const limit = { perSecond: 1, burst: 16 };
    const last = await gateway.createKey({ scopes: ['keys:admin', 'coupons:read'], rateLimit: limit });
    const keys = [last.key];
    for (let n = 0, id = last.id; n < 4; n++) {
      const rotated = await clientOf(keys.at(-1) as string).post(`/admin/keys/${id}/rotate`, { overlapSeconds: 600 });
      expect(rotated.status).toBe(201);
      keys.push(rotated.body.data.key as string);
      id = rotated.body.data.id;
    }
    const { admitted, refilled } = await admittedOf(keys, 30);
    // Rotating used four requests.
    expect(admitted).toBeGreaterThanOrEqual(12);
    expect(admitted).toBeLessThanOrEqual(12 + 4 + refilled + 1);
  });
});
