import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { duplicateKeyCode, useEntries } from './entries.ts';

const { connection, entries } = useEntries();

describe('indexes', () => {
  test('a unique index refuses a duplicate', async () => {
    await entries().createIndex({ code: 1 }, { unique: true });
    await entries().insertOne({ _id: 'a', code: 'X' });
    expect(await duplicateKeyCode(entries().insertOne({ _id: 'b', code: 'X' }))).toBe(11000);
    expect(await duplicateKeyCode(entries().insertOne({ _id: 'a', code: 'Y' }))).toBe(11000);
    await entries().insertOne({ _id: 'c', code: 'Z' });
    expect(await duplicateKeyCode(entries().updateOne({ _id: 'c' }, { $set: { code: 'X' } }))).toBe(11000);
    expect(await duplicateKeyCode(entries().findOneAndUpdate({ _id: 'c' }, { $set: { code: 'X' } }))).toBe(11000);
    const upsert = entries().findOneAndUpdate({ _id: 'd' }, { $set: { code: 'X' } }, { upsert: true });
    expect(await duplicateKeyCode(upsert)).toBe(11000);
  });

  test('of 50 concurrent inserts of one key, one succeeds', async () => {
    await entries().createIndex({ company: 1, code: 1 }, { unique: true });
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        duplicateKeyCode(entries().insertOne({ _id: `i${i}`, company: 'c', code: 'X' })),
      ),
    );
    expect(codes.filter((code) => code === 'no error').length).toBe(1);
    expect(await entries().countDocuments()).toBe(1);
  });

  test('a unique index with a filter binds only what the filter matches', async () => {
    await entries().createIndex({ code: 1 }, { unique: true, partialFilterExpression: { active: true } });
    await entries().insertMany([
      { _id: 'a', code: 'X', active: true },
      { _id: 'b', code: 'X', active: false },
      { _id: 'c', code: 'X', active: false },
    ]);
    expect(await duplicateKeyCode(entries().insertOne({ _id: 'd', code: 'X', active: true }))).toBe(11000);
    expect(await duplicateKeyCode(entries().updateOne({ _id: 'b' }, { $set: { active: true } }))).toBe(11000);
    await entries().updateOne({ _id: 'a' }, { $set: { active: false } });
    await entries().updateOne({ _id: 'b' }, { $set: { active: true } });
  });

  test('a sparse unique index ignores documents without the field', async () => {
    await entries().createIndex({ ref: 1 }, { unique: true, sparse: true });
    await entries().insertMany([{ _id: 'a' }, { _id: 'b' }, { _id: 'c', ref: 1 }]);
    expect(await duplicateKeyCode(entries().insertOne({ _id: 'd', ref: 1 }))).toBe(11000);
  });

  test('indexes are listed, created again without harm, and dropped', async () => {
    await entries().createIndex({ a: 1, b: -1 }, { name: 'ab' });
    await entries().createIndex({ a: 1, b: -1 }, { name: 'ab' });
    await entries().createIndex({ at: 1 }, { expireAfterSeconds: 5 });
    expect((await entries().indexes()).map((index) => index.name)).toEqual(['_id_', 'ab', 'at_1']);
    await entries().dropIndex('ab');
    expect((await entries().indexes()).map((index) => index.name)).toEqual(['_id_', 'at_1']);
  });

  test('concurrent index builds, as at the start of services, all succeed', async () => {
    const names = Array.from({ length: 8 }, () => `Together_${randomUUID()}`);
    const models = names.map((name) => {
      const schema = new mongoose.Schema({ company: String, code: String, at: Date });
      schema.index({ company: 1, code: 1 }, { unique: true });
      schema.index({ at: 1 }, { expireAfterSeconds: 60 });
      return connection().model(name, schema);
    });
    await Promise.all(models.map((Model) => Model.init()));
    await Promise.all(models.map((Model) => Model.create({ company: 'c', code: 'X' })));
    for (const Model of models) expect(await duplicateKeyCode(Model.create({ company: 'c', code: 'X' }))).toBe(11000);
  });

  test('a TTL index removes what is older, within its minute', { timeout: 150_000 }, async () => {
    await entries().createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    await entries().insertMany([
      { _id: 'old', at: new Date(Date.now() - 60_000) },
      { _id: 'new', at: new Date(Date.now() + 3_600_000) },
      { _id: 'none' },
    ]);
    await expect.poll(() => entries().distinct('_id'), { timeout: 140_000, interval: 500 }).toEqual(['new', 'none']);
  });
});
