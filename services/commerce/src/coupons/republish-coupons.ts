import type { Tenant } from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { collectionOf, inPages } from '@event-commerce/service-kit';
import type { CommerceModels, CouponDocument } from '../models.ts';

const WRITTEN_TOGETHER = 500;

type Changed = Pick<CouponDocument, '_id' | 'archived' | 'version'>;

/**
 * Has the events of coupons that were changed from `since` on published again, with their present state: whoever missed
 * one, such as pricing, catches up. Those that wait to be published anyway are left alone. Returns how many are told.
 */
export async function republishCoupons(
  models: Pick<CommerceModels, 'coupons'>,
  { since, now, tenant }: { since: Date; now: Date; tenant?: Tenant },
): Promise<number> {
  const coupons = collectionOf(models.coupons);
  let told = 0;
  const tell = async (documents: readonly Changed[]): Promise<void> => {
    if (documents.length === 0) return;
    const writes = documents.map(({ _id, archived, version }) => ({
      updateOne: {
        filter: { _id, version, 'outbox.0': { $exists: false } },
        update: {
          $push: { outbox: outboxEntry(archived ? 'coupon.archived' : 'coupon.updated', now, { after: { version } }) },
        },
      },
    }));
    told += (await coupons.bulkWrite(writes, { ordered: false })).matchedCount;
  };

  const filter = { changed: { $gte: since }, ...(tenant === undefined ? {} : { companyId: tenant }) };
  let waiting: Changed[] = [];
  for await (const document of inPages(coupons, '_id', { filter, members: ['archived', 'version'] })) {
    waiting.push(document);
    if (waiting.length < WRITTEN_TOGETHER) continue;
    await tell(waiting);
    waiting = [];
  }
  await tell(waiting);
  return told;
}
