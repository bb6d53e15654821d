import mongoose from 'mongoose';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { type Entry, useEntries } from './entries.ts';

const { connection, entries } = useEntries();

test.each([
  ['updateOne', async (_id: string) => (await entries().updateOne({ _id }, { $inc: { n: 1 } })).matchedCount],
  [
    'findOneAndUpdate',
    async (_id: string) => ((await entries().findOneAndUpdate({ _id }, { $inc: { n: 1 } })) ? 1 : 0),
  ],
  ['deleteOne', async (_id: string) => (await entries().deleteOne({ _id })).deletedCount],
  ['deleteMany', async (_id: string) => (await entries().deleteMany({ _id })).deletedCount],
  ['findOneAndDelete', async (_id: string) => ((await entries().findOneAndDelete({ _id })) ? 1 : 0)],
])('%s finds a document that is being updated', async (_name, write) => {
  const found: number[] = [];
  for (let n = 0; n < 100; n++) {
    const _id = `busy-${n}`;
    await entries().insertOne({ _id, n: 0 });
    const update = async () => entries().updateOne({ _id }, { $inc: { n: 1 } });
    const [count] = await Promise.all([write(_id), update(), update(), update()]);
    found.push(count);
  }
  expect(found).toEqual(found.map(() => 1));
});

describe('updates', () => {
  beforeEach(async () => {
    await entries().insertOne({ _id: 'a', n: 1, cap: 3, claims: [{ id: 'x', at: 1 }], tags: ['s'] });
  });

  test('a condition on two fields of the document admits or refuses an update', async () => {
    const claim = (): Promise<Entry | null> =>
      entries().findOneAndUpdate(
        { _id: 'a', $expr: { $lt: ['$n', '$cap'] } },
        { $inc: { n: 1 }, $push: { claims: { id: 'y', at: 2 } as never } },
        { returnDocument: 'after' },
      );
    expect(await claim()).toMatchObject({ n: 2, claims: [{ id: 'x' }, { id: 'y' }] });
    expect(await claim()).toMatchObject({ n: 3 });
    expect(await claim()).toBeNull();
  });

  test('push, pull, add to set, array filters and positional updates change arrays', async () => {
    await entries().updateOne({ _id: 'a' }, { $addToSet: { tags: 's' } });
    await entries().updateOne(
      { _id: 'a' },
      {
        $push: {
          claims: {
            $each: [
              { id: 'y', at: 2 },
              { id: 'z', at: 3 },
            ],
            $slice: -2,
          } as never,
        },
      },
    );
    await entries().updateOne(
      { _id: 'a' },
      { $set: { 'claims.$[late].late': true } },
      { arrayFilters: [{ 'late.at': { $gt: 2 } }] },
    );
    await entries().updateOne({ _id: 'a', 'claims.id': 'y' }, { $set: { 'claims.$.seen': true } });
    expect(await entries().findOne({ _id: 'a' })).toMatchObject({
      tags: ['s'],
      claims: [
        { id: 'y', at: 2, seen: true },
        { id: 'z', at: 3, late: true },
      ],
    });
    await entries().updateOne({ _id: 'a' }, { $pull: { claims: { id: 'y' } as never }, $unset: { tags: 1 } });
    expect(await entries().findOne({ _id: 'a' })).toEqual({
      _id: 'a',
      n: 1,
      cap: 3,
      claims: [{ id: 'z', at: 3, late: true }],
    });
  });

  test('elements are added together if none is there yet, and removed together while all are', async () => {
    const ids = ['y', 'z'];
    const add = async (): Promise<number> =>
      (
        await entries().updateOne(
          { _id: 'a', 'claims.id': { $nin: ids } },
          { $push: { claims: { $each: ids.map((id) => ({ id })) } as never }, $inc: { n: 2 } },
        )
      ).modifiedCount;
    const remove = async (some: readonly string[]): Promise<number> =>
      (
        await entries().updateOne(
          { _id: 'a', 'claims.id': { $all: some }, tags: { $nin: ['t'] } },
          {
            $inc: { n: -some.length },
            $pull: { claims: { id: { $in: some } } as never, tags: { $in: ['s'] } as never },
            $push: { told: { $each: [1, 2] } as never },
          },
        )
      ).modifiedCount;
    expect([await add(), await add()]).toEqual([1, 0]);
    expect([await remove(['y', 'gone']), await remove(ids), await remove(ids)]).toEqual([0, 1, 0]);
    expect(await entries().findOne({ _id: 'a' })).toMatchObject({
      n: 1,
      claims: [{ id: 'x' }],
      tags: [],
      told: [1, 2],
    });
  });

  test('a pipeline computes from the document', async () => {
    await entries().updateOne({ _id: 'a' }, [
      {
        $set: {
          left: { $subtract: ['$cap', '$n'] },
          claims: { $filter: { input: '$claims', cond: { $gt: ['$$this.at', 1] } } },
        },
      },
    ]);
    expect(await entries().findOne({ _id: 'a' })).toMatchObject({ left: 2, claims: [] });
  });

  test('the server sets the time, and it advances below a second', async () => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const before = Date.now();
      const set = await entries().findOneAndUpdate(
        { _id: 'a' },
        { $currentDate: { at: true }, $inc: { n: 1 } },
        { returnDocument: 'after' },
      );
      const at = Number(set?.['at']);
      expect(at).toBeGreaterThanOrEqual(before - 50);
      expect(at).toBeLessThanOrEqual(Date.now() + 50);
      times.push(at);
      await entries().find().toArray();
    }
    expect(new Set(times).size).toBeGreaterThan(1);
    const piped = await entries().findOneAndUpdate({ _id: 'a' }, [{ $set: { at: '$$NOW' } }], {
      returnDocument: 'after',
    });
    expect(Math.abs(Number(piped?.['at']) - Date.now())).toBeLessThan(500);
  });

  test('an upsert inserts once and reports the id', async () => {
    const upsert = { $setOnInsert: { made: true }, $inc: { n: 1 } };
    expect(await entries().updateOne({ _id: 'new' }, upsert, { upsert: true })).toMatchObject({ upsertedId: 'new' });
    expect(await entries().updateOne({ _id: 'new' }, upsert, { upsert: true })).toMatchObject({
      modifiedCount: 1,
      upsertedId: null,
    });
    expect(await entries().findOne({ _id: 'new' })).toEqual({ _id: 'new', made: true, n: 2 });
  });

  test('a bulk write does all of its parts and reports each kind', async () => {
    const result = await entries().bulkWrite([
      { insertOne: { document: { _id: 'b', n: 1 } } },
      { updateOne: { filter: { _id: 'a' }, update: { $inc: { n: 10 } } } },
      { updateMany: { filter: {}, update: { $set: { all: true } } } },
      { replaceOne: { filter: { _id: 'c' }, replacement: { n: 5 }, upsert: true } },
      { deleteOne: { filter: { _id: 'b' } } },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, modifiedCount: 3, upsertedCount: 1, deletedCount: 1 });
    expect(await entries().findOne({ _id: 'a' })).toMatchObject({ n: 11, all: true });
  });

  test('an unordered bulk insert reports what failed and keeps the rest', async () => {
    const error = await entries()
      .insertMany([{ _id: 'a' }, { _id: 'p' }, { _id: 'q' }], { ordered: false })
      .then(
        () => undefined,
        (failure: mongoose.mongo.MongoBulkWriteError) => failure,
      );
    expect(error).toMatchObject({ code: 11000, insertedCount: 2 });
    expect(await entries().countDocuments()).toBe(3);
  });
});

