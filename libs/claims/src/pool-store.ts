import { batched, changeDocuments, failedWrites, isOvertaken, retryLost } from '@event-commerce/service-kit';
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

    /**
     * Returns a function that changes a pool for one member. Members that come at the same time share a write; if that
     * cannot be made for all of them, each has its own. Resolves with the pool as it is then, without its claims; undefined
     * if the change was not made, or is there already. It must be safe to repeat.
     */
    changeTogether: <T extends { poolId: string }>({
      toChange,
      isMadeIn,
      groupOf = ({ poolId }) => poolId,
    }: {
      toChange: (batch: Batch<T>) => Change;
      /** Whether a pool, read later, shows that nothing is left to do for `members`. */
      isMadeIn: (pool: PoolDocument, members: readonly T[]) => boolean;
      /** The same for members of one pool that may share a write. */
      groupOf?: (member: T) => string;
    }) =>
      batched(
        async (members: readonly T[]): Promise<(PoolDocument | undefined)[]> => {
          const change = async (some: readonly T[]) => {
            const { poolId, where, update } = toChange({ poolId: members[0]?.poolId ?? '', members: some });
            const made = { id: poolId, where, update, isMadeIn: (pool: PoolDocument) => isMadeIn(pool, some) };
            return await retryLost(async () => changeShared(made));
          };
          const pool = await change(members);
          if (pool !== undefined || members.length === 1) return members.map(() => pool);
          return await Promise.all(members.map(async (one) => change([one])));
        },
        { key: groupOf },
      ),

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
