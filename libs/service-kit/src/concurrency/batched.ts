import { setImmediate as turn } from 'node:timers/promises';
import { tryAgainShortly } from '@event-commerce/contracts';
import { DB_TIMEOUT_MS } from '../process/limits.ts';
import { inTime } from './in-time.ts';
import { runApart } from './run-apart.ts';

interface BatchOptions<Item> {
  /**
   * Runs of one key never overlap; keys do not wait for each other. Without a key, everything that waits runs at once,
   * in full batches.
   */
  key?: (item: Item) => string;
  /** Items that take too long for others to wait for: each runs alone, at once. */
  isLarge?: (item: Item) => boolean;
  itemsMax?: number;
  /** How many items may wait for one key. */
  waitingMax?: number;
  timeoutMs?: number;
}

/** The outcome of an item that a run had no time for: it leads the next run. */
export const LATER = Symbol('later');

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
}

/**
 * Batches calls: those from one turn of the event loop, or made while `run` is busy, share the next run. A single call
 * never waits, and under load one round trip serves many. `run` returns one result, error or `LATER` for each item, in
 * order, and never `LATER` for all. If it fails as a whole, the items are split until only the culprits fail (see
 * `runApart`), so `run` must be safe to repeat. A run that does not finish in time fails as SERVICE_UNAVAILABLE: nobody
 * waits behind it any longer, and whether it took effect is unknown, as after a lost connection.
 *
 * The returned function throws the error that `run` returned for its item, and {PlatformError} SERVICE_UNAVAILABLE if
 * too many items wait.
 */
export function batched<Item, Result>(
  run: (items: readonly Item[], key: string) => Promise<readonly (Result | Error | typeof LATER)[]>,
  options: BatchOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const { key, isLarge, itemsMax = 100, waitingMax = Infinity, timeoutMs = DB_TIMEOUT_MS } = options;
  const queues = new Map<string, Waiting<Item, Result>[]>();

  /** Settles a batch, and returns the items that are left for later. */
  const settle = async (of: string, batch: readonly Waiting<Item, Result>[]): Promise<Waiting<Item, Result>[]> => {
    const items = batch.map(({ item }) => item);
    const outcomes = await runApart(items, async (some) => {
      const found = await inTime(run(some, of), timeoutMs);
      if (found.length === some.length) return found;
      throw new TypeError(`a run returned ${found.length} outcomes for ${some.length} items`);
    });
    const later = batch.filter((_, index) => outcomes[index] === LATER);
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome instanceof Error) reject(outcome);
      else if (outcome !== LATER) resolve(outcome as Result);
      else if (later.length === batch.length) reject(new TypeError('a run left all of its items for later'));
    }
    return later.length === batch.length ? [] : later;
  };

  const drain = async (of: string, queue: Waiting<Item, Result>[]): Promise<void> => {
    while (queue.length > 0) {
      // Calls that shared one run continue in the same turn of the loop, and share the next run too.
      await turn();
      const runs = [settle(of, queue.splice(0, itemsMax))];
      while (key === undefined && queue.length > 0) runs.push(settle(of, queue.splice(0, itemsMax)));
      queue.unshift(...(await Promise.all(runs)).flat());
    }
    queues.delete(of);
  };

  return (item) =>
    new Promise((resolve, reject) => {
      const of = key === undefined ? '' : key(item);
      const waiting = { item, resolve, reject };
      const queue = queues.get(of);
      if (isLarge?.(item)) void settle(of, [waiting]);
      else if (queue === undefined) {
        const first = [waiting];
        queues.set(of, first);
        void drain(of, first);
      } else if (queue.length < waitingMax) queue.push(waiting);
      else reject(tryAgainShortly('Too many requests are waiting; try again shortly.'));
    });
}
