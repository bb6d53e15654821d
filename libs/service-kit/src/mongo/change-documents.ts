import type { Collection, mongo } from 'mongoose';
import type { StoredDocument } from './collection.ts';
import { batched } from '../concurrency/batched.ts';
import { failedWrites, isOvertaken } from './mongo.ts';
import { documentsById } from './read-documents.ts';

/** A change of the document `id`, made only if it matches `where`. */
export interface DocumentChange<Doc extends StoredDocument, Known = never> {
  id: string;
  where: mongo.Filter<Doc>;
  update: mongo.UpdateFilter<Doc>;
  /** Whether a document, read later, includes this change: it may have changed further since. */
  isMadeIn: (document: Doc) => boolean;
  /** What to resolve with, instead of the document, if the change is certainly made now: then nothing is read. */
  known?: Known;
}

/**
 * Returns a function that makes a conditional change, and resolves with the document that has it, or with what the
 * caller knows of that; undefined if none matched. Concurrent calls are batched: one alone is one command; of many, all
 * writes are one command, and one read shows what they made.
 */
export function changeDocuments<Doc extends StoredDocument>(
  collection: Collection<Doc>,
  { projection = {} }: { projection?: mongo.Document } = {},
): <Known = never>(change: DocumentChange<Doc, Known>) => Promise<Doc | Known | undefined> {
  type Change = DocumentChange<Doc, unknown>;
  const filterOf = ({ id, where }: Change): mongo.Filter<Doc> => ({ ...where, _id: id });
  const changeOne = async (change: Change): Promise<unknown> => {
    const { update, known } = change;
    if (known !== undefined) {
      const { matchedCount } = await collection.updateOne(filterOf(change), update);
      return matchedCount === 1 ? known : undefined;
    }
    const options = { returnDocument: 'after', projection } as const;
    return (await collection.findOneAndUpdate(filterOf(change), update, options)) ?? undefined;
  };

  const make = batched(async (changes: readonly Change[]): Promise<unknown[]> => {
    const [first] = changes;
    if (first !== undefined && changes.length === 1) return [await changeOne(first)];
    // Always in the order of their ids: databases that lock all documents of a command cannot deadlock two of them.
    const ordered = changes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const writes = ordered.map((change) => ({ updateOne: { filter: filterOf(change), update: change.update } }));
    const { matchedCount, failed } = await collection
      .bulkWrite(writes, { ordered: false })
      .then((result) => ({ matchedCount: result.matchedCount, failed: [] }))
      .catch((failure: unknown) => ({ matchedCount: undefined, failed: failedWrites(failure) }));
    const isKnown = ({ known }: Change) => known !== undefined && matchedCount === changes.length;
    const errors = new Map(failed.map(({ index, error }) => [ordered[index], error]));
    const unknown = changes.filter((change) => !isKnown(change)).map(({ id }) => id);
    const documents = await documentsById(collection, unknown, projection);
    return await Promise.all(
      changes.map(async (change) => {
        if (isKnown(change)) return change.known;
        const error = errors.get(change);
        if (error !== undefined) return isOvertaken(error) ? await changeOne(change) : error;
        const document = documents.get(change.id);
        return document !== undefined && change.isMadeIn(document) ? document : undefined;
      }),
    );
  });
  return async <Known>(change: DocumentChange<Doc, Known>) => (await make(change)) as Doc | Known | undefined;
}
