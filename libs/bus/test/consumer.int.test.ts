import { randomUUID } from 'node:crypto';
import type { DomainEvent, DomainEventType } from '@event-commerce/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import {
  type BusConnection,
  connectBus,
  createEventPublisher,
  DEAD_LETTER_STREAM,
  durableName,
  ensureStreams,
  EVENT_STREAM,
  runConsumer,
} from '../src/index.ts';
import { orderEvent } from './order-event.ts';

const logger = pino({ level: 'silent' });
let bus: BusConnection;
beforeAll(async () => {
  bus = await connectBus({ url: natsUrlOfThisFile(2), name: 'test', logger });
  await ensureStreams(bus, 1);
});
afterAll(async () => bus?.close());

/** The event that `consumer` parked last. */
async function parkedBy(consumer: string) {
  const { streams } = await jetstreamManager(bus.nats);
  const found = await streams.getMessage(DEAD_LETTER_STREAM, { last_by_subj: `dead-letter.${consumer}` });
  return found?.json<{ reason: string; event: string; attempts: number }>();
}

/** A consumer of this test only; returns the ids it handled. */
async function consume(
  options: {
    name?: string;
    types?: DomainEventType[];
    handle?: (event: DomainEvent) => Promise<void>;
    isOutage?: () => boolean;
    retryDelaysMs?: readonly number[];
    bus?: BusConnection;
  } = {},
) {
  const handled: string[] = [];
  const name = options.name ?? `test-${randomUUID()}`;
  const stop = await runConsumer(options.bus ?? bus, {
    name,
    ...(options.retryDelaysMs === undefined ? {} : { retryDelaysMs: options.retryDelaysMs }),
    types: options.types ?? ['order.placed'],
    logger,
    isOutage: options.isOutage ?? (() => false),
    handle: async (event) => {
      await options.handle?.(event);
      handled.push(event.id);
    },
  });
  return { name, handled, stop };
}

test('an event that is published twice is delivered once', async () => {
  const publish = createEventPublisher(bus);
  const event = orderEvent();
  const consumer = await consume();
  await Promise.all([publish(event), publish(event)]);
  const last = orderEvent();
  await publish(last);
  await expect.poll(() => consumer.handled).toContain(last.id);
  expect(consumer.handled.filter((id) => id === event.id)).toHaveLength(1);
  await consumer.stop();
});

test('a failed handler gets the event again, and delays no other', async () => {
  const [bad, good] = [orderEvent(), orderEvent()];
  let failures = 0;
  const consumer = await consume({
    handle: async ({ id }) => {
      if (id === bad.id && ++failures <= 2) throw new Error('not yet');
    },
  });
  const publish = createEventPublisher(bus);
  await publish(bad);
  await publish(good);
  await expect.poll(() => consumer.handled).toEqual(expect.arrayContaining([bad.id, good.id]));
  expect(consumer.handled.indexOf(good.id)).toBeLessThan(consumer.handled.indexOf(bad.id));
  await consumer.stop();
});

test('an invalid event is parked with the reason', async () => {
  const consumer = await consume();
  const marker = randomUUID();
  await jetstream(bus.nats).publish('domain.commerce.order.placed', JSON.stringify({ marker }));
  await expect.poll(async () => (await parkedBy(consumer.name))?.event).toContain(marker);
  expect((await parkedBy(consumer.name))?.reason).toContain('specversion');
  await consumer.stop();
});

test('an invalid event is parked even if one with its sequence was, before the stream was created again', async () => {
  const consumer = await consume();
  const { streams } = await jetstreamManager(bus.nats);
  onTestFinished(consumer.stop);
  for (const marker of [randomUUID(), randomUUID()]) {
    await streams.delete(EVENT_STREAM);
    await ensureStreams(bus, 1);
    const { seq } = await jetstream(bus.nats).publish('domain.commerce.order.placed', JSON.stringify({ marker }));
    expect(seq).toBe(1);
    // Longer than the broker waits before it delivers an event again whose delivery, or whose parking, it lost.
    await expect.poll(async () => (await parkedBy(consumer.name))?.event, { timeout: 45_000 }).toContain(marker);
  }
}, 120_000);

test('a consumer that is deleted while it runs is created again', async () => {
  const consumer = await consume();
  await (await jetstreamManager(bus.nats)).consumers.delete(EVENT_STREAM, durableName(consumer.name, 'order.placed'));
  const event = orderEvent();
  await createEventPublisher(bus)(event);
  await expect.poll(() => consumer.handled, { timeout: 10_000 }).toContain(event.id);
  await consumer.stop();
});

