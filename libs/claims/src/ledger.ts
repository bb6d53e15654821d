import { batched, insertEach, notShownYet, retryLost } from '@event-commerce/service-kit';
import type { Collection, mongo } from 'mongoose';
import type { Claim, ClaimStatus, LedgerStatus } from './claim.ts';
import type { LedgerEntry } from './documents.ts';

/** A claim to end, and how. */
interface Ending {
  claim: Claim;
  to: LedgerStatus;
  now: Date;
}

export type Ledger = ReturnType<typeof createLedger>;

/** How claims ended. `poolField` is the name of the pool in entries. */
export function createLedger(entries: Collection<LedgerEntry>, poolField: string) {
  const of = (poolId: string): mongo.Filter<LedgerEntry> => ({ [poolField]: poolId });

  const toEntry = ({ claim, to, now }: Ending): LedgerEntry => {
    const { id, poolId, companyId, orderId, customerId, code, quantity, key, settledBy } = claim;
    const optional = {
      ...(customerId === undefined ? {} : { customerId }),
      ...(code === undefined ? {} : { code }),
      ...(key === undefined ? {} : { key }),
      ...(settledBy === undefined ? {} : { settledBy }),
    };
    return { _id: id, companyId, [poolField]: poolId, orderId, ...optional, quantity, status: to, created: now };
  };

  /** Why the ledger rejected an entry of `claim`, although it has none under the claim's own id. */
  const whyRefused = async ({ companyId, poolId, orderId }: Claim): Promise<'cancelled' | Error> => {
    const other = await entries.findOne(
      { ...of(poolId), orderId, status: 'confirmed', companyId },
      { projection: { _id: 1 } },
    );
    return other === null ? notShownYet() : 'cancelled';
  };

  const enterAll = async (endings: readonly Ending[]): Promise<(ClaimStatus | Error)[]> => {
    // Copies of an order end the same claim, many at once: one entry is written for all of them.
    const once = [...new Map(endings.map((ending) => [keyOf(ending), ending])).values()];
    const written = await insertEach(entries, once.map(toEntry));
    const refused = once.filter((_, index) => written[index] === false).map(({ claim }) => claim.id);
    const standing = refused.length === 0 ? [] : await entries.find({ _id: { $in: refused } }).toArray();
    const standingOf = new Map(standing.map(({ _id, status }) => [_id, status]));
    const outcomes = new Map<string, ClaimStatus | Error>();
    for (const [index, ending] of once.entries()) {
      const outcome = written[index];
      if (outcome instanceof Error) outcomes.set(keyOf(ending), outcome);
      else if (outcome === true) outcomes.set(keyOf(ending), ending.to);
      else outcomes.set(keyOf(ending), standingOf.get(ending.claim.id) ?? (await whyRefused(ending.claim)));
    }
    return endings.map((ending) => outcomes.get(keyOf(ending)) ?? notShownYet());
  };
  const enter = batched(enterAll);

  return {
    /**
     * Records how the claim ended. Only the first entry of a claim is written. Resolves with the final state:
     * `cancelled` if the order has confirmed another claim on the pool.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE while the final state is unknown: retry
     */
    enter: async (ending: Ending): Promise<ClaimStatus> => await retryLost(async () => enter(ending)),

    /** Releases a confirmed claim in the name of `by`. Resolves with who released it, and whether that happened now. */
    async release(
      { id, companyId, poolId }: Pick<Claim, 'id' | 'companyId' | 'poolId'>,
      by: string,
    ): Promise<{ releasedBy: string | undefined; isFirst: boolean }> {
      const released = await retryLost(async () =>
        entries.findOneAndUpdate(
          { ...of(poolId), _id: id, companyId, status: 'confirmed' },
          { $set: { status: 'released', releasedBy: by } },
          { returnDocument: 'after' },
        ),
      );
      const entry = released ?? (await entries.findOne({ _id: id }));
      // The previous look found otherwise.
      if (entry === null || entry.status === 'confirmed') throw notShownYet();
      return { releasedBy: entry.releasedBy, isFirst: released !== null };
    },

    /**
     * The claim of an entry.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE while the ledger does not show it: entries are never deleted
     */
    async claim(companyId: Claim['companyId'], poolId: string, id: string): Promise<Claim> {
      const entry = await entries.findOne({ ...of(poolId), _id: id, companyId });
      if (entry === null) throw notShownYet();
      const { _id, created: _created, releasedBy: _releasedBy, ...fields } = entry;
      return { ...fields, id: _id, poolId };
    },

    async statusOf(id: string): Promise<LedgerStatus | undefined> {
      return (await entries.findOne({ _id: id }, { projection: { status: 1 } }))?.status;
    },

    /** Entries of a pool, or of one customer's share of it. */
    async entriesOf(poolId: string, more: Partial<Pick<LedgerEntry, 'customerId' | 'status'>>) {
      const filter = { ...of(poolId), ...more };
      return await entries.find(filter, { projection: { quantity: 1, status: 1 } }).toArray();
    },

    /** What `customerId` has confirmed of each of `poolIds`, entry by entry. */
    async confirmedBy(customerId: string, poolIds: readonly string[]): Promise<{ poolId: string; quantity: number }[]> {
      if (poolIds.length === 0) return [];
      const filter = { [poolField]: { $in: poolIds }, customerId, status: 'confirmed' as const };
      const found = await entries
        .find<{ quantity: number } & Record<string, unknown>>(filter, { projection: { [poolField]: 1, quantity: 1 } })
        .toArray();
      return found.map((entry) => ({ poolId: String(entry[poolField]), quantity: entry.quantity }));
    },

    /** Those of `releasing` that the ledger has as released while the counters still include them. */
    async leaving(releasing: readonly { id: string; by: string }[]): Promise<LedgerEntry[]> {
      if (releasing.length === 0) return [];
      const [ids, releasedBy] = [releasing.map(({ id }) => id), releasing.map(({ by }) => by)];
      return await entries.find({ _id: { $in: ids }, status: 'released', releasedBy: { $in: releasedBy } }).toArray();
    },
  };
}

function keyOf({ claim, to }: Ending): string {
  return JSON.stringify([claim.id, to]);
}
