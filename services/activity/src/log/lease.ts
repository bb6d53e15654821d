import { randomUUID } from 'node:crypto';
import { collectionOf, isDuplicateKey } from '@event-commerce/service-kit';
import type { ActivityModels } from '../models.ts';

/** A holder whose beat was not seen to change for this long has lost its lease. */
const LAPSES_AFTER_MS = 5_000;

/**
 * Whether this process holds the lease `name`: of several replicas, one. Ask again every second, which renews it. No
 * clocks are compared: a replica takes over once it has itself seen no beat of the holder for five seconds.
 *
 * For a moment two replicas may hold it, so it only saves work: what it guards must be safe to do twice.
 */
export function leaseOn(models: Pick<ActivityModels, 'leases'>, name: string): () => Promise<boolean> {
  const leases = collectionOf(models.leases);
  const self = randomUUID();
  let seen = { holder: '', beat: -1, sinceMs: 0 };
  return async () => {
    const renewed = await leases.updateOne({ _id: name, holder: self }, { $inc: { beat: 1 } });
    if (renewed.matchedCount > 0) return true;
    const lease = await leases.findOne({ _id: name });
    if (lease === null) return await insert();
    const nowMs = performance.now();
    const { holder, beat } = lease;
    if (holder !== seen.holder || beat !== seen.beat) seen = { holder, beat, sinceMs: nowMs };
    if (nowMs - seen.sinceMs < LAPSES_AFTER_MS) return false;
    const taken = await leases.updateOne({ _id: name, holder, beat }, { $set: { holder: self }, $inc: { beat: 1 } });
    return taken.modifiedCount > 0;
  };

  async function insert(): Promise<boolean> {
    try {
      await leases.insertOne({ _id: name, holder: self, beat: 0 });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
