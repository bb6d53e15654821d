import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { PROCESS_NAMES, type ProcessName } from '../../deploy/local/process-names.ts';
import { urlAs } from '../../deploy/local/users.ts';
import { noteRefusals, type Refusals, tableOf } from './refusal-table.ts';

type Client = mongoose.mongo.MongoClient;
/** A command, and its database. */
type Attempt = [database: string, command: mongoose.mongo.Document];

const operatorUrl = inject('mongoUrl');
const urlOf = inject('mongoUrlOf');
/** A server that the environment named has its own users, if any; one in a container has none. */
const OUR_SERVER = urlOf.gateway !== operatorUrl;

const prefix = `may_${randomUUID().slice(0, 8)}`;
const databaseOf = (name: ProcessName) => `${prefix}_${name}`;
const SECRET = { _id: 'secret', n: 1 };
const THINGS = 'things';
const cursor = {};
const update = { q: {}, u: { $set: { n: 2 } } };

/** In each database that belongs to another process or to nobody. */
const inForeign = (as: ProcessName, commands: (database: string) => mongoose.mongo.Document[]) =>
  [...PROCESS_NAMES.filter((name) => name !== as).map(databaseOf), 'admin', 'config', 'local', prefix].flatMap(
    (database) => commands(database).map((command): Attempt => [database, command]),
  );
const inAdmin = (...commands: mongoose.mongo.Document[]) => commands.map((command): Attempt => ['admin', command]);

/** What a compromised process might try. */
const ATTEMPTS: { what: string; attempts: (as: ProcessName) => Attempt[] }[] = [
  {
    what: "read another's documents",
    attempts: (as) =>
      inForeign(as, () => [
        { find: THINGS },
        { aggregate: THINGS, pipeline: [], cursor },
        { count: THINGS },
        { distinct: THINGS, key: 'n' },
        { getMore: mongoose.mongo.Long.fromNumber(1), collection: THINGS },
      ]),
  },
  {
    what: "read another's documents from its own database",
    attempts: (as) =>
      inForeign(as, (db) => {
        const from = { db, coll: THINGS };
        const lookup = { $lookup: { from, pipeline: [], as: 'found' } };
        return [[lookup], [{ $facet: { all: [lookup] } }], [{ $unionWith: from }]].map((pipeline) => ({
          aggregate: THINGS,
          pipeline,
          cursor,
        }));
      }).map(([, command]): Attempt => [databaseOf(as), command]),
  },
  {
    what: "list another's collections and indexes",
    attempts: (as) =>
      inForeign(as, () => [
        { listCollections: 1 },
        { listIndexes: THINGS },
        { collStats: THINGS },
        { dbStats: 1 },
        { validate: THINGS },
      ]),
  },
  {
    what: "write into another's database",
    attempts: (as) =>
      inForeign(as, () => [
        { insert: THINGS, documents: [{ _id: 'mine' }] },
        { update: THINGS, updates: [update] },
        { delete: THINGS, deletes: [{ q: {}, limit: 0 }] },
        { findAndModify: THINGS, query: {}, remove: true },
        { create: 'mine' },
      ]),
  },
  {
    what: "write into another's database from its own",
    attempts: (as) =>
      inForeign(as, (db) =>
        [{ $out: { db, coll: THINGS } }, { $merge: { into: { db, coll: THINGS } } }].map((stage) => ({
          aggregate: THINGS,
          pipeline: [stage],
          cursor,
        })),
      ).map(([, command]): Attempt => [databaseOf(as), command]),
  },
  {
    what: "drop another's database",
    attempts: (as) => inForeign(as, () => [{ drop: THINGS }, { dropDatabase: 1 }]),
  },
  {
    what: "change another's indexes and rules",
    attempts: (as) =>
      inForeign(as, () => [
        { createIndexes: THINGS, indexes: [{ key: { n: 1 }, name: 'mine' }] },
        { dropIndexes: THINGS, index: '*' },
        { collMod: THINGS, validator: {} },
      ]),
  },
  {
    what: 'move a collection from or to another',
    attempts: (as) =>
      inForeign(as, (database) => {
        const [own, foreign] = [`${databaseOf(as)}.${THINGS}`, `${database}.${THINGS}`];
        return [
          { renameCollection: foreign, to: `${own}2` },
          { renameCollection: own, to: `${foreign}2` },
        ];
      }).map(([, command]): Attempt => ['admin', command]),
  },
  { what: 'drop its whole database', attempts: (as) => [[databaseOf(as), { dropDatabase: 1 }]] },
  { what: 'list the databases', attempts: () => inAdmin({ listDatabases: 1, authorizedDatabases: false }) },
  {
    what: 'create users, or grant itself a role',
    attempts: (as) => [
      ...inAdmin(
        { createUser: 'mine', pwd: 'mine', roles: ['root'] },
        { updateUser: as, roles: ['root'] },
        { grantRolesToUser: as, roles: ['root'] },
        { usersInfo: 1 },
      ),
      [databaseOf(as), { createUser: 'mine', pwd: 'mine', roles: ['readWrite'] }],
    ],
  },
  {
    what: 'administer the server',
    attempts: () =>
      inAdmin(
        { serverStatus: 1 },
        { hostInfo: 1 },
        { getLog: 'global' },
        { getCmdLineOpts: 1 },
        { getParameter: '*' },
        { setParameter: 1, logLevel: 1 },
        { configureFailPoint: 'failCommand', mode: 'alwaysOn', data: { failCommands: ['find'], errorCode: 1 } },
        { replSetStepDown: 60 },
        { fsync: 1 },
        { shutdown: 1 },
      ),
  },
];

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

  describe.each(PROCESS_NAMES)('%s is refused by the database server', (as) => {
    test.each(ATTEMPTS)('to $what', async ({ what, attempts }) => {
      const tried = attempts(as);
      expect(await answersTo(clients.get(as) as Client, tried)).toEqual(refused(tried));
      noteRefusals(refusals, what, as, tried.length);
    });

    test("to continue another's cursor", async () => {
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

    test('and may do what it needs in its own database', async () => {
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
