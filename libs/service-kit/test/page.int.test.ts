import { randomUUID } from 'node:crypto';
import { tenantOf } from '@event-commerce/contracts';
import type mongoose from 'mongoose';
import { beforeAll, expect, inject, test, vi } from 'vitest';
import { newDatabase } from '../../test-kit/src/new-database.ts';
import { findPage, firstIdAt, newId } from '../src/index.ts';
import { timeOfId } from '../src/mongo/ids.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let mongo: mongoose.Connection;
beforeAll(async () => {
  const database = await newDatabase(inject('mongoUrl'));
  mongo = database.connection;
  return database.drop;
});

test('pages have every record once, newest first, however far apart their times are, and whatever was listed before', async () => {
  const companyId = tenantOf({ companyId: randomUUID(), environment: 'live' });
  const list = mongo.collection<any>('orders');
  const now = Date.now();
  // A burst, then fewer and fewer back to the beginning of time, and one of a clock that is ahead.
  const agoMs = [
    -DAY_MS,
    ...Array.from({ length: 40 }, (_, n) => n),
    ...Array.from({ length: 30 }, (_, n) => 1.9 ** n * 1_000),
  ];
  const ids = agoMs.map((ms) => `${firstIdAt('ord', now - ms)}${newId('ord').slice(-16)}`);
  await list.insertMany(ids.map((_id, n) => ({ _id, companyId, odd: n % 2 === 1 })));
  const newestFirst = ids.toSorted().toReversed();
  const oddOnes = newestFirst.filter((id) => ids.indexOf(id) % 2 === 1);

  const allPages = async (limit: number, filter: object): Promise<string[]> => {
    const found: string[] = [];
    for (let after: string | undefined; ;) {
      const range = after === undefined ? {} : { _id: { $lt: after } };
      const page = await findPage<any>(list, 'ord', { companyId, ...filter, ...range }, { limit });
      found.push(...page.documents.map(({ _id }) => _id));
      after = found.at(-1);
      if (!page.more) return found;
    }
  };
  for (const limit of [7, 200, 1, 30]) {
    expect(await allPages(limit, {})).toEqual(newestFirst);
    expect(await allPages(limit, { odd: true })).toEqual(oddOnes);
    expect(await allPages(limit, { odd: 'none' })).toEqual([]);
  }
  const range = { $gte: newestFirst[50], $lt: newestFirst[20] } as { $gte: string; $lt: string };
  const between = await findPage<any>(list, 'ord', { companyId, _id: range }, { limit: 200 });
  expect(between.documents.map(({ _id }) => _id)).toEqual(newestFirst.slice(21, 51));
  const anyText = await findPage<any>(list, 'ord', { companyId, _id: { $lt: 'zzz' } }, { limit: 200 });
  expect(anyText.documents).toHaveLength(ids.length);
});

test('a page after a record of a clock that is ahead repeats nothing, however many were added since', async () => {
  const companyId = tenantOf({ companyId: randomUUID(), environment: 'live' });
  const list = mongo.collection<any>('ahead');
  const now = Date.now();
  const ids = Array.from({ length: 120 }, (_, n) => `${firstIdAt('ord', now + 60_000 - n)}${newId('ord').slice(-16)}`);
  const add = async (some: string[]) => await list.insertMany(some.map((_id) => ({ _id, companyId })));
  const page = async (range = {}) =>
    (await findPage<any>(list, 'ord', { companyId, ...range }, { limit: 20 })).documents.map(({ _id }) => _id);
  await add(ids.slice(60));
  expect(await page()).toEqual(ids.slice(60, 80));
  await add(ids.slice(0, 60));
  expect(await page()).toEqual(ids.slice(0, 20));
  expect(await page({ _id: { $lt: ids[79] } })).toEqual(ids.slice(80, 100));
});

test('the beginning of a word that most records have is searched among the records of the time of a page', async () => {
  const companyId = tenantOf({ companyId: randomUUID(), environment: 'live' });
  const list = mongo.collection<any>('searched');
  await list.createIndex({ companyId: 1, _id: -1 });
  const now = Date.now();
  const ids = Array.from({ length: 1_000 }, (_, n) => `${firstIdAt('ord', now - n * 1_000)}${newId('ord').slice(-16)}`);
  await list.insertMany(ids.map((_id, n) => ({ _id, companyId, terms: n % 500 === 0 ? ['ada', 'rare'] : ['ada'] })));
  const find = vi.spyOn(list, 'find');
  const page = async (text: string, limit: number) =>
    (
      await findPage<any>(list, 'ord', { companyId, $and: [{ terms: { $regex: `^${text}` } }] }, { limit })
    ).documents.map(({ _id }) => _id);
  for (let again = 0; again < 5; again++) {
    expect(await page('a', 40)).toEqual(ids.slice(0, 40));
    expect(await page('rar', 40)).toEqual([ids[0], ids[500]]);
  }
  // Where reading the ids takes long, as on a busy machine, the words are searched at once.
  expect(find.mock.calls.some(([filter]) => filter?.['_id'].$in?.length < 200)).toBe(true);
});

test('an id contains its time, and the first id of a time comes before all ids of that time', () => {
  for (const ms of [0, 1, 31, 32, Date.now(), 2 ** 48 - 1]) {
    expect(timeOfId(firstIdAt('adj', ms))).toBe(ms);
    expect(firstIdAt('adj', ms) < firstIdAt('adj', ms + 1)).toBe(true);
  }
  const before = Date.now();
  const id = newId('adj');
  expect(timeOfId(id)).toBeGreaterThanOrEqual(before);
  expect(timeOfId(id)).toBeLessThanOrEqual(Date.now());
  expect(firstIdAt('adj', timeOfId(id)) < id).toBe(true);
});
