import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { checkSync } from './check-sync.ts';
import type { BusConnection } from './connection.ts';

/** What is logged about a NATS server whose monitoring returns `varz`. */
async function logOf(varz: string): Promise<Record<string, unknown>[]> {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/varz' ? 200 : 404;
    response.end(varz);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => server[Symbol.asyncDispose]());
  return logAbout(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

async function logAbout(url: string): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  await checkSync({ logger } as unknown as BusConnection, url);
  return lines;
}

const jetstream = (config: object) => JSON.stringify({ jetstream: { config } });

test('a broker that acknowledges events before they are on disk causes a warning that says what to set', async () => {
  const log = await logOf(jetstream({ sync_interval: 120_000_000_000 }));
  expect(log).toMatchObject([
    { store: 'nats-disk', risk: 'sync-interval', msg: expect.stringContaining('every 120 s') },
  ]);
  expect(log[0]?.['msg']).toContain('set sync_interval: always');
});

test('a broker that writes each event to disk before it acknowledges it causes no warning', async () => {
  expect(await logOf(jetstream({ sync_interval: 120_000_000_000, sync_always: true }))).toEqual([]);
});

test.each([
  ['does not answer', async () => logAbout('http://127.0.0.1:9')],
  ['answers something else', async () => logOf('<html>')],
])('monitoring that %s is a warning, and no more', async (_name, log) => {
  expect(await log()).toMatchObject([{ level: 40, msg: expect.stringContaining('NATS_MONITORING_URL') }]);
});
