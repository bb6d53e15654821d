import { setTimeout as delay } from 'node:timers/promises';
import { DOMAIN_EVENTS, type DomainEvent, UnpublishableEventError } from '@event-commerce/contracts';
import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import { traceIdOf } from '@event-commerce/telemetry';
import { reportOutboxLag } from './outbox-lag.ts';
import { type OutboxEntry, outboxesOf, UNPUBLISHED, type WithOutbox } from './outbox.ts';
import { isOverfull, overflowOf } from './overflow.ts';
import { countParked, type ParkedEvent, parkEvents } from './parked.ts';
import { NOT_REMOVED, publishedEvents, type Waiting } from './published-events.ts';
import { inRounds, writtenEvents } from './rounds.ts';

/** How long events wait for others, to share one round trip to the broker. */
const LINGER_MS = 50;
const SWEEP_EVERY_MS = 1_000;
/** How many are looked up with one query. */
const CHUNK_DOCUMENTS = 500;
/** How many of them are in memory at once: each may be large. */
const READ_AT_ONCE = 20;
/** The most that one sweep covers; the next one continues. */
const SWEEP_DOCUMENTS_MAX = 100_000;

/** What became of an entry: `unknown` if only a newer release knows its type. */
type Outcome =
  | { kind: 'published' }
  | { kind: 'parked'; reason: string }
  | { kind: 'failed'; err: unknown }
  | { kind: 'unknown' };

export interface Relay<Doc extends WithOutbox> {
  /**
   * Publishes the entries of `document`, which was just written. Does not wait, and cannot fail: the sweep publishes
   * what is left.
   */
  publish(document: Doc): void;
  /** Stops sweeping and waits for events that are being published. */
  stop(): Promise<void>;
}

/**
 * Publishes the events stored in one collection's documents, then removes them. Entries are published in batches right
 * after the write. The sweep publishes what a crash or an outage left: entries still there a whole sweep later, or
 * everything if there is a backlog. No clocks are compared, so a wrong one neither delays nor repeats an event. At
 * least once: a repeat has the same message id.
 *
 * Each sweep covers everything that waits, so an event that cannot be published delays no other. An event that can
 * never be published is parked with the reason. One of a type that only a newer release knows waits for that release.
 */
