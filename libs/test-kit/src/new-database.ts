import { randomUUID } from 'node:crypto';
import { connectMongo } from '@event-commerce/service-kit';

/**
 * A database on the server at `url` that only the caller uses, and what drops it: return `drop` from `beforeAll` or
 * `beforeEach`, and it runs after the tests.
 */
export async function newDatabase(url: string) {
  const connection = await connectMongo(url, { dbName: `t${randomUUID().slice(0, 8)}`, appName: 'test' });
  const drop = async (): Promise<void> => {
    await connection.dropDatabase();
    await connection.close();
  };
  return { connection, drop };
}
