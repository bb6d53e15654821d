import { setTimeout as delay } from 'node:timers/promises';
import mongoose, { type ClientSession, type Connection } from 'mongoose';

const LOST_DELAY_MAX_MS = 20;

/**
 * Runs `work` in a transaction: everything it writes with `session` takes effect, or nothing does. Restarts if it lost
 * to another one or the primary changed, and retries a commit without a reply, until `withinMs` are over. (The driver's
 * own `withTransaction` continues for two minutes.)
 *
 * @throws what `work` throws, or the last attempt's error. After a commit without a reply, it may have taken effect.
 */
export async function inTransaction<T>(
  connection: Connection,
  withinMs: number,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const untilMs = performance.now() + withinMs;
  const mayRepeat = (error: unknown, label: string) =>
    error instanceof mongoose.mongo.MongoError && error.hasErrorLabel(label) && performance.now() < untilMs;
  const session = await connection.startSession();
  try {
    for (;;) {
      session.startTransaction({
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority', journal: true, wtimeoutMS: withinMs },
      });
      try {
        const result = await work(session);
        await commit(session, (error) => mayRepeat(error, 'UnknownTransactionCommitResult'));
        return result;
      } catch (error) {
        if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
        if (!mayRepeat(error, 'TransientTransactionError')) throw error;
        // Without jitter, those that lost to each other would meet again.
        await delay(Math.random() * LOST_DELAY_MAX_MS);
      }
    }
  } finally {
    await session.endSession();
  }
}

async function commit(session: ClientSession, mayRepeat: (error: unknown) => boolean): Promise<void> {
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!mayRepeat(error)) throw error;
    }
  }
}
