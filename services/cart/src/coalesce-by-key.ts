import { setImmediate as turn } from 'node:timers/promises';
import { PlatformError } from '@event-commerce/contracts';
import { runApart } from '@event-commerce/service-kit';

const BATCH_MAX = 200;
/** How many requests may wait for one key. */
const WAITING_MAX = 2_000;

interface Waiting<Request, Result> {
  request: Request;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** What became of one request of a batch. */
export type Settled<Result> = { result: Result } | { error: unknown };

/**
 * Runs requests for one key as batches, one after the other: what arrives in one turn of the loop, or while a batch runs, makes the
 * next batch. So many requests for one thing cost a few runs instead of one each, and never race each other within this process.
 * `run` answers one outcome for each request, in order; those that it leaves undefined, which are never all, lead the next batch.
 * When it throws, the requests are run apart, one after the other, until only those fail that make it throw (see `runApart`).
 *
 * The returned function throws {PlatformError} SERVICE_UNAVAILABLE when too many requests wait for the key.
 */
export function coalesceByKey<Request, Result>(
  run: (key: string, batch: readonly Request[]) => Promise<readonly (Settled<Result> | Error | undefined)[]>,
): (key: string, request: Request) => Promise<Result> {
  const waitingByKey = new Map<string, Waiting<Request, Result>[]>();

  const drain = async (key: string, waiting: Waiting<Request, Result>[]): Promise<void> => {
    while (waiting.length > 0) {
      // What goes on in the same turn of the loop goes on together: those who shared one batch share the next one too.
      await turn();
      const batch = waiting.splice(0, BATCH_MAX);
      const requests = batch.map(({ request }) => request);
      const outcomes = await runApart(requests, (some) => run(key, some));
      const later = batch.filter((_, index) => outcomes[index] === undefined);
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) {
          if (later.length === batch.length) reject(new TypeError('a batch answered none of its requests'));
        } else if (outcome instanceof Error) reject(outcome);
        else if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.result);
      }
      if (later.length < batch.length) waiting.unshift(...later);
    }
    waitingByKey.delete(key);
  };

  return (key, request) =>
    new Promise<Result>((resolve, reject) => {
      const waiting = waitingByKey.get(key);
      if (waiting === undefined) {
        const first = [{ request, resolve, reject }];
        waitingByKey.set(key, first);
        void drain(key, first);
      } else if (waiting.length >= WAITING_MAX) {
        reject(
          new PlatformError('SERVICE_UNAVAILABLE', 'Too many requests are waiting; try again shortly.', {
            retryAfterSeconds: 1,
          }),
        );
      } else {
        waiting.push({ request, resolve, reject });
      }
    });
}
