import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createUpstream, type Upstream } from './upstream.ts';

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function ask(upstream: Upstream, origin: string): Promise<number> {
  return new Promise((resolve, reject) => {
    upstream.request({ origin, method: 'GET', path: '/', headers: {} }, (error, answer) => {
      if (error) reject(error);
      else resolve(answer?.statusCode ?? 0);
    });
  });
}

it('a busy connection is replaced in time, so that a new replica gets its share without failed requests', async () => {
  const server = createServer((_request, response) => response.end('{"data":1}'));
  let connections = 0;
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstream = createUpstream({ service: 'events', url, connectionsMax: 1, connectionTtlMs: 20 });
  cleanUps.push(
    () => upstream.close(),
    () => server.close(),
  );
  const statuses = new Set<number>();
  await expect
    .poll(
      async () => {
        for (let n = 0; n < 4; n++) statuses.add(await ask(upstream, url));
        return connections;
      },
      { interval: 5 },
    )
    .toBeGreaterThan(3);
  expect([...statuses]).toEqual([200]);
});

it('an idle connection is closed after a second, before a service that stops would close it', async () => {
  const server = createServer((_request, response) => response.end('{"data":1}'));
  // The service sends this with its responses; the gateway must not wait for so long.
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstream = createUpstream({ service: 'events', url, connectionsMax: 1 });
  cleanUps.push(
    () => upstream.close(),
    () => server.close(),
  );
  const connected = once(server, 'connection');
  expect(await ask(upstream, url)).toBe(200);
  const [socket] = (await connected) as [Socket];
  const beganMs = performance.now();
  await once(socket, 'close');
  expect(performance.now() - beganMs).toBeLessThan(1_900);
});
