import { setImmediate as turn } from 'node:timers/promises';
import { PlatformError } from '@event-commerce/contracts';
import DataLoader from 'dataloader';
import { DB_TIMEOUT_MS } from './mongo.ts';

const ITEMS_MAX = 100;

/**
 * Makes calls that come in one turn of the loop, or while `run` is busy, share the next run: alone nobody waits, and under load
 * one round trip serves many. `run` answers one result or error per item, in their order; when it fails, all calls of that run
 * fail with it. A run that does not end in time fails too, as SERVICE_UNAVAILABLE: nobody waits behind it any longer, and
 * whether it took effect is as unknown as after a lost connection.
 */
export function inBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  timeoutMs: number = DB_TIMEOUT_MS,
): (item: Item) => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader<Item, Result>(
    (items) => {
      const results = inTime(run(items), timeoutMs);
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

function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = 'The database did not answer in time; try again shortly.';
      reject(new PlatformError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1 }));
    }, timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
