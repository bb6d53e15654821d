import { type DomainEvent, UnpublishableEventError } from '@event-commerce/contracts';
import { jetstreamManager, type JetStreamManager, StorageType } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import {
  type BusConnection,
  connectBus,
  createEventPublisher,
  DEAD_LETTER_STREAM,
  ensureStreams,
  EVENT_STREAM,
} from '../src/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let bus: BusConnection;
let manager: JetStreamManager;
beforeAll(async () => {
  bus = await connectBus({ url: natsUrlOfThisFile(), name: 'test', logger: pino({ level: 'silent' }) });
  manager = await jetstreamManager(bus.nats);
});
afterAll(async () => bus?.close());
beforeEach(async () => {
  const names = (await manager.streams.list().next()).map(({ config }) => config.name);
  for (const name of names) await manager.streams.delete(name);
});
const configOf = async (name: string) => (await manager.streams.info(name)).config;

test('a start creates missing streams, and recreates a deleted one', async () => {
  await ensureStreams(bus, 1);
  expect(await configOf(EVENT_STREAM)).toMatchObject({
    subjects: ['domain.>'],
    num_replicas: 1,
    storage: 'file',
    compression: 's2',
  });
  await manager.streams.delete(EVENT_STREAM);
  await ensureStreams(bus, 1);
  expect(await configOf(EVENT_STREAM)).toMatchObject({ subjects: ['domain.>'] });
});

test("a start keeps an operator's settings of a stream, above and below the defaults", async () => {
  await ensureStreams(bus, 1);
  const chosen = { max_age: nanos(30 * DAY_MS), duplicate_window: nanos(60_000), max_bytes: 1_000_000 };
  await manager.streams.update(EVENT_STREAM, chosen);
  await manager.streams.update(DEAD_LETTER_STREAM, { max_age: nanos(DAY_MS) });
  await ensureStreams(bus, 1);
  expect(await configOf(EVENT_STREAM)).toMatchObject(chosen);
  expect(await configOf(DEAD_LETTER_STREAM)).toMatchObject({ max_age: nanos(DAY_MS) });
});

test('an event that a full stream refuses is refused for the moment, not for good', async () => {
  await ensureStreams(bus, 1);
  await manager.streams.update(EVENT_STREAM, { max_bytes: 20_000 });
  const publish = createEventPublisher(bus);
  let stored = 0;
  const refusal: unknown = await (async () => {
    for (;;) await publish(orderEvent(stored)).then(() => (stored += 1));
  })().catch((error: unknown) => error);
  expect(String(refusal)).toContain('maximum bytes exceeded');
  expect(refusal).not.toBeInstanceOf(UnpublishableEventError);
  expect(stored).toBeGreaterThan(5);

  await manager.streams.update(EVENT_STREAM, { max_bytes: 1_000_000 });
  await publish(orderEvent(stored));
  expect((await manager.streams.info(EVENT_STREAM)).state.messages).toBe(stored + 1);
});

test('an event that is larger than the broker accepts is refused for good, and nothing of it is stored', async () => {
  await ensureStreams(bus, 1);
  const publish = createEventPublisher(bus);
  const event = orderEvent(1);
  const { data } = event as DomainEvent & { data: { orderNumber: string } };
  const withBytes = (bytes: number) =>
    ({ ...event, data: { ...data, orderNumber: 'n'.repeat(bytes) } }) as unknown as DomainEvent;
  // One above the size limit of a message, and one that only the stream refuses.
  for (const bytes of [bus.nats.info?.max_payload ?? 0, 600 * 1024]) {
    await expect(publish(withBytes(bytes))).rejects.toThrow(UnpublishableEventError);
  }
  expect((await manager.streams.info(EVENT_STREAM)).state.messages).toBe(0);
  await publish(event);
  expect((await manager.streams.info(EVENT_STREAM)).state.messages).toBe(1);
});

function orderEvent(n: number): DomainEvent {
  const id = `ord_${n}`;
  return {
    specversion: '1.0',
    id: `event-${n}`,
    source: '/commerce',
    type: 'order.cancelled',
    subject: id,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    companyid: 'c1',
    environment: 'live',
    schemaversion: 1,
    data: {
      id,
      companyId: 'c1',
      orderNumber: 'n'.repeat(1_000),
      version: 1,
      state: 'cancelled',
      reopenings: 0,
      customer: {},
      claims: [],
      tickets: [],
    },
  };
}

test('a start adds the subjects that a stream lacks, and removes none', async () => {
  await manager.streams.add({ name: EVENT_STREAM, subjects: ['operator.>'] });
  await ensureStreams(bus, 1);
  expect((await configOf(EVENT_STREAM)).subjects).toEqual(['operator.>', 'domain.>']);
});

test('a stream that is deleted while processes run is not created again while the broker may still be removing it', async () => {
  await ensureStreams(bus, 1);
  const creations: number[] = [];
  const request = bus.nats.request.bind(bus.nats);
  const spy = vi.spyOn(bus.nats, 'request').mockImplementation(async (...args) => {
    if (args[0].includes('STREAM.CREATE')) creations.push(performance.now());
    return await request(...args);
  });
  onTestFinished(() => spy.mockRestore());
  const deletedAt = performance.now();
  await manager.streams.delete(EVENT_STREAM);
  const publish = createEventPublisher(bus);
  await expect.poll(async () => await publish(orderEvent(1)).then(() => 'published', String)).toBe('published');
  expect(creations).toHaveLength(1);
  expect(Number(creations[0]) - deletedAt).toBeGreaterThan(1_900);
});

test('twenty processes that start at once all find the streams', async () => {
  await Promise.all(Array.from({ length: 20 }, () => ensureStreams(bus, 1)));
  expect(await configOf(EVENT_STREAM)).toMatchObject({ subjects: ['domain.>'] });
});

test('more copies than the broker can keep are rejected, naming the setting', async () => {
  await expect(ensureStreams(bus, 3)).rejects.toThrow(
    /^NATS_STREAM_REPLICAS is 3, but the broker cannot keep 3 copies/,
  );
});

test('a stream in memory is rejected: it would lose acknowledged events', async () => {
  await manager.streams.add({ name: EVENT_STREAM, subjects: ['domain.>'], storage: StorageType.Memory });
  await expect(ensureStreams(bus, 1)).rejects.toThrow('DOMAIN_EVENTS cannot be used: it is kept in memory');
});
