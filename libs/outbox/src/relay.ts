import { setTimeout as delay } from 'node:timers/promises';
import type { DomainEvent } from '@event-commerce/contracts';
import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import { traceIdOf } from '@event-commerce/telemetry';
import { reportOutboxLag } from './outbox-lag.ts';
import { type OutboxEntry, UNPUBLISHED, type WithOutbox } from './outbox.ts';

/** Events wait so long for others, to share one round trip to the broker and one to the database. */
const LINGER_MS = 50;
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
 * write, many together; the sweeper publishes what a crash or an outage left: an entry that is still there a whole sweep later. No clock
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
  const waiting: { document: Doc; entry: OutboxEntry }[] = [];
  const underWay = new Set<string>();
  let rounds: Promise<void> | undefined;
  let seenBySweep = new Set<string>();
  let stopped = false;

  const remove = async (published: typeof waiting): Promise<void> => {
    const documentIds = [...new Set(published.map(({ document }) => document._id))];
    const entryIds = published.map(({ entry }) => entry.id);
    try {
      await model.collection.updateMany({ _id: { $in: documentIds } } as never, {
        $pull: { outbox: { id: { $in: entryIds } } } as never,
      });
    } catch (err) {
      options.logger.warn({ err }, 'published events could not be removed yet; they will be published again');
    }
  };

  const publishRound = async (round: typeof waiting): Promise<void> => {
    // Sent in order, and in one go. One that fails is published after later ones; consumers tell by the version.
    const outcomes = await Promise.allSettled(
      round.map(async ({ document, entry }) => options.publishEvent(toEvent(entry, document))),
    );
    const [failed] = outcomes.flatMap((outcome, index) =>
      outcome.status === 'rejected' ? [{ err: outcome.reason as unknown, entry: round[index]?.entry }] : [],
    );
    if (failed !== undefined) {
      const { err, entry } = failed;
      const about = { err, eventId: entry?.id, traceId: traceIdOf(entry?.traceparent) };
      options.logger.warn(about, 'an event could not be published yet, and perhaps others with it; the sweep will');
    }
    const published = round.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    if (published.length > 0) await remove(published);
    for (const { entry } of round) underWay.delete(entry.id);
  };

  const runRounds = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (!stopped) await delay(LINGER_MS);
      await publishRound(waiting.splice(0));
    }
    rounds = undefined;
  };

  const start = (document: Doc): void => {
    for (const entry of document.outbox ?? []) {
      if (underWay.has(entry.id)) continue;
      underWay.add(entry.id);
      waiting.push({ document, entry });
    }
    if (waiting.length > 0) rounds ??= runRounds();
  };

  const sweep = async (): Promise<void> => {
    const documents = (await model.collection
      .find(UNPUBLISHED as never)
      .limit(SWEEP_DOCUMENTS_MAX)
      .toArray()) as unknown as Doc[];
    reportLag(documents);
    const seen = new Set<string>();
    for (const document of documents) {
      const entries = document.outbox ?? [];
      for (const entry of entries) seen.add(entry.id);
      if (entries.some((entry) => seenBySweep.has(entry.id))) start(document);
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
    publish: start,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await sweeping;
      await rounds;
    },
  };
}
