import { failedWrites, batched, isDuplicateKey, isOvertaken } from '@event-commerce/service-kit';
import type { Collection, mongo } from 'mongoose';
import type { SessionDocument } from '../models.ts';

/** A session with larger prices (in characters) is written alone, so that no other waits for it or fails with it. */
const PRICED_TOGETHER_MAX = 256 * 1024;

/** Optional fields of the document, which a write must therefore be able to unset. */
const OPTIONAL = [
  'contextId',
  'currency',
  'customerId',
  'customerEmail',
  'customerSegment',
  'channelId',
  'tableCommitmentId',
  'ordered',
  'orderedPrice',
  'seatHeldUntil',
  'purgeAt',
] as const;

/** A session's next state, which only replaces the version that it was derived from. */
export interface SessionWrite {
  _id: string;
  /** Undefined for a new session. */
  base: Pick<SessionDocument, 'version' | 'tableCommitmentId'> | undefined;
  update: mongo.UpdateFilter<SessionDocument> & { $set: { priced: string } };
  /** The same as a document, for a new session. */
  document: SessionDocument;
}

/**
 * Writes sessions in batches: writes that arrive while one command runs form the next, which costs much less than a
 * command for each. Every write still succeeds or fails on its own: false if another one was first.
 *
 * A command of many writes does not report which of them matched nothing. So each may insert: if the session has
 * another version, the insert violates the unique `_id` and is reported as that write's own failure. A session that was
 * deleted since it was read is recreated. New sessions are inserted directly, which costs the database less.
 */
export function sessionWriter(sessions: Collection<SessionDocument>): (write: SessionWrite) => Promise<boolean> {
  const writeTogether = batched<SessionWrite, boolean>(async (batch) => {
    // Always in the order of their ids, so that two commands cannot deadlock in a database that locks all documents of
    // a command.
    const ordered = batch.toSorted((a, b) => (a._id < b._id ? -1 : 1));
    const writes = ordered.map((write) =>
      write.base === undefined
        ? { insertOne: { document: write.document } }
        : { updateOne: { filter: standing(write), update: write.update, upsert: true } },
    );
    const failed = await sessions.bulkWrite(writes, { ordered: false }).then(() => [], failedWrites);
    const errors = new Map(failed.map(({ index, error }) => [ordered[index], error]));
    return batch.map((write) => {
      const error = errors.get(write);
      return error === undefined || (isOvertaken(error) ? false : error);
    });
  });

  const writeAlone = async (write: SessionWrite): Promise<boolean> => {
    // A session with a seat is never recreated: when it was deleted, its seat had been released.
    const upsert = write.base?.tableCommitmentId === undefined;
    try {
      const { matchedCount, upsertedCount } = await sessions.updateOne(standing(write), write.update, { upsert });
      return matchedCount + upsertedCount > 0;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return async (write) => {
    const together =
      write.base?.tableCommitmentId === undefined && write.update.$set.priced.length <= PRICED_TOGETHER_MAX;
    return together ? await writeTogether(write) : await writeAlone(write);
  };
}

/** Unsets the fields that `base` has and `fields` lacks, for a write that sets `fields`. */
export function unsetMissing(base: object | undefined, fields: object): { $unset?: Record<string, ''> } {
  const gone = OPTIONAL.filter((name) => base !== undefined && name in base && !(name in fields));
  return gone.length === 0 ? {} : { $unset: Object.fromEntries(gone.map((name) => [name, ''] as const)) };
}

/**
 * No document has version 0. A reservation for an order does not change the version, so the filter excludes reserved
 * sessions.
 */
function standing({ _id, base }: SessionWrite) {
  return { _id, version: base?.version ?? 0, checkout: { $exists: false } };
}
