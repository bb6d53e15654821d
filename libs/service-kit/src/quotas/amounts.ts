import type { Amount, QuotaName } from '@event-commerce/contracts';
import mongoose from 'mongoose';
import { type StoredDocument, UNREAD } from '../collection.ts';

/** How much more, or less, a tenant stores of each kind after a write. */
export type Change<Q extends QuotaName = QuotaName> = Partial<Record<Q, Amount>>;

/** The entries of `change` with their names. */
export function partsOf<Q extends QuotaName>(change: Change<Q>): [Q, Amount][] {
  return Object.entries(change) as [Q, Amount][];
}

/** Applies `of` to every amount of `change`, and omits those that become zero. */
export function mapAmounts<Q extends QuotaName>(change: Change<Q>, of: (amount: number) => number): Change<Q> {
  const parts = partsOf(change)
    .map(([name, { count, bytes }]) => [name, { count: of(count), bytes: of(bytes) }] as const)
    .filter(([, { count, bytes }]) => count > 0 || bytes > 0);
  return Object.fromEntries(parts) as Change<Q>;
}

export function sum<Q extends QuotaName>(changes: readonly Change<Q>[]): Change<Q> {
  const total: Change<Q> = {};
  for (const change of changes) {
    for (const [name, { count, bytes }] of partsOf(change)) {
      const before = total[name] ?? { count: 0, bytes: 0 };
      total[name] = { count: before.count + count, bytes: before.bytes + bytes };
    }
  }
  return total;
}

/** The size of `document` in the database, without what the platform adds to publish and to find it. */
export function storedBytes(document: object): number {
  const counted = { ...document, outbox: undefined, terms: undefined };
  return mongoose.mongo.BSON.calculateObjectSize(counted, { ignoreUndefined: true });
}

/**
 * A company with all that it may have takes longer than a server may allow a read that says nothing of its time; a
 * connection waits no longer than a little more than this.
 */
const COUNTED_WITHIN_MS = 25_000;

/**
 * The number and size of the documents of `collection` that `filter` finds. `bytes`: their size, if not that of
 * `storedBytes`.
 */
export async function amountOf<Doc extends StoredDocument>(
  collection: mongoose.Collection<Doc>,
  filter: mongoose.mongo.Filter<Doc>,
  bytes: unknown = { $bsonSize: '$$ROOT' },
): Promise<Amount> {
  const [found] = await collection
    .aggregate<Amount>(
      [{ $match: filter }, { $project: UNREAD }, { $group: { _id: null, count: { $sum: 1 }, bytes: { $sum: bytes } } }],
      { maxTimeMS: COUNTED_WITHIN_MS },
    )
    .toArray();
  return { count: found?.count ?? 0, bytes: found?.bytes ?? 0 };
}
