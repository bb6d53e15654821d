import { randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';
import { type OutboxEntry, outboxesOf, UNPUBLISHED, type WithOutbox } from './outbox.ts';

/** In the database of the documents whose events it holds. */
export const OVERFLOW_COLLECTION = 'outbox_overflow';
/**
 * A document with more unpublished events than this moves them out: it would grow with each, and every write would
 * rewrite them all.
 */
const ENTRIES_KEPT_MAX = 500;
const ENTRIES_IN_ONE = 1_000;
/** In this time the busiest document grows by a few megabytes. */
const SEARCHED_EVERY_MS = 30_000;
/** How often a replica that knows of no moved events looks whether another one moved some. */
const LOOKED_EVERY_MS = 10_000;

/** Whether a document has to move its events out. */
export function isOverfull({ outbox = [] }: WithOutbox): boolean {
  return outbox.length > ENTRIES_KEPT_MAX;
}

/** Unpublished events of one document, stored apart from it. */
export interface Overflow {
  _id: string;
  collection: string;
  documentId: string;
  outbox: OutboxEntry[];
}

/**
 * Stores the events of documents that have too many of them because the broker has stored nothing for a while. This
 * bounds the size of a document without losing an event or refusing a request.
 */
export function overflowOf<Doc extends WithOutbox>(model: Model<Doc>) {
  const documents = outboxesOf(model);
  const collection = documents.name;
  const overflow = model.db.collection<Overflow>(OVERFLOW_COLLECTION);
  const unpublished = { collection, 'outbox.0': { $exists: true } };
  let searchedAtMs = performance.now();
  let looksFromMs = 0;

  /**
   * Moves the events of a document that has too many. Safe to repeat, also while other replicas do it: an event is
   * stored here before it is removed there, and one that is here twice has the same id.
   */
  const takeIn = async (documentId: string): Promise<void> => {
    const found = await documents.findOne({ _id: documentId }, { projection: { outbox: 1 } });
    if (found === null || !isOverfull(found)) return;
    looksFromMs = 0;
    const { outbox = [] } = found;
    for (let at = 0; at < outbox.length; at += ENTRIES_IN_ONE) {
      const entries = outbox.slice(at, at + ENTRIES_IN_ONE);
      await overflow.insertOne({ _id: randomUUID(), collection, documentId, outbox: entries });
      await documents.updateOne(
        { _id: documentId },
        { $pull: { outbox: { id: { $in: entries.map(({ id }) => id) } } } },
      );
    }
  };

  return {
    takeIn,

    /**
     * Finds documents that collected too many events since a sweep began, and moves those; at most every 30 seconds,
     * because it reads everything that waits.
     */
    async search(): Promise<void> {
      if (performance.now() - searchedAtMs < SEARCHED_EVERY_MS) return;
      searchedAtMs = performance.now();
      const full = documents.find(
        { ...UNPUBLISHED, [`outbox.${ENTRIES_KEPT_MAX}`]: { $exists: true } },
        { projection: { _id: 1 } },
      );
      for await (const { _id } of full) await takeIn(_id);
    },

    /** When the oldest event in the overflow was written; undefined if this replica knows of none. */
    async oldestMs(): Promise<number | undefined> {
      if (performance.now() < looksFromMs) return undefined;
      const oldest = await overflow.findOne(unpublished, {
        projection: { 'outbox.at': 1 },
        sort: { 'outbox.at': 1 },
      });
      looksFromMs = oldest === null ? performance.now() + LOOKED_EVERY_MS : 0;
      return oldest?.outbox[0]?.at.getTime();
    },

    /** Everything that was moved, each with its document; undefined if that is gone. */
    async *all(): AsyncGenerator<{ overflow: Overflow; document: Doc | undefined }> {
      for await (const one of overflow.find(unpublished)) {
        const document = await documents.findOne<Doc>({ _id: one.documentId });
        yield { overflow: one, document: document ?? undefined };
      }
    },

    /** Removes entries that no longer wait. Other replicas may remove others at the same time. */
    async remove({ _id }: Overflow, entries: readonly OutboxEntry[]): Promise<void> {
      await overflow.updateOne({ _id }, { $pull: { outbox: { id: { $in: entries.map(({ id }) => id) } } } });
      await overflow.deleteOne({ _id, outbox: { $size: 0 } });
    },
  };
}
