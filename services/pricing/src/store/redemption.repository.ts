import type { PageQuery, Redemption, RedemptionStatus, Tenant } from '@event-commerce/contracts';
import { afterCursor, inBatches, insertEach } from '@event-commerce/service-kit';
import type { PricingModels, RedemptionDocument } from './models.ts';
import type { HeldClaim, UsageRepository } from './usage.repository.ts';

/** How a claim ends. */
export interface Ending {
  claim: HeldClaim;
  status: RedemptionStatus;
  now: Date;
}

export type RedemptionRepository = ReturnType<typeof redemptionRepository>;

/**
 * The ledger: a claim ends with one insert under its own id, which only the first of confirm and lapse can make; the counters
 * follow the ledger.
 */
export function redemptionRepository({ redemptions }: PricingModels, usage: UsageRepository) {
  const settleAll = async (endings: readonly Ending[]) => {
    const written = await insertEach(redemptions.collection, endings.map(toDocument));
    const refused = endings.filter((_, index) => written[index] === false).map(({ claim }) => claim.id);
    const standing =
      refused.length === 0
        ? []
        : await redemptions.collection
            .find<RedemptionDocument>({ _id: { $in: refused } } as never, { projection: { status: 1 } })
            .toArray();
    return endings.map(({ claim, status }, index) => {
      const outcome = written[index];
      if (outcome instanceof Error) return outcome;
      return outcome === true ? status : (standing.find(({ _id }) => _id === claim.id)?.status ?? 'other-redemption');
    });
  };

  return {
    /**
     * Enters how the claim ended. Only the first entry of a claim is made; the answer is what stands.
     * `other-redemption` means that this order has redeemed the adjustment already, with another claim.
     */
    settle: inBatches<Ending, RedemptionStatus | 'other-redemption'>(settleAll),

    /**
     * Gives a confirmed redemption back: ledger and counters in one transaction, since giving back twice would open the cap.
     * Answers the redemption as it then is, with whether this call gave it back; undefined when the adjustment has no such redemption.
     */
    async release(
      companyId: Tenant,
      adjustmentId: string,
      redemptionId: string,
      now: Date,
      traceparent?: string,
    ): Promise<{ redemption: Redemption; released: boolean } | undefined> {
      const outcome = await redemptions.db.getClient().withSession(async (session) =>
        session.withTransaction(async () => {
          const entry = await redemptions.collection.findOneAndUpdate(
            { _id: redemptionId, companyId, adjustmentId, status: 'confirmed' } as never,
            { $set: { status: 'released' } },
            { returnDocument: 'after', session },
          );
          if (entry === null) return undefined;
          const redemption = entry as unknown as RedemptionDocument;
          const publish = await usage.release({ ...redemption, id: redemptionId }, now, { session, traceparent });
          return { redemption, publish };
        }),
      );
      if (outcome !== undefined) {
        outcome.publish();
        return { redemption: toRedemption(outcome.redemption), released: true };
      }
      const standing = await redemptions
        .findOne({ _id: redemptionId, companyId, adjustmentId })
        .lean<RedemptionDocument | null>();
      return standing === null ? undefined : { redemption: toRedemption(standing), released: false };
    },

    /** How a claim ended; undefined for one that is pending or was cancelled. */
    async endingOf(claimId: string): Promise<RedemptionStatus | undefined> {
      const entry = await redemptions.findById(claimId, { status: 1 }).lean<RedemptionDocument | null>();
      return entry?.status;
    },

    /** The redemption of the adjustment that `orderId` has confirmed. */
    async findByOrder(companyId: Tenant, adjustmentId: string, orderId: string): Promise<Redemption | undefined> {
      const found = await redemptions
        .findOne({ adjustmentId, orderId, status: 'confirmed', companyId })
        .lean<RedemptionDocument | null>();
      return found === null ? undefined : toRedemption(found);
    },

    /** Newest first; one more than `query.limit`. */
    async list(companyId: Tenant, adjustmentId: string, query: PageQuery): Promise<Redemption[]> {
      const after = afterCursor(query, 'redemptions');
      const found = await redemptions.collection
        .find<RedemptionDocument>({
          adjustmentId,
          companyId,
          ...(after === undefined ? {} : { _id: { $lt: after } }),
        } as never)
        .sort({ _id: -1 })
        .limit(query.limit + 1)
        .toArray();
      return found.map(toRedemption);
    },
  };
}

function toRedemption(document: RedemptionDocument): Redemption {
  const { _id, companyId: _companyId, created, ...fields } = document;
  return { id: _id, ...fields, created: created.toISOString() };
}

function toDocument({ claim, status, now }: Ending): RedemptionDocument {
  const { id, companyId, adjustmentId, orderId, customerId, code, quantity } = claim;
  const optional = { ...(customerId === undefined ? {} : { customerId }), ...(code === undefined ? {} : { code }) };
  return { _id: id, companyId, adjustmentId, orderId, ...optional, quantity, status, created: now };
}
