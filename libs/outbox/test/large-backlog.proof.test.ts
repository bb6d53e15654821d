import { randomUUID } from 'node:crypto';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { outboxEntry } from '../src/index.ts';
import { type Note, notesOfTests } from './notes.ts';

const notes = notesOfTests();

/** As in production. */
const SWEEP_EVERY_MS = 1_000;

/** Notes of `bytes`, each with that many events. */
const backlog = (outboxLengths: readonly number[], bytes: number): Note[] =>
  outboxLengths.map((length) => ({
    _id: randomUUID(),
    companyId: 'a',
    name: 'x'.repeat(bytes),
    outbox: Array.from({ length }, () => outboxEntry('adjustment.updated', new Date())),
  }));

/** Notes with events, and documents of events that overflowed. */
const left = async () =>
  (await notes.waiting()) +
  (await notes.db.collection('outbox_overflow').countDocuments({ collection: notes.collection.name }));

test.each<[documents: string, outboxLengths: number[]]>([
  ['many documents', Array.from({ length: 40 }, () => 1)],
  ['a document with many events', [40]],
  ['a document that moves its events out', [501]],
])('large events of %s are read and published in rounds of limited size', async (_documents, outboxLengths) => {
  await notes.insert(...backlog(outboxLengths, 1_000_000));
  let readAtOnce = 0;
  const noteRead = ({ reply }: { reply: any }) => {
    const { ns, firstBatch, nextBatch } = reply?.cursor ?? {};
    const large = (firstBatch ?? nextBatch ?? []).filter(({ name }: Note) => name !== undefined);
    if (ns?.endsWith(notes.collection.name)) readAtOnce = Math.max(readAtOnce, large.length);
  };
  notes.db.getClient().on('commandSucceeded', noteRead);
  let underWay = 0;
  let publishedAtOnce = 0;
  const relay = notes.startRelay(async () => {
    underWay += 1;
    publishedAtOnce = Math.max(publishedAtOnce, underWay);
    await turn();
    underWay -= 1;
  });
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
  await relay.stop();
  notes.db.getClient().off('commandSucceeded', noteRead);
  expect(readAtOnce).toBeLessThanOrEqual(20);
  expect(publishedAtOnce).toBeLessThanOrEqual(8);
});

test('just-written large documents are published in rounds of limited size, and only some of them wait in memory', async () => {
  await notes.insert(...backlog([0], 1));
  let [underWay, publishedAtOnce, published] = [0, 0, 0];
  const relay = notes.startRelay(async () => {
    underWay += 1;
    publishedAtOnce = Math.max(publishedAtOnce, underWay);
    await turn();
    underWay -= 1;
    published += 1;
  });
  for (let n = 0; n < 100; n++) {
    const outbox = [outboxEntry('adjustment.updated', new Date())];
    relay.publish({ _id: randomUUID(), companyId: 'a', name: 'x'.repeat(1_000_000), outbox });
  }
  await relay.stop();
  expect(publishedAtOnce).toBeLessThanOrEqual(8);
  expect(published).toBeGreaterThan(20);
  expect(published).toBeLessThanOrEqual(32);
});

test('an outage does not cause repeated searches for overfull documents', async () => {
  const ones = Array.from({ length: 2_000 }, () => 1);
  await notes.insert(...backlog(ones, 1));
  let searches = 0;
  notes.db.getClient().on('commandStarted', ({ command }) => {
    const { find, filter } = command as { find?: string; filter?: object };
    if (find === notes.collection.name && 'outbox.500' in (filter ?? {})) searches += 1;
  });
  let failures = 0;
  const relay = notes.startRelay(async () => {
    failures += 1;
    throw new Error('the broker is down');
  });
  await expect.poll(() => failures, { timeout: 20_000 }).toBeGreaterThanOrEqual(3_000);
  await relay.stop();
  expect(searches).toBeLessThanOrEqual(1);
});

test('thousands of events in flight are no backlog: no replica publishes again what another one just did', async () => {
  const published: string[] = [];
  const replica = () => notes.startRelay(async ({ id }) => void published.push(id), { sweepEveryMs: SWEEP_EVERY_MS });
  const [writer] = [replica(), replica()];
  // Longer than the pause between two sweeps of a replica.
  const endMs = performance.now() + 3 * SWEEP_EVERY_MS;
  let written = 0;
  while (performance.now() < endMs) {
    const some = backlog(
      Array.from({ length: 500 }, () => 1),
      1,
    );
    await notes.insert(...some);
    for (const one of some) writer?.publish(one);
    written += some.length;
    await delay(100);
  }
  await expect.poll(() => notes.waiting()).toBe(0);
  expect(new Set(published).size).toBe(written);
  // On a busy machine, some are in flight during two sweeps.
  expect(published.length - written).toBeLessThan(written / 10);
});
