import { setImmediate as turn } from 'node:timers/promises';
import DataLoader from 'dataloader';

const ITEMS_MAX = 100;

/**
 * Makes calls that come in one turn of the loop, or while `run` is busy, share the next run: alone nobody waits, and under load
 * one round trip serves many. `run` answers one result or error per item, in their order; when it fails, all calls of that run fail with it.
 */
export function inBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
): (item: Item) => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader<Item, Result>(
    (items) => {
      const results = run(items);
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
  return async (item) => loader.load(item);
}
