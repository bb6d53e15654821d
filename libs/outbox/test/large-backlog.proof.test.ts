import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Model } from 'mongoose';
import { expect, test } from 'vitest';
import { outboxEntry } from '../src/index.ts';
import { type Note, notesDatabase, notesIn, relayOf } from './notes.ts';

const db = notesDatabase();

/** A collection of this test only, with documents of `bytes` that have so many events each. */
async function backlog(outboxLengths: readonly number[], bytes: number): Promise<Model<Note>> {
  const model = await notesIn(db());
  const notes = outboxLengths.map((length) => ({
    _id: randomUUID(),
    companyId: 'a',
    name: 'x'.repeat(bytes),
    outbox: Array.from({ length }, () => outboxEntry('adjustment.updated', new Date())),
  }));
  await model.collection.insertMany(notes as never);
  return model;
}

const leftIn = async ({ collection }: Model<Note>) =>
  (await collection.countDocuments({ 'outbox.0': { $exists: true } })) +
  (await db().collection('outbox_overflow').countDocuments({ collection: collection.name }));

test.each([
  ['many documents', Array.from({ length: 40 }, () => 1)],
  ['a document with many events', [40]],
  ['a document that moves its events out', [501]],
])('large events of %s are read and published in rounds of limited size', async (_name, outboxLengths) => {
  const model = await backlog(outboxLengths, 1_000_000);
  let readAtOnce = 0;
  const noteRead = ({ reply }: { reply: any }) => {
    const { ns, firstBatch, nextBatch } = reply?.cursor ?? {};
    const large = (firstBatch ?? nextBatch ?? []).filter(({ name }: Note) => name !== undefined);
    if (ns?.endsWith(model.collection.name)) readAtOnce = Math.max(readAtOnce, large.length);
  };
  db().getClient().on('commandSucceeded', noteRead);
  let underWay = 0;
  let publishedAtOnce = 0;
  const relay = relayOf(model, async () => {
    underWay += 1;
    publishedAtOnce = Math.max(publishedAtOnce, underWay);
    await turn();
    underWay -= 1;
  });
  await expect.poll(() => leftIn(model), { timeout: 20_000 }).toBe(0);
  await relay.stop();
  db().getClient().off('commandSucceeded', noteRead);
  expect(readAtOnce).toBeLessThanOrEqual(20);
  expect(publishedAtOnce).toBeLessThanOrEqual(8);
});

test('just-written large documents are published in rounds of limited size, and only some of them wait in memory', async () => {
  const model = await backlog([0], 1);
  let [underWay, publishedAtOnce, published] = [0, 0, 0];
  const relay = relayOf(model, async () => {
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
  const model = await backlog(
    Array.from({ length: 2_000 }, () => 1),
    1,
  );
  let searches = 0;
  db()
    .getClient()
    .on('commandStarted', ({ command }) => {
      const { find, filter } = command as { find?: string; filter?: object };
      if (find === model.collection.name && 'outbox.500' in (filter ?? {})) searches += 1;
    });
  let failures = 0;
  const relay = relayOf(model, async () => {
    failures += 1;
    throw new Error('the broker is down');
  });
  await expect.poll(() => failures, { timeout: 20_000 }).toBeGreaterThanOrEqual(3_000);
  await relay.stop();
  expect(searches).toBeLessThanOrEqual(1);
});
