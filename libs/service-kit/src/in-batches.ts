import DataLoader from 'dataloader';

const ITEMS_MAX = 100;

/**
 * Makes calls that come while `run` is busy wait, and share its next run: alone nobody waits, and under load one round trip
 * serves many. `run` answers one result or error per item, in their order; when it fails, all calls of that run fail with it.
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
      batchScheduleFn: (dispatch) => void running.then(dispatch),
    },
  );
  return async (item) => loader.load(item);
}
