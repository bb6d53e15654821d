import type { Connection } from 'mongoose';
import type { z } from 'zod';
import type { processSettings } from '../process/config.ts';
import { ensureIndexes, type IndexesOn, migrateIndexes } from './indexes.ts';
import { ensureLayout } from './layout.ts';
import type { Logger } from '../process/logger.ts';
import { connectMongo } from './mongo.ts';

type Settings = z.output<typeof processSettings>;

/**
 * Connects `service` to its database, verifies the layout of its records, and verifies or creates the indexes that it
 * relies on.
 *
 * @throws {Error} that says why the database cannot be used, and what to do
 */
export async function connectDatabase(
  config: Pick<Settings, 'MONGO_URL' | 'MONGO_DB_PREFIX' | 'MONGO_CONNECTIONS_MAX' | 'MONGO_INDEXES'>,
  service: string,
  indexesOn: IndexesOn,
  logger: Logger,
): Promise<Connection> {
  const database = databaseOf(config, service);
  const connection = await connectMongo(config.MONGO_URL, {
    ...database,
    connectionsMax: config.MONGO_CONNECTIONS_MAX,
    logger,
  });
  try {
    await ensureLayout(connection);
    const migrate = async () => migrateIndexes(config.MONGO_URL, { ...database, logger }, indexesOn);
    await ensureIndexes(connection, indexesOn, config.MONGO_INDEXES === 'migrate' ? migrate : undefined);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** What `service` calls its database, and itself there. */
export function databaseOf(
  { MONGO_DB_PREFIX: prefix }: Pick<Settings, 'MONGO_DB_PREFIX'>,
  service: string,
): { dbName: string; appName: string } {
  const dbName = `${prefix}_${service}`;
  return { dbName, appName: dbName };
}
