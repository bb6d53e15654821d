import { apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRedisPrefix, ROOT_KEY, startEchoingGateway, type TestGateway } from './gateway-fixture.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway();
});
afterAll(async () => gateway?.stop());

describe('failed authentications', () => {
  it.each([
    ['the port that a proxy appends', (n: number) => `192.0.2.1:${4_000 + n}`],
    ['the brackets and port of an IPv6 address', (n: number) => `[2001:db8::${n}]:443`],
    ['texts that are no address', (n: number) => `made-up-${n}`],
  ])('are limited despite %s', async (_what, from) => {
    const own = await gateway.replica({ REDIS_KEY_PREFIX: newRedisPrefix(), TRUSTED_PROXIES: ['127.0.0.1'] });
    const statusOf = async (n: number) => {
      const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': from(n) };
      return (await apiClient(own.url, headers).get('/v1/coupons')).status;
    };
    try {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 30; attempt++) statuses.push(await statusOf(attempt));
      expect(statuses.slice(0, 20)).toEqual(Array<number>(20).fill(401));
      expect(statuses).toContain(429);
    } finally {
      await own.stop();
    }
  });

  it('are counted only with a key: without one, any number is 401', async () => {
    const own = await gateway.replica({ REDIS_KEY_PREFIX: newRedisPrefix() });
    try {
      const statusOf = async (headers: Record<string, string>) =>
        (await apiClient(own.url, headers).get('/v1/coupons')).status;
      const statuses = await Promise.all(Array.from({ length: 40 }, async () => statusOf({})));
      expect(new Set(statuses)).toEqual(new Set([401]));
      expect(await statusOf({ authorization: `Bearer ${(await own.createKey()).key}` })).toBe(200);
    } finally {
      await own.stop();
    }
  });

  it('end guessing: beyond the limit the operator’s key is not compared, and no key is looked up', async () => {
    const own = await gateway.replica({ REDIS_KEY_PREFIX: newRedisPrefix(), TRUSTED_PROXIES: ['127.0.0.1'] });
    try {
      const [unused, elsewhere] = [await own.createKey(), { 'x-forwarded-for': '192.0.2.9' }];
      const from = { 'x-forwarded-for': '192.0.2.8' };
      const statusOf = async (credentials: string, headers = from) =>
        (await apiClient(own.url, { authorization: `Bearer ${credentials}` }).get('/v1/admin/keys?limit=1', headers))
          .status;
      const guesses = await Promise.all(Array.from({ length: 100 }, (_, n) => statusOf(`root-guess-${n}`)));
      expect(guesses.toSorted((a, b) => a - b)).toEqual([
        ...Array<number>(20).fill(401),
        ...Array<number>(80).fill(429),
      ]);
      expect(await statusOf(ROOT_KEY)).toBe(429);
      expect(await statusOf(unused.key)).toBe(429);
      expect(await statusOf(ROOT_KEY, elsewhere)).toBe(200);
      expect(await statusOf(unused.key, elsewhere)).toBe(200);
      // Cached by now.
      expect(await statusOf(unused.key)).toBe(200);
    } finally {
      await own.stop();
    }
  });

  it('are counted for the client that a trusted proxy names, not for an address that the client names itself', async () => {
    const own = await gateway.replica({
      REDIS_KEY_PREFIX: newRedisPrefix(),
      TRUSTED_PROXIES: ['127.0.0.1', '10.0.0.0/8'],
    });
    try {
      const nobody = apiClient(own.url, { authorization: 'Bearer wrong' });
      const from = async (...hops: string[]) =>
        (await nobody.get('/coupons', { 'x-forwarded-for': hops.join(', ') })).status;
      // The client may have forged everything left of the first address that is not a proxy's.
      for (let attempt = 0; attempt < 20; attempt++) {
        expect(await from(`198.51.100.${attempt}`, '192.0.2.1', '10.1.2.3')).toBe(401);
      }
      expect(await from('192.0.2.1')).toBe(429);
      expect(await from('192.0.2.2', '10.1.2.3')).toBe(401);
    } finally {
      await own.stop();
    }
  });

  it('are counted across all replicas, and beyond a restart', async () => {
    const prefix = { REDIS_KEY_PREFIX: newRedisPrefix() };
    const statusesAt = async ({ url }: { url: string }, count: number) => {
      const nobody = apiClient(url, { authorization: 'Bearer wrong' });
      return await Promise.all(Array.from({ length: count }, async () => (await nobody.get('/coupons')).status));
    };
    const replicas = [await gateway.replica(prefix), await gateway.replica(prefix)] as const;
    const [one, other] = replicas;
    try {
      expect(new Set(await statusesAt(one, 12))).toEqual(new Set([401]));
      const more = await statusesAt(other, 12);
      expect(more.toSorted((a, b) => a - b)).toEqual([...Array<number>(8).fill(401), ...Array<number>(4).fill(429)]);
      expect(await statusesAt(one, 1)).toEqual([429]);
    } finally {
      await Promise.all(replicas.map(async (replica) => replica.stop()));
    }
    const restarted = await gateway.replica(prefix);
    try {
      expect(await statusesAt(restarted, 1)).toEqual([429]);
    } finally {
      await restarted.stop();
    }
  });

  it('are limited per process while Redis is down', async () => {
    const own = await gateway.replica({ REDIS_URL: 'redis://127.0.0.1:9' });
    const nobody = apiClient(own.url, { authorization: 'Bearer wrong' });
    try {
      const replies = await Promise.all(Array.from({ length: 22 }, () => nobody.get('/coupons')));
      const statuses = replies.map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array<number>(20).fill(401), 429, 429]);
    } finally {
      await own.stop();
    }
  });
});
