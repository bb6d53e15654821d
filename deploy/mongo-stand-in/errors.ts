import { deserialize, type Document } from 'bson';
import pg from 'pg';
import { encode, Fields } from './message.ts';

/** Maps errors of PostgreSQL and DocumentDB to the codes and labels that MongoDB drivers act on. */

export const transientTransactionError = 'TransientTransactionError';
const retryableWriteError = 'RetryableWriteError';

/** A reply with `ok: 0`. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly labels: readonly string[];

  constructor(code: number, codeName: string, message: string, labels: readonly string[] = []) {
    super(message);
    this.code = code;
    this.codeName = codeName;
    this.labels = labels;
  }
}

/** The connection to PostgreSQL is lost or cannot be opened: a write in flight may or may not have taken effect. */
export class DatabaseUnavailableError extends Error {}

const writeConflict = { code: 112, codeName: 'WriteConflict' };
const duplicateKey = { code: 11000, codeName: 'DuplicateKey' };

const byState: Readonly<Record<string, { code: number; codeName: string }>> = {
  M001C: duplicateKey,
  '23505': duplicateKey,
  '23P01': duplicateKey,
  '40001': writeConflict,
  '40P01': writeConflict,
  '53100': { code: 14_031, codeName: 'OutOfDiskSpace' },
  '55P03': { code: 24, codeName: 'LockTimeout' },
  '57014': { code: 50, codeName: 'MaxTimeMSExpired' },
  SI225: { code: 225, codeName: 'TransactionTooOld' },
  M0001: { code: 2, codeName: 'BadValue' },
  M0003: { code: 9, codeName: 'FailedToParse' },
  M0004: { code: 14, codeName: 'TypeMismatch' },
  M0008: { code: 26, codeName: 'NamespaceNotFound' },
  M000E: { code: 43, codeName: 'CursorNotFound' },
  M000M: { code: 66, codeName: 'ImmutableField' },
  M000R: { code: 85, codeName: 'IndexOptionsConflict' },
  M000S: { code: 86, codeName: 'IndexKeySpecsConflict' },
  M00CO: { code: 121, codeName: 'DocumentValidationFailure' },
};
const other = { code: 8000, codeName: 'InternalError' };

export function isWriteConflict(error: unknown): error is CommandError {
  return error instanceof CommandError && error.code === writeConflict.code;
}

/** The connection closes without a reply. */
export class BrokenConnectionError extends Error {}

export interface WriteConcernError {
  code: number;
  errmsg: string;
}

/** Codes on which a driver retries a write: MongoDB returns them while it elects a primary, starts or stops. */
const retryable = new Set([6, 7, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436]);

/** Labels that tell a driver what it may retry: a numbered write, a commit, or a whole transaction. */
export function errorLabels(code: number, command: Fields): string[] {
  if (!retryable.has(code)) return [];
  const ends = command.first === 'commitTransaction' || command.first === 'abortTransaction';
  if (ends || (command.has('txnNumber') && !command.has('autocommit'))) return [retryableWriteError];
  return command.has('autocommit') ? [transientTransactionError] : [];
}

/** MongoDB's reply while it shuts down: drivers look for a server that is up, and retry as its labels allow. */
export function shuttingDown(command: Buffer): CommandError {
  const labels = errorLabels(91, new Fields(command));
  return new CommandError(91, 'ShutdownInProgress', 'the database is down', labels);
}

/** The reply to a command that took effect but is not known to be on a majority. */
export function withWriteConcernError(reply: Buffer, error: WriteConcernError, command: Fields): Buffer {
  const labels = errorLabels(error.code, command);
  return encode({
    ...deserialize(reply, { promoteValues: false, promoteBuffers: true }),
    writeConcernError: error,
    ...(labels.length === 0 ? {} : { errorLabels: labels }),
  });
}

/** Maps connection loss and shutdown to DatabaseUnavailableError, everything else to CommandError. */
export function translate(error: unknown): CommandError | DatabaseUnavailableError {
  if (error instanceof CommandError || error instanceof DatabaseUnavailableError) return error;
  const state = error instanceof pg.DatabaseError ? error.code : undefined;
  const message = error instanceof Error ? error.message : String(error);
  // 08: connection failure. 57P01-57P05: shutdown, crash of another backend, still starting.
  if (state === undefined || state.startsWith('08') || state.startsWith('57P')) {
    return new DatabaseUnavailableError(message, { cause: error });
  }
  const { code, codeName } = byState[state] ?? other;
  return new CommandError(code, codeName, code === duplicateKey.code ? duplicateKeyMessage(message) : message);
}

/** Drivers and mongoose plugins look for "E11000" in the text. */
function duplicateKeyMessage(message: string): string {
  return message.startsWith('E11000') ? message : `E11000 duplicate key error: ${message}`;
}

/** `writeErrors` carry PostgreSQL's packed error state: five characters of six bits, the first in the lowest bits. */
function unpackState(packed: number): string {
  let state = '';
  for (let bits = packed; state.length < 5; bits >>>= 6) state += String.fromCharCode((bits & 63) + 48);
  return state;
}

/**
 * The reply to a write that did not fully succeed, with MongoDB's codes.
 * @param undone whether the write is rolled back with its transaction
 * @throws CommandError for a write conflict of a write that changed nothing: in MongoDB it is the reply to the whole
 * command
 */
export function translateWriteErrors(reply: Buffer, undone: boolean): Buffer {
  const document = deserialize(reply, { promoteValues: false, promoteBuffers: true });
  const errors = document['writeErrors'] as Document[] | undefined;
  if (errors === undefined) return reply;
  for (const error of errors) {
    const packed = Number(error['code']);
    const state = unpackState(packed);
    const known = byState[state];
    // Codes below the smallest packed state are already MongoDB's own.
    const { code } = known ?? (packed > 0xffff ? other : { code: packed });
    error['code'] = code;
    const message = String(error['errmsg']);
    if (code === duplicateKey.code) error['errmsg'] = duplicateKeyMessage(message);
    if (code === writeConflict.code && (undone || Number(document['n']) === 0)) {
      throw new CommandError(writeConflict.code, writeConflict.codeName, message);
    }
  }
  return encode(document);
}

export function errorReply(error: CommandError): Buffer {
  return encode({
    ok: 0,
    errmsg: error.message,
    code: error.code,
    codeName: error.codeName,
    ...(error.labels.length > 0 ? { errorLabels: error.labels } : {}),
  });
}