export function startRelay<Doc extends WithOutbox>({
  model,
  toEvent,
  publishEvent,
  logger,
  sweepEveryMs = SWEEP_EVERY_MS,
}: {
  model: Model<Doc>;
  toEvent: (entry: OutboxEntry, document: Doc) => DomainEvent;
  publishEvent: (event: DomainEvent) => Promise<void>;
  logger: Logger;
  sweepEveryMs?: number;
}): Relay<Doc> {
  const stored = outboxesOf(model);
  const collection = stored.name;
  const reportLag = reportOutboxLag(collection);
  const written = writtenEvents<Doc>();
  const underWay = new Set<string>();
  /** Removed since the last sweep began to read: what it reads may be from before that. */
  const removedSince = new Set<string>();
  const stopping = new AbortController();
  let rounds: Promise<void> | undefined;
  let seenBySweep = new Set<string>();
  const overflow = overflowOf(model);
  countParked(0, { collection });

  const published = publishedEvents<Doc>({
    stored,
    logger,
    stopping: stopping.signal,
    removed: ({ entry }) => {
      underWay.delete(entry.id);
      removedSince.add(entry.id);
    },
  });

  const publishOne = async ({ document, entry }: Waiting<Doc>): Promise<Outcome> => {
    if (!(entry.type in DOMAIN_EVENTS)) return { kind: 'unknown' };
    let event: DomainEvent;
    try {
      event = toEvent(entry, document);
    } catch (err) {
      return { kind: 'parked', reason: `its event could not be built: ${String(err)}` };
    }
    try {
      await publishEvent(event);
      return { kind: 'published' };
    } catch (err) {
      return err instanceof UnpublishableEventError ? { kind: 'parked', reason: err.message } : { kind: 'failed', err };
    }
  };

  /** Returns how many entries no longer wait, and whether any failed. */
  const publishRound = async (
    round: readonly Waiting<Doc>[],
    remove = published.remove,
  ): Promise<{ done: number; failed: boolean }> => {
    try {
      // Sent in order, and in one go. One that fails is published after later ones; consumers tell by the version.
      const outcomes = await Promise.all(round.map(async (one) => ({ one, ...(await publishOne(one)) })));
      const failed = outcomes.find((outcome) => outcome.kind === 'failed');
      if (failed !== undefined) {
        const { id: eventId, traceparent } = failed.one.entry;
        const about = { err: failed.err, eventId, traceId: traceIdOf(traceparent) };
        logger.warn(about, 'an event could not be published yet, and perhaps others with it; the sweep will retry');
      }
      const parked = outcomes
        .filter((outcome) => outcome.kind === 'parked')
        .map(({ one: { document, entry }, reason }): ParkedEvent => {
          return { _id: entry.id, collection, documentId: document._id, entry, reason };
        });
      if (parked.length > 0) await parkEvents(model.db, parked, logger);
      const done = outcomes.filter(({ kind }) => kind === 'published' || kind === 'parked').map(({ one }) => one);
      if (done.length > 0) await remove(done);
      return { done: done.length, failed: failed !== undefined };
    } catch (err) {
      logger.warn({ err, collection }, NOT_REMOVED);
      return { done: 0, failed: true };
    } finally {
      for (const one of round) if (!published.has(one)) underWay.delete(one.entry.id);
    }
  };

  const runRounds = async (): Promise<void> => {
    while (!written.isEmpty()) {
      if (!stopping.signal.aborted) await delay(LINGER_MS);
      await publishRound(written.takeRound(), published.removeSoon);
    }
    rounds = undefined;
  };

  const entriesOf = (document: Doc, isDue: (entry: OutboxEntry) => boolean = () => true): Waiting<Doc>[] =>
    (document.outbox ?? [])
      .filter((entry) => !underWay.has(entry.id) && !removedSince.has(entry.id) && isDue(entry))
      .map((entry) => ({ document, entry }));

  const publishChunk = async (
    chunk: readonly WithOutbox[],
    isDue: (entry: { id: string }) => boolean,
  ): Promise<void> => {
    removedSince.clear();
    const ids = chunk.filter(({ outbox = [] }) => outbox.some(isDue)).map(({ _id }) => _id);
    if (ids.length === 0) return;
    // Read only now: another replica may have published them since the sweep found them.
    const found = stored.find<Doc>({ _id: { $in: ids }, 'outbox.0': { $exists: true } }).batchSize(READ_AT_ONCE);
    for await (const round of inRounds(found, (document) => entriesOf(document, isDue))) {
      if (stopping.signal.aborted) return;
      for (const { entry } of round) underWay.add(entry.id);
      if ((await publishRound(round)).done === 0) await pauseInOutage();
    }
  };

  /** For when nothing can be published: the broker is down, or stores nothing. */
  const pauseInOutage = async (): Promise<void> => {
    await overflow.search();
    await delay(sweepEveryMs, undefined, stopping).catch(() => undefined);
  };

  const publishOverflow = async (): Promise<void> => {
    for await (const { overflow: kept, document } of overflow.all()) {
      if (stopping.signal.aborted) return;
      if (document === undefined) {
        const reason = 'its document is gone';
        const { documentId } = kept;
        const lost = kept.outbox.map((entry) => ({ _id: entry.id, collection, documentId, entry, reason }));
        await parkEvents(model.db, lost, logger);
        await overflow.remove(kept, kept.outbox);
        continue;
      }
      const waitingHere = kept.outbox.map((entry) => ({ document, entry }));
      for await (const round of inRounds([document], () => waitingHere)) {
        const { done, failed } = await publishRound(round, async (some) =>
          overflow.remove(
            kept,
            some.map(({ entry }) => entry),
          ),
        );
        // In an outage each document takes a while to fail; the next sweep retries them.
        if ((done === 0 && failed) || stopping.signal.aborted) return;
      }
    }
  };

  const sweep = async (): Promise<void> => {
    const found = await stored
      .find(UNPUBLISHED, { projection: { 'outbox.id': 1, 'outbox.at': 1 } })
      .limit(SWEEP_DOCUMENTS_MAX)
      .toArray();
    for (const { _id } of found.filter(isOverfull)) await overflow.takeIn(_id);
    const oldestInOverflowMs = await overflow.oldestMs();
    let oldestMs = oldestInOverflowMs;
    for (const { outbox = [] } of found) {
      for (const { at } of outbox) oldestMs = Math.min(oldestMs ?? Infinity, at.getTime());
    }
    reportLag(oldestMs);
    if (found.length < CHUNK_DOCUMENTS) {
      await publishChunk(found, ({ id }) => seenBySweep.has(id));
      seenBySweep = new Set(found.flatMap(({ outbox = [] }) => outbox.map(({ id }) => id)));
    } else {
      // A backlog. Each replica goes through it in its own order, and skips what others have done.
      const chunks = Array.from({ length: Math.ceil(found.length / CHUNK_DOCUMENTS) }, (_, n) => ({
        documents: found.slice(n * CHUNK_DOCUMENTS, (n + 1) * CHUNK_DOCUMENTS),
        place: Math.random(),
      }));
      for (const { documents } of chunks.toSorted((a, b) => a.place - b.place)) {
        if (stopping.signal.aborted) return;
        await publishChunk(documents, () => true);
      }
    }
    if (oldestInOverflowMs !== undefined) await publishOverflow();
  };

  const runSweeps = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await delay(sweepEveryMs, undefined, stopping).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await sweep();
      } catch (err) {
        logger.warn({ err }, 'the sweep for unpublished events failed; the next one follows');
      }
    }
  };
  const sweeping = runSweeps();

  return {
    publish: (document) => {
      const entries = entriesOf(document);
      if (entries.length === 0 || !written.add(document, entries)) return;
      for (const { entry } of entries) underWay.add(entry.id);
      rounds ??= runRounds();
    },
    stop: async () => {
      stopping.abort();
      await sweeping;
      await rounds;
      await published.settled();
    },
  };
}
