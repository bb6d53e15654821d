import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';

/** What the services rely on MongoDB for: the same on MongoDB itself and on the stand-in for machines without it. */

const mongoUrl = inject('mongoUrl');

interface Entry extends mongoose.mongo.Document {
  _id: string;
}

let connection: mongoose.Connection;
let entries: mongoose.mongo.Collection<Entry>;

beforeAll(async () => {
  connection = await mongoose.createConnection(mongoUrl, { dbName: `wire_${process.pid}_${Date.now()}` }).asPromise();
});

beforeEach(async ({ task }) => {
  entries = connection.collection<Entry>(`c${task.id}`);
  await entries.drop();
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});

async function duplicateKeyCode(write: Promise<unknown>): Promise<unknown> {
  return write.then(
    () => 'no error',
    (error: mongoose.mongo.MongoServerError) => {
      expect(error.message).toContain('E11000');
      return error.code;
    },
  );
}

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
    await entries.insertOne(document);
    expect(await entries.findOne({ _id: 'types' }, { promoteValues: false })).toEqual({
      ...document,
      double: new mongoose.mongo.Double(1.5),
      int: new mongoose.mongo.Int32(7),
      nested: { list: [new mongoose.mongo.Int32(1), 'two', { three: new mongoose.mongo.Int32(3) }] },
    });
  });

  test('a mongoose model creates, finds, updates and deletes', async () => {
    const schema = new mongoose.Schema({ name: { type: String, required: true }, count: Number }, { timestamps: true });
    const Model = connection.model(`Model${Date.now()}`, schema);
    const created = await Model.create({ name: 'a', count: 1 });
    created.count = 2;
    await created.save();
    const found = await Model.findById(created._id).lean();
    expect(found).toMatchObject({ name: 'a', count: 2, __v: 0 });
    expect(await Model.deleteOne({ _id: created._id })).toMatchObject({ deletedCount: 1 });
    expect(await Model.findById(created._id)).toBeNull();
  });

  test('a document of megabytes passes', async () => {
    await entries.insertOne({ _id: 'large', text: 'x'.repeat(5_000_000) });
    expect(await entries.findOne({ _id: 'large' })).toEqual({ _id: 'large', text: 'x'.repeat(5_000_000) });
  });

  test('a write without acknowledgement does not disturb the commands after it', async () => {
    await entries.insertOne({ _id: 'quiet' }, { writeConcern: { w: 0 } });
    await expect.poll(() => entries.countDocuments()).toBe(1);
  });
});

describe('queries', () => {
  beforeEach(async () => {
    await entries.insertMany(
      Array.from({ length: 1000 }, (_, i) => ({ _id: `e${String(i).padStart(4, '0')}`, i, group: `g${i % 3}` })),
    );
  });

  test('a cursor goes through all batches, sorted or not', async () => {
    expect((await entries.find({}, { batchSize: 100 }).toArray()).length).toBe(1000);
    const sorted = await entries.find({}, { batchSize: 100, sort: { i: -1 } }).toArray();
    expect(sorted.map((entry) => entry['i'])).toEqual(Array.from({ length: 1000 }, (_, i) => 999 - i));
    const grouped = await entries.aggregate([{ $match: {} }, { $sort: { i: 1 } }], { batchSize: 70 }).toArray();
    expect(grouped.map((entry) => entry['i'])).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  });

  test('many cursors can be open at once, and one can be left early', async () => {
    const cursors = Array.from({ length: 30 }, () => entries.find({}, { batchSize: 10, sort: { i: 1 } }));
    await Promise.all(cursors.map((cursor) => cursor.next()));
    await cursors[0]?.close();
    const rest = await Promise.all(cursors.slice(1).map((cursor) => cursor.toArray()));
    expect(rest.map((list) => list.length)).toEqual(Array.from({ length: 29 }, () => 999));
  });

  test('limit, skip, projection and collation-free sort', async () => {
    const page = await entries
      .find({ i: { $gte: 10 } }, { sort: { group: 1, i: -1 }, skip: 1, limit: 2, projection: { i: 1 } })
      .toArray();
    expect(page).toEqual([
      { _id: 'e0996', i: 996 },
      { _id: 'e0993', i: 993 },
    ]);
  });

  test('count, distinct and group agree', async () => {
    expect(await entries.countDocuments({ group: 'g0' })).toBe(334);
    expect(await entries.estimatedDocumentCount()).toBe(1000);
    expect(new Set(await entries.distinct('group'))).toEqual(new Set(['g0', 'g1', 'g2']));
    const groups = await entries
      .aggregate([{ $group: { _id: '$group', n: { $sum: 1 }, max: { $max: '$i' } } }, { $sort: { _id: 1 } }])
      .toArray();
    expect(groups).toEqual([
      { _id: 'g0', n: 334, max: 999 },
      { _id: 'g1', n: 333, max: 997 },
      { _id: 'g2', n: 333, max: 998 },
    ]);
  });

  test('an unknown operator is an error, and the connection stays usable', async () => {
    await expect(entries.find({ i: { $nope: 1 } }).toArray()).rejects.toThrow(mongoose.mongo.MongoServerError);
    expect(await entries.countDocuments()).toBe(1000);
  });

  test('maxTimeMS ends a query', async () => {
    const slow = entries.aggregate(
      [
        { $lookup: { from: entries.collectionName, pipeline: [], as: 'all' } },
        { $unwind: '$all' },
        { $lookup: { from: entries.collectionName, pipeline: [], as: 'more' } },
        { $unwind: '$more' },
        { $group: { _id: '$more.i', n: { $sum: '$all.i' } } },
      ],
      { maxTimeMS: 50 },
    );
    await expect(slow.toArray()).rejects.toMatchObject({ code: 50 });
  });
});

