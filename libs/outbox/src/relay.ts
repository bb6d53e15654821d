import type { DomainEvent } from '@event-commerce/contracts';
import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import { traceIdOf } from '@event-commerce/telemetry';
import { reportOutboxLag } from './outbox-lag.ts';
import type { OutboxEntry, WithOutbox } from './outbox.ts';

const SWEEP_EVERY_MS = 1_000;
const SWEEP_DOCUMENTS_MAX = 200;

/** One collection whose documents keep events, and how an entry and its document make the event. */
export interface RelaySource<Doc extends WithOutbox> {
  model: Model<Doc>;
  toEvent: (entry: OutboxEntry, document: Doc) => DomainEvent;
}

export interface Relay<Doc extends WithOutbox> {
  /** Publishes the entries of `document` as it was just written. Does not wait, and cannot fail: what is left is swept. */
  publish(document: Doc): void;
  /** Stops sweeping and waits for what is being published. */
  stop(): Promise<void>;
}

/**
 * Publishes the events kept in one collection's documents and then removes them. Entries are published right after the
 * write; the sweeper publishes what a crash or an outage left: an entry that is still there a whole sweep later. No clock
 * is compared, so a wrong one neither delays nor repeats an event. At least once: a repeat has the same message id.
 */
export function startRelay<Doc extends WithOutbox>(options: {
  source: RelaySource<Doc>;
  publishEvent: (event: DomainEvent) => Promise<void>;
  logger: Logger;
  sweepEveryMs?: number;
}): Relay<Doc> {
  const { model, toEvent } = options.source;
  const reportLag = reportOutboxLag(model.collection.name);
  const underWay = new Map<string, Promise<void>>();
  const published = new Map<string, string[]>();
  let removing: Promise<void> | undefined;
  let seenBySweep = new Set<string>();
  let stopped = false;

  const publishEntries = async (document: Doc, entries: OutboxEntry[]): Promise<void> => {
    const done: string[] = [];
    try {
      // One after the other: consumers of one entity see its facts in order.
      for (const entry of entries) {
        await options.publishEvent(toEvent(entry, document));
        done.push(entry.id);
      }
    } catch (err) {
      const traceId = traceIdOf(entries[done.length]?.traceparent);
      options.logger.warn(
        { err, document: document._id, traceId },
        'an event could not be published yet; the sweep will',
      );
    }
    if (done.length > 0) {
      published.set(document._id, [...(published.get(document._id) ?? []), ...done]);
      removing ??= removePublished();
      await removing;
    }
  };

  // One update removes the entries of all documents that were published while the previous update ran.
  const removePublished = async (): Promise<void> => {
    while (published.size > 0) {
      const documentIds = [...published.keys()];
      const entryIds = [...published.values()].flat();
      published.clear();
      try {
        await model.collection.updateMany({ _id: { $in: documentIds } } as never, {
          $pull: { outbox: { id: { $in: entryIds } } } as never,
        });
      } catch (err) {
        options.logger.warn({ err }, 'published events could not be removed yet; they will be published again');
      }
    }
    removing = undefined;
  };

  const start = (document: Doc, entries: OutboxEntry[]): void => {
    const fresh = entries.filter((entry) => !underWay.has(entry.id));
    if (fresh.length === 0) return;
    const running = publishEntries(document, fresh).finally(() => {
      for (const entry of fresh) underWay.delete(entry.id);
    });
    for (const entry of fresh) underWay.set(entry.id, running);
  };

  const sweep = async (): Promise<void> => {
    const documents = (await model.collection
      .find({ 'outbox.id': { $gt: '' } } as never)
      .limit(SWEEP_DOCUMENTS_MAX)
      .toArray()) as unknown as Doc[];
    reportLag(documents);
    const seen = new Set<string>();
    for (const document of documents) {
      const entries = document.outbox ?? [];
      for (const entry of entries) seen.add(entry.id);
      if (entries.some((entry) => seenBySweep.has(entry.id))) start(document, entries);
    }
    seenBySweep = seen;
  };

  let sweeping: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweeping.then(async () => {
      if (stopped) return;
      try {
        await sweep();
      } catch (err) {
        options.logger.warn({ err }, 'the sweep for unpublished events failed; the next one follows');
      }
    });
  }, options.sweepEveryMs ?? SWEEP_EVERY_MS);

  return {
    publish: (document) => {
      if (document.outbox?.length) start(document, document.outbox);
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await sweeping;
      await Promise.all(underWay.values());
    },
  };
}
