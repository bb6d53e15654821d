import { randomUUID } from 'node:crypto';
import { type DomainEvent, tenantOf, UnpublishableEventError } from '@event-commerce/contracts';
import mongoose, { type Connection, type Model, Schema } from 'mongoose';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  domainEvent,
  listParked,
  type OutboxEntry,
  outboxEntry,
  outboxIndex,
  outboxPath,
  replayParked,
  startRelay,
  type WithOutbox,
} from '../src/index.ts';

interface Note extends WithOutbox {
  companyId: string;
  name: string;
}

const logger = pino({ level: 'silent' });
const SWEEP_EVERY_MS = 50;
let db: Connection;
beforeAll(async () => {
  db = await mongoose
    .createConnection(inject('mongoUrl'), { dbName: `t${randomUUID().slice(0, 8)}`, monitorCommands: true })
    .asPromise();
});
afterAll(async () => {
  await db?.dropDatabase();
  await db?.close();
});

/** A collection of this test only. */
async function notes(): Promise<Model<Note>> {
  const collection = `notes${randomUUID().slice(0, 8)}`;
  const schema = new Schema<Note>(
    { _id: String, companyId: String, name: String, outbox: outboxPath },
    { collection, versionKey: false },
  ).index(...outboxIndex);
  const model = db.model<Note>(collection, schema);
  await model.createIndexes();
  return model;
}

function note(companyId: string, entry: OutboxEntry = outboxEntry('adjustment.updated', new Date())): Note {
  return { _id: randomUUID(), companyId, name: 'n', outbox: [entry] };
}

function toEvent(entry: OutboxEntry, { _id, companyId, name }: Note): DomainEvent {
  if (name === 'broken') throw new TypeError('no event can be built from this');
  return domainEvent(entry as OutboxEntry & { type: 'adjustment.updated' }, {
    subject: _id,
    tenant: tenantOf({ companyId, environment: 'live' }),
    data: { id: _id, companyId, name, status: 'active', version: 1 },
  });
}

function relayOf(model: Model<Note>, publishEvent: (event: DomainEvent) => Promise<void>) {
  return startRelay({ model, toEvent, publishEvent, logger, sweepEveryMs: SWEEP_EVERY_MS });
}

const waitingIn = async (model: Model<Note>) =>
  await model.collection.countDocuments({ 'outbox.0': { $exists: true } });

test('an event that the broker never accepts, or that cannot be built, is parked with the reason and delays no other', async () => {
  const model = await notes();
  const published: string[] = [];
  const [large, broken, good] = [note('a'), { ...note('a'), name: 'broken' }, note('a')];
  await model.collection.insertMany([large, broken, good] as never);
  const relay = relayOf(model, async ({ subject }) => {
    if (subject === large._id) throw new UnpublishableEventError('it has 4 MB');
    published.push(subject);
  });
  await expect.poll(() => waitingIn(model), { timeout: 10_000 }).toBe(0);
  expect(published).toEqual([good._id]);
  const parked = (await listParked(db)).filter(({ collection }) => collection === model.collection.name);
  expect(Object.fromEntries(parked.map(({ documentId, reason }) => [documentId, reason]))).toEqual({
    [large._id]: 'it has 4 MB',
    [broken._id]: expect.stringContaining('no event can be built from this'),
  });
  await relay.stop();
});

test('a parked event is published once it is replayed, with the same id', async () => {
  const model = await notes();
  const published: string[] = [];
  let refusing = true;
  const one = note('a');
  const relay = relayOf(model, async ({ id }) => {
    if (refusing) throw new UnpublishableEventError('not now');
    published.push(id);
  });
  await model.collection.insertOne(one as never);
  const eventId = one.outbox?.[0]?.id ?? '';
  await expect.poll(async () => (await listParked(db, eventId)).length, { timeout: 10_000 }).toBe(1);
  await expect.poll(() => waitingIn(model), { timeout: 10_000 }).toBe(0);
  refusing = false;
  for (const event of await listParked(db, eventId)) expect(await replayParked(db, event)).toBe(true);
  await expect.poll(() => published, { timeout: 10_000 }).toEqual([eventId]);
  expect(await listParked(db, eventId)).toEqual([]);
  await relay.stop();
});

test('a thousand events that cannot be published delay no other, and stay', async () => {
  const model = await notes();
  const published = new Set<string>();
  const stuck = Array.from({ length: 1_000 }, () =>
    note('a', outboxEntry('note.from-the-future' as never, new Date())),
  );
  const good = [...stuck.slice(0, 10).map(() => note('a')), note('0'), note('z')];
  await model.collection.insertMany([...stuck, ...good] as never);
  const relay = relayOf(model, async ({ subject }) => void published.add(subject));
  await expect.poll(() => published.size, { timeout: 10_000 }).toBe(good.length);
  await expect.poll(() => waitingIn(model), { timeout: 10_000 }).toBe(stuck.length);
  await relay.stop();
});

test('a broker that accepts only some events gets the others once it accepts them', async () => {
  const model = await notes();
  const published = new Set<string>();
  const all = Array.from({ length: 600 }, (_, n) => note(`c${n % 3}`));
  const refused = new Set(all.slice(0, 500).map(({ _id }) => _id));
  await model.collection.insertMany(all as never);
  const relay = relayOf(model, async ({ subject }) => {
    if (refused.has(subject)) throw new Error('not now');
    published.add(subject);
  });
  await expect.poll(() => published.size, { timeout: 10_000 }).toBe(100);
  refused.clear();
  await expect.poll(() => waitingIn(model), { timeout: 10_000 }).toBe(0);
  expect(published.size).toBe(all.length);
  await relay.stop();
});

test('a published event is removed, and one added in between stays until it is published too', async () => {
  const model = await notes();
  const published: string[] = [];
  const one = note('a');
  const added = outboxEntry('adjustment.updated', new Date());
  await model.collection.insertOne(one as never);
  const relay = relayOf(model, async ({ id }) => {
    published.push(id);
    if (published.length === 1) {
      await model.collection.updateOne({ _id: one._id } as never, { $push: { outbox: added } } as never);
    }
  });
  relay.publish(one);
  await expect.poll(() => waitingIn(model), { timeout: 10_000 }).toBe(0);
  expect(published).toEqual([one.outbox?.[0]?.id, added.id]);
  await relay.stop();
});

test('a document stays small while the broker stores nothing, and every one of its events is published afterwards', async () => {
  const model = await notes();
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
  const model = await notes();
  const one = { ...note('a'), outbox: [] };
  await model.collection.insertOne(one as never);
  const collection = model.collection.name;
  const overflow = db.collection<{ _id: string }>('outbox_overflow');
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

test('events are published from where they overflowed to, past a list that became empty or has to wait', async () => {
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

test('while no events are moved out of their documents, few sweeps look for such events', async () => {
  const model = await notes();
  const finds: string[] = [];
  const count = ({ command: { find, filter } }: mongoose.mongo.CommandStartedEvent) => {
    if (find === model.collection.name) finds.push('documents');
    if (find === 'outbox_overflow' && filter.collection === model.collection.name) finds.push('overflow');
  };
  db.getClient().on('commandStarted', count);
  const relay = relayOf(model, async () => undefined);
  await expect.poll(() => finds.length, { timeout: 10_000 }).toBeGreaterThan(5);
  await relay.stop();
  db.getClient().off('commandStarted', count);
  expect(finds.filter((find) => find === 'overflow')).toHaveLength(1);
});
