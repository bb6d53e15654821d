import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEchoingGateway, startRawService, type TestGateway } from './gateway-fixture.ts';

// However a request ends, its company can use its slots and its memory again.

const MEBIBYTE = 2 ** 20;
const SHARE = 8;
/** The length of a body that never arrives. */
const UNSENT = `content-length: ${MEBIBYTE}\r\n\r\n`;

let gateway: TestGateway;
let service: Awaited<ReturnType<typeof startRawService>>;
let own: Awaited<ReturnType<TestGateway['replica']>>;
let inFlight = 0;
/** Never responds to a list of orders, and responds late to a list of coupons with a limit. */
const commerce: RequestListener = (request, response) => {
  inFlight += 1;
  response.once('close', () => (inFlight -= 1));
  if (request.url?.startsWith('/orders')) return;
  const respond = () => response.setHeader('content-type', 'application/json').end('{"data":"x"}');
  request.resume().once('end', () => (request.url?.includes('limit') ? setTimeout(respond, 200) : respond()));
};

beforeAll(async () => {
  gateway = await startEchoingGateway();
  service = await startRawService(commerce);
  own = await gateway.replica({
    COMMERCE_URL: service.url,
    UPSTREAM_IN_FLIGHT_MAX: 2 * SHARE,
    UPSTREAM_TIMEOUT_MS: 1_000,
    HELD_BYTES_MAX: 8 * MEBIBYTE,
  });
});
afterAll(async () => {
  await own?.stop();
  await service?.stop();
  await gateway?.stop();
});

let key: string;
let api: ReturnType<typeof apiClient>;
beforeEach(async () => {
  ({ key } = await own.createKey());
  api = apiClient(own.url, { authorization: `Bearer ${key}` });
});

/** Sends as many requests of each size as fill the company's share. */
async function expectAllFree(): Promise<void> {
  const large = { meta: { text: 'x'.repeat(MEBIBYTE - 1_000) } };
  // The gateway may still be reading the request of a client that has disconnected.
  await expect.poll(async () => (await api.patch('/coupons/cpn_1', large)).status).toBe(200);
  for (let n = 0; n < SHARE; n++) {
    expect([(await api.get('/coupons')).status, (await api.patch('/coupons/cpn_1', large)).status]).toEqual([200, 200]);
  }
}

async function opened(head: string, rest: string): Promise<Socket> {
  const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(`${head} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${rest}`);
  return socket;
}

test('a client that disconnects before it has sent its body frees its slot and memory once the service has answered', async () => {
  for (let round = 0; round < 4; round++) {
    const sockets = await Promise.all(
      Array.from({ length: SHARE }, async () => opened(`GET /coupons?limit=${round + 1}`, UNSENT)),
    );
    await expect.poll(() => inFlight).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => inFlight).toBe(0);
  }
  await expectAllFree();
});

test('a request whose body is still arriving when the service fails frees its slot and memory', async () => {
  const sockets = await Promise.all(Array.from({ length: SHARE }, async () => opened('GET /orders', UNSENT)));
  await Promise.all(sockets.map(async (socket) => new Promise((resolve) => socket.once('close', resolve))));
  await expect.poll(() => inFlight).toBe(0);
  await expectAllFree();
});
