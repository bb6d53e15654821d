import { setImmediate as turn } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { inTime } from './in-time.ts';
import { DB_TIMEOUT_MS } from './mongo.ts';
import { runApart } from './run-apart.ts';

const ITEMS_MAX = 100;

export interface BatchOptions<Item> {
  /** Items that take so long by themselves that no other should wait for them: each runs alone, at once. */
  isLarge?: (item: Item) => boolean;
  timeoutMs?: number;
}

/**
 * Makes calls that come in one turn of the loop, or while `run` is busy, share the next run: alone nobody waits, and under load
 * one round trip serves many. `run` answers one result or error per item, in their order. When it fails as a whole, the items are run
 * apart until only the culprits fail (see `runApart`): `run` must be safe to repeat. A run that does not end in time fails as
 * SERVICE_UNAVAILABLE: nobody waits behind it any longer, and whether it took effect is as unknown as after a lost connection.
 */
export function inBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  { isLarge = () => false, timeoutMs = DB_TIMEOUT_MS }: BatchOptions<Item> = {},
): (item: Item) => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  const runInTime = (items: readonly Item[]) => runApart(items, (some) => inTime(run(some), timeoutMs));
  const loader = new DataLoader<Item, Result>(
    (items) => {
      const results = runInTime(items);
      running = results.catch(() => undefined);
      return results;
    },
    {
      cache: false,
      maxBatchSize: ITEMS_MAX,
      // What shared the last run goes on in the same turn of the loop, and shares the next one too.
      batchScheduleFn: (dispatch) => void running.then(async () => turn()).then(dispatch),
    },
  );
  return async (item) => {
    if (!isLarge(item)) return await loader.load(item);
    const [result] = await runInTime([item]);
    if (result instanceof Error) throw result;
    return result as Result;
  };
}
