import mongoose from 'mongoose';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { duplicateKeyCode, type Entry, useEntries } from './entries.ts';

const { connection, entries } = useEntries();

describe('documents', () => {
  test('every BSON type comes back as it was', async () => {
    const document = {
      _id: 'types',
      double: 1.5,
      int: 7,
      long: mongoose.mongo.Long.fromString('9007199254740993'),
      decimal: mongoose.mongo.Decimal128.fromString('12.340'),
      text: 'zażółć 🎟️ gęślą',
      flag: true,
      nothing: null,
      at: new Date('2026-01-02T03:04:05.678Z'),
      id: new mongoose.mongo.ObjectId(),
      bytes: new mongoose.mongo.Binary(Buffer.from([0, 1, 255])),
      nested: { list: [1, 'two', { three: 3 }] },
      empty: {},
    };
    await entries().insertOne(document);
    expect(await entries().findOne({ _id: 'types' }, { promoteValues: false })).toEqual({
      ...document,
      double: new mongoose.mongo.Double(1.5),
      int: new mongoose.mongo.Int32(7),
      nested: { list: [new mongoose.mongo.Int32(1), 'two', { three: new mongoose.mongo.Int32(3) }] },
    });
  });

  test('a mongoose model creates, finds, updates and deletes', async () => {
    const schema = new mongoose.Schema({ name: { type: String, required: true }, count: Number }, { timestamps: true });
    const Model = connection().model(`Model${Date.now()}`, schema);
    const created = await Model.create({ name: 'a', count: 1 });
    created.count = 2;
    await created.save();
    const found = await Model.findById(created._id).lean();
    expect(found).toMatchObject({ name: 'a', count: 2, __v: 0 });
    expect(await Model.deleteOne({ _id: created._id })).toMatchObject({ deletedCount: 1 });
    expect(await Model.findById(created._id)).toBeNull();
  });

  test('a document of megabytes comes back as it was', async () => {
    await entries().insertOne({ _id: 'large', text: 'x'.repeat(5_000_000) });
    expect(await entries().findOne({ _id: 'large' })).toEqual({ _id: 'large', text: 'x'.repeat(5_000_000) });
  });

  test('a write without acknowledgement does not disturb the commands after it', async () => {
    await entries().insertOne({ _id: 'quiet' }, { writeConcern: { w: 0 } });
    await expect.poll(() => entries().countDocuments()).toBe(1);
  });
});

describe('queries', () => {
  beforeEach(async () => {
    await entries().insertMany(
      Array.from({ length: 1000 }, (_, i) => ({ _id: `e${String(i).padStart(4, '0')}`, i, group: `g${i % 3}` })),
    );
  });

  test('a cursor goes through all batches, sorted or not', async () => {
    expect((await entries().find({}, { batchSize: 100 }).toArray()).length).toBe(1000);
    const sorted = await entries()
      .find({}, { batchSize: 100, sort: { i: -1 } })
      .toArray();
    expect(sorted.map((entry) => entry['i'])).toEqual(Array.from({ length: 1000 }, (_, i) => 999 - i));
    const grouped = await entries()
      .aggregate([{ $match: {} }, { $sort: { i: 1 } }], { batchSize: 70 })
      .toArray();
    expect(grouped.map((entry) => entry['i'])).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  });

  test('many cursors can be open at once, and one can be left early', async () => {
    const cursors = Array.from({ length: 30 }, () => entries().find({}, { batchSize: 10, sort: { i: 1 } }));
    await Promise.all(cursors.map((cursor) => cursor.next()));
    await cursors[0]?.close();
    const rest = await Promise.all(cursors.slice(1).map((cursor) => cursor.toArray()));
    expect(rest.map((list) => list.length)).toEqual(Array.from({ length: 29 }, () => 999));
  });

  test('limit, skip, projection and collation-free sort work together', async () => {
    const page = await entries()
      .find({ i: { $gte: 10 } }, { sort: { group: 1, i: -1 }, skip: 1, limit: 2, projection: { i: 1 } })
      .toArray();
    expect(page).toEqual([
      { _id: 'e0996', i: 996 },
      { _id: 'e0993', i: 993 },
    ]);
  });

  test('count, distinct and group agree', async () => {
    expect(await entries().countDocuments({ group: 'g0' })).toBe(334);
    expect(await entries().estimatedDocumentCount()).toBe(1000);
    expect(new Set(await entries().distinct('group'))).toEqual(new Set(['g0', 'g1', 'g2']));
    const groups = await entries()
      .aggregate([{ $group: { _id: '$group', n: { $sum: 1 }, max: { $max: '$i' } } }, { $sort: { _id: 1 } }])
      .toArray();
    expect(groups).toEqual([
      { _id: 'g0', n: 334, max: 999 },
      { _id: 'g1', n: 333, max: 997 },
      { _id: 'g2', n: 333, max: 998 },
    ]);
  });

  test('an unknown operator is an error, and the connection stays usable', async () => {
    await expect(
      entries()
        .find({ i: { $nope: 1 } })
        .toArray(),
    ).rejects.toThrow(mongoose.mongo.MongoServerError);
    expect(await entries().countDocuments()).toBe(1000);
  });

  test('maxTimeMS ends a query', async () => {
    const slow = entries().aggregate(
      [
        { $lookup: { from: entries().collectionName, pipeline: [], as: 'all' } },
        { $unwind: '$all' },
        { $lookup: { from: entries().collectionName, pipeline: [], as: 'more' } },
        { $unwind: '$more' },
        { $group: { _id: '$more.i', n: { $sum: '$all.i' } } },
      ],
      { maxTimeMS: 50 },
    );
    await expect(slow.toArray()).rejects.toMatchObject({ code: 50 });
  });
});

