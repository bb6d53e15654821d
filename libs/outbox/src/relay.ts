import { setTimeout as delay } from 'node:timers/promises';
import { DOMAIN_EVENTS, type DomainEvent, UnpublishableEventError } from '@event-commerce/contracts';
import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import { traceIdOf } from '@event-commerce/telemetry';
import { reportOutboxLag } from './outbox-lag.ts';
import { type OutboxEntry, outboxesOf, UNPUBLISHED, type WithOutbox } from './outbox.ts';
import { isMoved, isOverfull, overflowOf } from './overflow.ts';
import { countParked, type ParkedEvent, parkEvents } from './parked.ts';
import { NOT_REMOVED, publishedEvents, type Waiting } from './published-events.ts';
import { inRounds, writtenEvents } from './rounds.ts';

/** How long events wait for others, to share one round trip to the broker. */
const LINGER_MS = 50;
const SWEEP_EVERY_MS = 1_000;
/** Sweeps are this many times rarer while they find nothing. */
const IDLE_SWEEPS = 5;
/** How many documents one query looks up. */
const CHUNK_DOCUMENTS = 500;
/** How many documents are in memory at once: each may be large. */
const READ_AT_ONCE = 20;
/** The most documents that one sweep covers; the next one continues. */
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
 * after the write. The sweep publishes what a crash or an outage left: entries that are still there one sweep later,
 * because under load many are published and wait to be removed. No clocks are compared, so a wrong one neither delays
 * nor repeats an event. At least once: a repeat has the same message id.
 *
 * The events of one document are published in the order in which they were written: one that cannot be published yet
 * delays the later ones of its document, and no others. An event that can never be published is parked with the reason.
 * One of a type that only a newer release knows waits for that release, and delays none.
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
  /** Events that are queued or being published. */
  const underWay = new Set<string>();
  /** Published, but still in their documents. */
  const notRemoved = new Set<string>();
  /** Documents with an event that could not be published: their later ones wait until the sweep reads them again. */
  const stuck = new Set<string>();
  /** Documents that the sweep is publishing. */
  const swept = new Set<string>();
  /** Removed since the last sweep began to read: what it reads may be from before that. */
  const removedSince = new Set<string>();
  const stopping = new AbortController();
  let rounds: Promise<void> | undefined;
  let seenBySweep = new Set<string>();
  /** Whether the next sweep has something to do, as far as this process knows. */
  let isLeft = true;
  const overflow = overflowOf(model);
  countParked(0, { collection });

  const published = publishedEvents<Doc>({
    stored,
    logger,
    stopping: stopping.signal,
    removed: ({ entry }) => {
      notRemoved.delete(entry.id);
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

  /** Publishes events of one document, in order. Once one fails, the later ones are left. */
  const publishInOrder = async (events: readonly Waiting<Doc>[]) => {
    const outcomes: ({ one: Waiting<Doc> } & Outcome)[] = [];
    for (const one of events) {
      const { _id } = one.document;
      if (stuck.has(_id)) break;
      const outcome = await publishOne(one);
      if (outcome.kind === 'failed') {
        stuck.add(_id);
        isLeft = true;
      }
      outcomes.push({ one, ...outcome });
    }
    return outcomes;
  };

  /** Returns how many entries no longer wait, and whether any failed. */
  const publishRound = async (
    round: readonly Waiting<Doc>[],
    remove = published.remove,
  ): Promise<{ done: number; failed: boolean }> => {
    try {
      const documents = Map.groupBy(round, ({ document }) => document._id);
      const outcomes = (await Promise.all(documents.values().map(publishInOrder))).flat();
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
      for (const { entry } of done) notRemoved.add(entry.id);
      if (done.length > 0) await remove(done);
      return { done: done.length, failed: failed !== undefined };
    } catch (err) {
      logger.warn({ err, collection }, NOT_REMOVED);
      isLeft = true;
      return { done: 0, failed: true };
    } finally {
      for (const one of round) {
        underWay.delete(one.entry.id);
        if (!published.has(one)) notRemoved.delete(one.entry.id);
      }
    }
  };

  const runRounds = async (): Promise<void> => {
    while (!written.isEmpty()) {
      if (!stopping.signal.aborted) await delay(LINGER_MS);
      await publishRound(written.takeRound(), published.removeSoon);
    }
    rounds = undefined;
  };

  /** What is to be published of a document; nothing if earlier events were moved out of it, which go first. */
  const entriesOf = (document: Doc): Waiting<Doc>[] => {
    const { outbox = [] } = document;
    if (outbox.some(isMoved)) return [];
    return outbox
      .filter(({ id }) => !underWay.has(id) && !notRemoved.has(id) && !removedSince.has(id))
      .map((entry) => ({ document, entry }));
  };

  /** The same for the sweep, which then publishes the document alone. */
  const entriesToSweep = (document: Doc): Waiting<Doc>[] => {
    if ((document.outbox ?? []).some(({ id }) => underWay.has(id))) return [];
    swept.add(document._id);
    stuck.delete(document._id);
    return entriesOf(document);
  };

  const publishChunk = async (ids: readonly string[]): Promise<void> => {
    removedSince.clear();
    // Read only now: another replica may have published them since the sweep found them.
    const found = stored.find<Doc>({ _id: { $in: [...ids] }, 'outbox.0': { $exists: true } }).batchSize(READ_AT_ONCE);
    try {
      for await (const round of inRounds(found, entriesToSweep)) {
        if (stopping.signal.aborted) return;
        for (const { entry } of round) underWay.add(entry.id);
        if ((await publishRound(round)).done === 0) await pauseInOutage();
      }
    } finally {
      swept.clear();
    }
  };

  /** For when nothing can be published: the broker is down, or stores nothing. */
  const pauseInOutage = async (): Promise<void> => {
    await overflow.search();
    await delay(sweepEveryMs, undefined, stopping).catch(() => undefined);
  };

  const publishOverflow = async (): Promise<void> => {
    for await (const { kept, document } of overflow.all()) {
      if (stopping.signal.aborted) return;
      const { documentId, outbox } = kept;
      if (document === undefined) {
        const reason = 'its document is gone';
        const lost = outbox.map((entry) => ({ _id: entry.id, collection, documentId, entry, reason }));
        if (lost.length > 0) await parkEvents(model.db, lost, logger);
        await overflow.remove(kept, outbox);
        continue;
      }
      if (stuck.has(documentId)) continue;
      const waitingHere = outbox.map((entry) => ({ document, entry }));
      for await (const round of inRounds([document], () => waitingHere)) {
        const remove = async (some: readonly Waiting<Doc>[]) =>
          overflow.remove(
            kept,
            some.map(({ entry }) => entry),
          );
        const { done, failed } = await publishRound(round, remove);
        // In an outage each document takes a while to fail; the next sweep retries them.
        if ((done === 0 && failed) || stopping.signal.aborted) return;
      }
      if (outbox.length === 0) await overflow.remove(kept, []);
    }
  };

  /** Another replica may have published what this one could not. */
  const forgetStuck = (before: readonly string[], found: readonly WithOutbox[]): void => {
    if (before.length === 0 || found.length === SWEEP_DOCUMENTS_MAX) return;
    const waiting = new Set(found.map(({ _id }) => _id));
    for (const id of before) if (!waiting.has(id)) stuck.delete(id);
  };

  /** Returns whether it found any event, published or not. */
  const sweep = async (): Promise<boolean> => {
    const stuckBefore = [...stuck];
    const found = await stored
      .find(UNPUBLISHED, { projection: { 'outbox.id': 1, 'outbox.at': 1, 'outbox.type': 1 } })
      .limit(SWEEP_DOCUMENTS_MAX)
      .toArray();
    forgetStuck(stuckBefore, found);
    const entriesIn = (documents: readonly WithOutbox[]) => documents.flatMap(({ outbox = [] }) => outbox);
    const due = found.filter((document) => entriesIn([document]).some(({ id }) => seenBySweep.has(id)));
    seenBySweep = new Set(entriesIn(found).map(({ id }) => id));
    for (const { _id } of due.filter(isOverfull)) await overflow.takeIn(_id);
    const oldestInOverflowMs = await overflow.oldestMs(entriesIn(found).some(isMoved));
    let oldestMs = oldestInOverflowMs;
    for (const { at } of entriesIn(found)) oldestMs = Math.min(oldestMs ?? Infinity, at.getTime());
    reportLag(oldestMs);
    // Each replica goes through a backlog in its own order, and skips what others have done.
    const chunks = Array.from({ length: Math.ceil(due.length / CHUNK_DOCUMENTS) }, (_, n) => ({
      ids: due.slice(n * CHUNK_DOCUMENTS, (n + 1) * CHUNK_DOCUMENTS).map(({ _id }) => _id),
      place: Math.random(),
    }));
    for (const { ids } of chunks.toSorted((a, b) => a.place - b.place)) {
      if (stopping.signal.aborted) break;
      await publishChunk(ids);
    }
    if (oldestInOverflowMs !== undefined) await publishOverflow();
    return oldestMs !== undefined;
  };

  const runSweeps = async (): Promise<void> => {
    let skipped = 0;
    while (!stopping.signal.aborted) {
      await delay(sweepEveryMs, undefined, stopping).catch(() => undefined);
      if (stopping.signal.aborted) return;
      if (!isLeft && ++skipped < IDLE_SWEEPS) continue;
      [isLeft, skipped] = [false, 0];
      try {
        if (await sweep()) isLeft = true;
      } catch (err) {
        isLeft = true;
        logger.warn({ err }, 'the sweep for unpublished events failed; the next one follows');
      }
    }
  };
  const sweeping = runSweeps();

  return {
    publish: (document) => {
      if (stuck.has(document._id) || swept.has(document._id)) return;
      const entries = entriesOf(document);
      if (entries.length === 0) return;
      if (!written.add(document, entries)) {
        isLeft = true;
        return;
      }
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