describe('updates', () => {
  beforeEach(async () => {
    await entries.insertOne({ _id: 'a', n: 1, cap: 3, claims: [{ id: 'x', at: 1 }], tags: ['s'] });
  });

  test('a condition on two fields of the document admits or refuses an update', async () => {
    const claim = (): Promise<Entry | null> =>
      entries.findOneAndUpdate(
        { _id: 'a', $expr: { $lt: ['$n', '$cap'] } },
        { $inc: { n: 1 }, $push: { claims: { id: 'y', at: 2 } as never } },
        { returnDocument: 'after' },
      );
    expect(await claim()).toMatchObject({ n: 2, claims: [{ id: 'x' }, { id: 'y' }] });
    expect(await claim()).toMatchObject({ n: 3 });
    expect(await claim()).toBeNull();
  });

  test('push, pull, add to set, array filters and positional updates', async () => {
    await entries.updateOne({ _id: 'a' }, { $addToSet: { tags: 's' } });
    await entries.updateOne(
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
    await entries.updateOne(
      { _id: 'a' },
      { $set: { 'claims.$[late].late': true } },
      { arrayFilters: [{ 'late.at': { $gt: 2 } }] },
    );
    await entries.updateOne({ _id: 'a', 'claims.id': 'y' }, { $set: { 'claims.$.seen': true } });
    expect(await entries.findOne({ _id: 'a' })).toMatchObject({
      tags: ['s'],
      claims: [
        { id: 'y', at: 2, seen: true },
        { id: 'z', at: 3, late: true },
      ],
    });
    await entries.updateOne({ _id: 'a' }, { $pull: { claims: { id: 'y' } as never }, $unset: { tags: 1 } });
    expect(await entries.findOne({ _id: 'a' })).toEqual({
      _id: 'a',
      n: 1,
      cap: 3,
      claims: [{ id: 'z', at: 3, late: true }],
    });
  });

  test('a pipeline computes from the document', async () => {
    await entries.updateOne({ _id: 'a' }, [
      {
        $set: {
          left: { $subtract: ['$cap', '$n'] },
          claims: { $filter: { input: '$claims', cond: { $gt: ['$$this.at', 1] } } },
        },
      },
    ]);
    expect(await entries.findOne({ _id: 'a' })).toMatchObject({ left: 2, claims: [] });
  });

  test('the server sets the time, and it advances below a second', async () => {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const before = Date.now();
      const set = await entries.findOneAndUpdate(
        { _id: 'a' },
        { $currentDate: { at: true }, $inc: { n: 1 } },
        { returnDocument: 'after' },
      );
      const at = Number(set?.['at']);
      expect(at).toBeGreaterThanOrEqual(before - 50);
      expect(at).toBeLessThanOrEqual(Date.now() + 50);
      times.push(at);
      await entries.find().toArray();
    }
    expect(new Set(times).size).toBeGreaterThan(1);
    const piped = await entries.findOneAndUpdate({ _id: 'a' }, [{ $set: { at: '$$NOW' } }], {
      returnDocument: 'after',
    });
    expect(Math.abs(Number(piped?.['at']) - Date.now())).toBeLessThan(500);
  });

  test('an upsert inserts once and reports the id', async () => {
    const upsert = { $setOnInsert: { made: true }, $inc: { n: 1 } };
    expect(await entries.updateOne({ _id: 'new' }, upsert, { upsert: true })).toMatchObject({ upsertedId: 'new' });
    expect(await entries.updateOne({ _id: 'new' }, upsert, { upsert: true })).toMatchObject({
      modifiedCount: 1,
      upsertedId: null,
    });
    expect(await entries.findOne({ _id: 'new' })).toEqual({ _id: 'new', made: true, n: 2 });
  });

  test('a bulk write does all of its parts and reports each kind', async () => {
    const result = await entries.bulkWrite([
      { insertOne: { document: { _id: 'b', n: 1 } } },
      { updateOne: { filter: { _id: 'a' }, update: { $inc: { n: 10 } } } },
      { updateMany: { filter: {}, update: { $set: { all: true } } } },
      { replaceOne: { filter: { _id: 'c' }, replacement: { n: 5 }, upsert: true } },
      { deleteOne: { filter: { _id: 'b' } } },
    ]);
    expect(result).toMatchObject({ insertedCount: 1, modifiedCount: 3, upsertedCount: 1, deletedCount: 1 });
    expect(await entries.findOne({ _id: 'a' })).toMatchObject({ n: 11, all: true });
  });

  test('an unordered bulk insert reports what failed and keeps the rest', async () => {
    const error = await entries.insertMany([{ _id: 'a' }, { _id: 'p' }, { _id: 'q' }], { ordered: false }).then(
      () => undefined,
      (failure: mongoose.mongo.MongoBulkWriteError) => failure,
    );
    expect(error).toMatchObject({ code: 11000, insertedCount: 2 });
    expect(await entries.countDocuments()).toBe(3);
  });
});

