import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '@event-commerce/service-kit';
import { apiClient } from '@event-commerce/test-kit';
import { connectRedis } from '../src/limit/redis.ts';
import { startEchoingGateway, type TestGateway } from './gateway-fixture.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway(PATIENT);
});
afterAll(async () => gateway?.stop());

/** Long time-outs: a slow test machine must not cause a 408 or a 504. */
const PATIENT = { UPSTREAM_TIMEOUT_MS: 20_000, HEADERS_TIMEOUT_MS: 20_000, REQUEST_TIMEOUT_MS: 20_000 };
const clientOf = (key: string, url = gateway.url) => apiClient(url, { authorization: `Bearer ${key}` });

describe('on a machine without CPU to spare', () => {
  it('the gateway waits for a slow Redis, and the burst is still admitted once across replicas', async () => {
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
  it('the gateway serves, limits on its own, and reports that', async () => {
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

  it('the log says why, once per outage', async () => {
    const refusing = await startServer((socket) => {
      socket.on('data', (commands) => {
        for (const _ of String(commands).matchAll(/^\*/gm)) socket.write('-WRONGPASS invalid password\r\n');
      });
    });
    const lines: { level: number; err: { message: string } }[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const logger = createLogger({ service: 'test', level: 'debug', destination });
    const redis = await connectRedis(refusing.url.replace('//', '//:wrong@'), logger);
    await expect.poll(() => lines.length).toBeGreaterThan(2);
    redis.disconnect();
    refusing.stop();
    const warned = lines.filter(({ level }) => level === 40);
    expect(warned).toMatchObject([{ err: { message: expect.stringContaining('WRONGPASS') } }]);
  });

  it('the gateway does not wait for a Redis that accepts and never responds', async () => {
    const hung = await startServer();
    const { key } = await gateway.createKey();
    const own = await gateway.replica({ REDIS_URL: hung.url });
    try {
      let fastestMs = Infinity;
      for (let count = 0; count < 20; count++) {
        const began = performance.now();
        expect((await clientOf(key, own.url).get('/coupons')).status).toBe(200);
        fastestMs = Math.min(fastestMs, performance.now() - began);
      }
      // Less than it takes to find out that Redis hangs; the machine's own delay is not Redis's.
      expect(fastestMs).toBeLessThan(75);
    } finally {
      await own.stop();
      hung.stop();
    }
  });

  it('a Redis that stops responding delays the request that detects it by at most 110 ms', async () => {
    const proxy = await startPausableProxy(new URL(gateway.config.REDIS_URL));
    const own = await gateway.replica({ REDIS_URL: proxy.url });
    try {
      const client = await own.client('*');
      const redisState = async () => (await own.root.get('/readyz')).body.data.checks.redis;
      let fastestMs = Infinity;
      // The machine's own delay is not Redis's.
      for (let attempt = 0; attempt < 20 && fastestMs > 110; attempt++) {
        await expect.poll(redisState).toBe('ok');
        proxy.pause();
        const began = performance.now();
        expect((await client.get('/coupons')).status).toBe(200);
        fastestMs = Math.min(fastestMs, performance.now() - began);
        expect(await redisState()).toBe('degraded');
        proxy.resume();
      }
      expect(fastestMs).toBeLessThan(110);
    } finally {
      await own.stop();
      proxy.stop();
    }
  });

  it('a Redis that stops responding delays a wrong key briefly, and wrong keys are still limited', async () => {
    const proxy = await startPausableProxy(new URL(gateway.config.REDIS_URL));
    const own = await gateway.replica({ REDIS_URL: proxy.url });
    try {
      const nobody = clientOf('wrong', own.url);
      expect((await nobody.get('/coupons')).status).toBe(401);
      proxy.pause();
      const began = performance.now();
      const replies = await Promise.all(Array.from({ length: 25 }, () => nobody.get('/coupons')));
      const statuses = replies.map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([
        ...Array<number>(20).fill(401),
        ...Array<number>(5).fill(429),
      ]);
      expect(performance.now() - began).toBeLessThan(2_000);
    } finally {
      await own.stop();
      proxy.stop();
    }
  });

  it('a Redis that stops responding and recovers is used again', async () => {
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

/** By default it never responds. */
async function startServer(serve: (socket: Socket) => void = () => {}) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
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
 * A proxy between the gateway and Redis. While paused, it acts like a stopped Redis: connections stay open, nothing
 * responds.
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
