import { UnpublishableEventError } from '@event-commerce/contracts';
import { expect, test, vi } from 'vitest';
import { listParked, type OutboxEntry, outboxEntry, replayParked } from '../src/index.ts';
import { type Note, note, notesOfTests } from './notes.ts';

const notes = notesOfTests();

test('an event that the broker never accepts, or that cannot be built, is parked with the reason and delays no other', async () => {
  const published: string[] = [];
  const [large, broken, good] = [note('a'), { ...note('a'), name: 'broken' }, note('a')];
  await notes.insert(large, broken, good);
  notes.startRelay(async ({ subject }) => {
    if (subject === large._id) throw new UnpublishableEventError('it has 4 MB');
    published.push(subject);
  });
  await expect.poll(() => notes.waiting()).toBe(0);
  expect(published).toEqual([good._id]);
  const parked = (await listParked(notes.db)).filter(({ collection }) => collection === notes.collection.name);
  expect(Object.fromEntries(parked.map(({ documentId, reason }) => [documentId, reason]))).toEqual({
    [large._id]: 'it has 4 MB',
    [broken._id]: expect.stringContaining('no event can be built from this'),
  });
});

test('a parked event is published once it is replayed, with the same id', async () => {
  const published: string[] = [];
  let refusing = true;
  const one = note('a');
  notes.startRelay(async ({ id }) => {
    if (refusing) throw new UnpublishableEventError('not now');
    published.push(id);
  });
  await notes.insert(one);
  const eventId = one.outbox?.[0]?.id ?? '';
  await expect.poll(async () => (await listParked(notes.db, eventId)).length).toBe(1);
  await expect.poll(() => notes.waiting()).toBe(0);
  refusing = false;
  for (const event of await listParked(notes.db, eventId)) expect(await replayParked(notes.db, event)).toBe(true);
  await expect.poll(() => published).toEqual([eventId]);
  expect(await listParked(notes.db, eventId)).toEqual([]);
});

test('a thousand events that cannot be published stay, and delay no other', async () => {
  const published = new Set<string>();
  const stuck = Array.from({ length: 1_000 }, () =>
    note('a', outboxEntry('note.from-the-future' as never, new Date())),
  );
  const good = [...stuck.slice(0, 10).map(() => note('a')), note('0'), note('z')];
  await notes.insert(...stuck, ...good);
  notes.startRelay(async ({ subject }) => void published.add(subject));
  await expect.poll(() => published.size).toBe(good.length);
  await expect.poll(() => notes.waiting()).toBe(stuck.length);
});

test('a broker that accepts only some events gets the others once it accepts them', async () => {
  const published = new Set<string>();
  const all = Array.from({ length: 600 }, (_, n) => note(`c${n % 3}`));
  const refused = new Set(all.slice(0, 500).map(({ _id }) => _id));
  await notes.insert(...all);
  notes.startRelay(async ({ subject }) => {
    if (refused.has(subject)) throw new Error('not now');
    published.add(subject);
  });
  await expect.poll(() => published.size).toBe(100);
  refused.clear();
  await expect.poll(() => notes.waiting()).toBe(0);
  expect(published.size).toBe(all.length);
});

test('the events of a document are published in order, also when one of them fails at first', async () => {
  const published: string[] = [];
  const entries = Array.from({ length: 4 }, () => outboxEntry('adjustment.updated', new Date()));
  const [first, second, third, written] = entries as [OutboxEntry, OutboxEntry, OutboxEntry, OutboxEntry];
  const one = { ...note('a'), outbox: [first, second, third] };
  const other = note('a');
  await notes.insert(one, other);
  let fails = true;
  const failed = Promise.withResolvers<void>();
  const relay = notes.startRelay(async ({ id }) => {
    if (fails && id === second.id) {
      failed.resolve();
      throw new Error('not now');
    }
    published.push(id);
  });
  relay.publish(one);
  await failed.promise;
  await notes.addEvents(one, [written]);
  relay.publish({ ...one, outbox: [written] });
  relay.publish(other);
  await expect.poll(() => published).toEqual([first.id, other.outbox?.[0]?.id]);
  fails = false;
  await expect.poll(() => notes.waiting()).toBe(0);
  const ofOne = published.filter((id) => entries.some((entry) => entry.id === id));
  expect(ofOne).toEqual(entries.map(({ id }) => id));
});

test('a published event is removed, and one added in between stays until it is published too', async () => {
  const published: string[] = [];
  const one = note('a');
  const added = outboxEntry('adjustment.updated', new Date());
  await notes.insert(one);
  const relay = notes.startRelay(async ({ id }) => {
    published.push(id);
    if (published.length === 1) await notes.addEvents(one, [added]);
  });
  relay.publish(one);
  await expect.poll(() => notes.waiting()).toBe(0);
  expect(published).toEqual([one.outbox?.[0]?.id, added.id]);
});

test('a sweep that reads an event while it is removed does not publish it again', async () => {
  const published: string[] = [];
  const one = note('a');
  await notes.insert(one);
  const stored = notes.db.collection<Note>(notes.collection.name);
  const [find, updateMany] = [stored.find.bind(stored), stored.updateMany.bind(stored)];
  const { promise: removed, resolve } = Promise.withResolvers<void>();
  const { promise: sweptAgain, resolve: sweepAgain } = Promise.withResolvers<void>();
  vi.spyOn(stored, 'updateMany').mockImplementation(async (...args) => {
    const result = await updateMany(...args);
    // The relay hears of it first.
    setImmediate(resolve);
    return result;
  });
  let readBefore = 0;
  vi.spyOn(stored, 'find').mockImplementation(((filter: object, options: object) => {
    const cursor = find(filter, options);
    if (!('_id' in filter)) {
      if (readBefore > 0) sweepAgain();
      return cursor;
    }
    const read = cursor.toArray();
    const late = async function* () {
      const documents = await read;
      readBefore += documents.length;
      await removed;
      yield* documents;
    };
    return { batchSize: late } as never;
  }) as typeof stored.find);
  const relay = notes.startRelay(async ({ id }) => void published.push(id));
  relay.publish(one);
  await sweptAgain;
  await relay.stop();
  expect([readBefore, published]).toEqual([1, [one.outbox?.[0]?.id]]);
});
