import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { publishEvent } from './publish-event.ts';
import { newWebhook } from './receiver.ts';

const ENDPOINTS = 50;
const HANGING = 5;
const FAILING = 5;
/** As many events as an endpoint gets at once, so that those that hang hold all of their connections. */
const BURST = 8;
/** How many deliveries a second, and for how long. */
const RATE = proofSize(250, 1_000);
const SECONDS = proofSize(5, 60);
/** Beside other tests the machine itself is slow, but an event that waits for an endpoint that hangs waits 15 s. */
const P99_SECONDS = proofSize(10, 2);

let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { activity: 1 }, asProcesses: ['activity'] });
});
afterAll(async () => services?.stop());

/** One server with a path for each endpoint. The first hang, the next fail, and the others take what they get. */
async function startEndpoints() {
  /** When each event arrived, by its id, at each healthy endpoint. */
  const arrivals = Array.from({ length: ENDPOINTS - HANGING - FAILING }, () => new Map<string, number>());
  let [repeats, ill] = [0, 0];
  const server = createServer((request, response) => {
    const endpoint = Number(request.url?.slice(1));
    const arrived = arrivals[endpoint - HANGING - FAILING];
    request.resume().on('end', () => {
      if (arrived === undefined) ill += 1;
      if (endpoint < HANGING) return;
      response.writeHead(arrived === undefined ? 500 : 204).end();
      const id = String(request.headers['webhook-id']);
      if (arrived?.has(id)) repeats += 1;
      else arrived?.set(id, performance.now());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    urlOf: (endpoint: number) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${endpoint}`,
    arrivals,
    repeats: () => repeats,
    /** How many attempts the other endpoints got. */
    ill: () => ill,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

test(`at ${RATE} deliveries a second, endpoints that hang or fail do not delay the others: 99 of 100 events arrive within ${P99_SECONDS} s, each once`, async () => {
  const company = services.newCompany();
  const endpoints = await startEndpoints();
  for (let endpoint = 0; endpoint < ENDPOINTS; endpoint++) {
    await newWebhook(company, { url: endpoints.urlOf(endpoint), types: ['api_key.*'] });
  }
  const published = new Map<string, number>();
  const publishing: Promise<string>[] = [];
  const publishOne = () => {
    const id = randomUUID();
    published.set(id, performance.now());
    publishing.push(publishEvent(services, company, id));
  };
  for (let n = 0; n < BURST; n++) publishOne();
  const beganMs = performance.now();
  const everyMs = (1_000 * ENDPOINTS) / RATE;
  for (let n = 1; n * everyMs < SECONDS * 1_000; n++) {
    await delay(Math.max(0, beganMs + n * everyMs - performance.now()));
    publishOne();
  }
  await Promise.all(publishing);
  const missing = () => endpoints.arrivals.reduce((sum, { size }) => sum + published.size - size, 0);
  await expect.poll(missing, { timeout: 60_000 }).toBe(0);
  const tookMs = endpoints.arrivals
    .flatMap((arrived) => [...arrived].map(([id, atMs]) => atMs - (published.get(id) ?? Number.NaN)))
    .toSorted((a, b) => a - b);
  const p99Ms = tookMs[Math.floor(tookMs.length * 0.99)] ?? Infinity;
  endpoints.stop();
  expect(endpoints.ill()).toBeGreaterThan(HANGING + FAILING);
  expect(endpoints.repeats()).toBe(0);
  const [medianMs, maxMs] = [tookMs[Math.floor(tookMs.length / 2)], tookMs.at(-1)];
  expect(p99Ms / 1_000, `median ${medianMs} ms, maximum ${maxMs} ms`).toBeLessThan(P99_SECONDS);
}, 240_000);
