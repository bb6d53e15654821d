import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createServiceApp } from './http-app.ts';
import { createLogger } from '../process/logger.ts';

function newApp(drainMs?: number) {
  return createServiceApp({
    logger: createLogger({ service: 'test', level: 'silent' }),
    verifyIdentity: () => expect.unreachable(),
    readiness: {},
    quotas: { usage: async () => ({}) },
    ...(drainMs === undefined ? {} : { drainMs }),
  });
}

test('a request in flight gets its response while the service closes, and does not keep it from closing', async () => {
  const app = newApp();
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  app.get('/slow', { config: { public: true } }, async () => {
    arrived.resolve();
    await released.promise;
    return { done: true };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  const { port } = app.server.address() as AddressInfo;
  const status = new Promise((resolve) =>
    get({ port, agent, path: '/slow' }, (response) => resolve(response.resume().statusCode)),
  );
  await arrived.promise;
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  released.resolve();
  expect(await status).toBe(200);
  await closed;
  agent.destroy();
});

test('a closing service takes requests for its drain delay, and closes each connection with its response', async () => {
  const app = newApp(300);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  const { port } = app.server.address() as AddressInfo;
  const ask = async () =>
    await new Promise((resolve, reject) => {
      get({ port, agent, path: '/healthz' }, (response) =>
        resolve([response.resume().statusCode, response.headers.connection]),
      ).once('error', reject);
    });
  expect(await ask()).toEqual([200, 'keep-alive']);
  const closed = app.close();
  expect([await ask(), await ask()]).toEqual([
    [200, 'close'],
    [200, 'close'],
  ]);
  await closed;
  await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  agent.destroy();
});
