import type { Amount, QuotaName } from '@event-commerce/contracts';
import mongoose from 'mongoose';
import type { StoredDocument } from '../collection.ts';

/** What a write makes a tenant keep more, or less, of each kind. */
export type Change<Q extends QuotaName = QuotaName> = Partial<Record<Q, Amount>>;

/** The members of `change` with their names. */
export function partsOf<Q extends QuotaName>(change: Change<Q>): [Q, Amount][] {
  return Object.entries(change) as [Q, Amount][];
}

/** `of` of every amount of `change`, without those of which nothing is left. */
export function part<Q extends QuotaName>(change: Change<Q>, of: (amount: number) => number): Change<Q> {
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

/** What `document` weighs in the database, without the events that it only keeps until they are published. */
export function storedBytes(document: object): number {
  return mongoose.mongo.BSON.calculateObjectSize(
    { ...document, outbox: undefined },
    {
      ignoreUndefined: true,
    },
  );
}

/** What the documents of `collection` that `filter` finds are and weigh. `bytes`: how, if not as the database stores them. */
export async function amountOf<Doc extends StoredDocument>(
  collection: mongoose.Collection<Doc>,
  filter: mongoose.mongo.Filter<Doc>,
  bytes: unknown = { $bsonSize: '$$ROOT' },
): Promise<Amount> {
  const [found] = await collection
    .aggregate<Amount>([
      { $match: filter },
      { $project: { outbox: 0 } },
      { $group: { _id: null, count: { $sum: 1 }, bytes: { $sum: bytes } } },
    ])
    .toArray();
  return { count: found?.count ?? 0, bytes: found?.bytes ?? 0 };
}
