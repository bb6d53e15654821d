import { randomUUID } from 'node:crypto';
import type { Attempt } from '@event-commerce/contracts';
import { type CollectionIndexes, inTime, isOvertaken, newId } from '@event-commerce/service-kit';
import mongoose, { type Connection } from 'mongoose';

/** How long a response is replayed. */
const KEPT_SECONDS = 24 * 60 * 60;
/** A request waits for its record no longer than this. */
const TIMEOUT_MS = 3_000;
/** Another attempt is needed only if a record is taken over or expires between two steps. */
const LOOKS_MAX = 5;

/** The stored response with its body encrypted; without a body if that must not be stored. */
export interface KeptAnswer {
  statusCode: number;
  headers: Record<string, string>;
  sealed: Buffer | null;
}

/** The caller holds the record from now on, until `save`, `release` or `forget`. */
export interface HeldKey {
  id: string;
  holder: string;
  attempt: Attempt;
  /** Whether this attempt was begun: if not, it had no effect. */
  begun: boolean;
}

/** The request was executed, with this result; `Attempt.idSuffix` is in the ids of what it created. */
export interface AnsweredKey {
  state: 'answered';
  answer: KeptAnswer;
  idSuffix: string;
}

type TakenKey = { state: 'held'; key: HeldKey } | { state: 'in-use' } | { state: 'other-request' } | AnsweredKey;

interface IdempotencyDocument {
  _id: string;
  /** The fingerprint of the request that took the key. */
  fingerprint: string;
  /**
   * Identifies the attempt that executes the request; every later write of the record requires it. Null when the
   * attempt ended with an unknown effect.
   */
  holder: string | null;
  /** `Attempt.idSuffix`: the same for every attempt. */
  idSuffix: string;
  /** When the execution began, by the database's clock: gateways with different clocks agree on what has lapsed. */
  startedAt: Date;
  answer?: {
    statusCode: number;
    headers: Record<string, string>;
    sealed: mongoose.mongo.Binary | null;
  };
}

const COLLECTION = 'idempotency';

export const IDEMPOTENCY_INDEXES: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [[{ startedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }]],
};

export type IdempotencyRepository = ReturnType<typeof createIdempotencyRepository>;

/**
 * The store of Idempotency-Keys. The record of a request whose gateway was killed lapses `lockMs` after it began. The
 * next request with the key then executes it again, with the same effect.
 */
export function createIdempotencyRepository(connection: Connection, lockMs: number) {
  const records = connection.collection<IdempotencyDocument>(COLLECTION);

  const repository = {
    /** Lets the caller execute the request with `fingerprint`, or returns the state of the earlier one. */
    async take(id: string, fingerprint: string): Promise<TakenKey> {
      const holder = randomUUID();
      const newSuffix = newId('req').slice('req_'.length);
      const held = (attempt: Attempt): TakenKey => ({ state: 'held', key: { id, holder, attempt, begun: false } });
      for (let look = 0; look < LOOKS_MAX; look++) {
        try {
          // Another holder's record does not match, so this inserts or fails: the unique id decides who is first.
          await records.updateOne(
            { _id: id, holder },
            { $setOnInsert: { fingerprint, idSuffix: newSuffix }, $currentDate: { startedAt: true } },
            { upsert: true },
          );
          return held({ idSuffix: newSuffix, repeated: false });
        } catch (error) {
          if (!isOvertaken(error)) throw error;
        }

        const found = await records.findOne<IdempotencyDocument & { ageMs: number }>(
          { _id: id },
          {
            projection: {
              fingerprint: 1,
              holder: 1,
              idSuffix: 1,
              startedAt: 1,
              answer: 1,
              ageMs: { $subtract: ['$$NOW', '$startedAt'] },
            },
          },
        );
        if (found === null) continue;
        // The index deletes expired records once a minute; for callers they expire at once.
        const over = found.ageMs >= KEPT_SECONDS * 1000;
        // Even if the attempt ended with an unknown effect: what it may have created must be found again.
        if (!over && found.fingerprint !== fingerprint) return { state: 'other-request' };
        const standing = !over && found.holder !== null;
        if (standing && found.answer !== undefined) {
          return { state: 'answered', answer: toAnswer(found.answer), idSuffix: found.idSuffix };
        }
        if (standing && found.ageMs < lockMs) return { state: 'in-use' };

        const attempt = { idSuffix: over ? newSuffix : found.idSuffix, repeated: !over };

        const takenOver = await records.updateOne(
          { _id: id, holder: found.holder, answer: { $exists: found.answer !== undefined } },
          {
            $set: { holder, fingerprint, idSuffix: attempt.idSuffix },
            $unset: { answer: '' },
            $currentDate: { startedAt: true },
          },
        );
        if (takenOver.modifiedCount === 1) return held(attempt);
      }
      return { state: 'in-use' };
    },

    /** Stores the response; false if another attempt has taken over the record and its response counts. */
    async save(key: HeldKey, answer: KeptAnswer): Promise<boolean> {
      const sealed = answer.sealed && new mongoose.mongo.Binary(answer.sealed);
      const result = await records.updateOne(
        { _id: key.id, holder: key.holder },
        { $set: { answer: { ...answer, sealed } } },
      );
      return result.matchedCount === 1;
    },

    /** Releases the key: a retry executes the request at once, with the same effect. */
    async release(key: HeldKey): Promise<void> {
      await records.updateOne({ _id: key.id, holder: key.holder }, { $set: { holder: null } });
    },

    /** Forgets a request that had no effect, as if it had never been sent. */
    async forget(key: HeldKey): Promise<void> {
      await records.deleteOne({ _id: key.id, holder: key.holder });
    },
  };

  /** Releases a record that no request holds, because its request did not wait for `taking` to end. */
  async function giveBack(taking: Promise<TakenKey>): Promise<void> {
    const taken = await taking;
    if (taken.state !== 'held') return;
    // What an earlier attempt may have created must be found again.
    await (taken.key.attempt.repeated ? repository.release(taken.key) : repository.forget(taken.key));
  }

  return {
    async take(id: string, fingerprint: string): Promise<TakenKey> {
      return await inTimeOrUndone(repository.take(id, fingerprint), giveBack);
    },
    save: async (key: HeldKey, answer: KeptAnswer) => inTime(repository.save(key, answer), TIMEOUT_MS),
    /**
     * As `save`, for a response that is not sent if this fails or takes too long: then a retry executes the request.
     */
    async saveOrRelease(key: HeldKey, answer: KeptAnswer): Promise<boolean> {
      return await inTimeOrUndone(repository.save(key, answer), async (saving) => {
        await saving.catch(() => undefined);
        await repository.release(key);
      });
    },
    release: async (key: HeldKey) => inTime(repository.release(key), TIMEOUT_MS),
    forget: async (key: HeldKey) => inTime(repository.forget(key), TIMEOUT_MS),
  };
}

/** Waits for `work` for a limited time. If it fails or takes longer, `undo` follows it, however late it ends. */
async function inTimeOrUndone<T>(work: Promise<T>, undo: (work: Promise<T>) => Promise<void>): Promise<T> {
  return await inTime(work, TIMEOUT_MS).catch((error: unknown) => {
    // If this fails too, the record lapses, unless a response was stored.
    undo(work).catch(() => undefined);
    throw error;
  });
}

function toAnswer({ sealed, ...answer }: NonNullable<IdempotencyDocument['answer']>): KeptAnswer {
  return { ...answer, sealed: sealed && Buffer.from(sealed.buffer) };
}
