import { newDatabase } from '@event-commerce/test-kit';
import { beforeAll, inject } from 'vitest';
import { cartModels } from '../src/models.ts';
import { openStores } from './session-world.ts';

/** The stores of a database that only this file uses, available once its tests begin. */
export function useStores(): () => ReturnType<typeof openStores> {
  let stores: ReturnType<typeof openStores>;
  beforeAll(async () => {
    const { connection, drop } = await newDatabase(inject('mongoUrl'));
    stores = openStores(cartModels(connection));
    await Promise.all([stores.models.sessions, stores.models.tables].map((model) => model.createIndexes()));
    return drop;
  });
  return () => stores;
}
