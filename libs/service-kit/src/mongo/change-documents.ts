import type { Collection, mongo } from 'mongoose';
import type { StoredDocument } from './collection.ts';
import { batched } from '../concurrency/batched.ts';
import { failedWrites, isOvertaken } from './mongo.ts';

/** A change of the document `id`, made only if it matches `where`. */
export interface DocumentChange<Doc extends StoredDocument> {
  id: string;
  where: mongo.Filter<Doc>;
  update: mongo.UpdateFilter<Doc>;
  /** Whether a document, read later, includes this change: it may have changed further since. */
  isMadeIn: (document: Doc) => boolean;
}

/**
 * Returns a function that makes a conditional change, and resolves with the document that has it; undefined if none
 * matched. Concurrent calls are batched: one alone is one command; of many, all writes are one command, and one read
 * shows what they made.
 */
export function changeDocuments<Doc extends StoredDocument>(
  collection: Collection<Doc>,
  { projection = {} }: { projection?: mongo.Document } = {},
): (change: DocumentChange<Doc>) => Promise<Doc | undefined> {
  const filterOf = ({ id, where }: DocumentChange<Doc>): mongo.Filter<Doc> => ({ ...where, _id: id });
  const changeOne = async (change: DocumentChange<Doc>): Promise<Doc | undefined> => {
    const options = { returnDocument: 'after', projection } as const;
    return ((await collection.findOneAndUpdate(filterOf(change), change.update, options)) ?? undefined) as
      | Doc
      | undefined;
  };

  return batched(async (changes: readonly DocumentChange<Doc>[]) => {
    const [first] = changes;
    if (first !== undefined && changes.length === 1) return [await changeOne(first)];
    // Always in the order of their ids: databases that lock all documents of a command cannot deadlock two of them.
    const ordered = changes.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const writes = ordered.map((change) => ({ updateOne: { filter: filterOf(change), update: change.update } }));
    const failed = await collection.bulkWrite(writes, { ordered: false }).then(() => [], failedWrites);
    const errors = new Map(failed.map(({ index, error }) => [ordered[index], error]));
    const ids = new Set(changes.map(({ id }) => id));
    const among = { _id: { $in: [...ids] } } as mongo.Filter<Doc>;
    const found = await collection.find<Doc>(among, { projection }).toArray();
    const documents = new Map(found.map((document) => [document._id, document]));
    return await Promise.all(
      changes.map(async (change) => {
        const error = errors.get(change);
        if (error !== undefined) return isOvertaken(error) ? await changeOne(change) : error;
        const document = documents.get(change.id);
        return document !== undefined && change.isMadeIn(document) ? document : undefined;
      }),
    );
  });
}
