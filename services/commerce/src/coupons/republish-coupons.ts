import type { Tenant } from '@event-commerce/contracts';
import { outboxEntry } from '@event-commerce/outbox';
import { collectionOf, inPages } from '@event-commerce/service-kit';
import type { CommerceModels, CouponDocument } from '../models.ts';

const WRITTEN_TOGETHER = 500;

type Changed = Pick<CouponDocument, '_id' | 'archived' | 'version'>;

/**
 * Publishes again the events of coupons that were changed at or after `since`, with their present state, so that a
 * service that missed one, such as pricing, catches up. Skips those that are waiting to be published anyway. Returns
 * how many it publishes.
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
