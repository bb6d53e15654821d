import type { Model } from 'mongoose';
import { outboxesOf, type WithOutbox } from './outbox.ts';
import { type Overflow, OVERFLOW_COLLECTION } from './overflow.ts';

/**
 * Which of the documents have unpublished events, which say what the documents are now; with `customerIds`, only events
 * about these customers.
 */
export async function waitingEvents<Doc extends WithOutbox>(
  model: Model<Doc>,
  documentIds: readonly string[],
  customerIds?: readonly string[],
): Promise<Set<string>> {
  if (documentIds.length === 0) return new Set();
  const documents = outboxesOf(model);
  const overflow = model.db.collection<Overflow>(OVERFLOW_COLLECTION);
  const among = { $in: [...documentIds] };
  const waiting =
    customerIds === undefined
      ? { 'outbox.0': { $exists: true } }
      : { 'outbox.extra.customerId': { $in: [...customerIds] } };
  const [inDocuments, moved] = await Promise.all([
    documents.find({ _id: among, ...waiting }, { projection: { _id: 1 } }).toArray(),
    overflow.distinct('documentId', { collection: documents.name, documentId: among, ...waiting }),
  ]);
  return new Set([...inDocuments.map(({ _id }) => _id), ...moved]);
}
