import type { Tenant } from '@event-commerce/contracts';
import type { Collection, mongo } from 'mongoose';
import type { StoredDocument } from '../mongo/collection.ts';

/** The number of documents that one run of a sweep handles. */
const DOCUMENTS_PER_PAGE = 500;

/** Where a sweep continues: at `companyId`, after this many of its documents. */
export interface SweepPosition {
  companyId: Tenant;
  past: number;
}

export interface SweepPage<One> {
  found: One[];
  /** Undefined after the last page. */
  next: SweepPosition | undefined;
}

/**
 * The `members` of the documents that `filter` finds from `from` on, ordered by company. Served by a partial index on
 * the company.
 */
export async function sweepPage<Doc extends StoredDocument & { companyId: Tenant }>(
  collection: Collection<Doc>,
  filter: mongo.Filter<Doc>,
  members: readonly (keyof Doc & string)[],
  from: SweepPosition | undefined,
): Promise<SweepPage<Doc>> {
  const companies: mongo.Document = { companyId: from === undefined ? { $gt: '' } : { $gte: from.companyId } };
  const found = await collection
    .find<Doc>(
      { ...filter, ...companies },
      { projection: Object.fromEntries(['companyId', ...members].map((name) => [name, 1])) },
    )
    .sort({ companyId: 1, _id: 1 })
    .skip(from?.past ?? 0)
    .limit(DOCUMENTS_PER_PAGE)
    .toArray();
  const last = found.at(-1)?.companyId;
  if (last === undefined || found.length < DOCUMENTS_PER_PAGE) return { found, next: undefined };
  const ofLast = found.filter(({ companyId }) => companyId === last).length;
  return { found, next: { companyId: last, past: ofLast + (last === from?.companyId ? from.past : 0) } };
}
