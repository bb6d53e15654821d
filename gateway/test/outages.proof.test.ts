import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectBus, runConsumer } from '@event-commerce/bus';
import { type ApiClient, apiClient } from '@event-commerce/test-kit';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Infrastructure, startInfrastructure } from '../../deploy/local/infrastructure.ts';
import { logger, startEchoingGateway, type TestGateway } from './gateway-fixture.ts';

// Its own broker and Redis, because it stops them.
let dataDir: string;
let infrastructure: Infrastructure;
let gateway: TestGateway;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'event-commerce-gateway-outages-'));
  infrastructure = await startInfrastructure({
    dataDir,
    env: { ...process.env, MONGO_URL: inject('mongoUrl'), NATS_URL: '', REDIS_URL: '' },
    progress: () => {},
  });
  gateway = await startEchoingGateway({
    NATS_URL: infrastructure.natsUrl,
    REDIS_URL: infrastructure.redisUrl,
    UPSTREAM_TIMEOUT_MS: 10_000,
  });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  await infrastructure?.stop();
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

interface Traffic {
  replies: { status: number; startedAtMs: number; tookMs: number }[];
  stop(): Promise<void>;
}

/** Sends requests one after another, from a few clients at once, until it is stopped. */
function startTraffic(client: ApiClient, clients = 4): Traffic {
  const replies: Traffic['replies'] = [];
  let running = true;
  const ended = Promise.all(
    Array.from({ length: clients }, async () => {
      while (running) {
        const startedAtMs = performance.now();
        const { status } = await client.get('/coupons');
        replies.push({ status, startedAtMs, tookMs: performance.now() - startedAtMs });
        await delay(10);
      }
    }),
  );
  return {
    replies,
    stop: async () => {
      running = false;
      await ended;
    },
  };
}

const redisState = async () => (await gateway.root.get('/readyz')).body.data.checks.redis as string;
const until = (state: string, timeout: number) =>
  vi.waitUntil(async () => (await redisState()) === state, { timeout, interval: 20 });
const statusesOf = (traffic: Traffic) => new Set(traffic.replies.map(({ status }) => status));
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

describe('while Redis', () => {
  it.each([
    ['hangs', 'pause', 'resume'],
    ['is gone', 'kill9', 'restart'],
  ] as const)(
    '%s, all requests are served, limited by this process alone, and Redis is used again within a second of its return',
    async (_how, away, back) => {
      // On a busy machine, Redis may have been slow just before.
      await until('ok', 5_000);
      const client = await gateway.client('*');
      const traffic = startTraffic(client);
      await vi.waitUntil(() => traffic.replies.length > 20, { timeout: 10_000 });

      const awayAtMs = performance.now();
      await infrastructure.servers.redis[away]();
      await until('degraded', 5_000);
      await vi.waitUntil(() => traffic.replies.filter(({ startedAtMs }) => startedAtMs > awayAtMs).length > 100, {
        timeout: 20_000,
      });
      const { id, key } = await gateway.createKey({ rateLimit: { perSecond: 1, burst: 20 } });
      const limited = apiClient(gateway.url, { authorization: `Bearer ${key}` });
      const burst = await Promise.all(Array.from({ length: 60 }, () => limited.get('/coupons')));
      const admitted = burst.filter(({ status }) => status === 200).length;
      expect(burst.filter(({ status }) => status === 429)).toHaveLength(60 - admitted);
      expect(admitted).toBeGreaterThanOrEqual(20);
      expect(admitted).toBeLessThan(30);

      await infrastructure.servers.redis[back]();
      await until('ok', 1_500);
      // Redis does not know this key yet.
      const redis = new Redis(infrastructure.redisUrl);
      try {
        const known = async () => {
          await limited.get('/coupons');
          return await redis.keys(`${gateway.config.REDIS_KEY_PREFIX}:*${id}*`);
        };
        await expect.poll(known).not.toEqual([]);
      } finally {
        redis.disconnect();
      }
      await traffic.stop();
      expect(statusesOf(traffic)).toEqual(new Set([200]));
      const before = traffic.replies.filter(({ startedAtMs }) => startedAtMs < awayAtMs).map(({ tookMs }) => tookMs);
      const during = traffic.replies.filter(({ startedAtMs }) => startedAtMs >= awayAtMs).map(({ tookMs }) => tookMs);
      expect(median(during) - median(before)).toBeLessThan(110);
    },
  );
});

describe('a Redis that became a replica', () => {
  it('is never used until it is a primary again; requests are limited by each process', async () => {
    const redis = new Redis(infrastructure.redisUrl);
    try {
      const client = await gateway.client('*');
      const traffic = startTraffic(client);
      await redis.replicaof('127.0.0.1', '1');
      await until('degraded', 5_000);
      const states = new Set<string>();
      for (const untilMs = performance.now() + 1_500; performance.now() < untilMs;) states.add(await redisState());
      expect(states).toEqual(new Set(['degraded']));
      await redis.replicaof('NO', 'ONE');
      await until('ok', 2_000);
      await traffic.stop();
      expect(statusesOf(traffic)).toEqual(new Set([200]));
    } finally {
      await redis.replicaof('NO', 'ONE');
      redis.disconnect();
    }
  });
});

describe('while the broker is down', () => {
  it('a revoked key stops working everywhere within five seconds, and its event is published once the broker is back', async () => {
    const replica = await gateway.replica();
    const { key, id } = await gateway.createKey();
    const works = async (url: string) =>
      (await apiClient(url, { authorization: `Bearer ${key}` }).get('/coupons')).status === 200;
    const natsState = async () => (await gateway.root.get('/readyz')).body.data.checks.nats as string;
    expect([await works(gateway.url), await works(replica.url)]).toEqual([true, true]);

    await infrastructure.servers.nats.kill9();
    try {
      await vi.waitUntil(async () => (await natsState()) !== 'ok', { timeout: 5_000 });
      expect((await gateway.root.post(`/admin/keys/${id}/revoke`)).status).toBe(200);
      expect(await works(gateway.url)).toBe(false);
      await vi.waitFor(async () => expect(await works(replica.url)).toBe(false), { timeout: 5_000, interval: 50 });
    } finally {
      await infrastructure.servers.nats.restart();
      await vi.waitUntil(async () => (await natsState()) === 'ok', { timeout: 10_000 });
      await replica.stop();
    }

    const bus = await connectBus({ url: infrastructure.natsUrl, name: 'outage-test', logger });
    const heard: string[] = [];
    const stop = await runConsumer(bus, {
      name: 'outage-test',
      types: ['api_key.revoked'],
      logger,
      isOutage: () => false,
      handle: async (event) => void heard.push(event.subject),
    });
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual([id]);
    await stop();
    await bus.close();
  });
});
