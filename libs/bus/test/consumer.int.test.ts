import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import {
  type BusConnection,
  connectBus,
  createEventPublisher,
  durableName,
  ensureStreams,
  EVENT_STREAM,
} from '../src/index.ts';
import { consume, parkedBy } from './consumers.ts';
import { orderEvent } from './order-event.ts';

const logger = pino({ level: 'silent' });
let bus: BusConnection;
beforeAll(async () => {
  bus = await connectBus({ url: natsUrlOfThisFile(2), name: 'test', logger });
  await ensureStreams(bus, 1);
});
afterAll(async () => bus?.close());

test('an event that is published twice is delivered once', async () => {
  const publish = createEventPublisher(bus);
  const event = orderEvent();
  const consumer = await consume(bus);
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
  const consumer = await consume(bus, {
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
  const consumer = await consume(bus);
  const marker = randomUUID();
  await jetstream(bus.nats).publish('domain.commerce.order.placed.pricing.events.cart', JSON.stringify({ marker }));
  await expect.poll(async () => (await parkedBy(bus, consumer.name))?.event).toContain(marker);
  expect((await parkedBy(bus, consumer.name))?.reason).toContain('specversion');
  await consumer.stop();
});

test('a consumer that is deleted while it runs is created again', async () => {
  const consumer = await consume(bus);
  await (await jetstreamManager(bus.nats)).consumers.delete(EVENT_STREAM, durableName(consumer.name, 'order.placed'));
  const event = orderEvent();
  await createEventPublisher(bus)(event);
  await expect.poll(() => consumer.handled, { timeout: 10_000 }).toContain(event.id);
  await consumer.stop();
});

test('a consumer that is stopped while it is being recreated stops', async () => {
  const own = await connectBus({ url: natsUrlOfThisFile(2), name: 'test', logger });
  const consumer = await consume(own);
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
  const older = await consume(bus);
  const newer = await consume(bus, { name: older.name, types: ['order.placed', 'order.cancelled'] });
  await older.stop();
  const restarted = await consume(bus, { name: older.name });
  const events = [orderEvent(), ...Array.from({ length: 20 }, () => orderEvent('order.cancelled'))];
  const publish = createEventPublisher(bus);
  for (const event of events) await publish(event);
  const cancelled = events.slice(1).map(({ id }) => id);
  await expect.poll(() => newer.handled).toEqual(expect.arrayContaining(cancelled));
  expect(restarted.handled.filter((id) => cancelled.includes(id))).toEqual([]);
  await Promise.all([restarted.stop(), newer.stop()]);
});

test('an event with a value that a later release added is handled', async () => {
  const consumer = await consume(bus, { types: ['redemption.confirmed'] });
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
  const consumer = await consume(bus, {
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

test.each([['an error'], [undefined], [Object.create(null)]])(
  'an event whose handler keeps throwing %s is parked, and no other waits for it',
  async (thrown) => {
    const event = orderEvent();
    const consumer = await consume(bus, {
      retryDelaysMs: [1, 1],
      handle: async ({ id }) => {
        if (id === event.id) throw thrown;
      },
    });
    const publish = createEventPublisher(bus);
    await publish(event);
    await expect.poll(async () => (await parkedBy(bus, consumer.name))?.event, { timeout: 10_000 }).toContain(event.id);
    expect((await parkedBy(bus, consumer.name))?.attempts).toBe(3);
    const next = orderEvent();
    await publish(next);
    await expect.poll(() => consumer.handled).toContain(next.id);
    await consumer.stop();
  },
);

test('an event whose handler hangs is parked, and no other waits for it', async () => {
  const [hanging, next] = [orderEvent(), orderEvent()];
  const consumer = await consume(bus, {
    retryDelaysMs: [1],
    handleWithinMs: 100,
    handle: async ({ id }) => {
      if (id === hanging.id) await new Promise(() => {});
    },
  });
  const publish = createEventPublisher(bus);
  await publish(hanging);
  await publish(next);
  await expect.poll(() => consumer.handled).toContain(next.id);
  await expect.poll(async () => (await parkedBy(bus, consumer.name))?.event).toContain(hanging.id);
  expect(await parkedBy(bus, consumer.name)).toMatchObject({ attempts: 2, reason: expect.stringContaining('hangs') });
  await consumer.stop();
});

test('an event that was delivered 20 times and never settled is parked before it is handled', async () => {
  const event = orderEvent();
  const { name, stop } = await consume(bus);
  await stop();
  const manager = await jetstreamManager(bus.nats);
  const waiting = async () =>
    (await manager.consumers.info(EVENT_STREAM, durableName(name, 'order.placed'))).num_waiting;
  // Otherwise the broker might deliver it to a request that the stopped consumer left.
  await expect.poll(waiting).toBe(0);
  await createEventPublisher(bus)(event);
  // As often as if its handler had killed the process each time.
  const dying = await jetstream(bus.nats).consumers.get(EVENT_STREAM, durableName(name, 'order.placed'));
  for (let delivery = 1; delivery <= 20;) {
    const message = await dying.next();
    // The consumer may have stopped before it finished an event of the previous test.
    if (message?.string().includes(event.id) !== true) message?.ack();
    else {
      message.nak();
      delivery += 1;
    }
  }
  const consumer = await consume(bus, { name });
  await expect.poll(async () => (await parkedBy(bus, name))?.event).toContain(event.id);
  expect((await parkedBy(bus, name))?.reason).toContain('delivered 21 times');
  expect(consumer.handled).toEqual([]);
  await consumer.stop();
});

test('an event that waits for its next attempt goes to another replica when this one stops', async () => {
  const event = orderEvent();
  const { promise: failed, resolve } = Promise.withResolvers<void>();
  const first = await consume(bus, {
    retryDelaysMs: [600_000],
    handle: async ({ id }) => {
      if (id !== event.id) return;
      resolve();
      throw new Error('not here');
    },
  });
  await createEventPublisher(bus)(event);
  await failed;
  await first.stop();
  const second = await consume(bus, { name: first.name });
  await expect.poll(() => second.handled).toContain(event.id);
  await second.stop();
});
