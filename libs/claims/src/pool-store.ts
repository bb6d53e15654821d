import { batched, changeDocuments, failedWrites, isOvertaken, retryLost } from '@event-commerce/service-kit';
import type { Collection } from 'mongoose';
import type { Batch, Change } from './changes.ts';
import type { Claim } from './claim.ts';
import type { PoolDocument } from './documents.ts';

/** Whether a change was made, as far as is known, or why it cannot be made. */
export type Made = 'made' | 'unknown' | Error;

/** How often a batch retries pools that others keep changing. */
const ROUNDS_MAX = 4;

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

  /** Makes one change for each batch. If that fails, each member is tried separately: only the culprits fail. */
  const changeEach = async <T, B extends Batch<T>>(
    batches: readonly B[],
    toChange: (batch: Batch<T> & Omit<B, 'members'>) => Change,
  ): Promise<Map<T, Made>> => {
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
  };

  /** The pools among `poolIds` that exist, without some of their fields. */
  const read = async (poolIds: readonly string[], without: Without = {}): Promise<Map<string, PoolDocument>> => {
    const found = await collection.find({ _id: { $in: poolIds } }, { projection: without }).toArray();
    return new Map(found.map((document) => [document._id, document]));
  };

  return {
    changeEach,

    read,

    /**
     * Makes a change of pending claims: many changes in one pool are written at once. Returns the failed ones by claim
     * id: the error, or false if others kept changing the pool. A claim that is not pending needs no change.
     */
    async changePending<One extends { poolId: string; claim: Claim }>(
      all: readonly One[],
      toChange: (batch: Batch<One>) => Change,
    ): Promise<Map<string, false | Error>> {
      const left = new Map<string, false | Error>();
      let waiting = all;
      for (let round = 1; waiting.length > 0 && round <= ROUNDS_MAX; round++) {
        const byPool = Map.groupBy(waiting, ({ poolId }) => poolId);
        const batches = [...byPool].map(([poolId, members]) => ({ poolId, members }));
        const made = await changeEach<One, Batch<One>>(batches, toChange);
        waiting = waiting.filter((one) => made.get(one) !== 'made');
        if (waiting.length === 0) break;
        // Some may be changed already: the others are changed without them.
        const found = await read([...byPool.keys()], { outbox: 0 });
        waiting = waiting.filter((one) => {
          const failure = made.get(one);
          if (failure instanceof Error) left.set(one.claim.id, failure);
          const pending = found.get(one.poolId)?.pending ?? [];
          return !(failure instanceof Error) && pending.some(({ id }) => id === one.claim.id);
        });
      }
      for (const { claim } of waiting) left.set(claim.id, false);
      return left;
    },

    /**
     * Returns a function that changes a pool for one member. Members that come at the same time share a write; if the
     * change cannot be made for all of them, each gets its own write. Resolves with the changed pool, without its
     * claims, or with `known`; undefined if the change was not made, or had been made before. It must be safe to repeat.
     */
    changeTogether: <T extends { poolId: string }, Known = never>({
      toChange,
      isMadeIn,
      groupOf = ({ poolId }) => poolId,
      known,
    }: {
      toChange: (batch: Batch<T>) => Change;
      /** Whether a pool, read later, shows that nothing is left to do for `members`. */
      isMadeIn: (pool: PoolDocument, members: readonly T[]) => boolean;
      /** The same for members of one pool that may share a write. */
      groupOf?: (member: T) => string;
      /** Instead of the pool, if nobody needs it: the database then does not return it. */
      known?: Known;
    }) =>
      batched(
        async (members: readonly T[]): Promise<(PoolDocument | Known | undefined)[]> => {
          const change = async (some: readonly T[]) => {
            const { poolId, where, update } = toChange({ poolId: members[0]?.poolId ?? '', members: some });
            const made = { id: poolId, where, update, isMadeIn: (pool: PoolDocument) => isMadeIn(pool, some) };
            return await retryLost(async () => changeShared({ ...made, ...(known === undefined ? {} : { known }) }));
          };
          const pool = await change(members);
          if (pool !== undefined || members.length === 1) return members.map(() => pool);
          return await Promise.all(members.map(async (one) => change([one])));
        },
        { key: groupOf },
      ),

    /** Makes one change, if it matches; concurrent ones share a command. Resolves with the changed pool. */
    changeIfMatches: async ({ poolId, where, update }: Change): Promise<PoolDocument | undefined> =>
      await retryLost(async () => changeShared({ id: poolId, where, update, isMadeIn: () => true })),

    /** Makes one change, unless another change of the pool comes first, for which it does not wait. */
    changeOnce: async (change: Change): Promise<PoolDocument | undefined> =>
      await changeOne(change).catch((error: unknown) => {
        if (isOvertaken(error)) return undefined;
        throw error;
      }),
  };
}
