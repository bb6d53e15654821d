import { randomUUID } from 'node:crypto';
import { isDuplicateKey } from '@event-commerce/service-kit';
import mongoose, { type Connection } from 'mongoose';

/** How long an answer is replayed. */
const KEPT_SECONDS = 24 * 60 * 60;
/** A request that waits for its record waits no longer than this. */
const TIMEOUT_MS = 3_000;
/** Another look is needed only when a record changes hands or ends between two steps. */
const ATTEMPTS_MAX = 5;

/** What was answered, byte for byte; without a body where that may not be kept. */
export interface KeptAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Whose record it is from now on, until `save` or `release`. */
export interface HeldKey {
  id: string;
  holder: string;
}

export type TakenKey =
  | { state: 'held'; key: HeldKey }
  | { state: 'in-use' }
  | { state: 'other-request' }
  | { state: 'answered'; answer: KeptAnswer };

interface IdempotencyDocument {
  _id: string;
  /** Of the request that came first. */
  fingerprint: string;
  /** Who executes the request, one value for each attempt: what every later write of the record is conditional on. */
  holder: string;
  /** When the execution began, by the database's clock: gateways whose clocks differ agree on what has lapsed. */
  startedAt: Date;
  answer?: { statusCode: number; headers: Record<string, string>; body: mongoose.mongo.Binary | null };
}

export type IdempotencyRepository = ReturnType<typeof createIdempotencyRepository>;

/**
 * The store of Idempotency-Keys. The record of a request that ended without a word (its gateway was killed) lapses
 * `lockMs` after it began, and the next one with the key executes it again.
 */
export function createIdempotencyRepository(connection: Connection, lockMs: number) {
  const records = connection.collection<IdempotencyDocument>('idempotency');

  return {
    async createIndexes(): Promise<void> {
      await records.createIndex({ startedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
    },

    /** Makes the caller the one that executes the request with `fingerprint`, or answers what became of the one before. */
    async take(id: string, fingerprint: string): Promise<TakenKey> {
      const holder = randomUUID();
      const held: TakenKey = { state: 'held', key: { id, holder } };
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        try {
          // Somebody else's record does not match, so this inserts or fails: the unique id decides who is first.
          await records.updateOne(
            { _id: id, holder },
            { $setOnInsert: { fingerprint }, $currentDate: { startedAt: true } },
            { upsert: true, timeoutMS: TIMEOUT_MS },
          );
          return held;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }

        const found = await records.findOne<IdempotencyDocument & { ageMs: number }>(
          { _id: id },
          {
            projection: {
              fingerprint: 1,
              holder: 1,
              startedAt: 1,
              answer: 1,
              ageMs: { $subtract: ['$$NOW', '$startedAt'] },
            },
            timeoutMS: TIMEOUT_MS,
          },
        );
        if (found === null) continue;
        // The index removes what is over once a minute; for callers it is over at once.
        const over = found.ageMs >= KEPT_SECONDS * 1000;
        if (!over && found.fingerprint !== fingerprint) return { state: 'other-request' };
        if (!over && found.answer !== undefined) return { state: 'answered', answer: toAnswer(found.answer) };
        if (!over && found.ageMs < lockMs) return { state: 'in-use' };

        const takenOver = await records.updateOne(
          { _id: id, holder: found.holder, answer: { $exists: found.answer !== undefined } },
          { $set: { holder, fingerprint }, $unset: { answer: '' }, $currentDate: { startedAt: true } },
          { timeoutMS: TIMEOUT_MS },
        );
        if (takenOver.modifiedCount === 1) return held;
      }
      return { state: 'in-use' };
    },

    /** Keeps the answer; false when the record was taken over meanwhile, whose holder then answers for it. */
    async save(key: HeldKey, answer: KeptAnswer): Promise<boolean> {
      const body = answer.body && new mongoose.mongo.Binary(answer.body);
      const result = await records.updateOne(
        { _id: key.id, holder: key.holder },
        { $set: { answer: { ...answer, body } } },
        { timeoutMS: TIMEOUT_MS },
      );
      return result.matchedCount === 1;
    },

    /** As if the request had never been: whoever sends it again executes it. */
    async release(key: HeldKey): Promise<void> {
      await records.deleteOne({ _id: key.id, holder: key.holder }, { timeoutMS: TIMEOUT_MS });
    },
  };
}

function toAnswer({ statusCode, headers, body }: NonNullable<IdempotencyDocument['answer']>): KeptAnswer {
  return { statusCode, headers, body: body && Buffer.from(body.buffer) };
}
