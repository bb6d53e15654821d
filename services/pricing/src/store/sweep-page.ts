import type { Tenant } from '@event-commerce/contracts';
import type { Model } from 'mongoose';

/** Of so many documents one run of a sweep takes care. */
const DOCUMENTS_PER_PAGE = 500;

/** Where a sweep goes on: at `companyId`, past so many of its documents. */
export interface Position {
  companyId: Tenant;
  past: number;
}

export interface Page<One> {
  found: One[];
  /** Undefined after the last page. */
  next: Position | undefined;
}

/** The documents that `filter` finds from `from` on, of any company, by company. A partial index on the company answers it. */
export async function sweepPage<Document extends { companyId: Tenant }>(
  model: Model<Document>,
  filter: Record<string, unknown>,
  projection: Partial<Record<keyof Document, 1>>,
  from: Position | undefined,
  documentsMax = DOCUMENTS_PER_PAGE,
): Promise<Page<Document & { _id: string }>> {
  const found = (await model.collection
    .find({ ...filter, companyId: from === undefined ? { $gt: '' } : { $gte: from.companyId } } as never, {
      projection: { companyId: 1, ...projection },
    })
    .sort({ companyId: 1, _id: 1 })
    .skip(from?.past ?? 0)
    .limit(documentsMax)
    .toArray()) as unknown as (Document & { _id: string })[];
  const last = found.at(-1)?.companyId;
  if (last === undefined || found.length < documentsMax) return { found, next: undefined };
  const ofLast = found.filter(({ companyId }) => companyId === last).length;
  return { found, next: { companyId: last, past: ofLast + (last === from?.companyId ? from.past : 0) } };
}
