import type { Tenant } from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { collectionOf } from '@event-commerce/service-kit';
import type { CommerceModels, CouponDocument } from './models.ts';

const WRITTEN_TOGETHER = 500;

/**
 * Has the events of coupons that were changed from `since` on published again, with their present state: whoever missed
 * one, such as pricing, catches up. Those that wait to be published anyway are left alone. Returns how many are told.
 */
export async function retellCoupons(
  models: Pick<CommerceModels, 'coupons'>,
  { since, now, tenant }: { since: Date; now: Date; tenant?: Tenant },
): Promise<number> {
  const coupons = collectionOf(models.coupons);
  let told = 0;
  const tell = async (documents: readonly Pick<CouponDocument, '_id' | 'archived' | 'version'>[]): Promise<void> => {
    if (documents.length === 0) return;
    const writes = documents.map(({ _id, archived, version }) => ({
      updateOne: {
        filter: { _id, version, 'outbox.0': { $exists: false } },
        update: { $push: { outbox: outboxEntry(archived ? 'coupon.archived' : 'coupon.updated', now, {}) } },
      },
    }));
    told += (await coupons.bulkWrite(writes, { ordered: false })).matchedCount;
  };

  const filter = { changed: { $gte: since }, ...(tenant === undefined ? {} : { companyId: tenant }) };
  const options = { projection: { archived: 1, version: 1 }, sort: { _id: 1 }, batchSize: WRITTEN_TOGETHER } as const;
  let waiting: CouponDocument[] = [];
  for await (const document of coupons.find<CouponDocument>(filter, options)) {
    waiting.push(document);
    if (waiting.length < WRITTEN_TOGETHER) continue;
    await tell(waiting);
    waiting = [];
  }
  await tell(waiting);
  return told;
}
