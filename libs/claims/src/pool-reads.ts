import { batched } from '@event-commerce/service-kit';
import type { Collection } from 'mongoose';
import type { PendingClaim } from './claim.ts';
import { HAS_PENDING, type PoolDocument } from './documents.ts';
import { keptIn } from './plan.ts';
import type { PoolStore } from './pool-store.ts';
import type { Shares } from './shares.ts';

/** The counters of a pool, and the definition that it knows. */
export type PoolCounts = Pick<PoolDocument, 'claimed' | 'confirmed' | 'limit' | 'definitionVersion'>;

/** Reads of pools, which decide nothing. */
export function poolReads(collection: Collection<PoolDocument>, pools: PoolStore, shares: Shares) {
  const withPending = async (poolId: string): Promise<PoolDocument | undefined> =>
    (await pools.read([poolId], { recent: 0, outbox: 0 })).get(poolId);

  return {
    countsOf: batched(async (asked: readonly (readonly string[])[]): Promise<Map<string, PoolCounts>[]> => {
      const found = await collection
        .find<{ _id: string } & PoolCounts>(
          { _id: { $in: [...new Set(asked.flat())] } },
          { projection: { claimed: 1, confirmed: 1, limit: 1, definitionVersion: 1 } },
        )
        .toArray();
      const counts = new Map(found.map(({ _id, ...counted }) => [_id, counted]));
      return asked.map(() => counts);
    }),

    async keptOf(poolId: string, customerId = ''): Promise<{ inAll: number; byCustomer: number }> {
      const [pool, byCustomer] = await Promise.all([withPending(poolId), shares.keptBy(customerId, poolId)]);
      return { inAll: pool === undefined ? 0 : keptIn(pool), byCustomer };
    },

    async pendingOf({ orderId }: { orderId: string }, poolIds: readonly string[]): Promise<Set<string>> {
      if (poolIds.length === 0) return new Set();
      const found = await collection
        .find({ _id: { $in: [...poolIds] }, 'pending.orderId': orderId }, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    async havePending(poolIds: readonly string[]): Promise<boolean> {
      const found = { ...HAS_PENDING, _id: { $in: [...poolIds] } };
      return (await collection.countDocuments(found, { limit: 1 })) > 0;
    },

    pendingClaim: async (poolId: string, id: string): Promise<PendingClaim | undefined> =>
      (await withPending(poolId))?.pending.find((claim) => claim.id === id),

    find: async (poolId: string): Promise<PoolDocument | undefined> =>
      (await pools.read([poolId], { pending: 0, recent: 0, outbox: 0 })).get(poolId),
  };
}
