import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { PROCESS_NAMES, type ProcessName } from '../../deploy/local/process-names.ts';
import { urlAs } from '../../deploy/local/users.ts';
import { noteRefusals, type Refusals, tableOf } from './refusal-table.ts';
import { type Attempt, ATTEMPTS, databaseOf, SECRET, THINGS } from './forbidden-commands.ts';

type Client = mongoose.mongo.MongoClient;

const operatorUrl = inject('mongoUrl');
const urlOf = inject('mongoUrlOf');
/** A server that the environment named has its own users, if any; one in a container has none. */
const OUR_SERVER = urlOf.gateway !== operatorUrl;

async function answerTo(client: Client, [database, command]: Attempt): Promise<number | undefined> {
  try {
    await client.db(database).command(command);
    return undefined;
  } catch (error) {
    return (error as { code?: number }).code;
  }
}

/** Every attempt with the error code of its refusal; undefined if it was allowed. */
async function answersTo(client: Client, attempts: Attempt[]): Promise<unknown[]> {
  return await Promise.all(attempts.map(async (attempt) => [...attempt, await answerTo(client, attempt)]));
}
const refused = (attempts: Attempt[], code = 13) => attempts.map((attempt) => [...attempt, code]);

const refusals: Refusals = new Map();
const clientOf = async (url: string) => new mongoose.mongo.MongoClient(url, { serverSelectionTimeoutMS: 3_000 });

describe.runIf(OUR_SERVER)('a compromised process', () => {
  const clients = new Map<ProcessName, Client>();
  let operator: Client;
  const all = async () =>
    Promise.all(PROCESS_NAMES.map(async (name) => operator.db(databaseOf(name)).collection(THINGS).find().toArray()));

  beforeAll(async () => {
    operator = await clientOf(operatorUrl);
    for (const name of PROCESS_NAMES) {
      clients.set(name, await clientOf(urlOf[name]));
      await operator.db(databaseOf(name)).collection<{ _id: string }>(THINGS).insertOne(SECRET);
    }
  });
  afterAll(async () => {
    for (const name of PROCESS_NAMES) await operator?.db(databaseOf(name)).dropDatabase();
    await Promise.all([operator, ...clients.values()].map((client) => client?.close()));
    process.stdout.write(tableOf('Attempts refused by the database server, by process:', refusals));
  });

  describe.each(PROCESS_NAMES)('%s', (as) => {
    test.each(ATTEMPTS)('is not allowed to $what', async ({ what, attempts }) => {
      const tried = attempts(as);
      expect(await answersTo(clients.get(as) as Client, tried)).toEqual(refused(tried));
      noteRefusals(refusals, what, as, tried.length);
    });

    test("is not allowed to continue another's cursor", async () => {
      const other = PROCESS_NAMES.find((name) => name !== as) as ProcessName;
      const foreign = operator.db(databaseOf(other));
      await foreign.collection('many').insertMany([{ n: 1 }, { n: 2 }, { n: 3 }]);
      const { cursor: opened } = await foreign.command({ find: 'many', batchSize: 1 }, { promoteLongs: false });
      const answer = await answerTo(clients.get(as) as Client, [
        databaseOf(as),
        { getMore: opened.id, collection: 'many' },
      ]);
      await foreign.collection('many').drop();
      expect(answer).toBe(43);
      noteRefusals(refusals, "continue another's cursor", as, 1);
    });

    test('may do what it needs in its own database', async () => {
      const own = (clients.get(as) as Client).db(databaseOf(as)).collection<{ _id: string; n?: number }>('own');
      await own.createIndex({ n: 1 });
      await own.insertMany([{ _id: 'a', n: 1 }, { _id: 'b' }]);
      await own.updateOne({ _id: 'b' }, { $set: { n: 2 } });
      await (clients.get(as) as Client).withSession(async (session) =>
        session.withTransaction(async () => own.deleteOne({ _id: 'a' }, { session })),
      );
      expect(await own.find({ n: 2 }).toArray()).toEqual([{ _id: 'b', n: 2 }]);
      expect(await own.aggregate([{ $match: { db: 'x' } }]).toArray()).toEqual([]);
      await own.drop();
    });
  });

  test('leaves every database as it was', async () => {
    expect(await all()).toEqual(PROCESS_NAMES.map(() => [SECRET]));
  });
});

describe.runIf(OUR_SERVER)('a stranger', () => {
  test('may ask the server for its own identity, and nothing else', async () => {
    const url = new URL(operatorUrl);
    url.username = '';
    url.password = '';
    const client = await clientOf(url.href);
    const tried = PROCESS_NAMES.flatMap((as) => ATTEMPTS.flatMap(({ attempts }) => attempts(as)));
    try {
      expect(await client.db('admin').command({ hello: 1 })).toMatchObject({ setName: 'rs0' });
      expect(await answersTo(client, tried)).toEqual(refused(tried));
    } finally {
      await client.close();
    }
  });

  test.each([
    ['a wrong password', urlAs(operatorUrl, { user: new URL(operatorUrl).username, password: 'guessed' })],
    ["another's password", urlAs(urlOf.cart, { ...passwordOf(urlOf.pricing), user: new URL(urlOf.cart).username })],
    ['an unknown name', urlAs(operatorUrl, { ...passwordOf(operatorUrl), user: 'nobody' })],
  ])('cannot log in with %s', async (_what, url) => {
    const client = await clientOf(url);
    try {
      await expect(client.db('admin').command({ ping: 1 })).rejects.toMatchObject({ code: 18 });
    } finally {
      await client.close();
    }
  });
});

function passwordOf(url: string): { password: string } {
  return { password: new URL(url).password };
}
