import type mongoose from 'mongoose';
import { beforeEach, expect, inject, test } from 'vitest';
import { newDatabase } from '../../test-kit/src/new-database.ts';
import { type CollectionIndexes, ensureIndexes, migrateIndexes } from '../src/mongo/indexes.ts';
import { createLogger } from '../src/process/logger.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
let connection: mongoose.Connection;
beforeEach(async () => {
  const database = await newDatabase(inject('mongoUrl'));
  connection = database.connection;
  return database.drop;
});

const DAY_S = 24 * 60 * 60;
const held = { unique: true, partialFilterExpression: { code: { $exists: true } } } as const;
const release = (...indexes: CollectionIndexes['indexes']): CollectionIndexes[] => [{ collection: 'coupons', indexes }];
const FIRST = release(
  [{ companyId: 1, code: 1 }, held],
  [{ voidedAt: 1 }, { expireAfterSeconds: 7 * DAY_S }],
  [{ companyId: 1 }, { name: 'unpublished', partialFilterExpression: { 'outbox.0': { $exists: true } } }],
);

const coupons = () => connection.collection('coupons');
const verify = (of: CollectionIndexes[]) => ensureIndexes(connection, () => of, undefined);
const migrate = (of: CollectionIndexes[], dropOutdated = false) =>
  migrateIndexes(inject('mongoUrl'), { dbName: connection.name, appName: 'migration', logger, dropOutdated }, () => of);
const names = async () =>
  (await coupons().listIndexes().toArray()).map(({ name }) => String(name).replace(/~[0-9a-f]{8}$/, '~')).toSorted();

test('a process that lacks indexes names them, and what to run', async () => {
  await expect(verify(FIRST)).rejects.toThrow(
    new RegExp(
      `^The database ${connection.name} lacks indexes of this release: coupons.companyId_1_code_1~[0-9a-f]{8}, .*npm run migrate`,
    ),
  );
  await migrate(FIRST);
  await verify(FIRST);
  expect(await names()).toEqual(['_id_', 'companyId_1_code_1~', 'unpublished~', 'voidedAt_1~']);
});

test('processes that migrate at once, and again, create each index once', async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(FIRST)));
  await migrate(FIRST, true);
  expect(await names()).toHaveLength(4);
});

test('an index that another release created under another name is not created again', async () => {
  await coupons().createIndex({ companyId: 1, code: 1 }, { ...held, name: 'companyId_1_code_1' });
  const wanted = release([{ companyId: 1, code: 1 }, held]);
  await verify(wanted);
  await migrate(wanted, true);
  expect(await names()).toEqual(['_id_', 'companyId_1_code_1']);
});

test.each([
  [
    'another filter',
    [
      { companyId: 1, code: 1 },
      { ...held, partialFilterExpression: { held: true } },
    ],
  ],
  ['uniqueness no more', [{ companyId: 1, code: 1 }, { partialFilterExpression: held.partialFilterExpression }]],
  ['another time to live', [{ voidedAt: 1 }, { expireAfterSeconds: DAY_S }]],
] as const)('an index with %s over the same fields replaces the old one', async (_what, changed) => {
  await migrate(FIRST);
  const [{ indexes }] = FIRST as [CollectionIndexes];
  const same = ([key]: (typeof indexes)[number]) => JSON.stringify(key) === JSON.stringify(changed[0]);
  const next = release(...indexes.map((index) => (same(index) ? (changed as (typeof indexes)[number]) : index)));
  await expect(verify(next)).rejects.toThrow('lacks indexes');
  await migrate(next);
  await verify(next);
  await migrate(next, true);
  await verify(next);
  expect(await names()).toHaveLength(4);
});

test('indexes of the previous release stay until they are dropped; an operator’s own stay for good', async () => {
  await migrate(FIRST);
  await coupons().createIndex({ name: 1 }, { name: 'for_a_report' });
  const next = release([{ companyId: 1, code: 1 }, held]);
  await migrate(next);
  expect(await names()).toEqual(['_id_', 'companyId_1_code_1~', 'for_a_report', 'unpublished~', 'voidedAt_1~']);
  await migrate(next, true);
  expect(await names()).toEqual(['_id_', 'companyId_1_code_1~', 'for_a_report']);
});

test('a unique index that documents violate is not created, and the error says why', async () => {
  await coupons().insertMany([
    { companyId: 'a', code: 'X' },
    { companyId: 'a', code: 'X' },
  ]);
  await expect(migrate(FIRST)).rejects.toThrow(/E11000/);
  await expect(verify(FIRST)).rejects.toThrow('lacks indexes');
});
