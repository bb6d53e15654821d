import { randomUUID } from 'node:crypto';
import type mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { type OutboxEntry, outboxEntry } from '../src/index.ts';
import { type Note, note, notesDatabase, notesIn, relayOf } from './notes.ts';

const db = notesDatabase();

test('a document stays small while the broker stores nothing, and all of its events are published afterwards', async () => {
  const model = await notesIn(db());
  const published = new Set<string>();
  const written = new Set<string>();
  let storing = false;
  const one = note('a');
  await model.collection.insertOne(one as never);
  for (const { id } of one.outbox ?? []) written.add(id);
  const relay = relayOf(model, async ({ id }) => {
    if (!storing) throw new Error('the disk is full');
    published.add(id);
  });
  for (let round = 0; round < 20; round++) {
    const entries = Array.from({ length: 300 }, () => outboxEntry('adjustment.updated', new Date()));
    for (const { id } of entries) written.add(id);
    await model.collection.updateOne({ _id: one._id } as never, { $push: { outbox: { $each: entries } } } as never);
    await expect
      .poll(async () => (await model.findById(one._id).lean<Note>())?.outbox?.length, { timeout: 10_000 })
      .toBeLessThanOrEqual(500);
  }
  storing = true;
  await expect.poll(() => published.size, { timeout: 10_000 }).toBe(written.size);
  expect(published).toEqual(written);
  await relay.stop();
});

/** Stores a note without events, and each of `outboxes` apart from it. */
async function overflown(outboxes: readonly OutboxEntry[][]) {
  const model = await notesIn(db());
  const one = { ...note('a'), outbox: [] };
  await model.collection.insertOne(one as never);
  const collection = model.collection.name;
  const overflow = db().collection<{ _id: string }>('outbox_overflow');
  for (const outbox of outboxes) {
    await overflow.insertOne({ _id: randomUUID(), collection, documentId: one._id, outbox } as { _id: string });
  }
  return { model, stored: async () => overflow.countDocuments({ collection }) };
}

test('two relays that each publish what the other cannot leave nothing stored', async () => {
  const entries = [1, 2].map(() => outboxEntry('adjustment.updated', new Date()));
  const { model, stored } = await overflown([entries]);
  const refusing = new Set(entries.map(({ id }) => id));
  const bothRead = Promise.withResolvers<void>();
  const relays = [...refusing].map((refused) =>
    relayOf(model, async ({ id }) => {
      if (id !== refused || !refusing.delete(refused)) return await bothRead.promise;
      if (refusing.size === 0) bothRead.resolve();
      await bothRead.promise;
      throw new Error('not now');
    }),
  );
  await expect.poll(stored, { timeout: 10_000 }).toBe(0);
  await Promise.all(relays.map(async (relay) => relay.stop()));
});

test('overflowed events are published even if another list is empty or has to wait', async () => {
  const [waits, good] = [
    outboxEntry('note.from-the-future' as never, new Date(0)),
    outboxEntry('adjustment.updated', new Date()),
  ];
  const { model, stored } = await overflown([[], [waits], [good]]);
  const published: string[] = [];
  const relay = relayOf(model, async ({ id }) => void published.push(id));
  await expect.poll(() => published, { timeout: 10_000 }).toEqual([good.id]);
  await expect.poll(stored, { timeout: 10_000 }).toBe(2);
  await relay.stop();
});

test('few sweeps look for overflowed events while there are none', async () => {
  const model = await notesIn(db());
  const finds: string[] = [];
  const count = ({ command: { find, filter } }: mongoose.mongo.CommandStartedEvent) => {
    if (find === model.collection.name) finds.push('documents');
    if (find === 'outbox_overflow' && filter.collection === model.collection.name) finds.push('overflow');
  };
  db().getClient().on('commandStarted', count);
  const relay = relayOf(model, async () => undefined);
  await expect.poll(() => finds.length, { timeout: 10_000 }).toBeGreaterThan(5);
  await relay.stop();
  db().getClient().off('commandStarted', count);
  expect(finds.filter((find) => find === 'overflow')).toHaveLength(1);
});
