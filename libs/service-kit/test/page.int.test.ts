import { randomUUID } from 'node:crypto';
import { tenantOf } from '@event-commerce/contracts';
import type mongoose from 'mongoose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectMongo, findPage, firstIdAt, newId } from '../src/index.ts';
import { timeOfId } from '../src/ids.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let mongo: mongoose.Connection;
beforeAll(async () => {
  mongo = await connectMongo(inject('mongoUrl'), { dbName: `t${randomUUID().slice(0, 8)}_pages`, appName: 'test' });
});
afterAll(async () => {
  await mongo.dropDatabase();
  await mongo.close();
});

test('pages have every record once, the newest first, however far apart their times are, and whatever was listed before', async () => {
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
      found.push(...page.records.map(({ _id }) => _id));
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
  expect(between.records.map(({ _id }) => _id)).toEqual(newestFirst.slice(21, 51));
  const anyText = await findPage<any>(list, 'ord', { companyId, _id: { $lt: 'zzz' } }, { limit: 200 });
  expect(anyText.records).toHaveLength(ids.length);
});

test('an id tells its time, and the first id of a time comes before all ids of it', () => {
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
