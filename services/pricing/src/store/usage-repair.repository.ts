import type { AdjustmentDocument, PricingModels, RedemptionDocument } from './models.ts';

export type UsageRepairRepository = ReturnType<typeof usageRepairRepository>;

/** Counters beside what the ledger and the pending claims add up to. */
export function usageRepairRepository({ adjustments, redemptions }: PricingModels) {
  return {
    /** Every adjustment that was ever redeemed or claimed, of one company or of all. */
    async *countedUsage(companyId?: string): AsyncGenerator<{ adjustmentId: string; companyId: string }> {
      const cursor = adjustments.collection.find(
        { 'usage.version': { $gt: 0 }, ...(companyId === undefined ? {} : { companyId }) } as never,
        { projection: { companyId: 1 } },
      );
      for await (const document of cursor) {
        yield { adjustmentId: String(document._id), companyId: String(document['companyId']) };
      }
    },

    /** An adjustment's counters, and what ledger and pending claims say they should be. */
    async readUsage(adjustmentId: string) {
      const document = await adjustments.findById(adjustmentId, { usage: 1 }).lean<AdjustmentDocument | null>();
      const { confirmed = 0, claimed = 0, pending = [], version = 0 } = document?.usage ?? {};
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
      const { matchedCount } = await adjustments.collection.updateOne(
        { _id: adjustmentId, 'usage.version': version } as never,
        {
          $set: { 'usage.confirmed': usage.confirmed, 'usage.claimed': usage.claimed },
          $inc: { 'usage.version': 1 },
          $currentDate: { touchedAt: true } as never,
        },
      );
      return matchedCount === 1;
    },
  };
}

function sum(entries: readonly { quantity: number }[]): number {
  return entries.reduce((total, entry) => total + entry.quantity, 0);
}
