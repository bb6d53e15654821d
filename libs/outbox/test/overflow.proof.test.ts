import { randomUUID } from 'node:crypto';
import type mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { type OutboxEntry, outboxEntry } from '../src/index.ts';
import { type Note, note, notesOfTests } from './notes.ts';

const notes = notesOfTests();

test('a document stays small while the broker stores nothing, and all of its events are published afterwards, in order', async () => {
  const published = new Set<string>();
  const written = new Set<string>();
  let storing = false;
  const one = note('a');
  await notes.insert(one);
  for (const { id } of one.outbox ?? []) written.add(id);
  notes.startRelay(async ({ id }) => {
    if (!storing) throw new Error('the disk is full');
    published.add(id);
  });
  for (let round = 0; round < 20; round++) {
    const entries = Array.from({ length: 300 }, () => outboxEntry('adjustment.updated', new Date()));
    for (const { id } of entries) written.add(id);
    await notes.addEvents(one, entries);
    await expect
      .poll(async () => (await notes.model.findById(one._id).lean<Note>())?.outbox?.length)
      .toBeLessThanOrEqual(500);
  }
  storing = true;
  await expect.poll(() => published.size).toBe(written.size);
  expect([...published]).toEqual([...written]);
});

const overflow = {
  documents: () => notes.db.collection<{ _id: string }>('outbox_overflow'),
  /** Stores a note without events, and each of `outboxes` apart from it. */
  store: async (...outboxes: readonly OutboxEntry[][]) => {
    const one = { ...note('a'), outbox: [] };
    await notes.insert(one);
    const about = { collection: notes.collection.name, documentId: one._id };
    await overflow.documents().insertMany(outboxes.map((outbox) => ({ _id: randomUUID(), ...about, outbox })));
  },
  count: async () => await overflow.documents().countDocuments({ collection: notes.collection.name }),
};

test('what one relay cannot publish, another one does, and nothing stays stored', async () => {
  const entries = Array.from({ length: 20 }, () => outboxEntry('adjustment.updated', new Date()));
  await overflow.store(entries.slice(0, 10), entries.slice(10));
  const published = new Set<string>();
  for (const refuses of [0, 1]) {
    notes.startRelay(async ({ id }) => {
      if (entries.findIndex((entry) => entry.id === id) % 2 === refuses) throw new Error('not now');
      published.add(id);
    });
  }
  await expect.poll(() => overflow.count()).toBe(0);
  expect([...published].toSorted()).toEqual(entries.map(({ id }) => id).toSorted());
});

test('overflowed events are published, and an empty list is removed, even if another list has to wait', async () => {
  const [waits, good] = [
    outboxEntry('note.from-the-future' as never, new Date(0)),
    outboxEntry('adjustment.updated', new Date()),
  ];
  await overflow.store([], [waits], [good]);
  const published: string[] = [];
  notes.startRelay(async ({ id }) => void published.push(id));
  await expect.poll(() => published).toEqual([good.id]);
  await expect.poll(() => overflow.count()).toBe(1);
});

test('few sweeps look for overflowed events while there are none', async () => {
  const finds: string[] = [];
  const count = ({ command: { find, filter } }: mongoose.mongo.CommandStartedEvent) => {
    if (find === notes.collection.name) finds.push('documents');
    if (find === 'outbox_overflow' && filter.collection === notes.collection.name) finds.push('overflow');
  };
  notes.db.getClient().on('commandStarted', count);
  const relay = notes.startRelay(async () => undefined);
  await expect.poll(() => finds.length).toBeGreaterThan(5);
  await relay.stop();
  notes.db.getClient().off('commandStarted', count);
  expect(finds.filter((find) => find === 'overflow')).toHaveLength(1);
});