describe('concurrency', () => {
  test('200 concurrent claims against a cap of 50 admit exactly 50', async () => {
    await entries().insertOne({ _id: 'capped', n: 0 });
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        entries().findOneAndUpdate({ _id: 'capped', n: { $lt: 50 } }, { $inc: { n: 1 }, $push: { by: i as never } }),
      ),
    );
    expect(results.filter((result) => result !== null).length).toBe(50);
    const after = await entries().findOne({ _id: 'capped' });
    expect(after?.['n']).toBe(50);
    expect(new Set(after?.['by']).size).toBe(50);
  });

  test('concurrent first inserts into a missing collection all succeed', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, i) => entries().insertOne({ _id: `f${i}` })));
    expect(await entries().countDocuments()).toBe(40);
  });

  test('concurrent upserts of one key create one document', async () => {
    const upsert = (): Promise<unknown> =>
      entries()
        .updateOne({ _id: 'one' }, { $inc: { n: 1 } }, { upsert: true })
        .catch(async (error: unknown) => {
          // The one error that this race may produce; the caller must retry.
          if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== 11000) throw error;
          return entries().updateOne({ _id: 'one' }, { $inc: { n: 1 } }, { upsert: true });
        });
    await Promise.all(Array.from({ length: 40 }, upsert));
    expect(await entries().findOne({ _id: 'one' })).toEqual({ _id: 'one', n: 40 });
  });

  test('a write that the driver retries takes effect once and gets the same reply', async () => {
    // A client of its own: its sessions, whose numbers it does not know, end with it.
    const client = await new mongoose.mongo.MongoClient(inject('mongoUrl')).connect();
    const session = client.startSession();
    try {
      await entries().insertOne({ _id: 'r', n: 0 });
      const command = {
        update: entries().collectionName,
        updates: [
          { q: { _id: 'r' }, u: { $inc: { n: 1 } } },
          { q: { _id: 's' }, u: { $inc: { n: 1 } }, upsert: true },
        ],
        txnNumber: mongoose.mongo.Long.fromNumber(7),
      };
      const database = client.db(connection().name);
      const first = await database.command(command, { session });
      const second = await database.command(command, { session });
      expect({ n: second['n'], upserted: second['upserted'] }).toEqual({ n: first['n'], upserted: first['upserted'] });
      expect(
        await entries()
          .find({}, { sort: { _id: 1 } })
          .toArray(),
      ).toEqual([
        { _id: 'r', n: 1 },
        { _id: 's', n: 1 },
      ]);
    } finally {
      await session.endSession();
      await client.close();
    }
  });
});
