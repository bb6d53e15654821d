import { failedWrites, batched, isDuplicateKey, isOvertaken } from '@event-commerce/service-kit';
import type { Collection, mongo } from 'mongoose';
import type { SessionDocument } from './models.ts';

/** A session whose prices are larger (characters) is written by itself: no other one waits for it, or fails with it. */
const PRICED_TOGETHER_MAX = 256 * 1024;

/** A session's next state, to be written only over the version that it was made from. */
export interface SessionWrite {
  _id: string;
  /** Undefined for a session that is not there yet. */
  base: Pick<SessionDocument, 'version' | 'tableCommitmentId'> | undefined;
  update: mongo.UpdateFilter<SessionDocument> & { $set: { priced: string } };
}

/**
 * Writes sessions; what arrives while a command of writes runs makes the next command, which costs a fraction of a command for each.
 * Every write still succeeds or fails by itself: false when another one came first.
 *
 * A command of many writes does not tell which of them matched nothing. So each may insert: where the session has another version, that
 * meets the unique `_id` and is reported as the write's own failure. Where it was removed since it was read, it lives on.
 */
export function sessionWriter(sessions: Collection<SessionDocument>): (write: SessionWrite) => Promise<boolean> {
  const writeTogether = batched<SessionWrite, boolean>(async (batch) => {
    // Always in the order of their ids: a database that locks all of a command cannot lock two of them against each other.
    const ordered = batch.toSorted((a, b) => (a._id < b._id ? -1 : 1));
    const updates = ordered.map((write) => ({
      updateOne: { filter: standing(write), update: write.update, upsert: true },
    }));
    const failed = await sessions.bulkWrite(updates, { ordered: false }).then(() => [], failedWrites);
    const errors = new Map(failed.map(({ index, error }) => [ordered[index], error]));
    return batch.map((write) => {
      const error = errors.get(write);
      return error === undefined || (isOvertaken(error) ? false : error);
    });
  });

  const writeAlone = async (write: SessionWrite): Promise<boolean> => {
    // A session with a seat is never made anew: when it was removed, its seat had been given back.
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

/** No document has version 0. */
function standing({ _id, base }: SessionWrite): { _id: string; version: number } {
  return { _id, version: base?.version ?? 0 };
}
