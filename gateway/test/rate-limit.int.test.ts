import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '@event-commerce/test-kit';
import { startEchoServices, startTestGateway, type TestGateway } from './gateway-fixture.ts';
import { rawRequest } from './raw-request.ts';

let services: Awaited<ReturnType<typeof startEchoServices>>;
let gateway: TestGateway;

beforeAll(async () => {
  services = await startEchoServices();
  gateway = await startTestGateway(services, PATIENT);
});
afterAll(async () => {
  await gateway?.stop();
  await services?.stop();
});

/** Long time-outs: a slow test machine must not cause a 408 or a 504. */
const PATIENT = { UPSTREAM_TIMEOUT_MS: 20_000, HEADERS_TIMEOUT_MS: 20_000, REQUEST_TIMEOUT_MS: 20_000 };

const clientOf = (key: string, url = gateway.url) => apiClient(url, { authorization: `Bearer ${key}` });

describe('the rate limit of a key', () => {
  it('admits exactly the burst of 500 requests at once, across replicas', async () => {
    const replica = await gateway.replica();
    try {
      // Refills so slowly that nothing is refilled during the test.
      const { key } = await gateway.createKey({ rateLimit: { perSecond: 1, burst: 137 } });
      const began = Date.now();
      const replies = await Promise.all(
        Array.from({ length: 500 }, (_, at) => clientOf(key, at % 2 ? gateway.url : replica.url).get('/coupons')),
      );
      const refilled = Math.floor((Date.now() - began) / 1000);
      const admitted = replies.filter(({ status }) => status === 200).length;
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(500 - admitted);
      expect(admitted).toBeGreaterThanOrEqual(137);
      expect(admitted).toBeLessThanOrEqual(137 + refilled);
    } finally {
      await replica.stop();
    }
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

  it('admits as many of the requests in one packet as there is room for, and tells each what is left', async () => {
    const { key } = await gateway.createKey({ rateLimit: { perSecond: 1, burst: 5 } });
    const request = (more = '') => `GET /coupons HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
    const packet = request().repeat(7) + request('Connection: close\r\n');
    const { text } = await rawRequest(gateway.url, packet);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    const left = [...text.matchAll(/^ratelimit: "default";r=(\d+)/gm)].map(([, remaining]) => Number(remaining));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect(left).toEqual([4, 3, 2, 1, 0, 0, 0, 0]);
  });

  it('is in the headers of every authenticated response', async () => {
    const { key } = await gateway.createKey({ scopes: ['coupons:read'], rateLimit: { perSecond: 1, burst: 3 } });
    const client = clientOf(key);
    const [first, forbidden, third, refused] = [
      await client.get('/coupons'),
      await client.get('/orders'),
      await client.get('/coupons'),
      await client.get('/coupons'),
    ];
    expect([first, forbidden, third, refused].map(({ status }) => status)).toEqual([200, 403, 200, 429]);
    for (const reply of [first, forbidden, third, refused]) {
      expect(reply.headers.get('ratelimit-policy')).toBe('"default";q=3;w=3');
      expect(reply.headers.get('ratelimit')).toMatch(/^"default";r=[0-2];t=[1-3]$/);
    }
    expect(first.headers.get('ratelimit')).toBe('"default";r=2;t=1');
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

  it("bounds all its keys together, and a request refused by a key's own limit takes nothing from the others", async () => {
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
      const first = await admittedOf([one.key], 100, own.url);
      expect(first.admitted).toBeGreaterThanOrEqual(10);
      expect(first.admitted).toBeLessThanOrEqual(10 + first.refilled);
      const second = await admittedOf([two.key], 100, own.url);
      expect(first.admitted + second.admitted).toBeGreaterThanOrEqual(14);
      expect(first.admitted + second.admitted).toBeLessThanOrEqual(14 + first.refilled + second.refilled + 1);
      expect((await admittedOf([other.key], 10, own.url)).admitted).toBe(10);
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
    // Issuing them took five.
    expect(admitted).toBeGreaterThanOrEqual(11);
    expect(admitted).toBeLessThanOrEqual(11 + 5 + refilled + 1);
  });
});

describe('on a machine without CPU to spare', () => {
  it('a slow Redis is waited for, and the burst is still admitted once, across replicas', async () => {
    const proxy = await startPausableProxy(new URL(gateway.config.REDIS_URL));
    const slow = { ...PATIENT, REDIS_URL: proxy.url };
    const [one, other] = [await gateway.replica(slow), await gateway.replica(slow)];
    let underWay = true;
    const starve = async () => {
      while (underWay) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 70);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    try {
      const { key } = await gateway.createKey({ rateLimit: { perSecond: 1, burst: 30 } });
      await Promise.all([one, other].map(async ({ url }) => clientOf(key, url).get('/coupons')));
      const began = Date.now();
      proxy.pause();
      const starved = starve();
      const asked = Promise.all(
        Array.from({ length: 80 }, (_, at) => clientOf(key, at % 2 ? one.url : other.url).get('/coupons')),
      );
      await delay(700);
      proxy.resume();
      underWay = false;
      await starved;
      const statuses = (await asked).map(({ status }) => status);
      const refilled = Math.floor((Date.now() - began) / 1000);
      const admitted = statuses.filter((status) => status === 200).length;
      expect(statuses.filter((status) => status === 429)).toHaveLength(80 - admitted);
      expect(admitted).toBeGreaterThanOrEqual(28);
      expect(admitted).toBeLessThanOrEqual(28 + refilled + 1);
    } finally {
      underWay = false;
      await Promise.all([one.stop(), other.stop()]);
      proxy.stop();
    }
  });
});

describe('without Redis', () => {
  it('the gateway serves, limits on its own, and says so', async () => {
    const own = await gateway.replica({ REDIS_URL: 'redis://127.0.0.1:9' });
    try {
      const { key } = await own.createKey({ rateLimit: { perSecond: 1, burst: 30 } });
      const began = Date.now();
      const replies = await Promise.all(Array.from({ length: 60 }, () => clientOf(key, own.url).get('/coupons')));
      const refilled = Math.floor((Date.now() - began) / 1000);
      const admitted = replies.filter(({ status }) => status === 200).length;
      expect(replies.filter(({ status }) => status === 429)).toHaveLength(60 - admitted);
      expect(admitted).toBeGreaterThanOrEqual(30);
      expect(admitted).toBeLessThanOrEqual(30 + refilled);
      const ready = await own.root.get('/readyz');
      expect([ready.status, ready.body.data.checks.redis]).toEqual([200, 'degraded']);
    } finally {
      await own.stop();
    }
  });

  it('that accepts and never responds costs a request no more than 110 ms', async () => {
    const hung = await startHangingServer();
    const own = await gateway.replica({ REDIS_URL: hung.url });
    try {
      const { key } = await own.createKey();
      const tookMs: number[] = [];
      for (let count = 0; count < 20; count++) {
        const began = performance.now();
        expect((await clientOf(key, own.url).get('/coupons')).status).toBe(200);
        tookMs.push(performance.now() - began);
      }
      // The first ones detect it; the machine's own delay is not Redis's.
      expect(tookMs.toSorted((a, b) => a - b)[10]).toBeLessThan(110);
    } finally {
      await own.stop();
      hung.stop();
    }
  });

  it('that stops responding and recovers is used again', async () => {
    const proxy = await startPausableProxy(new URL(gateway.config.REDIS_URL));
    const own = await gateway.replica({ REDIS_URL: proxy.url });
    try {
      const { key } = await own.createKey({ rateLimit: { perSecond: 500, burst: 500 } });
      const client = clientOf(key, own.url);
      const redisState = async () => (await own.root.get('/readyz')).body.data.checks.redis;
      expect((await client.get('/coupons')).status).toBe(200);
      expect(await redisState()).toBe('ok');

      proxy.pause();
      const began = performance.now();
      const replies = await Promise.all(Array.from({ length: 20 }, () => client.get('/coupons')));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect(performance.now() - began).toBeLessThan(3_000);
      expect(await redisState()).toBe('degraded');

      proxy.resume();
      const resumed = performance.now();
      while ((await redisState()) !== 'ok') expect(performance.now() - resumed).toBeLessThan(5_000);
      expect((await client.get('/coupons')).status).toBe(200);
    } finally {
      await own.stop();
      proxy.stop();
    }
  });
});

async function startHangingServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/**
 * A proxy between the gateway and Redis. Paused, it acts like a stopped Redis: connections stay open, nothing responds.
 */
async function startPausableProxy(target: URL) {
  const sockets = new Set<Socket>();
  let paused = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => {});
      from.pipe(to);
      if (paused) from.unpipe(to).pause();
      from.once('close', () => to.destroy());
    }
    pairs.push([near, far]);
  });
  const pairs: [Socket, Socket][] = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pause: () => {
      paused = true;
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    resume: () => {
      paused = false;
      for (const [near, far] of pairs) {
        near.pipe(far);
        far.pipe(near);
      }
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
