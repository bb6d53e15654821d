import { randomUUID } from 'node:crypto';
import { connectMongo } from '@event-commerce/service-kit';
import { afterAll, beforeAll, inject } from 'vitest';
import { openStores } from './session-world.ts';

/** The stores of a database that only this file uses. They are there once its tests begin. */
export function useStores(): () => ReturnType<typeof openStores> {
  let mongo: Awaited<ReturnType<typeof connectMongo>>;
  let stores: ReturnType<typeof openStores>;
  beforeAll(async () => {
    mongo = await connectMongo(inject('mongoUrl'), { dbName: `t${randomUUID().slice(0, 8)}_cart`, appName: 'test' });
    stores = openStores(mongo);
    await Promise.all([stores.models.sessions, stores.models.tables].map((model) => model.createIndexes()));
  });
  afterAll(async () => {
    await mongo?.dropDatabase();
    await mongo?.close();
  });
  return () => stores;
}
