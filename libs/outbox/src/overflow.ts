import { randomUUID } from 'node:crypto';
import type { Model } from 'mongoose';
import { type OutboxEntry, outboxesOf, UNPUBLISHED, type WithOutbox } from './outbox.ts';

/** A collection in the database of the documents whose events it holds. */
export const OVERFLOW_COLLECTION = 'outbox_overflow';
/**
 * A document with more unpublished events than this moves them out: it would grow with each, and every write would
 * rewrite them all.
 */
const ENTRIES_KEPT_MAX = 500;
const ENTRIES_IN_ONE = 1_000;
/** In this time the busiest document grows by a few megabytes. */
const SEARCHED_EVERY_MS = 30_000;
/** How often a replica that knows of no moved events looks for some whose document does not name them. */
const LOOKED_EVERY_MS = 60_000;

/** The type of an entry that stands for events that were moved out. Its id is that of the document they are in. */
const MOVED = 'outbox.moved';

/** Whether an entry stands for events that were moved out, and are published before the entries after it. */
export function isMoved({ type }: { type: string }): boolean {
  return type === MOVED;
}

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
    const outbox = (found.outbox ?? []).filter((entry) => !isMoved(entry));
    for (let at = 0; at < outbox.length; at += ENTRIES_IN_ONE) {
      const entries = outbox.slice(at, at + ENTRIES_IN_ONE);
      const _id = randomUUID();
      await overflow.insertOne({ _id, collection, documentId, outbox: entries });
      const marker = { id: _id, type: MOVED, at: entries[0]?.at };
      const moved = { $filter: { input: '$outbox', cond: { $eq: ['$$this.type', MOVED] } } };
      const rest = {
        $filter: {
          input: '$outbox',
          cond: {
            $and: [{ $ne: ['$$this.type', MOVED] }, { $not: [{ $in: ['$$this.id', entries.map(({ id }) => id)] }] }],
          },
        },
      };
      await documents.updateOne({ _id: documentId }, [
        { $set: { outbox: { $concatArrays: [moved, [marker], rest] } } },
      ]);
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

    /**
     * When the oldest event in the overflow was written; undefined if this replica knows of none. `isNamed`: whether a
     * document names some.
     */
    async oldestMs(isNamed: boolean): Promise<number | undefined> {
      if (!isNamed && performance.now() < looksFromMs) return undefined;
      const oldest = await overflow.findOne(
        { collection },
        { projection: { 'outbox.at': 1 }, sort: { 'outbox.at': 1 } },
      );
      looksFromMs = oldest === null ? performance.now() + LOOKED_EVERY_MS : 0;
      return oldest === null ? undefined : (oldest.outbox[0]?.at.getTime() ?? Date.now());
    },

    /** Everything that was moved, each with its document; undefined if that is gone. In order for each document. */
    async *all(): AsyncGenerator<{ kept: Overflow; document: Doc | undefined }> {
      const parts = await overflow.find({ collection }, { projection: { documentId: 1 } }).toArray();
      for (const [documentId, some] of Map.groupBy(parts, (part) => part.documentId)) {
        const document = (await documents.findOne<Doc>({ _id: documentId })) ?? undefined;
        const order = new Map((document?.outbox ?? []).filter(isMoved).map(({ id }, place) => [id, place]));
        // One that the document does not name yet is a copy of what the document still has.
        const placeOf = ({ _id }: { _id: string }) => order.get(_id) ?? Infinity;
        for (const { _id } of some.toSorted((a, b) => compare(placeOf(a), placeOf(b)))) {
          const kept = await overflow.findOne({ _id });
          if (kept !== null) yield { kept, document };
        }
      }
    },

    /** Removes entries that no longer wait. Other replicas may remove others at the same time. */
    async remove({ _id, documentId }: Overflow, entries: readonly OutboxEntry[]): Promise<void> {
      const removed = { $pull: { outbox: { id: { $in: entries.map(({ id }) => id) } } } };
      const left = await overflow.findOneAndUpdate({ _id }, removed, { returnDocument: 'after' });
      if (left !== null && left.outbox.length > 0) return;
      await documents.updateOne({ _id: documentId }, { $pull: { outbox: { id: _id } } });
      await overflow.deleteOne({ _id });
    },
  };
}

/** Two that are both unknown have no order: their difference is not a number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
