import { PlatformError } from '@event-commerce/contracts';
import { isTracing } from '@event-commerce/telemetry';
import mongoose, { type Connection } from 'mongoose';
import { traceCommands } from './trace-commands.ts';

/** How long a database operation may take before it counts as failed. */
export const DB_TIMEOUT_MS = 5_000;
const DUPLICATE_KEY = 11_000;
const WRITE_CONFLICT = 112;

// A filter is built by this code, never by a caller: an operator that slipped in through a value is neutralised.
mongoose.set('sanitizeFilter', true);
mongoose.set('strictQuery', 'throw');

/** Connects to `url` with every acknowledged write durable on a majority. Resolves when the server answers. */
export async function connectMongo(url: string, options: { dbName: string; appName: string }): Promise<Connection> {
  const connection = await mongoose
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
      monitorCommands: isTracing(),
    })
    .asPromise();
  if (isTracing()) traceCommands(connection.getClient());
  return connection;
}

/** Whether the database answers now; rejects when it does not. */
export async function pingMongo(connection: Connection): Promise<void> {
  await connection.db?.command({ ping: 1 }, { timeoutMS: 1_000 });
}

/** Whether `error` is a unique index refusing a second document. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/** A write of a bulk that was not made, and why. */
export interface FailedWrite {
  /** Its place in the bulk. */
  index: number;
  error: mongoose.mongo.MongoServerError;
}

/**
 * The writes of a bulk that failed, each by itself; those that are not named were made.
 *
 * @throws what the bulk failed with as a whole, when nothing is known of any, as after a lost connection
 */
export function failedWrites(error: unknown): FailedWrite[] {
  const { writeErrors, errorResponse } = error as Partial<mongoose.mongo.MongoBulkWriteError>;
  const failed = [writeErrors ?? []].flat();
  // The driver wraps a lost connection, which has to be recognised as one.
  if (failed.length === 0) throw errorResponse instanceof Error ? errorResponse : error;
  return failed.map(({ index, code, errmsg }) => ({
    index,
    error: new mongoose.mongo.MongoServerError({ code, message: errmsg ?? '' }),
  }));
}

/** Whether a write failed because another one came first; it changed nothing, and may be made again. */
export function isOvertaken(error: unknown): boolean {
  return isDuplicateKey(error) || (error as { code?: unknown }).code === WRITE_CONFLICT;
}

/**
 * Inserts `documents` in one round trip, each by itself. Answers for each whether it was written, `false` for one that a unique
 * index refused, or the error that kept it out. Rejects when nothing is known of any, as after a lost connection.
 */
export async function insertEach(
  collection: mongoose.Collection,
  documents: readonly { _id: string }[],
): Promise<(boolean | Error)[]> {
  const written: (boolean | Error)[] = documents.map(() => true);
  try {
    await collection.insertMany(documents as never, { ordered: false });
  } catch (failure) {
    for (const { index, error } of failedWrites(failure)) written[index] = isDuplicateKey(error) ? false : error;
  }
  return written;
}

/** What MongoDB answers to a write for which its disk has no space. */
const OUT_OF_DISK_SPACE = 14_031;

/** A database that is lost, cannot be reached, is full or loses a write to others, as the error a caller can act on; anything else stays as it is. */
export function databaseUnavailable(error: unknown): PlatformError | undefined {
  const { MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError, MongoWaitQueueTimeoutError } =
    mongoose.mongo as unknown as Record<string, new () => Error>;
  const lost = [MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError, MongoWaitQueueTimeoutError];
  const code = error instanceof mongoose.mongo.MongoServerError ? error.code : undefined;
  const full = code === OUT_OF_DISK_SPACE;
  const busy = code === WRITE_CONFLICT;
  if (!full && !busy && !lost.some((kind) => kind !== undefined && error instanceof kind)) return undefined;
  const what = full
    ? 'The database has no space left'
    : busy
      ? 'Too many write the same thing at once'
      : 'The database does not answer';
  return new PlatformError('SERVICE_UNAVAILABLE', `${what}; try again shortly.`, {
    retryAfterSeconds: 1,
    cause: error,
  });
}