describe('indexes', () => {
  test('a unique index refuses the second', async () => {
    await entries.createIndex({ code: 1 }, { unique: true });
    await entries.insertOne({ _id: 'a', code: 'X' });
    expect(await duplicateKeyCode(entries.insertOne({ _id: 'b', code: 'X' }))).toBe(11000);
    expect(await duplicateKeyCode(entries.insertOne({ _id: 'a', code: 'Y' }))).toBe(11000);
    await entries.insertOne({ _id: 'c', code: 'Z' });
    expect(await duplicateKeyCode(entries.updateOne({ _id: 'c' }, { $set: { code: 'X' } }))).toBe(11000);
    expect(await duplicateKeyCode(entries.findOneAndUpdate({ _id: 'c' }, { $set: { code: 'X' } }))).toBe(11000);
    const upsert = entries.findOneAndUpdate({ _id: 'd' }, { $set: { code: 'X' } }, { upsert: true });
    expect(await duplicateKeyCode(upsert)).toBe(11000);
  });

  test('of 50 concurrent inserts of one key, one succeeds', async () => {
    await entries.createIndex({ company: 1, code: 1 }, { unique: true });
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        duplicateKeyCode(entries.insertOne({ _id: `i${i}`, company: 'c', code: 'X' })),
      ),
    );
    expect(codes.filter((code) => code === 'no error').length).toBe(1);
    expect(await entries.countDocuments()).toBe(1);
  });

  test('a unique index with a filter binds only what the filter matches', async () => {
    await entries.createIndex({ code: 1 }, { unique: true, partialFilterExpression: { active: true } });
    await entries.insertMany([
      { _id: 'a', code: 'X', active: true },
      { _id: 'b', code: 'X', active: false },
      { _id: 'c', code: 'X', active: false },
    ]);
    expect(await duplicateKeyCode(entries.insertOne({ _id: 'd', code: 'X', active: true }))).toBe(11000);
    expect(await duplicateKeyCode(entries.updateOne({ _id: 'b' }, { $set: { active: true } }))).toBe(11000);
    await entries.updateOne({ _id: 'a' }, { $set: { active: false } });
    await entries.updateOne({ _id: 'b' }, { $set: { active: true } });
  });

  test('a sparse unique index ignores documents without the field', async () => {
    await entries.createIndex({ ref: 1 }, { unique: true, sparse: true });
    await entries.insertMany([{ _id: 'a' }, { _id: 'b' }, { _id: 'c', ref: 1 }]);
    expect(await duplicateKeyCode(entries.insertOne({ _id: 'd', ref: 1 }))).toBe(11000);
  });

  test('indexes are listed, created again without harm, and dropped', async () => {
    await entries.createIndex({ a: 1, b: -1 }, { name: 'ab' });
    await entries.createIndex({ a: 1, b: -1 }, { name: 'ab' });
    await entries.createIndex({ at: 1 }, { expireAfterSeconds: 5 });
    expect((await entries.indexes()).map((index) => index.name)).toEqual(['_id_', 'ab', 'at_1']);
    await entries.dropIndex('ab');
    expect((await entries.indexes()).map((index) => index.name)).toEqual(['_id_', 'at_1']);
  });

  test('concurrent index builds, as at the start of services, all succeed', async () => {
    const models = Array.from({ length: 8 }, (_, i) => {
      const schema = new mongoose.Schema({ company: String, code: String, at: Date });
      schema.index({ company: 1, code: 1 }, { unique: true });
      schema.index({ at: 1 }, { expireAfterSeconds: 60 });
      return connection.model(`Together${i}`, schema);
    });
    await Promise.all(models.map((Model) => Model.init()));
    await Promise.all(models.map((Model) => Model.create({ company: 'c', code: 'X' })));
    for (const Model of models) expect(await duplicateKeyCode(Model.create({ company: 'c', code: 'X' }))).toBe(11000);
  });

  test('a TTL index removes what is older, within its minute', { timeout: 150_000 }, async () => {
    await entries.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    await entries.insertMany([
      { _id: 'old', at: new Date(Date.now() - 60_000) },
      { _id: 'new', at: new Date(Date.now() + 3_600_000) },
      { _id: 'none' },
    ]);
    await expect.poll(() => entries.distinct('_id'), { timeout: 140_000, interval: 500 }).toEqual(['new', 'none']);
  });
});

