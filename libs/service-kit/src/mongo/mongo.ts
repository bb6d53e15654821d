import { setTimeout as delay } from 'node:timers/promises';
import { type PlatformError, tryAgainShortly } from '@event-commerce/contracts';
import { isTracing, reportRisks, type Risk, whyUnreachable } from '@event-commerce/telemetry';
import mongoose, { type Connection, type ConnectOptions } from 'mongoose';
import type { StoredDocument } from './collection.ts';
import { inTime } from '../concurrency/in-time.ts';
import { DB_TIMEOUT_MS } from '../process/limits.ts';
import type { Logger } from '../process/logger.ts';
import { traceCommands } from './trace-commands.ts';

const DUPLICATE_KEY = 11_000;
const WRITE_CONFLICT = 112;

export const CONNECTIONS_MAX_DEFAULT = 64;

/**
 * Acknowledged writes are on the disks of a majority, and reads never return what could be rolled back. Setting by
 * setting: `writeConcern` and `readConcern` as a whole would be overridden by a URL that sets a part of them.
 */
export const durability = {
  w: 'majority',
  journal: true,
  // Reports a lost majority instead of waiting for it: the primary itself notices only after ten seconds.
  wtimeoutMS: DB_TIMEOUT_MS,
  readConcernLevel: 'majority',
  readPreference: 'primary',
  retryWrites: true,
  retryReads: true,
} as const;

/**
 * Connects to `url` with every acknowledged write durable on a majority, whatever the URL says about that. `more`
 * overrides the default options. Resolves when the server responds.
 *
 * @throws {Error} that names the server's addresses, and why it does not accept this process within 3 seconds
 */
export async function openMongo(url: string, more: ConnectOptions & { appName: string }): Promise<Connection> {
  const connection = await mongoose
    .createConnection(url, {
      autoIndex: false,
      autoCreate: false,
      serverSelectionTimeoutMS: 3_000,
      connectTimeoutMS: 3_000,
      // A server that disappeared silently is noticed after this and the line above, and operations waiting for it
      // fail.
      heartbeatFrequencyMS: 2_000,
      ...durability,
      // Drivers write nothing but UTF-8. Checking each character again would take most of the time of reading a large
      // document.
      enableUtf8Validation: false,
      // If not here, the URL may ask for it.
      ...(isTracing() && { monitorCommands: true }),
      ...more,
    })
    .asPromise()
    .catch((cause: Error) => {
      // The user and the password stay out of the log.
      const where = url
        .replace(/^[^:]+:\/\//, '')
        .replace(/^[^/?]*@/, '')
        .replace(/[/?].*$/s, '');
      const why = whyUnreachable(cause);
      const sentence =
        why === undefined
          ? `MongoDB at ${where} does not accept this process: ${cause.message}`
          : `MongoDB cannot be reached at ${where} (${why})`;
      throw new Error(sentence, { cause });
    });
  if (isTracing()) traceCommands(connection.getClient());
  return connection;
}

/**
 * Connects like `openMongo`, for a process that serves: with a pool, and with time limits for everything. Warns in
 * `logger` of a setup that could lose an acknowledged write.
 *
 * @throws {Error} also if the server is not a replica set, and so cannot do what the platform needs
 */
export async function connectMongo(
  url: string,
  options: { dbName: string; appName: string; connectionsMax?: number; logger?: Logger },
): Promise<Connection> {
  const { dbName, appName, connectionsMax = CONNECTIONS_MAX_DEFAULT, logger } = options;
  const connection = await openMongo(url, {
    dbName,
    appName,
    maxPoolSize: connectionsMax,
    minPoolSize: Math.min(2, connectionsMax),
    socketTimeoutMS: 30_000,
    waitQueueTimeoutMS: DB_TIMEOUT_MS,
  });
  const risks = risksOf((await connection.db?.command({ hello: 1 })) ?? {});
  if (logger !== undefined) reportRisks(logger, 'mongodb', risks);
  return connection;
}

/** With fewer data-bearing members than these, losing one breaks the set's promise to keep what a majority has. */
const MEMBERS_MIN = 3;

/**
 * How a deployment with this `hello` reply could lose acknowledged writes.
 *
 * @throws {Error} if it is not a replica set
 */
export function risksOf(hello: { msg?: string; setName?: string; hosts?: string[]; passives?: string[] }): Risk[] {
  // A router does not reveal how many members its shards have.
  if (hello.msg === 'isdbgrid') return [];
  if (hello.setName === undefined) {
    throw new Error(
      'MongoDB at MONGO_URL is not a replica set, which transactions and majority writes need: start it with --replSet and run rs.initiate().',
    );
  }
  const members = (hello.hosts?.length ?? 0) + (hello.passives?.length ?? 0);
  if (members >= MEMBERS_MIN) return [];
  return [
    {
      store: 'mongodb',
      risk: 'members',
      message:
        members === 1
          ? 'MongoDB is one server: if its disk is lost, so is everything that was acknowledged; run a replica set of three, or back up'
          : `MongoDB has ${members} members with data: after the loss of one nothing is written until it is back; run three`,
    },
  ];
}

const PING_WITHIN_MS = 1_000;

/** Whether the database responds now; rejects when it does not. */
export async function pingMongo(connection: Connection): Promise<void> {
  await inTime(Promise.resolve(connection.db?.command({ ping: 1 })), PING_WITHIN_MS);
}

/** Whether `error` is a unique index rejecting a second document. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/** A failed write of a bulk, and why. */
interface FailedWrite {
  /** Its position in the bulk. */
  index: number;
  error: mongoose.mongo.MongoServerError;
}

/**
 * The failed writes of a bulk, each separately; all others were made.
 *
 * @throws the error of the whole bulk if the outcome of its writes is unknown, as after a lost connection
 */
export function failedWrites(error: unknown): FailedWrite[] {
  const { writeErrors, errorResponse } = error as Partial<mongoose.mongo.MongoBulkWriteError>;
  const failed = [writeErrors ?? []].flat();
  // The driver wraps a lost connection, which must be recognized as one.
  if (failed.length === 0) throw errorResponse instanceof Error ? errorResponse : error;
  return failed.map(({ index, code, errmsg }) => ({
    index,
    error: new mongoose.mongo.MongoServerError({ code, message: errmsg ?? '' }),
  }));
}

/** Whether a write failed because another one was first; it changed nothing, and may be retried. */
export function isOvertaken(error: unknown): boolean {
  return isDuplicateKey(error) || isWriteConflict(error);
}

/** Whether a write lost to a concurrent one of the same document, or of the same key of a unique index. */
export function isWriteConflict(error: unknown): boolean {
  return (error as { code?: unknown }).code === WRITE_CONFLICT;
}

const LOST_DELAY_MAX_MS = 200;

/**
 * Retries `write` while it loses to concurrent ones, and so lets the database decide who is first.
 *
 * @throws the error of `write`, also if it has lost for as long as a database operation may take
 */
export async function retryLost<T>(write: () => Promise<T>, isLost = isWriteConflict): Promise<T> {
  const beganMs = performance.now();
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isLost(error) || performance.now() - beganMs > DB_TIMEOUT_MS) throw error;
      // Without jitter, those that lost together would meet again, and a newcomer would lose to them.
      await delay((0.1 + Math.random()) * LOST_DELAY_MAX_MS);
    }
  }
}

