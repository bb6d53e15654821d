import { randomUUID } from 'node:crypto';
import { DOMAIN_EVENTS, type DomainEvent, type DomainEventType } from '@event-commerce/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { natsUrlOfThisFile } from '../../../deploy/local/test/nats-url.ts';
import {
  type BusConnection,
  connectBus,
  createEventPublisher,
  DEAD_LETTER_STREAM,
  ensureStreams,
  EVENT_STREAM,
  runConsumer,
} from '../src/index.ts';

const logger = pino({ level: 'silent' });
let bus: BusConnection;
beforeAll(async () => {
  bus = await connectBus({ url: natsUrlOfThisFile(2), name: 'test', logger });
  await ensureStreams(bus, 1);
});
afterAll(async () => bus.close());

function orderEvent(type: 'order.placed' | 'order.cancelled' = 'order.placed'): DomainEvent {
  const id = `ord_${randomUUID()}`;
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: '/commerce',
    type,
    subject: id,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    companyid: 'c1',
    schemaversion: DOMAIN_EVENTS[type].schemaVersion,
    data: { id, companyId: 'c1', orderNumber: 'n', version: 1, customer: {}, claims: [] },
  };
}

/** A consumer of this test's own; answers the ids it handled. */
async function consume(
  options: {
    name?: string;
    types?: DomainEventType[];
    handle?: (event: DomainEvent) => Promise<void>;
    isOutage?: () => boolean;
  } = {},
) {
  const handled: string[] = [];
  const name = options.name ?? `test-${randomUUID()}`;
  const stop = await runConsumer(bus, {
    name,
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

test('a handler that fails gets the event again, and holds no other up', async () => {
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
  await expect.poll(() => consumer.handled, { timeout: 5_000 }).toEqual(expect.arrayContaining([bad.id, good.id]));
  expect(consumer.handled.indexOf(good.id)).toBeLessThan(consumer.handled.indexOf(bad.id));
  await consumer.stop();
});

test('what is no valid event is parked with the reason', async () => {
  const consumer = await consume();
  const marker = randomUUID();
  await jetstream(bus.nats).publish('domain.commerce.order.placed', JSON.stringify({ marker }));
  const parked = async () => {
    const found = await (
      await jetstreamManager(bus.nats)
    ).streams.getMessage(DEAD_LETTER_STREAM, {
      last_by_subj: `dead-letter.${consumer.name}`,
    });
    return found === null ? undefined : found.json<{ reason: string; event: string }>();
  };
  await expect.poll(async () => (await parked())?.event, { timeout: 5_000 }).toContain(marker);
  expect((await parked())?.reason).toContain('specversion');
  await consumer.stop();
});

test('a consumer that is deleted while it runs is made again', async () => {
  const consumer = await consume();
  await (await jetstreamManager(bus.nats)).consumers.delete(EVENT_STREAM, consumer.name);
  const event = orderEvent();
  await createEventPublisher(bus)(event);
  await expect.poll(() => consumer.handled, { timeout: 10_000 }).toContain(event.id);
  await consumer.stop();
});

test('a consumer of an earlier release is brought up to date', async () => {
  const earlier = await consume();
  await earlier.stop();
  const later = await consume({ name: earlier.name, types: ['order.placed', 'order.cancelled'] });
  const event = orderEvent('order.cancelled');
  await createEventPublisher(bus)(event);
  await expect.poll(() => later.handled).toContain(event.id);
  await later.stop();
});
