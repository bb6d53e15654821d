import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { apiClient } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { startEchoingGateway } from './gateway-fixture.ts';

/** Long time-outs: a slow test machine must not cause a 408 or a 504. */
const PATIENT = { UPSTREAM_TIMEOUT_MS: 20_000, HEADERS_TIMEOUT_MS: 20_000, REQUEST_TIMEOUT_MS: 20_000 };

test('the gateway does not wait for a Redis that gets slower and slower, and uses it again only once it is quick', async () => {
  const gateway = await startEchoingGateway(PATIENT);
  const proxy = await startSlowProxy(new URL(gateway.config.REDIS_URL));
  const own = await gateway.replica({ REDIS_URL: proxy.url });
  const replies: Promise<unknown>[] = [];
  let traffic: NodeJS.Timeout | undefined;
  try {
    const { key } = await own.createKey();
    const client = apiClient(own.url, { authorization: `Bearer ${key}` });
    const redisState = async () => (await own.root.get('/readyz')).body.data.checks.redis;
    await expect.poll(redisState).toBe('ok');
    traffic = setInterval(() => {
      // So gradually that replies keep arriving, each slower than the one before.
      proxy.delayMs = Math.min(proxy.delayMs + 5, 1_000);
      replies.push(client.get('/coupons'));
    }, 10);
    await expect.poll(() => proxy.delayMs).toBe(1_000);
    const states = new Set<string>();
    let fastestMs = Infinity;
    const slowSince = performance.now();
    while (performance.now() - slowSince < 3_000) {
      const began = performance.now();
      await client.get('/coupons');
      // The machine's own delay is not Redis's.
      fastestMs = Math.min(fastestMs, performance.now() - began);
      states.add(await redisState());
    }
    expect([...states]).toEqual(['degraded']);
    expect(fastestMs).toBeLessThan(110);
    clearInterval(traffic);
    proxy.delayMs = 0;
    await expect.poll(redisState).toBe('ok');
  } finally {
    clearInterval(traffic);
    await Promise.allSettled(replies);
    await own.stop();
    await gateway.stop();
    proxy.stop();
  }
});

/** A proxy between the gateway and Redis, whose replies take `delayMs` longer. */
async function startSlowProxy(target: URL) {
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const late: Buffer[] = [];
    near.pipe(far);
    far.on('data', (reply: Buffer) => {
      late.push(reply);
      setTimeout(() => near.write(late.shift() as Buffer), proxy.delayMs);
    });
    sockets.push(
      near.on('error', () => {}),
      far.on('error', () => {}),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return proxy;
}
