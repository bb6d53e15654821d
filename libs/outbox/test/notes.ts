import { randomUUID } from 'node:crypto';
import { type DomainEvent, tenantOf } from '@event-commerce/contracts';
import mongoose, { type Connection, type Model, Schema } from 'mongoose';
import { pino } from 'pino';
import { afterAll, beforeAll, inject } from 'vitest';
import {
  domainEvent,
  type OutboxEntry,
  outboxEntry,
  outboxIndex,
  outboxPath,
  startRelay,
  type WithOutbox,
} from '../src/index.ts';

export interface Note extends WithOutbox {
  companyId: string;
  name: string;
}

const logger = pino({ level: 'silent' });
const SWEEP_EVERY_MS = 50;

/** A database for the tests of one file: created before the first, dropped after the last. */
export function notesDatabase(): () => Connection {
  let db: Connection;
  beforeAll(async () => {
    const options = { dbName: `t${randomUUID().slice(0, 8)}`, monitorCommands: true };
    db = await mongoose.createConnection(inject('mongoUrl'), options).asPromise();
  });
  afterAll(async () => {
    await db?.dropDatabase();
    await db?.close();
  });
  return () => db;
}

/** A collection for one test. */
export async function notesIn(db: Connection): Promise<Model<Note>> {
  const collection = `notes${randomUUID().slice(0, 8)}`;
  const schema = new Schema<Note>(
    { _id: String, companyId: String, name: String, outbox: outboxPath },
    { collection, versionKey: false },
  ).index(...outboxIndex);
  const model = db.model<Note>(collection, schema);
  await model.createIndexes();
  return model;
}

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

export function relayOf(model: Model<Note>, publishEvent: (event: DomainEvent) => Promise<void>) {
  return startRelay({ model, toEvent, publishEvent, logger, sweepEveryMs: SWEEP_EVERY_MS });
}

export const waitingIn = async (model: Model<Note>) =>
  await model.collection.countDocuments({ 'outbox.0': { $exists: true } });
