import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '@event-commerce/contracts';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type BusConnection,
  connectBus,
  createEventPublisher,
  DEAD_LETTER_STREAM,
  ensureStreams,
  EVENT_STREAM,
} from '../src/index.ts';
import { consume, parkedBy } from './consumers.ts';
import { orderEvent } from './order-event.ts';

const logger = pino({ level: 'silent' });
let bus: BusConnection;
beforeAll(async () => {
  bus = await connectBus({ url: natsUrlOfThisFile(), name: 'test', logger });
  await ensureStreams(bus, 1);
});
afterAll(async () => bus?.close());

test('an invalid event is parked even if one with its sequence was parked before the stream was recreated', async () => {
  const consumer = await consume(bus);
  const { streams } = await jetstreamManager(bus.nats);
  onTestFinished(consumer.stop);
  for (const marker of [randomUUID(), randomUUID()]) {
    await streams.delete(EVENT_STREAM);
    await ensureStreams(bus, 1);
    const { seq } = await jetstream(bus.nats).publish(
      'domain.commerce.order.placed.pricing.events.cart',
      JSON.stringify({ marker }),
    );
    expect(seq).toBe(1);
    // Longer than the broker waits before it redelivers an event whose delivery or parking was lost.
    await expect.poll(async () => (await parkedBy(bus, consumer.name))?.event, { timeout: 45_000 }).toContain(marker);
  }
}, 120_000);

test('an event that met an outage is tried again soon, however long it would wait after a fault', async () => {
  const event = orderEvent();
  let tries = 0;
  const handle = async ({ id }: DomainEvent) => {
    if (id === event.id && ++tries === 1) throw new Error('not now');
  };
  const consumer = await consume(bus, { retryDelaysMs: [60_000], isOutage: () => true, handle });
  await createEventPublisher(bus)(event);
  await expect.poll(() => consumer.handled).toContain(event.id);
  await consumer.stop();
});

test('an event that the broker could not park is parked soon, however long it would wait after a fault', async () => {
  const consumer = await consume(bus, { retryDelaysMs: [60_000] });
  const client = jetstream(bus.nats);
  await (await jetstreamManager(bus.nats)).streams.delete(DEAD_LETTER_STREAM);
  const marker = randomUUID();
  await client.publish('domain.commerce.order.placed.pricing.events.cart', JSON.stringify({ marker }));
  await expect.poll(async () => (await parkedBy(bus, consumer.name))?.event, { timeout: 20_000 }).toContain(marker);
  await consumer.stop();
});

test('streams that are deleted while processes run are created again, and events continue', async () => {
  const own = await connectBus({ url: natsUrlOfThisFile(3), name: 'test', logger });
  await ensureStreams(own, 1);
  const consumer = await consume(own);
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
