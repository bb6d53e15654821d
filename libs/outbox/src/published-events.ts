import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OutboxEntry, outboxesOf, WithOutbox } from './outbox.ts';

/**
 * How long published events wait for others, to share one round trip to the database: of a document that is written
 * often, several are removed at once. They wait twice as long while they are few. Shorter than a sweep, which would
 * publish them again.
 */
const REMOVE_AFTER_MS = 250;
/** Every write of a document rewrites the events that wait in it. */
const FEW = 100;
const REMOVED_TOGETHER_MAX = 1_000;

export const NOT_REMOVED = 'published events could not be removed yet; they will be published again';

/** An event and the document that stores it. */
export interface Waiting<Doc> {
  document: Doc;
  entry: OutboxEntry;
}

/** Removes published events from their documents. `removed` is called for each that no longer waits to be removed. */
export function publishedEvents<Doc extends WithOutbox>({
  stored,
  logger,
  stopping,
  removed,
}: {
  stored: ReturnType<typeof outboxesOf>;
  logger: Logger;
  stopping: AbortSignal;
  removed: (one: Waiting<Doc>) => void;
}) {
  const waiting = new Set<Waiting<Doc>>();
  let removals: Promise<void> | undefined;

  const remove = async (some: readonly Waiting<Doc>[]): Promise<void> => {
    const documentIds = [...new Set(some.map(({ document }) => document._id))];
    const entryIds = some.map(({ entry }) => entry.id);
    await stored.updateMany({ _id: { $in: documentIds } }, { $pull: { outbox: { id: { $in: entryIds } } } });
  };

  const runRemovals = async (): Promise<void> => {
    const wait = async () => delay(REMOVE_AFTER_MS, undefined, { signal: stopping }).catch(() => undefined);
    while (waiting.size > 0) {
      await wait();
      if (waiting.size < FEW) await wait();
      const some = [...waiting].slice(0, REMOVED_TOGETHER_MAX);
      try {
        await remove(some);
      } catch (err) {
        logger.warn({ err, collection: stored.name }, NOT_REMOVED);
      }
      for (const one of some) {
        waiting.delete(one);
        removed(one);
      }
    }
    removals = undefined;
  };

  return {
    remove,
    removeSoon: async (some: readonly Waiting<Doc>[]): Promise<void> => {
      for (const one of some) waiting.add(one);
      removals ??= runRemovals();
    },
    has: (one: Waiting<Doc>): boolean => waiting.has(one),
    /** Resolves once nothing waits. */
    settled: async (): Promise<void> => await removals,
  };
}
