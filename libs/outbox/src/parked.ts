import { counter } from '@event-commerce/telemetry';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { OutboxEntry, WithOutbox } from './outbox.ts';

/** A collection in the database of the documents that the events describe. */
const PARKED_COLLECTION = 'parked_events';

export const countParked = counter('outbox_parked', 'Events that can never be published, parked with the reason.');

/** An event that could not be published, and its origin. */
export interface ParkedEvent {
  /** The event's id. */
  _id: string;
  collection: string;
  documentId: string;
  entry: OutboxEntry;
  reason: string;
}

/** Parks `events`. Safe to repeat: they are removed from their documents only afterwards. */
export async function parkEvents(db: Connection, events: readonly ParkedEvent[], logger: Logger): Promise<void> {
  const parkedAt = new Date();
  await parkedIn(db).bulkWrite(
    events.map(({ _id, ...event }) => ({
      updateOne: { filter: { _id }, update: { $setOnInsert: { ...event, parkedAt } }, upsert: true },
    })),
    { ordered: false },
  );
  for (const { _id: eventId, entry, ...about } of events) {
    countParked(1, { collection: about.collection });
    logger.error({ eventId, type: entry.type, ...about }, 'an event can never be published and was parked');
  }
}

/** Every parked event of a database, or only the one with `id`, oldest first. */
export async function listParked(db: Connection, id?: string): Promise<ParkedEvent[]> {
  return await parkedIn(db)
    .find(id === undefined ? {} : { _id: id })
    .sort({ parkedAt: 1 })
    .toArray();
}

/**
 * Puts a parked event back where its service publishes it from. Safe to repeat. If the cause remains, the event is
 * parked again. Returns whether the document still exists.
 */
export async function replayParked(
  db: Connection,
  { _id, collection, documentId, entry }: ParkedEvent,
): Promise<boolean> {
  const documents = db.collection<WithOutbox>(collection);
  await documents.updateOne({ _id: documentId, 'outbox.id': { $ne: entry.id } }, { $push: { outbox: entry } });
  const kept = (await documents.countDocuments({ _id: documentId })) > 0;
  if (kept) await parkedIn(db).deleteOne({ _id });
  return kept;
}

/** Removes the ids of a customer from the parked events of some documents, and what their writes changed. */
export async function forgetInParked(
  db: Connection,
  { collection, documentIds }: { collection: string; documentIds: readonly string[] },
  { ids, pseudonym }: { ids: readonly string[]; pseudonym: string },
): Promise<void> {
  const parked = parkedIn(db);
  const those = { collection, documentId: { $in: [...documentIds] } };
  await parked.updateMany({ ...those, 'entry.changes': { $exists: true } }, { $unset: { 'entry.changes': '' } });
  await parked.updateMany(
    { ...those, 'entry.extra.customerId': { $in: [...ids] } },
    { $set: { 'entry.extra.customerId': pseudonym } },
  );
}

function parkedIn(db: Connection) {
  return db.collection<ParkedEvent & { parkedAt: Date }>(PARKED_COLLECTION);
}
