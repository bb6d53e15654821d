import mongoose, { type Collection, type Model } from 'mongoose';

/** A document of this platform: its `_id` is a string that the platform creates or derives. */
export interface StoredDocument {
  _id: string;
}

/** The fields that no reader needs: unpublished events, and search terms. */
export const UNREAD = { outbox: 0, terms: 0 } as const;

/** The size of `document` in the database, without its unpublished events and search terms. */
export function storedBytes(document: object): number {
  const counted = { ...document, outbox: undefined, terms: undefined };
  return mongoose.mongo.BSON.calculateObjectSize(counted, { ignoreUndefined: true });
}

/** A document that the driver returned as bytes. Strings are not validated, as in `openMongo`. */
export function decodeDocument(bytes: Uint8Array): object {
  return mongoose.mongo.BSON.deserialize(bytes, { validation: { utf8: false } });
}

/**
 * The driver's collection of `model`, typed by the model's documents: how every repository reads and writes. Mongoose
 * connects, and its schemas declare the documents and indexes; the driver runs the commands, without a cast, a
 * validation or a copy in between. So repositories build filters themselves, and only from validated values.
 */
export function collectionOf<Doc extends StoredDocument>(model: Model<Doc>): Collection<Doc> {
  return model.db.collection<Doc>(model.collection.name);
}
