import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { proofSize, startServiceProcess } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createEchoApp, envOf, startEchoingGateway, type TestGateway } from './gateway-fixture.ts';

const CLIENTS = 8;
/** The default of services. */
const DRAIN_MS = 2_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway({
    UPSTREAM_TIMEOUT_MS: 10_000,
    HEADERS_TIMEOUT_MS: 10_000,
    REQUEST_TIMEOUT_MS: 10_000,
  });
});
afterAll(async () => gateway?.stop());

/** Clients that keep their connections and send requests without a pause; `failures` collects every failed one. */
async function startLoad(urlNow: () => string, send: (url: string) => Promise<number>) {
  const failures: string[] = [];
  let successes = 0;
  let running = true;
  const ended = Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (running) {
        const url = urlNow();
        try {
          const status = await send(url);
          if (status < 300) successes++;
          else failures.push(`${status}`);
        } catch (error) {
          failures.push(String((error as Error).cause ?? error));
        }
      }
    }),
  );
  return {
    failures,
    successes: () => successes,
    /** Resolves once `more` further requests have succeeded. */
    pass: async (more: number) => {
      const goal = successes + more;
      await vi.waitUntil(() => successes >= goal || failures.length > 0, { timeout: 20_000, interval: 10 });
    },
    stop: async () => {
      running = false;
      await ended;
    },
  };
}

describe('a gateway that is stopped under load', () => {
  it('fails no request and exits within ten seconds', async () => {
    const { key } = await gateway.createKey();
    const settings = { ...envOf(gateway.config), DRAIN_DELAY_MS: '2000' };
    const replicas = await Promise.all([
      startServiceProcess('gateway', settings),
      startServiceProcess('gateway', settings),
    ]);
    // Like a load balancer: checks which gateways are ready, and sends requests there.
    let ready = replicas.map(({ url }) => url);
    let asking = true;
    const balancer = (async () => {
      while (asking) {
        const states = await Promise.all(replicas.map(async ({ url }) => [url, await isReady(url)] as const));
        ready = states.flatMap(([url, is]) => (is ? [url] : []));
        await delay(50);
      }
    })();
    let turn = 0;
    const send = async (url: string) => {
      const post = turn++ % 3 === 0;
      const response = await fetch(`${url}/v1/coupons`, {
        method: post ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(post ? { body: '{"a":1}' } : {}),
      });
      await response.arrayBuffer();
      return response.status;
    };
    const load = await startLoad(() => ready[turn % ready.length] ?? replicas[1].url, send);
    try {
      await load.pass(300);
      const began = performance.now();
      await replicas[0].stop();
      expect(performance.now() - began).toBeLessThan(10_000);
      await load.pass(300);
      await load.stop();
      expect(load.failures).toEqual([]);
    } finally {
      await load.stop();
      asking = false;
      await balancer;
      await Promise.all(replicas.map((replica) => replica.stop()));
    }
  });
});

describe('a service that is restarted behind the gateway, replica by replica', () => {
  it('fails no request, and executes each write once', async () => {
    const replicas = await Promise.all([startReplica(), startReplica()]);
    const balancer = await startConnectionBalancer();
    for (const { url } of replicas) balancer.add(url);
    const own = await gateway.replica({ COMMERCE_URL: balancer.url });
    const { key } = await own.createKey();
    let turn = 0;
    let written = 0;
    const load = await startLoad(
      () => own.url,
      async (url) => {
        const at = turn++ % 3;
        const response = await fetch(`${url}/v1/coupons`, {
          method: at === 0 ? 'GET' : 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            ...(at === 2 ? { 'idempotency-key': randomUUID() } : {}),
          },
          ...(at === 0 ? {} : { body: '{"a":1}' }),
        });
        await response.arrayBuffer();
        if (at !== 0) written += 1;
        return response.status;
      },
    );
    try {
      await load.pass(300);
      for (let restart = 0; restart < proofSize(3, 8); restart++) {
        const [old] = replicas.splice(0, 1);
        if (old === undefined) break;
        // As in a cluster: no new connections to the stopping replica, but open ones stay open.
        balancer.remove(old.url);
        await old.stop();
        const next = await startReplica();
        replicas.push(next);
        balancer.add(next.url);
        await load.pass(200);
      }
      await load.stop();
      expect(load.failures).toEqual([]);
      expect(executed).toBe(written);
    } finally {
      await load.stop();
      await own.stop();
      balancer.stop();
      await Promise.all(replicas.map((replica) => replica.stop()));
    }
  });
});

/** How many writes reached a replica. */
let executed = 0;

async function startReplica() {
  const app = createEchoApp('commerce', DRAIN_MS);
  app.addHook('preHandler', async (request) => {
    if (request.method === 'POST') executed += 1;
    await delay(Math.random() * 30);
  });
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), stop: async () => app.close() };
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** One address in front of several servers; each connection goes to the next one in turn. */
async function startConnectionBalancer() {
  const ports: number[] = [];
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((near) => {
    const far = connect(ports[turn++ % ports.length] ?? 9, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const portOf = (url: string) => Number(new URL(url).port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url: string) => void ports.push(portOf(url)),
    remove: (url: string) => void ports.splice(ports.indexOf(portOf(url)), 1),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
