import { PlatformError } from '@event-commerce/contracts';
import mongoose, { type Connection } from 'mongoose';

/** How long a database operation may take before it counts as failed. */
export const DB_TIMEOUT_MS = 5_000;

// A filter is built by this code, never by a caller: an operator that slipped in through a value is neutralised.
mongoose.set('sanitizeFilter', true);
mongoose.set('strictQuery', 'throw');

/** Connects to `url` with every acknowledged write durable on a majority. Resolves when the server answers. */
export async function connectMongo(url: string, options: { dbName: string; appName: string }): Promise<Connection> {
  return await mongoose
    .createConnection(url, {
      dbName: options.dbName,
      appName: options.appName,
      autoIndex: false,
      autoCreate: false,
      maxPoolSize: 64,
      minPoolSize: 2,
      serverSelectionTimeoutMS: 3_000,
      connectTimeoutMS: 3_000,
      socketTimeoutMS: 30_000,
      waitQueueTimeoutMS: DB_TIMEOUT_MS,
      writeConcern: { w: 'majority', journal: true },
      readConcern: { level: 'majority' },
    })
    .asPromise();
}

/** Whether the database answers now; rejects when it does not. */
export async function pingMongo(connection: Connection): Promise<void> {
  await connection.db?.command({ ping: 1 }, { timeoutMS: 1_000 });
}

/** Whether `error` is a unique index refusing a second document. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === 11_000;
}

/** What MongoDB answers to a write for which its disk has no space. */
const OUT_OF_DISK_SPACE = 14_031;

/** A database that is lost, cannot be reached or is full, as the error a caller can act on; anything else stays as it is. */
export function databaseUnavailable(error: unknown): PlatformError | undefined {
  const { MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError, MongoWaitQueueTimeoutError } =
    mongoose.mongo as unknown as Record<string, new () => Error>;
  const lost = [MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError, MongoWaitQueueTimeoutError];
  const full = error instanceof mongoose.mongo.MongoServerError && error.code === OUT_OF_DISK_SPACE;
  if (!full && !lost.some((kind) => kind !== undefined && error instanceof kind)) return undefined;
  const what = full ? 'The database has no space left' : 'The database does not answer';
  return new PlatformError('SERVICE_UNAVAILABLE', `${what}; try again shortly.`, {
    retryAfterSeconds: 1,
    cause: error,
  });
}
