import type { Tenant } from '@event-commerce/contracts';
import type { CustomerUsageDocument, PricingModels, RedemptionDocument, Releasing, UsageDocument } from './models.ts';

export interface Counts {
  confirmed: number;
  claimed: number;
}

/** Counters as they are, and as ledger and pending claims say they should be. */
export interface Reading {
  counted: Counts;
  expected: Counts;
  /** Sets the counters to what is expected, if nothing changed them since they were read. */
  repair: () => Promise<boolean>;
}

/** Counters that can be compared with the ledger: an adjustment's, or one customer's of an adjustment. */
export interface CountedUsage {
  tenant: Tenant;
  adjustmentId: string;
  customerId?: string;
  read: () => Promise<Reading>;
}

export type UsageRepairRepository = ReturnType<typeof usageRepairRepository>;

export function usageRepairRepository({ usages, customerUsage, redemptions }: PricingModels) {
  const readAdjustment = async (adjustmentId: string): Promise<Reading> => {
    const document = await usages.findById(adjustmentId, { outbox: 0, recent: 0 }).lean<UsageDocument | null>();
    const { pending = [], releasing = [], version = 0 } = document ?? {};
    const confirmed = [...(await confirmedOf({ adjustmentId })), ...(await leavingOf(releasing))];
    const expected = expectedOf(confirmed, pending);
    return {
      counted: { confirmed: document?.confirmed ?? 0, claimed: document?.claimed ?? 0 },
      expected,
      repair: async () => {
        const update = { $set: expected, $inc: { version: 1 } };
        const { matchedCount } = await usages.collection.updateOne({ _id: adjustmentId, version } as never, update);
        return matchedCount === 1;
      },
    };
  };

  const readCustomer = async (_id: string, adjustmentId: string, customerId: string): Promise<Reading> => {
    const document = await customerUsage.findById(_id).lean<CustomerUsageDocument | null>();
    const { pending = [], rev } = document ?? {};
    const expected = expectedOf(await confirmedOf({ adjustmentId, customerId }), pending);
    return {
      counted: { confirmed: document?.confirmed ?? 0, claimed: document?.claimed ?? 0 },
      expected,
      repair: async () => {
        const update = { $set: expected, $inc: { rev: 1 } };
        const { matchedCount } = await customerUsage.collection.updateOne({ _id, rev: rev ?? null } as never, update);
        return matchedCount === 1;
      },
    };
  };

  const confirmedOf = async (of: { adjustmentId: string; customerId?: string }) =>
    await redemptions.find({ ...of, status: 'confirmed' }, { quantity: 1 }).lean<RedemptionDocument[]>();

  /** What the ledger has as given back, and the counters still have until the release ends. */
  const leavingOf = async (releasing: readonly Releasing[]): Promise<RedemptionDocument[]> => {
    if (releasing.length === 0) return [];
    const [ids, releasedBy] = [releasing.map(({ id }) => id), releasing.map(({ by }) => by)];
    return await redemptions.collection
      .find<RedemptionDocument>({ _id: { $in: ids }, status: 'released', releasedBy: { $in: releasedBy } } as never)
      .toArray();
  };

  return {
    /** Every adjustment and every customer that has counters, of one company or of all. */
    async *countedUsage(tenant?: Tenant): AsyncGenerator<CountedUsage> {
      const filter = tenant === undefined ? {} : { companyId: tenant };
      const projection = { companyId: 1 };
      for await (const document of usages.collection.find<UsageDocument>(filter, { projection })) {
        const { _id: adjustmentId } = document;
        yield { tenant: document.companyId, adjustmentId, read: () => readAdjustment(adjustmentId) };
      }
      // Counters that were not begun, or begun before the customers of the adjustment were counted all the time, are counted anew
      // by the customer's next claim.
      for await (const document of customerUsage.collection.find<CustomerUsageDocument>(
        { ...filter, since: { $ne: 0 } },
        { projection },
      )) {
        const { _id } = document;
        const [adjustmentId = '', ...rest] = _id.split('|');
        const customerId = rest.join('|');
        yield {
          tenant: document.companyId,
          adjustmentId,
          customerId,
          read: () => readCustomer(_id, adjustmentId, customerId),
        };
      }
    },
  };
}

/** A claim that the ledger confirms and that is pending still counts once, as pending. */
function expectedOf(
  confirmed: readonly RedemptionDocument[],
  pending: readonly { id: string; quantity: number }[],
): Counts {
  const pendingIds = new Set(pending.map(({ id }) => id));
  const counted = sum(confirmed.filter(({ _id }) => !pendingIds.has(_id)));
  return { confirmed: counted, claimed: counted + sum(pending) };
}

function sum(entries: readonly { quantity: number }[]): number {
  return entries.reduce((total, { quantity }) => total + quantity, 0);
}
