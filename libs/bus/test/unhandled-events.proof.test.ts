import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '@event-commerce/contracts';
import { startTelemetry } from '@event-commerce/telemetry';
import { freePort } from '@event-commerce/test-kit/free-port';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { jetstreamManager } from '@nats-io/jetstream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type BusConnection,
  connectBus,
  createEventPublisher,
  ensureStreams,
  EVENT_STREAM,
  runConsumer,
} from '../src/index.ts';
import { orderEvent } from './order-event.ts';

const logger = pino({ level: 'silent' });
let stopTelemetry: () => Promise<void>;
let metricsUrl: string;
let bus: BusConnection;

beforeAll(async () => {
  const metrics = { host: '127.0.0.1', port: await freePort() };
  metricsUrl = `http://${metrics.host}:${metrics.port}/metrics`;
  stopTelemetry = await startTelemetry({
    service: 'test',
    version: '1.2.3',
    metrics,
    traces: undefined,
    warn: () => {},
  });
  bus = await connectBus({ url: natsUrlOfThisFile(), name: 'test', logger });
  await ensureStreams(bus, 1);
});

afterAll(async () => {
  await bus?.close();
  await stopTelemetry?.();
});

/** What the metrics say about the orders that `consumer` has not handled. */
async function unhandledBy(consumer: string): Promise<{ events: number; seconds: number }> {
  const lines = (await (await fetch(metricsUrl)).text()).split('\n');
  const valueOf = (metric: string) => {
    const line = lines.find((each) => each.startsWith(`${metric}{consumer="${consumer}",type="order.placed"`));
    return Number(line?.slice(line.lastIndexOf(' ')));
  };
  return { events: valueOf('events_unhandled'), seconds: valueOf('events_unhandled_age_seconds') };
}

/** A consumer of this test only, whose handler fails for events in `failing` as in an outage. */
async function consume(of: BusConnection = bus) {
  const name = `test-${randomUUID()}`;
  const failing = new Set<string>();
  const handled: string[] = [];
  const handle = async ({ id }: DomainEvent) => {
    if (failing.has(id)) throw new Error('the database is not reachable');
    handled.push(id);
  };
  const types = ['order.placed', 'order.cancelled'] as const;
  const stop = await runConsumer(of, { name, types, logger, isOutage: () => true, handle });
  onTestFinished(stop);
  return { failing, handled, unhandled: async () => unhandledBy(name) };
}

test('an event that fails in an outage is reported for as long as it fails, whatever is handled meanwhile', async () => {
  const publish = createEventPublisher(bus);
  const consumer = await consume();
  await expect.poll(consumer.unhandled).toEqual({ events: 0, seconds: 0 });
  const [stuck, next, other] = [orderEvent(), orderEvent(), orderEvent('order.cancelled')];
  consumer.failing.add(stuck.id);
  await publish(stuck);
  await expect.poll(async () => (await consumer.unhandled()).seconds).toBeGreaterThan(1);
  await publish(next);
  await publish(other);
  await expect.poll(() => consumer.handled).toEqual(expect.arrayContaining([next.id, other.id]));
  await expect.poll(async () => (await consumer.unhandled()).seconds).toBeGreaterThan(2);
  await expect.poll(async () => (await consumer.unhandled()).events).toBe(1);
  consumer.failing.clear();
  await expect.poll(consumer.unhandled).toEqual({ events: 0, seconds: 0 });
  expect(consumer.handled).toContain(stuck.id);
});

test('once the oldest event is handled, the time is that of the oldest that still waits', async () => {
  const publish = createEventPublisher(bus);
  const consumer = await consume();
  const [older, newer] = [orderEvent(), orderEvent()];
  consumer.failing.add(older.id).add(newer.id);
  await publish(older);
  await expect.poll(async () => (await consumer.unhandled()).seconds).toBeGreaterThan(1);
  const beganMs = performance.now();
  await publish(newer);
  await expect.poll(async () => (await consumer.unhandled()).events).toBe(2);
  const seenMs = performance.now();
  consumer.failing.delete(older.id);
  await expect.poll(async () => (await consumer.unhandled()).events).toBe(1);
  const atLeast = (performance.now() - seenMs) / 1000;
  const { seconds } = await consumer.unhandled();
  expect(seconds).toBeGreaterThan(atLeast);
  expect(seconds).toBeLessThan((performance.now() - beganMs) / 1000);
});

test('a consumer that cannot be opened again is reported until it can', async () => {
  // Without `ensureStreams`, it does not create a stream that was deleted.
  const own = await connectBus({ url: natsUrlOfThisFile(1), name: 'test', logger });
  const operator = await connectBus({ url: natsUrlOfThisFile(1), name: 'test', logger });
  onTestFinished(async () => void (await Promise.all([own.close(), operator.close()])));
  await ensureStreams(operator, 1);
  const consumer = await consume(own);
  await expect.poll(consumer.unhandled).toEqual({ events: 0, seconds: 0 });
  await (await jetstreamManager(operator.nats)).streams.delete(EVENT_STREAM);
  await expect.poll(async () => (await consumer.unhandled()).seconds).toBeGreaterThan(1);
  await ensureStreams(operator, 1);
  await expect.poll(consumer.unhandled).toEqual({ events: 0, seconds: 0 });
});

test('a broker that hangs barely delays the metrics, and the time keeps counting', async () => {
  const url = new URL(natsUrlOfThisFile(2));
  const broker = { host: url.hostname, port: Number(url.port) };
  let hangs = false;
  const proxy = createServer((socket) => {
    const upstream = connect(broker);
    upstream.on('data', (bytes) => hangs || socket.write(bytes)).on('close', () => socket.destroy());
    socket.on('data', (bytes) => upstream.write(bytes)).on('close', () => upstream.destroy());
    for (const end of [socket, upstream]) end.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const own = await connectBus({ url: url.href, name: 'test', logger });
  onTestFinished(async () => own.close());
  await ensureStreams(own, 1);
  const consumer = await consume(own);
  await expect.poll(consumer.unhandled).toEqual({ events: 0, seconds: 0 });
  hangs = true;
  const beganMs = performance.now();
  await consumer.unhandled();
  expect(performance.now() - beganMs).toBeLessThan(5_000);
  await expect.poll(async () => (await consumer.unhandled()).seconds).toBeGreaterThan(3);
  hangs = false;
  await expect.poll(consumer.unhandled).toEqual({ events: 0, seconds: 0 });
});
