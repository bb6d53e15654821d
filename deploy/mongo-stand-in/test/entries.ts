import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest';

// What the services rely on MongoDB for: the same on MongoDB itself and on the stand-in for machines without it.

export interface Entry extends mongoose.mongo.Document {
  _id: string;
}

/** A connection for the tests of a file, to a database of its own, and a collection for each test. */
export function useEntries() {
  let connection: mongoose.Connection;
  let entries: mongoose.mongo.Collection<Entry>;

  beforeAll(async () => {
    const dbName = `wire_${process.pid}_${Date.now()}`;
    connection = await mongoose.createConnection(inject('mongoUrl'), { dbName }).asPromise();
  });
  beforeEach(async ({ task }) => {
    entries = connection.collection<Entry>(`c${task.id}`);
    await entries.drop();
  });
  afterAll(async () => {
    await connection?.dropDatabase();
    await connection?.close();
  });
  return { connection: () => connection, entries: () => entries };
}

export async function duplicateKeyCode(write: Promise<unknown>): Promise<unknown> {
  return write.then(
    () => 'no error',
    (error: mongoose.mongo.MongoServerError) => {
      expect(error.message).toContain('E11000');
      return error.code;
    },
  );
}
