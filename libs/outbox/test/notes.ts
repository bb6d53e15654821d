import { randomUUID } from 'node:crypto';
import { type DomainEvent, tenantOf } from '@event-commerce/contracts';
import mongoose, { type Connection, type Model, Schema } from 'mongoose';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import {
  domainEvent,
  type OutboxEntry,
  outboxEntry,
  outboxIndex,
  outboxPath,
  type Relay,
  startRelay,
  type WithOutbox,
} from '../src/index.ts';

export interface Note extends WithOutbox {
  companyId: string;
  name: string;
}

const logger = pino({ level: 'silent' });
const SWEEP_EVERY_MS = 50;

export function note(companyId: string, entry: OutboxEntry = outboxEntry('adjustment.updated', new Date())): Note {
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

/** Notes for the tests of one file. Each test has a collection of its own, and its relays stop after it. */
export function notesOfTests() {
  let db: Connection;
  let model: Model<Note>;
  const relays: Relay<Note>[] = [];
  beforeAll(async () => {
    const options = { dbName: `t${randomUUID().slice(0, 8)}`, monitorCommands: true };
    db = await mongoose.createConnection(inject('mongoUrl'), options).asPromise();
  });
  beforeEach(async () => {
    model = noteModel(db);
    await model.createIndexes();
  });
  afterEach(async () => void (await Promise.all(relays.splice(0).map(async (relay) => relay.stop()))));
  afterAll(async () => {
    await db?.dropDatabase();
    await db?.close();
  });

  return {
    get db() {
      return db;
    },
    get model() {
      return model;
    },
    get collection() {
      return model.collection;
    },
    insert: async (...notes: readonly Note[]) => void (await model.collection.insertMany(notes as never)),
    addEvents: async ({ _id }: Note, entries: OutboxEntry[]) =>
      void (await model.collection.updateOne({ _id } as never, { $push: { outbox: { $each: entries } } } as never)),
    startRelay: (
      publishEvent: (event: DomainEvent) => Promise<void>,
      { sweepEveryMs = SWEEP_EVERY_MS } = {},
    ): Relay<Note> => {
      const relay = startRelay({ model, toEvent, publishEvent, logger, sweepEveryMs });
      relays.push(relay);
      return relay;
    },
    waiting: async () => await model.collection.countDocuments({ 'outbox.0': { $exists: true } }),
  };
}

function noteModel(db: Connection): Model<Note> {
  const collection = `notes${randomUUID().slice(0, 8)}`;
  const schema = new Schema<Note>(
    { _id: String, companyId: String, name: String, outbox: outboxPath },
    { collection, versionKey: false },
  ).index(...outboxIndex);
  return db.model<Note>(collection, schema);
}
