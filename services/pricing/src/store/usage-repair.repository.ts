import type { Tenant } from '@event-commerce/contracts';
import type { PricingModels, RedemptionDocument, UsageDocument } from './models.ts';

export type UsageRepairRepository = ReturnType<typeof usageRepairRepository>;

/** Counters beside what the ledger and the pending claims add up to. */
export function usageRepairRepository({ usages, redemptions }: PricingModels) {
  return {
    /** Every adjustment that has usage, of one company or of all. */
    async *countedUsage(tenant?: Tenant): AsyncGenerator<{ adjustmentId: string; tenant: Tenant }> {
      const cursor = usages.collection.find<UsageDocument>(tenant === undefined ? {} : { companyId: tenant }, {
        projection: { companyId: 1 },
      });
      for await (const document of cursor) yield { adjustmentId: document._id, tenant: document.companyId };
    },

    /** An adjustment's counters, and what ledger and pending claims say they should be. */
    async readUsage(adjustmentId: string) {
      const document = await usages.findById(adjustmentId, { outbox: 0 }).lean<UsageDocument | null>();
      const { confirmed = 0, claimed = 0, pending = [], version = 0 } = document ?? {};
      const pendingIds = new Set(pending.map((claim) => claim.id));
      const ledger = await redemptions
        .find({ adjustmentId, status: 'confirmed' }, { quantity: 1 })
        .lean<RedemptionDocument[]>();
      const counted = sum(ledger.filter((entry) => !pendingIds.has(entry._id)));
      return {
        counted: { confirmed, claimed },
        expected: { confirmed: counted, claimed: counted + sum(pending) },
        version,
      };
    },

    /** Sets the counters if they are still at `version`. */
    async setUsage(adjustmentId: string, version: number, usage: { confirmed: number; claimed: number }) {
      const { matchedCount } = await usages.collection.updateOne({ _id: adjustmentId, version } as never, {
        $set: { confirmed: usage.confirmed, claimed: usage.claimed },
        $inc: { version: 1 },
      });
      return matchedCount === 1;
    },
  };
}

function sum(entries: readonly { quantity: number }[]): number {
  return entries.reduce((total, entry) => total + entry.quantity, 0);
}
