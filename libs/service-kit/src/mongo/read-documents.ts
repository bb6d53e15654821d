import type { Collection, mongo } from 'mongoose';
import type { StoredDocument } from './collection.ts';
import { batched } from '../concurrency/batched.ts';

/** The documents with these ids, by id. */
export async function documentsById<Doc extends StoredDocument>(
  collection: Collection<Doc>,
  ids: readonly string[],
  projection: mongo.Document,
): Promise<Map<string, Doc>> {
  if (ids.length === 0) return new Map();
  const among = { _id: { $in: [...new Set(ids)] } } as mongo.Filter<Doc>;
  const found = await collection.find<Doc>(among, { projection }).toArray();
  return new Map(found.map((document) => [document._id, document]));
}

/**
 * Returns a function that reads the document with an id. Concurrent calls are batched; `together`: how many documents
 * are read in one round trip, few where large ones should not delay the others.
 */
export function readDocuments<Doc extends StoredDocument>(
  collection: Collection<Doc>,
  { projection, together }: { projection: mongo.Document; together?: number },
): (id: string) => Promise<Doc | undefined> {
  return batched(
    async (ids: readonly string[]) => {
      const documents = await documentsById(collection, ids, projection);
      return ids.map((id) => documents.get(id));
    },
    together === undefined ? {} : { itemsMax: together },
  );
}
