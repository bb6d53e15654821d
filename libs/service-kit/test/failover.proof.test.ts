import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { databaseUnavailable } from '../src/mongo/database-unavailable.ts';
import { isOutage } from '../src/http/errors.ts';
import { failing } from '../../test-kit/src/failing.ts';
import { connectMongo, insertEach, pingMongo, updateOrInsert } from '../src/mongo/mongo.ts';
import { inTransaction } from '../src/mongo/transaction.ts';

// What a replica set returns while it elects a primary, to the driver as the processes use it.

const name = `t${randomUUID().slice(0, 8)}`;
let connection: Awaited<ReturnType<typeof connectMongo>>;
let control: Awaited<ReturnType<typeof connectMongo>>;
beforeAll(async () => {
  const url = new URL(inject('mongoUrl'));
  // A driver that meets a stepping-down primary looks again after half a second: here, sooner.
  url.searchParams.set('minHeartbeatFrequencyMS', '20');
  connection = await connectMongo(url.href, { dbName: name, appName: name });
  control = await connectMongo(inject('mongoUrl'), { dbName: name, appName: 'control' });
});
afterAll(async () => {
  await control?.dropDatabase();
  await connection?.close();
  await control?.close();
});

const entries = () => connection.collection<{ _id: string; n?: number }>('entries');
const bothUp = async (_id: string, patienceMs = 1_000) =>
  inTransaction(connection, patienceMs, async (session) => {
    await entries().updateOne({ _id }, { $inc: { n: 1 } }, { session, upsert: true });
    await entries().updateOne({ _id: `${_id} too` }, { $inc: { n: 1 } }, { session, upsert: true });
  });

/** How long a transaction that finds no primary is repeated: a whole second would only make the test wait. */
const BRIEFLY_MS = 100;

const WRITES: Record<string, { command: string; run: (_id: string, patienceMs?: number) => Promise<unknown> }> = {
  insert: { command: 'insert', run: async (_id: string) => entries().insertOne({ _id, n: 1 }) },
  'insert of many': {
    command: 'insert',
    run: async (_id: string) => insertEach(entries() as never, [{ _id, n: 1 } as never]),
  },
  update: {
    command: 'update',
    run: async (_id: string) => entries().updateOne({ _id }, { $inc: { n: 1 } }, { upsert: true }),
  },
  'update or insert': {
    command: 'update',
    run: async (_id: string) => updateOrInsert(entries() as never, { _id, n: { $lt: 1 } }, { $set: { n: 1 } }),
  },
  bulk: {
    command: 'update',
    run: async (_id: string) =>
      entries().bulkWrite([{ updateOne: { filter: { _id }, update: { $inc: { n: 1 } }, upsert: true } }], {
        ordered: false,
      }),
  },
  'find and modify': {
    command: 'findAndModify',
    run: async (_id: string) => entries().findOneAndUpdate({ _id }, { $inc: { n: 1 } }, { upsert: true }),
  },
  transaction: { command: 'commitTransaction', run: bothUp },
};
const writes = Object.entries(WRITES).map(([what, { command, run }]) => ({ what, command, run }));
const stepDowns = [91, 189, 10_107, 11_600, 11_602, 13_435, 13_436];

describe.each(writes)('$what', ({ command, run }) => {
  test.each(stepDowns)('meets a primary that steps down (%i), and takes effect once', async (errorCode) => {
    const id = randomUUID();
    await failing(control, name, { failCommands: [command], errorCode }, async () => run(id), 1);
    expect(await entries().findOne({ _id: id })).toEqual({ _id: id, n: 1 });
  });

  test('takes effect before its primary steps down or its connection ends, and is not repeated', async () => {
    const id = randomUUID();
    const writeConcernError = { code: 11_602, errmsg: 'stepped down' };
    await failing(control, name, { failCommands: [command], writeConcernError }, async () => run(id), 1);
    const other = randomUUID();
    await failing(control, name, { failCommands: [command], closeConnection: true }, async () => run(other), 1);
    expect(
      await entries()
        .find({ _id: { $in: [id, other] } })
        .map(({ n }) => n)
        .toArray(),
    ).toEqual([1, 1]);
  });

  test.each([...stepDowns, 50, 133, 262, 365])(
    'fails as an outage with Retry-After if it finds no primary at all (%i)',
    async (errorCode) => {
      const thrown = await failing(control, name, { failCommands: [command], errorCode }, async () =>
        run(randomUUID(), BRIEFLY_MS).catch((error: unknown) => error),
      );
      expect(databaseUnavailable(thrown)).toMatchObject({ statusCode: 503, retryAfterSeconds: 1 });
      expect(isOutage(thrown)).toBe(true);
    },
  );

  test('fails as an outage if it is not known to be on a majority', async () => {
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
    const thrown = await failing(control, name, { failCommands: [command], writeConcernError }, async () =>
      run(randomUUID(), BRIEFLY_MS).catch((error: unknown) => error),
    );
    expect(isOutage(thrown)).toBe(true);
  });
});

test.each(stepDowns)('a read meets a primary that steps down (%i), and succeeds', async (errorCode) => {
  const read = async () => entries().findOne({ _id: 'nobody' });
  expect(await failing(control, name, { failCommands: ['find'], errorCode }, read, 1)).toBeNull();
});

test('a transaction that meets a primary that steps down restarts, and takes effect once', async () => {
  const id = randomUUID();
  await failing(control, name, { failCommands: ['update'], errorCode: 10_107 }, async () => bothUp(id), 1);
  expect(await entries().findOne({ _id: id })).toEqual({ _id: id, n: 1 });
});

test('documents in a killed process’s transaction stay locked until the server’s limit, and no longer', async () => {
  const id = randomUUID();
  await entries().insertOne({ _id: id, n: 0 });
  const dead = await connectMongo(inject('mongoUrl'), { dbName: name, appName: `${name}-dead` });
  const session = await dead.startSession();
  session.startTransaction();
  await dead.collection<{ _id: string }>('entries').updateOne({ _id: id }, { $inc: { n: 10 } }, { session });
  // As when it is killed: nothing more is sent to the server.
  const silent = { failCommands: ['abortTransaction', 'endSessions'], closeConnection: true };
  await failing(control, `${name}-dead`, silent, async () => dead.close(true));

  const update = { $inc: { n: 1 } } as const;
  await expect(entries().updateOne({ _id: id }, update, { maxTimeMS: 500 })).rejects.toMatchObject({ code: 50 });
  await expect
    .poll(
      async () =>
        entries()
          .updateOne({ _id: id }, update, { maxTimeMS: 500 })
          .catch(() => undefined),
      { timeout: 20_000 },
    )
    .toBeDefined();
  expect(await entries().findOne({ _id: id })).toEqual({ _id: id, n: 1 });
});

test('a silent server is reported as not ready within a second or two', async () => {
  const silent = { failCommands: ['ping'], blockConnection: true, blockTimeMS: 4_000 };
  await failing(control, name, silent, async () =>
    expect(pingMongo(connection)).rejects.toMatchObject({ statusCode: 503 }),
  );
});
