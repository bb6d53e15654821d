import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongoose';
import type { StoredDocument } from '../mongo/collection.ts';
import { isDuplicateKey } from '../mongo/mongo.ts';

/** How often a holder renews its lease. */
export const RENEW_EVERY_MS = 2_000;
const LAPSES_AFTER_MS = 5_000;
/** For this part of that time after a renewal, the database is not asked: several pieces of work may share a lease. */
const RENEWED_FOR = 0.3;
/** The holder of what nobody holds: the first who asks gets it. */
export const NOBODY = '';

/** Something that one process at a time works on. */
export interface LeaseDocument extends StoredDocument {
  holder: string;
  /** Changed by the holder at every renewal. */
  beat: number;
}

export interface Lease {
  /** Whether this process holds it. Ask at least every two seconds, which renews it. */
  holds: () => Promise<boolean>;
  /** Finds the document while this process holds it. */
  mine: { _id: string; holder: string };
}

/**
 * The lease on the document `_id`: of several replicas, one holds it. No clocks are compared: a replica takes over once
 * it has itself seen no beat of the holder for `lapsesAfterMs`. With `creates`, the first who asks creates the
 * document.
 *
 * For a moment two replicas may hold it, so it only saves work: what it guards must be safe to do twice.
 */
export function leaseOn(
  leases: Collection<LeaseDocument>,
  _id: string,
  { creates = false, lapsesAfterMs = LAPSES_AFTER_MS }: { creates?: boolean; lapsesAfterMs?: number } = {},
): Lease {
  const self = randomUUID();
  let seen = { holder: NOBODY, beat: -1, sinceMs: 0 };
  let renewedAtMs = -Infinity;
  let asking: Promise<boolean> | undefined;

  const insert = async (): Promise<boolean> => {
    try {
      await leases.insertOne({ _id, holder: self, beat: 0 });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  const ask = async (): Promise<boolean> => {
    const askedAtMs = performance.now();
    const renewed = await leases.updateOne({ _id, holder: self }, { $inc: { beat: 1 } });
    if (renewed.matchedCount > 0) {
      renewedAtMs = askedAtMs;
      return true;
    }
    const lease = await leases.findOne({ _id }, { projection: { holder: 1, beat: 1 } });
    if (lease === null) return creates && (await insert());
    const nowMs = performance.now();
    const { holder, beat } = lease;
    if (holder !== seen.holder || beat !== seen.beat) seen = { holder, beat, sinceMs: nowMs };
    if (holder !== NOBODY && nowMs - seen.sinceMs < lapsesAfterMs) return false;
    const taken = await leases.updateOne({ _id, holder, beat }, { $set: { holder: self }, $inc: { beat: 1 } });
    return taken.modifiedCount > 0;
  };

  const holds = async (): Promise<boolean> => {
    if (performance.now() - renewedAtMs < RENEWED_FOR * lapsesAfterMs) return true;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return await asking;
  };

  return { holds, mine: { _id, holder: self } };
}
