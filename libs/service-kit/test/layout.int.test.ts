import type { Connection } from 'mongoose';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../test-kit/src/new-database.ts';
import { ensureLayout } from '../src/mongo/layout.ts';

async function database(): Promise<Connection> {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  onTestFinished(drop);
  return connection;
}

test('a new database is used, also by replicas that start at once, and used again', async () => {
  const connection = await database();
  await Promise.all(Array.from({ length: 5 }, async () => ensureLayout(connection)));
  await connection.collection<{ total: number }>('orders').insertOne({ total: 1 });
  await ensureLayout(connection);
  expect(await connection.collection('layout').countDocuments()).toBe(1);
});

test('records of another layout are refused with how to start afresh', async () => {
  const [unknown, older] = [await database(), await database()];
  await unknown.collection<{ total: number }>('orders').insertOne({ total: 1 });
  await older.collection<{ _id: string; version: number }>('layout').insertOne({ _id: 'layout', version: 1 });
  for (const connection of [unknown, older])
    await expect(ensureLayout(connection)).rejects.toThrow(/another layout.*To start afresh, delete them/);
});
