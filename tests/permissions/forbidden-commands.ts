import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { PROCESS_NAMES, type ProcessName } from '../../deploy/local/process-names.ts';

/** A command, and its database. */
export type Attempt = [database: string, command: mongoose.mongo.Document];

const prefix = `may_${randomUUID().slice(0, 8)}`;
export const databaseOf = (name: ProcessName) => `${prefix}_${name}`;
export const SECRET = { _id: 'secret', n: 1 };
export const THINGS = 'things';
const cursor = {};
const update = { q: {}, u: { $set: { n: 2 } } };

/** The commands in each database that belongs to another process or to nobody. */
const inForeign = (as: ProcessName, commands: (database: string) => mongoose.mongo.Document[]) =>
  [...PROCESS_NAMES.filter((name) => name !== as).map(databaseOf), 'admin', 'config', 'local', prefix].flatMap(
    (database) => commands(database).map((command): Attempt => [database, command]),
  );
const inAdmin = (...commands: mongoose.mongo.Document[]) => commands.map((command): Attempt => ['admin', command]);

/** What a compromised process might try. */
export const ATTEMPTS: { what: string; attempts: (as: ProcessName) => Attempt[] }[] = [
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
