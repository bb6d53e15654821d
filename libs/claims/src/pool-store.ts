import { changeDocuments, failedWrites, isOvertaken, retryLost } from '@event-commerce/service-kit';
import type { Collection } from 'mongoose';
import type { Batch, Change } from './changes.ts';
import type { PoolDocument } from './documents.ts';

/** Whether a change was made, as far as is known, or why it cannot be. */
export type Made = 'made' | 'unknown' | Error;

export type PoolStore = ReturnType<typeof poolStore>;

type Without = Partial<Record<keyof PoolDocument, 0>>;

/** Conditional changes of the pools in one collection, many in one round trip. */
export function poolStore(collection: Collection<PoolDocument>) {
  /** Makes `changes`, none of which depends on another. */
  const changeAll = async (changes: readonly Change[]): Promise<Made[]> => {
    if (changes.length === 0) return [];
    // In the same order everywhere, so that no two processes wait for each other.
    const ordered = changes.toSorted((a, b) => (a.poolId < b.poolId ? -1 : 1));
    const operations = ordered.map(({ poolId, where, update }) => ({
      updateOne: { filter: { _id: poolId, ...where }, update },
    }));
    const errors = new Map<Change | undefined, Error>();
    try {
      const { matchedCount } = await collection.bulkWrite(operations, { ordered: false });
      if (matchedCount === changes.length) return changes.map(() => 'made');
    } catch (failure) {
      for (const { index, error } of failedWrites(failure)) {
        if (!isOvertaken(error)) errors.set(ordered[index], error);
      }
    }
    return changes.map((one) => errors.get(one) ?? 'unknown');
  };

  const projection = { pending: 0, recent: 0 } as const;

  const changeOne = async ({ poolId, where, update }: Change): Promise<PoolDocument | undefined> => {
    const options = { returnDocument: 'after', projection } as const;
    return (await collection.findOneAndUpdate({ _id: poolId, ...where }, update, options)) ?? undefined;
  };

  const changeShared = changeDocuments(collection, { projection });

  return {
    /** Makes one change for each batch. If that fails, each member is tried separately: only the culprits fail. */
    async changeEach<T, B extends Batch<T>>(
      batches: readonly B[],
      toChange: (batch: Batch<T> & Omit<B, 'members'>) => Change,
    ): Promise<Map<T, Made>> {
      const made = await changeAll(batches.map(toChange));
      const outcomes = new Map<T, Made>();
      const alone: { member: T; change: Change }[] = [];
      for (const [index, batch] of batches.entries()) {
        const outcome = made[index] ?? 'unknown';
        for (const member of batch.members) {
          if (outcome instanceof Error && batch.members.length > 1) {
            alone.push({ member, change: toChange({ ...batch, members: [member] }) });
          } else outcomes.set(member, outcome);
        }
      }
      const madeAlone = await changeAll(alone.map(({ change }) => change));
      for (const [index, { member }] of alone.entries()) outcomes.set(member, madeAlone[index] ?? 'unknown');
      return outcomes;
    },

    /** Makes one change. Resolves with the resulting pool, without its claims; undefined if the change was not made. */
    change: async (change: Change): Promise<PoolDocument | undefined> => await retryLost(async () => changeOne(change)),

    /** Makes one change, if it matches; concurrent ones share a command. Resolves with the pool as it is then. */
    changeIfMatches: async ({ poolId, where, update }: Change): Promise<PoolDocument | undefined> =>
      await retryLost(async () => changeShared({ id: poolId, where, update, isMadeIn: () => true })),

    /** Makes one change, unless another change of the pool comes first: it does not wait for that one. */
    changeOnce: async (change: Change): Promise<PoolDocument | undefined> =>
      await changeOne(change).catch((error: unknown) => {
        if (isOvertaken(error)) return undefined;
        throw error;
      }),

    /** The pools among `poolIds` that exist, without some of their fields. */
    async read(poolIds: readonly string[], without: Without = {}): Promise<Map<string, PoolDocument>> {
      const found = await collection.find({ _id: { $in: poolIds } }, { projection: without }).toArray();
      return new Map(found.map((document) => [document._id, document]));
    },
  };
}