describe('transactions', () => {
  beforeEach(async () => {
    await entries().insertMany([
      { _id: 'from', n: 100 },
      { _id: 'to', n: 0 },
    ]);
  });

  test('either both writes happen or neither does', async () => {
    await connection().withSession((session) =>
      session.withTransaction(async () => {
        await entries().updateOne({ _id: 'from' }, { $inc: { n: -1 } }, { session });
        expect(await entries().findOne({ _id: 'from' })).toMatchObject({ n: 100 });
        await entries().updateOne({ _id: 'to' }, { $inc: { n: 1 } }, { session });
      }),
    );
    const failing = connection().withSession((session) =>
      session.withTransaction(async () => {
        await entries().updateOne({ _id: 'from' }, { $inc: { n: -1 } }, { session });
        throw new Error('changed my mind');
      }),
    );
    await expect(failing).rejects.toThrow('changed my mind');
    expect(
      await entries()
        .find({}, { sort: { _id: 1 } })
        .toArray(),
    ).toEqual([
      { _id: 'from', n: 99 },
      { _id: 'to', n: 1 },
    ]);
  });

  test('conflicting transactions are retried until each took effect once', async () => {
    const transfer = (): Promise<unknown> =>
      connection().withSession((session) =>
        session.withTransaction(async () => {
          const from = await entries().findOne({ _id: 'from' }, { session });
          await entries().updateOne({ _id: 'from' }, { $set: { n: (from?.['n'] as number) - 1 } }, { session });
          await entries().updateOne({ _id: 'to' }, { $inc: { n: 1 } }, { session });
        }),
      );
    await Promise.all(Array.from({ length: 25 }, transfer));
    expect(
      await entries()
        .find({}, { sort: { _id: 1 } })
        .toArray(),
    ).toEqual([
      { _id: 'from', n: 75 },
      { _id: 'to', n: 25 },
    ]);
  });

  test('an error within a transaction ends it', async () => {
    const session = connection().getClient().startSession();
    try {
      session.startTransaction();
      await entries().insertOne({ _id: 'x' }, { session });
      expect(await duplicateKeyCode(entries().insertOne({ _id: 'to' }, { session }))).toBe(11000);
      await expect(session.commitTransaction()).rejects.toThrow(mongoose.mongo.MongoServerError);
    } finally {
      await session.endSession();
    }
    expect(await entries().countDocuments({ _id: 'x' })).toBe(0);
  });

  test('cursors keep reading within their transaction', async () => {
    await entries().insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: `e${i}`, i })));
    await connection().withSession((session) =>
      session.withTransaction(async () => {
        await entries().insertOne({ _id: 'inside', i: 1000 }, { session });
        const all = await entries()
          .find({ i: { $gte: 0 } }, { session, sort: { i: 1 }, batchSize: 50 })
          .toArray();
        expect(all.length).toBe(301);
      }),
    );
  });

  test('a transaction is rolled back when its client disconnects, and blocks nobody', async () => {
    const other = await mongoose.createConnection(inject('mongoUrl'), { dbName: connection().name }).asPromise();
    const session = other.getClient().startSession();
    session.startTransaction();
    await other
      .collection<Entry>(entries().collectionName)
      .updateOne({ _id: 'from' }, { $set: { n: -1 } }, { session });
    await other.getClient().close(true);
    await entries().updateOne({ _id: 'from' }, { $inc: { n: 1 } });
    expect(await entries().findOne({ _id: 'from' })).toMatchObject({ n: 101 });
  });
});