test('a consumer that is stopped while it is created again stops', async () => {
  const own = await connectBus({ url: natsUrlOfThisFile(2), name: 'test', logger });
  const consumer = await consume({ bus: own });
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const request = own.nats.request.bind(own.nats);
  vi.spyOn(own.nats, 'request').mockImplementation(async (...args) => {
    if (args[0].includes('CONSUMER')) resolve(consumer.stop());
    return await request(...args);
  });
  await (await jetstreamManager(bus.nats)).consumers.delete(EVENT_STREAM, durableName(consumer.name, 'order.placed'));
  await expect(stopped).resolves.toBeUndefined();
  await own.close();
});

test('an older replica neither receives nor removes the types that only a newer replica knows', async () => {
  const older = await consume();
  const newer = await consume({ name: older.name, types: ['order.placed', 'order.cancelled'] });
  await older.stop();
  const restarted = await consume({ name: older.name });
  const events = [orderEvent(), ...Array.from({ length: 20 }, () => orderEvent('order.cancelled'))];
  const publish = createEventPublisher(bus);
  for (const event of events) await publish(event);
  const cancelled = events.slice(1).map(({ id }) => id);
  await expect.poll(() => newer.handled).toEqual(expect.arrayContaining(cancelled));
  expect(restarted.handled.filter((id) => cancelled.includes(id))).toEqual([]);
  await Promise.all([restarted.stop(), newer.stop()]);
});

test('an event with a value that a later release added is handled', async () => {
  const consumer = await consume({ types: ['redemption.confirmed'] });
  const event = {
    ...orderEvent(),
    type: 'redemption.confirmed' as const,
    data: {
      redemption: { id: 'r', adjustmentId: 'a', orderId: 'o', quantity: 1, status: 'transferred' },
      usage: { redeemed: 1, claimed: 1, version: 1 },
      origin: 'manual',
    },
  };
  await createEventPublisher(bus)(event);
  await expect.poll(() => consumer.handled).toContain(event.id);
  await consumer.stop();
});

test('attempts during an outage do not count against an event', async () => {
  const event = orderEvent();
  let tries = 0;
  const consumer = await consume({
    retryDelaysMs: [1, 1],
    isOutage: () => tries < 20,
    handle: async ({ id }) => {
      if (id === event.id && ++tries <= 21) throw new Error('not now');
    },
  });
  await createEventPublisher(bus)(event);
  await expect.poll(() => consumer.handled, { timeout: 10_000 }).toContain(event.id);
  expect(tries).toBe(22);
  await consumer.stop();
});

test('an event that met an outage is tried again soon, however long it would wait after a fault', async () => {
  const event = orderEvent();
  let tries = 0;
  const handle = async ({ id }: DomainEvent) => {
    if (id === event.id && ++tries === 1) throw new Error('not now');
  };
  const consumer = await consume({ retryDelaysMs: [60_000], isOutage: () => true, handle });
  await createEventPublisher(bus)(event);
  await expect.poll(() => consumer.handled, { timeout: 10_000 }).toContain(event.id);
  await consumer.stop();
});

test('an event that the broker could not park is parked soon, however long it would wait after a fault', async () => {
  const consumer = await consume({ retryDelaysMs: [60_000] });
  const client = jetstream(bus.nats);
  await (await jetstreamManager(bus.nats)).streams.delete(DEAD_LETTER_STREAM);
  const marker = randomUUID();
  await client.publish('domain.commerce.order.placed', JSON.stringify({ marker }));
  await expect.poll(async () => (await parkedBy(consumer.name))?.event, { timeout: 20_000 }).toContain(marker);
  await consumer.stop();
});

test.each([['an error'], [undefined], [Object.create(null)]])(
  'an event whose handler keeps throwing %s is parked, and no other waits for it',
  async (thrown) => {
    const event = orderEvent();
    const consumer = await consume({
      retryDelaysMs: [1, 1],
      handle: async ({ id }) => {
        if (id === event.id) throw thrown;
      },
    });
    const publish = createEventPublisher(bus);
    await publish(event);
    await expect.poll(async () => (await parkedBy(consumer.name))?.event, { timeout: 10_000 }).toContain(event.id);
    expect((await parkedBy(consumer.name))?.attempts).toBe(3);
    const next = orderEvent();
    await publish(next);
    await expect.poll(() => consumer.handled).toContain(next.id);
    await consumer.stop();
  },
);

test('streams that are deleted while processes run are created again, and events continue', async () => {
  const own = await connectBus({ url: natsUrlOfThisFile(3), name: 'test', logger });
  await ensureStreams(own, 1);
  const consumer = await consume({ bus: own });
  const { streams } = await jetstreamManager(own.nats);
  await streams.delete(EVENT_STREAM);
  await streams.delete(DEAD_LETTER_STREAM);
  const publish = createEventPublisher(own);
  const event = orderEvent();
  await expect.poll(async () => await publish(event).then(() => 'published', String)).toBe('published');
  await expect.poll(() => consumer.handled).toContain(event.id);
  expect((await streams.info(DEAD_LETTER_STREAM)).state.messages).toBe(0);
  await consumer.stop();
  await own.close();
});
