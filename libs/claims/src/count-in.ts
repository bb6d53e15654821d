import { type Batch, counting, type Keeping } from './changes.ts';
import type { PoolKind } from './documents.ts';
import type { PoolStore } from './pool-store.ts';

/** How often a batch retries what others keep changing. */
const ROUNDS_MAX = 4;

/**
 * Counts `keepings` in `store`. Returns those that are not counted, by claim id: the error, or false if others kept
 * changing the pool.
 */
export async function countIn(
  store: PoolStore,
  kind: PoolKind,
  keepings: readonly Keeping[],
): Promise<Map<string, false | Error>> {
  const left = new Map<string, false | Error>();
  let waiting = keepings;
  for (let round = 1; waiting.length > 0 && round <= ROUNDS_MAX; round++) {
    const byPool = Map.groupBy(waiting, ({ poolId }) => poolId);
    const batches = [...byPool].map(([poolId, members]) => ({ poolId, members }));
    const made = await store.changeEach<Keeping, Batch<Keeping>>(batches, (batch) => counting(kind, batch));
    waiting = waiting.filter((one) => made.get(one) !== 'made');
    if (waiting.length === 0) break;
    // Some may be counted already: the others are counted without them.
    const found = await store.read([...byPool.keys()], { outbox: 0 });
    waiting = waiting.filter((one) => {
      const failure = made.get(one);
      if (failure instanceof Error) left.set(one.claim.id, failure);
      const pending = found.get(one.poolId)?.pending ?? [];
      return !(failure instanceof Error) && pending.some(({ id }) => id === one.claim.id);
    });
  }
  for (const { claim } of waiting) left.set(claim.id, false);
  return left;
}
