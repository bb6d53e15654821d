import type { QuotaName } from '@event-commerce/contracts';
import type mongoose from 'mongoose';
import type { StoredDocument } from '../mongo/collection.ts';

/** How many more, or fewer, records of each kind a tenant stores after a write. */
export type Change<Q extends QuotaName = QuotaName> = Partial<Record<Q, number>>;

/** The entries of `change` with their names. */
export function partsOf<Q extends QuotaName>(change: Change<Q>): [Q, number][] {
  return Object.entries(change) as [Q, number][];
}

/** Applies `of` to every number of `change`, and omits results that are not positive. */
export function mapAmounts<Q extends QuotaName>(change: Change<Q>, of: (amount: number) => number): Change<Q> {
  const parts = partsOf(change)
    .map(([name, count]) => [name, of(count)] as const)
    .filter(([, count]) => count > 0);
  return Object.fromEntries(parts) as Change<Q>;
}

export function sum<Q extends QuotaName>(changes: readonly Change<Q>[]): Change<Q> {
  const total: Change<Q> = {};
  for (const change of changes) {
    for (const [name, count] of partsOf(change)) total[name] = (total[name] ?? 0) + count;
  }
  return total;
}

/**
 * Counting a company at its limits can take longer than a server allows a read by default. A connection waits only a
 * little longer than this.
 */
const COUNTED_WITHIN_MS = 25_000;

/** The number of documents of `collection` that `filter` finds. */
export async function countOf<Doc extends StoredDocument>(
  collection: mongoose.Collection<Doc>,
  filter: mongoose.mongo.Filter<Doc>,
): Promise<number> {
  return await collection.countDocuments(filter, { maxTimeMS: COUNTED_WITHIN_MS });
}
