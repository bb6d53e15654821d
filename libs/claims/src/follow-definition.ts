import { batched, updateOrInsert } from '@event-commerce/service-kit';
import type { Collection, mongo } from 'mongoose';
import { isBefore } from './changes.ts';
import type { PoolDocument } from './documents.ts';
import { type DefinitionVersion, includes } from './plan.ts';
import type { PoolStore } from './pool-store.ts';

/** A pool as its owner defines it. */
export interface PoolDefinition extends Pick<PoolDocument, 'companyId'>, DefinitionVersion {
  id: string;
  /** Undefined if there is no limit. */
  limit: number | undefined;
  /** What the events of its claims contain about the pool. */
  about?: Record<string, unknown>;
}

/**
 * Updates a pool to a newer definition. False if the pool knows one that the given one does not include. When a sale
 * begins, the first claims on a pool, and those after each change of its definition, come all at once, so concurrent
 * calls share the writes.
 */
export function definitionFollower(
  collection: Collection<PoolDocument>,
  pools: PoolStore,
): (pool: PoolDefinition) => Promise<boolean> {
  return batched(async (asked: readonly PoolDefinition[]) => {
    await Promise.all(latestOf(asked).map(async (pool) => followOne(collection, pool)));
    const found = await pools.read([...new Set(asked.map(({ id }) => id))], { pending: 0, recent: 0, outbox: 0 });
    return asked.map((one) => {
      const { definitionVersion = 0, parentVersion } = found.get(one.id) ?? {};
      return includes({ version: definitionVersion, parentVersion }, one);
    });
  });
}

/** The definitions among `asked` that are not included in another one of the same pool. */
function latestOf(asked: readonly PoolDefinition[]): PoolDefinition[] {
  const latest: PoolDefinition[] = [];
  for (const one of asked) {
    const ofPool = latest.filter(({ id }) => id === one.id);
    if (ofPool.some((other) => includes(other, one))) continue;
    for (const other of ofPool) if (includes(one, other)) latest.splice(latest.indexOf(other), 1);
    latest.push(one);
  }
  return latest;
}

/** See `followUpTo` of `Pools`. */
export function boundedFollower(collection: Collection<PoolDocument>, pools: PoolStore) {
  return async (pool: PoolDefinition, most: number): Promise<{ followed: boolean; claimed: number }> => {
    await followOne(collection, pool, { claimed: { $lte: most } });
    const found = (await pools.read([pool.id], { pending: 0, recent: 0, outbox: 0 })).get(pool.id);
    const { definitionVersion = 0, parentVersion, claimed = 0 } = found ?? {};
    return { followed: includes({ version: definitionVersion, parentVersion }, pool), claimed };
  };
}

async function followOne(
  collection: Collection<PoolDocument>,
  pool: PoolDefinition,
  where: mongo.Filter<PoolDocument> = {},
): Promise<void> {
  const { id, companyId, version, parentVersion, limit = null, about } = pool;
  await updateOrInsert(
    collection,
    { _id: id, ...isBefore(pool), ...where },
    {
      $set: {
        definitionVersion: version,
        ...(parentVersion === undefined ? {} : { parentVersion }),
        limit,
        ...about,
      },
      $setOnInsert: { companyId, confirmed: 0, claimed: 0, version: 0, pending: [] },
    },
  );
}
