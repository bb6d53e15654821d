import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { apiClient } from '@event-commerce/test-kit';
import { freePort } from '@event-commerce/test-kit/free-port';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { debianPackages, debianPackagesObstacle } from '../../deploy/local/debian-packages.ts';
import { ServerProcess } from '../../deploy/local/server-process.ts';
import { startEchoingGateway, type TestGateway } from './gateway-fixture.ts';

// The rate limits in Redis Cluster, and in a primary that Redis Sentinel replaces. The servers are real.

const PASSWORD = 'secret';
const PATIENT = { UPSTREAM_TIMEOUT_MS: 20_000, HEADERS_TIMEOUT_MS: 20_000, REQUEST_TIMEOUT_MS: 20_000 };

let redisServer: string | undefined;
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway(PATIENT);
  if ((await debianPackagesObstacle(process.env)) === undefined)
    ({ redisServer } = await debianPackages(process.env, () => {}));
}, 300_000);
afterAll(async () => gateway?.stop());

interface Server {
  port: number;
  client: Redis;
  stop: () => Promise<void>;
}

async function startServer(lines: readonly string[], options: readonly string[] = []): Promise<Server> {
  const folder = mkdtempSync(path.join(inject('scratch'), 'redis-'));
  const port = await freePort();
  const config = path.join(folder, 'redis.conf');
  await writeFile(config, ['bind 127.0.0.1', `port ${port}`, `dir ${folder}`, 'save ""', ...lines, ''].join('\n'));
  const client = new Redis({ port, password: PASSWORD, lazyConnect: true, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  const server = new ServerProcess({
    name: 'redis',
    command: [redisServer ?? '', config, ...options],
    logFile: path.join(folder, 'redis.log'),
    stopSignal: 'SIGKILL',
    ready: async () => (await client.ping().catch(() => '')) === 'PONG',
    onUnexpectedExit: () => {},
  });
  await server.start();
  const stop = async () => {
    client.disconnect();
    await server.stop();
  };
  onTestFinished(stop);
  return { port, client, stop };
}

/** Two gateways that count in the same store. */
async function twoReplicas(redisUrl: string): Promise<[TestGateway, TestGateway]> {
  const replicas = await Promise.all([1, 2].map(() => gateway.replica({ ...PATIENT, REDIS_URL: redisUrl })));
  onTestFinished(async () => void (await Promise.all(replicas.map((one) => one.stop()))));
  return replicas as [TestGateway, TestGateway];
}
const redisState = async (of: TestGateway): Promise<string> => (await of.root.get('/readyz')).body.data.checks.redis;

/** How many of 60 simultaneous requests with a new key of burst 25 the replicas admit, without what is refilled. */
async function admitted(replicas: readonly TestGateway[]): Promise<number> {
  const { key } = await gateway.createKey({ rateLimit: { perSecond: 1, burst: 25 } });
  const began = Date.now();
  const send = async (at: number) =>
    await apiClient(replicas[at % 2]?.url ?? '', { authorization: `Bearer ${key}` }).get('/coupons');
  const replies = await Promise.all(Array.from({ length: 60 }, async (_, at) => send(at)));
  const allowed = replies.filter(({ status }) => status === 200).length;
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(60 - allowed);
  return Math.max(25, allowed - Math.floor((Date.now() - began) / 1_000));
}

describe('a Redis Cluster', () => {
  const SLOTS = [
    [0, 5460],
    [5461, 10_922],
    [10_923, 16_383],
  ] as const;

  async function startCluster() {
    const lines = ['cluster-enabled yes', 'cluster-require-full-coverage no', `requirepass ${PASSWORD}`];
    const servers = await Promise.all(
      SLOTS.map(async () => startServer([...lines, `cluster-port ${await freePort()}`])),
    );
    for (const [at, { client }] of servers.entries()) {
      const [from, to] = SLOTS[at] as readonly [number, number];
      await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
      for (const other of servers) {
        const busPort = String(await other.client.config('GET', 'cluster-port')).split(',')[1] ?? '';
        await client.call('CLUSTER', 'MEET', '127.0.0.1', other.port, busPort);
      }
    }
    for (const [at, { client }] of servers.entries()) {
      const [from, to] = SLOTS[at] as readonly [number, number];
      let own = 0;
      for (let slot = -1; slot < from || slot > to; own++)
        slot = Number(await client.call('CLUSTER', 'KEYSLOT', `of${own}`));
      // A new server takes writes once it has met the others.
      await expect.poll(async () => await client.set(`of${own - 1}`, 1, 'PX', 1).catch(String)).toBe('OK');
      const known = async () => String(await client.call('CLUSTER', 'INFO'));
      await expect.poll(known).toMatch(/cluster_state:ok[^]*cluster_slots_ok:16384[^]*cluster_known_nodes:3/);
    }
    const url = `redis+cluster://:${PASSWORD}@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
    return { servers, url };
  }

  test('counts the limits of companies on all of its servers, across replicas', async ({ skip }) => {
    skip(redisServer === undefined, 'there is no Redis to start here');
    const { servers, url } = await startCluster();
    const replicas = await twoReplicas(url);
    for (const replica of replicas) await expect.poll(async () => redisState(replica)).toBe('ok');
    for (let company = 0; company < 6; company++) expect(await admitted(replicas)).toBe(25);
    const counts = await Promise.all(servers.map(async ({ client }) => await client.dbsize()));
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1);
  });

  test('that loses a server refuses nobody', async ({ skip }) => {
    skip(redisServer === undefined, 'there is no Redis to start here');
    const { servers, url } = await startCluster();
    const [replica] = await twoReplicas(url);
    const keys = await Promise.all(Array.from({ length: 9 }, async () => (await gateway.createKey()).key));
    const sendAll = async () => {
      const replies = keys.map(async (key) =>
        apiClient(replica.url, { authorization: `Bearer ${key}` }).get('/coupons'),
      );
      return (await Promise.all(replies)).map(({ status }) => status);
    };
    expect(new Set(await sendAll())).toEqual(new Set([200]));
    await servers[0]?.stop();
    for (let round = 0; round < 5; round++) expect(new Set(await sendAll())).toEqual(new Set([200]));
  });
});

test('the primary that Redis Sentinel promotes is used once the former one is gone', async ({ skip }) => {
  skip(redisServer === undefined, 'there is no Redis to start here');
  const login = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`];
  const primary = await startServer(login);
  const secondary = await startServer([...login, `replicaof 127.0.0.1 ${primary.port}`]);
  await expect.poll(async () => await secondary.client.info('replication')).toContain('master_link_status:up');
  const sentinel = await startServer(
    [
      `requirepass ${PASSWORD}`,
      `sentinel monitor limits 127.0.0.1 ${primary.port} 1`,
      `sentinel auth-pass limits ${PASSWORD}`,
      'sentinel down-after-milliseconds limits 500',
      'sentinel failover-timeout limits 3000',
    ],
    ['--sentinel'],
  );
  const known = async () => String(await sentinel.client.call('SENTINEL', 'REPLICAS', 'limits'));
  await expect.poll(known).toContain(String(secondary.port));

  const url = `redis+sentinel://:${PASSWORD}@127.0.0.1:${sentinel.port}/limits?sentinelPassword=${PASSWORD}`;
  const replicas = await twoReplicas(url);
  for (const replica of replicas) await expect.poll(async () => redisState(replica)).toBe('ok');
  expect(await admitted(replicas)).toBe(25);

  await primary.stop();
  for (const replica of replicas) {
    await expect.poll(async () => redisState(replica), { timeout: 20_000 }).toBe('ok');
  }
  expect(await secondary.client.info('replication')).toContain('role:master');
  expect(await admitted(replicas)).toBe(25);
});
