import type { Batch, Change } from './changes.ts';
import type { Claim } from './claim.ts';
import type { PoolStore } from './pool-store.ts';

/** How often a batch retries what others keep changing. */
const ROUNDS_MAX = 4;

/**
 * Makes a change of pending claims in `store`: what many change in one pool is written once. Returns those that are not
 * made, by claim id: the error, or false if others kept changing the pool. A claim that is not pending needs none.
 */
export async function changePending<One extends { poolId: string; claim: Claim }>(
  store: PoolStore,
  all: readonly One[],
  toChange: (batch: Batch<One>) => Change,
): Promise<Map<string, false | Error>> {
  const left = new Map<string, false | Error>();
  let waiting = all;
  for (let round = 1; waiting.length > 0 && round <= ROUNDS_MAX; round++) {
    const byPool = Map.groupBy(waiting, ({ poolId }) => poolId);
    const batches = [...byPool].map(([poolId, members]) => ({ poolId, members }));
    const made = await store.changeEach<One, Batch<One>>(batches, toChange);
    waiting = waiting.filter((one) => made.get(one) !== 'made');
    if (waiting.length === 0) break;
    // Some may be changed already: the others are changed without them.
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