describe('concurrency', () => {
  test('200 concurrent claims against a cap of 50 admit exactly 50', async () => {
    await entries.insertOne({ _id: 'capped', n: 0 });
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        entries.findOneAndUpdate({ _id: 'capped', n: { $lt: 50 } }, { $inc: { n: 1 }, $push: { by: i as never } }),
      ),
    );
    expect(results.filter((result) => result !== null).length).toBe(50);
    const after = await entries.findOne({ _id: 'capped' });
    expect(after?.['n']).toBe(50);
    expect(new Set(after?.['by']).size).toBe(50);
  });

  test('concurrent first inserts into a missing collection all succeed', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, i) => entries.insertOne({ _id: `f${i}` })));
    expect(await entries.countDocuments()).toBe(40);
  });

  test('concurrent upserts of one key create one document', async () => {
    const upsert = (): Promise<unknown> =>
      entries.updateOne({ _id: 'one' }, { $inc: { n: 1 } }, { upsert: true }).catch(async (error: unknown) => {
        // The one error that this race may produce; the caller must retry.
        if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== 11000) throw error;
        return entries.updateOne({ _id: 'one' }, { $inc: { n: 1 } }, { upsert: true });
      });
    await Promise.all(Array.from({ length: 40 }, upsert));
    expect(await entries.findOne({ _id: 'one' })).toEqual({ _id: 'one', n: 40 });
  });

  test('a write that the driver retries takes effect once and gets the same reply', async () => {
    // A client of its own: its sessions, whose numbers it does not know, end with it.
    const client = await new mongoose.mongo.MongoClient(mongoUrl).connect();
    const session = client.startSession();
    try {
      await entries.insertOne({ _id: 'r', n: 0 });
      const command = {
        update: entries.collectionName,
        updates: [
          { q: { _id: 'r' }, u: { $inc: { n: 1 } } },
          { q: { _id: 's' }, u: { $inc: { n: 1 } }, upsert: true },
        ],
        txnNumber: mongoose.mongo.Long.fromNumber(7),
      };
      const database = client.db(connection.name);
      const first = await database.command(command, { session });
      const second = await database.command(command, { session });
      expect({ n: second['n'], upserted: second['upserted'] }).toEqual({ n: first['n'], upserted: first['upserted'] });
      expect(await entries.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
        { _id: 'r', n: 1 },
        { _id: 's', n: 1 },
      ]);
    } finally {
      await session.endSession();
      await client.close();
    }
  });
});

