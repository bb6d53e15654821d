import { randomUUID } from 'node:crypto';
import type mongoose from 'mongoose';
import { beforeAll, expect, inject, test } from 'vitest';
import { newDatabase } from '../../test-kit/src/new-database.ts';
import { changeDocuments } from '../src/mongo/change-documents.ts';

interface Place {
  _id: string;
  taken: string[];
  room: number;
}

let connection: mongoose.Connection;
beforeAll(async () => {
  const database = await newDatabase(inject('mongoUrl'));
  connection = database.connection;
  return database.drop;
});

test('changes that are requested at once are made one by one, and each caller learns whether its own was made', async () => {
  const places = connection.collection<Place>(`places_${randomUUID()}`);
  const ids = Array.from({ length: 5 }, (_, n) => `place-${n}`);
  await places.insertMany(ids.map((_id) => ({ _id, taken: [], room: 3 })));
  const [here, elsewhere] = [changeDocuments(places), changeDocuments(places, { projection: { room: 0 } })];
  const asked = [...ids, 'nowhere'].flatMap((id) =>
    Array.from({ length: 10 }, (_, n) => ({
      who: `${id}-${n}`,
      id,
      where: { room: { $gt: 0 } },
      update: { $inc: { room: -1 }, $push: { taken: `${id}-${n}` } },
      isMadeIn: ({ taken }: Place) => taken.includes(`${id}-${n}`),
    })),
  );
  const made = await Promise.all(asked.map(async (one, n) => (n % 2 === 0 ? here : elsewhere)(one)));

  const told = asked.filter((_, n) => made[n] !== undefined).map(({ who }) => who);
  const stored = await places.find({}).toArray();
  expect(stored.map(({ room, taken }) => [room, taken.length])).toEqual(ids.map(() => [0, 3]));
  expect(new Set(told)).toEqual(new Set(stored.flatMap(({ taken }) => taken)));
  expect(told).toHaveLength(15);
  expect(made.filter((one, n) => one !== undefined && 'room' in one !== (n % 2 === 0))).toEqual([]);
  // A change that comes alone.
  expect(await here({ ...(asked[0] as (typeof asked)[number]), where: { room: 1 } })).toBeUndefined();
});

test('a change whose caller knows what it makes resolves with that, if it was made', async () => {
  const places = connection.collection<Place>(`places_${randomUUID()}`);
  const [free, full] = ['free', 'full'];
  await places.insertMany([
    { _id: free, taken: [], room: 3 },
    { _id: full, taken: [], room: 0 },
  ]);
  const change = changeDocuments(places);
  const taking = (id: string, who: string) => ({
    id,
    where: { room: { $gt: 0 } },
    update: { $inc: { room: -1 }, $push: { taken: who } },
    isMadeIn: ({ taken }: Place) => taken.includes(who),
  });
  const together = await Promise.all([change({ ...taking(free, 'a'), known: 'known' }), change(taking(free, 'b'))]);
  expect(together).toEqual(['known', { _id: free, taken: expect.arrayContaining(['a', 'b']), room: 1 }]);
  // If not all of several matched, the documents show which ones did.
  const apart = await Promise.all([free, full].map(async (id) => change({ ...taking(id, 'c'), known: 'known' })));
  expect(apart).toEqual([{ _id: free, taken: expect.arrayContaining(['c']), room: 0 }, undefined]);
  expect(await change({ ...taking(full, 'd'), known: 'known' })).toBeUndefined();
});