/**
 * Reads one document as it is after all acknowledged writes, and waits for a majority of the members to confirm that. A
 * member that has just become primary answers other reads from before the last of these writes.
 */
export const LATEST = { readConcern: 'linearizable', maxTimeMS: DB_TIMEOUT_MS } as const;

/**
 * A unique index rejected a write, but the document behind it cannot be read: a member that has just become primary
 * shows it a moment later, or it was deleted in between. Nothing may be concluded from that, least of all that the
 * document does not exist.
 */
export function notShownYet(cause?: unknown): PlatformError {
  return tryAgainShortly('The database does not show the latest write yet; try again shortly.', { cause });
}

/**
 * Inserts `documents` in one round trip, independently of each other. Returns for each whether it was written: `false`
 * if a unique index rejected it, or the error that prevented it. Rejects if the outcome is unknown, as after a lost
 * connection.
 */
export async function insertEach<Doc extends StoredDocument>(
  collection: mongoose.Collection<Doc>,
  documents: readonly mongoose.mongo.OptionalUnlessRequiredId<Doc>[],
): Promise<(boolean | Error)[]> {
  const written: (boolean | Error)[] = documents.map(() => true);
  // The driver rejects an empty command.
  if (documents.length === 0) return written;
  try {
    await collection.insertMany(documents, { ordered: false });
  } catch (failure) {
    for (const { index, error } of failedWrites(failure)) written[index] = isDuplicateKey(error) ? false : error;
  }
  return written;
}

/**
 * Updates the document that `filter` finds, or inserts one if there is none with its `_id`. Returns whether it was
 * written: false if the document exists but does not match `filter`. Of two concurrent inserts of the same document,
 * the second becomes an update: a rejected insert says nothing about the filter.
 */
export async function updateOrInsert<Doc extends StoredDocument>(
  collection: mongoose.Collection<Doc>,
  filter: mongoose.mongo.Filter<Doc>,
  update: mongoose.mongo.UpdateFilter<Doc>,
): Promise<boolean> {
  try {
    await retryLost(async () => collection.updateOne(filter, update, { upsert: true }));
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const { matchedCount } = await retryLost(async () => collection.updateOne(filter, update));
    return matchedCount > 0;
  }
}