describe('transactions', () => {
  beforeEach(async () => {
    await entries.insertMany([
      { _id: 'from', n: 100 },
      { _id: 'to', n: 0 },
    ]);
  });

  test('both writes happen or neither', async () => {
    await connection.withSession((session) =>
      session.withTransaction(async () => {
        await entries.updateOne({ _id: 'from' }, { $inc: { n: -1 } }, { session });
        expect(await entries.findOne({ _id: 'from' })).toMatchObject({ n: 100 });
        await entries.updateOne({ _id: 'to' }, { $inc: { n: 1 } }, { session });
      }),
    );
    const failing = connection.withSession((session) =>
      session.withTransaction(async () => {
        await entries.updateOne({ _id: 'from' }, { $inc: { n: -1 } }, { session });
        throw new Error('changed my mind');
      }),
    );
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await entries.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
      { _id: 'from', n: 99 },
      { _id: 'to', n: 1 },
    ]);
  });

  test('conflicting transactions are retried until each took effect once', async () => {
    const transfer = (): Promise<unknown> =>
      connection.withSession((session) =>
        session.withTransaction(async () => {
          const from = await entries.findOne({ _id: 'from' }, { session });
          await entries.updateOne({ _id: 'from' }, { $set: { n: (from?.['n'] as number) - 1 } }, { session });
          await entries.updateOne({ _id: 'to' }, { $inc: { n: 1 } }, { session });
        }),
      );
    await Promise.all(Array.from({ length: 25 }, transfer));
    expect(await entries.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
      { _id: 'from', n: 75 },
      { _id: 'to', n: 25 },
    ]);
  });

  test('an error within a transaction ends it', async () => {
    const session = connection.getClient().startSession();
    try {
      session.startTransaction();
      await entries.insertOne({ _id: 'x' }, { session });
      expect(await duplicateKeyCode(entries.insertOne({ _id: 'to' }, { session }))).toBe(11000);
      await expect(session.commitTransaction()).rejects.toThrow(mongoose.mongo.MongoServerError);
    } finally {
      await session.endSession();
    }
    expect(await entries.countDocuments({ _id: 'x' })).toBe(0);
  });

  test('cursors keep reading within their transaction', async () => {
    await entries.insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: `e${i}`, i })));
    await connection.withSession((session) =>
      session.withTransaction(async () => {
        await entries.insertOne({ _id: 'inside', i: 1000 }, { session });
        const all = await entries.find({ i: { $gte: 0 } }, { session, sort: { i: 1 }, batchSize: 50 }).toArray();
        expect(all.length).toBe(301);
      }),
    );
  });

  test('a transaction is rolled back when its client disconnects, and blocks nobody', async () => {
    const other = await mongoose.createConnection(mongoUrl, { dbName: connection.name }).asPromise();
    const session = other.getClient().startSession();
    session.startTransaction();
    await other.collection<Entry>(entries.collectionName).updateOne({ _id: 'from' }, { $set: { n: -1 } }, { session });
    await other.getClient().close(true);
    await entries.updateOne({ _id: 'from' }, { $inc: { n: 1 } });
    expect(await entries.findOne({ _id: 'from' })).toMatchObject({ n: 101 });
  });
});
