import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { connectBus, ensureStreams, EVENT_STREAM, readEvents } from '../src/index.ts';
import { readerName } from '../src/read-events.ts';

test('a slow reader gets all of a burst, and the last of it without waiting for what comes next', async ({
  onTestFinished,
}) => {
  // More events than the reader takes before it asks for more.
  const BURST = 800;
  const bus = await connectBus({ url: natsUrlOfThisFile(3), name: 'test', logger: pino({ level: 'silent' }) });
  onTestFinished(async () => bus.close());
  await ensureStreams(bus, 1);
  const publish = async () => jetstream(bus.nats).publish('domain.burst', new Uint8Array(1));
  const stopping = new AbortController();
  const batches = readEvents(bus, 'slow', 1, stopping.signal);
  const first = batches.next();
  const { consumers } = await jetstreamManager(bus.nats);
  const waiting = async () =>
    (await consumers.info(EVENT_STREAM, readerName('slow')).catch(() => undefined))?.num_pending;
  await expect.poll(waiting).toBe(0);
  await publish();
  expect((await first).value).toHaveLength(1);
  await Promise.all(Array.from({ length: BURST }, publish));
  await expect.poll(waiting).toBe(0);
  let read = 0;
  const rest = (async () => {
    while (read < BURST) read += (await batches.next()).value?.length ?? 0;
  })();
  await expect.poll(() => read).toBe(BURST);
  await rest;
  stopping.abort();
  expect((await batches.next()).done).toBe(true);
});
