import { type PlatformError, tryAgainShortly } from '@event-commerce/contracts';
import mongoose from 'mongoose';
import { isWriteConflict } from './mongo.ts';

/** MongoDB's response to a write for which its disk has no space. */
const OUT_OF_DISK_SPACE = 14_031;

/**
 * MongoDB's errors while it elects a primary, shuts down, lacks a majority or is too slow: the operation itself is not
 * to blame.
 */
const NOT_NOW = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  251, // NoSuchTransaction: it was open when the primary changed, or for longer than the server allows
  262, // ExceededTimeLimit
  365, // TemporarilyUnavailable
  9_001, // SocketException
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/** The errors that the driver does not export. */
const LOST_NAMES = new Set(['MongoPoolClosedError', 'MongoWaitQueueTimeoutError']);

const LOST = [
  mongoose.mongo.MongoNetworkError,
  mongoose.mongo.MongoServerSelectionError,
  mongoose.mongo.MongoNotConnectedError,
  mongoose.mongo.MongoTopologyClosedError,
  mongoose.mongo.MongoOperationTimeoutError,
  // The write may or may not have taken effect, as after a lost connection.
  mongoose.mongo.MongoWriteConcernError,
];

/**
 * The error for callers if the database is down, full or busy with conflicting writes; undefined for any other error.
 */
export function databaseUnavailable(error: unknown): PlatformError | undefined {
  const code = error instanceof mongoose.mongo.MongoServerError ? error.code : undefined;
  const full = code === OUT_OF_DISK_SPACE;
  const busy = code !== undefined && isWriteConflict(error);
  const away = NOT_NOW.has(Number(code)) || LOST.some((kind) => error instanceof kind) || LOST_NAMES.has(nameOf(error));
  if (!full && !busy && !away) return undefined;
  const what = full
    ? 'The database has no space left'
    : busy
      ? 'Too many requests change the same record at once'
      : 'The database does not respond';
  return tryAgainShortly(`${what}; try again shortly.`, { cause: error });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
