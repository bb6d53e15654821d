import { LIVE_STATUSES, type PageQuery, type Redemption, type RedemptionStatus } from '@event-commerce/contracts';
import { outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import { afterCursor, isDuplicateKey } from '@event-commerce/service-kit';
import type { AdjustmentRecord } from './adjustment.repository.ts';
import { toRecord } from './adjustment.repository.ts';
import type {
  AdjustmentDocument,
  CustomerUsageDocument,
  PendingClaim,
  PricingModels,
  RedemptionDocument,
} from './models.ts';

/** A pending claim and the adjustment that it is held in. */
export interface HeldClaim extends PendingClaim {
  adjustmentId: string;
  companyId: string;
}

export type RedemptionRepository = ReturnType<typeof redemptionRepository>;

/**
 * Claims, counters and the ledger. A claim is admitted by one conditional update of its adjustment; it ends with one
 * insert into the ledger under its own id, which only the first of confirm and lapse can make; the counters follow the
 * ledger, each by an update that takes effect once. Every step may be repeated after a crash.
 */
export function redemptionRepository(models: PricingModels, relay: Relay<AdjustmentDocument>) {
  const { adjustments, customerUsage, redemptions } = models;

  /** Begins counting a customer, from the ledger and from the claims still pending, so that earlier redemptions count. */
  const startCustomerUsage = async (claim: HeldClaim, _id: string): Promise<void> => {
    const holder = await adjustments
      .findOne({ _id: claim.adjustmentId }, { 'usage.pending': 1 })
      .lean<AdjustmentDocument | null>();
    const ended = await redemptions.collection
      .find({ adjustmentId: claim.adjustmentId, customerId: claim.customerId })
      .project<RedemptionDocument>({ quantity: 1, status: 1 })
      .toArray();
    const endedIds = new Set(ended.map((redemption) => redemption._id));
    // Claims from before the cap existed are not counted for the customer when they end, so they count now, for good.
    // Claims that wait to be counted for the customer, like this one, must not: they are admitted one by one.
    const untracked = (holder?.usage.pending ?? []).filter(
      (other) => other.customerId === claim.customerId && !other.perCustomer && !endedIds.has(other.id),
    );
    const confirmed = sum(ended.filter((redemption) => redemption.status === 'confirmed')) + sum(untracked);
    try {
      await customerUsage.collection.insertOne({
        _id,
        companyId: claim.companyId,
        confirmed,
        claimed: confirmed,
        pending: [],
      } as never);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  };

  const changeUsage = async (
    claim: HeldClaim,
    change: Record<string, number>,
    status: 'confirmed' | 'cancelled' | 'lapsed',
    now: Date,
    traceparent?: string,
  ): Promise<void> => {
    const { id, adjustmentId } = claim;
    const entry = status === 'cancelled' ? undefined : redemptionEntry(claim, status, now, traceparent);
    const document = await adjustments.collection.findOneAndUpdate(
      { _id: adjustmentId, 'usage.pending.id': id } as never,
      {
        $pull: { 'usage.pending': { id } } as never,
        $inc: { ...change, 'usage.version': 1 },
        ...(entry === undefined ? {} : { $push: { outbox: entry } as never }),
        $currentDate: { touchedAt: true } as never,
      },
      { returnDocument: 'after', projection: { 'usage.pending': 0 } },
    );
    if (document !== null) relay.publish(document as unknown as AdjustmentDocument);
  };

  return {
    /**
     * Counts `claim` against the adjustment's cap if it fits, and the order holds no other claim on it. Answers the
     * adjustment as it then is, or undefined when nothing was written.
     */
    async hold(claim: HeldClaim, options: { liveOnly: boolean }): Promise<AdjustmentRecord | undefined> {
      const document = await adjustments.collection.findOneAndUpdate(
        {
          _id: claim.adjustmentId,
          companyId: claim.companyId,
          ...(options.liveOnly ? { status: { $in: LIVE_STATUSES as string[] } } : {}),
          'usage.pending.orderId': { $ne: claim.orderId },
          $or: [
            { 'conditions.maxRedemptions': { $exists: false } },
            { $expr: { $lte: [{ $add: ['$usage.claimed', claim.quantity] }, '$conditions.maxRedemptions'] } },
          ],
        } as never,
        {
          $inc: { 'usage.claimed': claim.quantity, 'usage.version': 1 },
          $push: { 'usage.pending': pendingOf(claim) } as never,
          $currentDate: { touchedAt: true } as never,
        },
        { returnDocument: 'after', projection: { 'usage.pending': 0, outbox: 0 } },
      );
      return document === null ? undefined : toRecord(document as unknown as AdjustmentDocument);
    },

    /** The adjustment with the claim that `orderId` holds on it, if it holds one. */
    async findWithClaim(
      companyId: string,
      adjustmentId: string,
      orderId: string,
    ): Promise<{ record: AdjustmentRecord; claim: HeldClaim | undefined } | undefined> {
      const document = await adjustments
        .findOne({ _id: adjustmentId, companyId }, { outbox: 0 })
        .lean<AdjustmentDocument | null>();
      if (document === null) return undefined;
      const claim = document.usage.pending.find((pending) => pending.orderId === orderId);
      return { record: toRecord(document), claim: claim && { ...claim, adjustmentId, companyId } };
    },

    /** Counts `claim` against its customer's cap `max` if it fits; a claim that is counted already stays so. */
    async holdForCustomer(claim: HeldClaim, max: number): Promise<boolean> {
      const _id = customerKey(claim);
      if (_id === undefined) return false;
      const tryHold = async () => {
        const { matchedCount } = await customerUsage.collection.updateOne(
          { _id, claimed: { $lte: max - claim.quantity }, 'pending.id': { $ne: claim.id } } as never,
          { $inc: { claimed: claim.quantity }, $push: { pending: pendingOf(claim) } as never },
        );
        return matchedCount === 1;
      };
      if (await tryHold()) return true;
      const usage = await customerUsage.findById(_id, { 'pending.id': 1 }).lean<CustomerUsageDocument | null>();
      if (usage !== null) return usage.pending.some((held) => held.id === claim.id);
      await startCustomerUsage(claim, _id);
      return await tryHold();
    },

    /** How often `customerId` has claimed or redeemed each of `adjustmentIds`. */
    async customerClaims(adjustmentIds: readonly string[], customerId: string): Promise<Map<string, number>> {
      const ids = adjustmentIds.map((adjustmentId) => `${adjustmentId}|${customerId}`);
      const found = await customerUsage.collection
        .find({ _id: { $in: ids } } as never, { projection: { claimed: 1 } })
        .toArray();
      const counted = new Map(
        found.map((usage) => [String(usage._id).split('|')[0] ?? '', usage['claimed'] as number]),
      );
      const missing = adjustmentIds.filter((adjustmentId) => !counted.has(adjustmentId));
      if (missing.length > 0) {
        const rows = await redemptions.collection
          .find({ adjustmentId: { $in: missing }, customerId, status: 'confirmed' })
          .project<RedemptionDocument>({ adjustmentId: 1, quantity: 1 })
          .toArray();
        for (const row of rows) counted.set(row.adjustmentId, (counted.get(row.adjustmentId) ?? 0) + row.quantity);
      }
      return counted;
    },

    /**
     * Enters how the claim ended. Only the first entry of a claim is made; the answer is what stands.
     * `other-redemption` means that this order has redeemed the adjustment already, with another claim.
     */
    async settle(
      claim: HeldClaim,
      status: RedemptionStatus,
      now: Date,
    ): Promise<RedemptionStatus | 'other-redemption'> {
      const { settledBy: _settledBy, perCustomer: _perCustomer, id, ...entry } = claim;
      try {
        await redemptions.collection.insertOne({ _id: id, ...entry, status, created: now } as never);
        return status;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const standing = await redemptions.findById(id, { status: 1 }).lean<RedemptionDocument | null>();
        return standing?.status ?? 'other-redemption';
      }
    },

    /** Makes the counters count a claim that the ledger confirms. Takes effect once. */
    async countConfirmed(claim: HeldClaim, now: Date, traceparent?: string): Promise<void> {
      const customer = customerKey(claim);
      if (claim.perCustomer && customer !== undefined) {
        await customerUsage.collection.updateOne({ _id: customer, 'pending.id': claim.id } as never, {
          $pull: { pending: { id: claim.id } } as never,
          $inc: { confirmed: claim.quantity },
        });
      }
      await changeUsage(claim, { 'usage.confirmed': claim.quantity }, 'confirmed', now, traceparent);
    },

    /** Makes the counters forget a claim that did not become a redemption. Takes effect once. */
    async forget(claim: HeldClaim, status: 'cancelled' | 'lapsed', now: Date): Promise<void> {
      const customer = customerKey(claim);
      if (claim.perCustomer && customer !== undefined) {
        await customerUsage.collection.updateOne({ _id: customer, 'pending.id': claim.id } as never, {
          $pull: { pending: { id: claim.id } } as never,
          $inc: { claimed: -claim.quantity },
        });
      }
      await changeUsage(claim, { 'usage.claimed': -claim.quantity }, status, now);
    },

    /**
     * Gives a confirmed redemption back: ledger and counters in one transaction, since giving back twice would open the cap.
     * Answers the redemption as it then is, with whether this call gave it back; undefined when the adjustment has no such redemption.
     */
    async release(
      companyId: string,
      adjustmentId: string,
      redemptionId: string,
      now: Date,
      traceparent?: string,
    ): Promise<{ redemption: Redemption; released: boolean } | undefined> {
      const client = adjustments.db.getClient();
      const outcome = await client.withSession(async (session) =>
        session.withTransaction(async () => {
          const entry = await redemptions.collection.findOneAndUpdate(
            { _id: redemptionId, companyId, adjustmentId, status: 'confirmed' } as never,
            { $set: { status: 'released' } },
            { returnDocument: 'after', session },
          );
          if (entry === null) return undefined;
          const redemption = entry as unknown as RedemptionDocument;
          const { quantity, customerId } = redemption;
          // Confirmed in the ledger, its claim may still be pending in the counters; then it was never counted as confirmed.
          const counted = (prefix: '' | 'usage.') => ({
            where: { [`${prefix}pending.id`]: { $ne: redemptionId } },
            change: { $inc: { [`${prefix}confirmed`]: -quantity, [`${prefix}claimed`]: -quantity } },
          });
          const pending = (prefix: '' | 'usage.') => ({
            where: { [`${prefix}pending.id`]: redemptionId },
            change: {
              $inc: { [`${prefix}claimed`]: -quantity },
              $pull: { [`${prefix}pending`]: { id: redemptionId } },
            },
          });
          if (customerId !== undefined) {
            for (const { where, change } of [counted(''), pending('')]) {
              const filter = { _id: `${adjustmentId}|${customerId}`, ...where } as never;
              const { matchedCount } = await customerUsage.collection.updateOne(filter, change as never, { session });
              if (matchedCount === 1) break;
            }
          }
          const event = redemptionEntry({ ...redemption, id: redemptionId }, 'released', now, traceparent);
          for (const { where, change } of [counted('usage.'), pending('usage.')]) {
            const document = await adjustments.collection.findOneAndUpdate(
              { _id: adjustmentId, ...where } as never,
              {
                ...change,
                $inc: { ...change.$inc, 'usage.version': 1 },
                $push: { outbox: event },
                $currentDate: { touchedAt: true },
              } as never,
              { returnDocument: 'after', projection: { 'usage.pending': 0 }, session },
            );
            if (document !== null) return { redemption, document: document as unknown as AdjustmentDocument };
          }
          return { redemption, document: undefined };
        }),
      );
      if (outcome !== undefined) {
        if (outcome.document !== undefined) relay.publish(outcome.document);
        return { redemption: toRedemption(outcome.redemption), released: true };
      }
      const standing = await redemptions
        .findOne({ _id: redemptionId, companyId, adjustmentId })
        .lean<RedemptionDocument | null>();
      return standing === null ? undefined : { redemption: toRedemption(standing), released: false };
    },

    /** Claims that are pending now, of any company. */
    async pending(limit: number): Promise<HeldClaim[]> {
      const found = await adjustments.collection
        .find({ 'usage.pending.id': { $gt: '' } } as never, { projection: { companyId: 1, 'usage.pending': 1 } })
        .limit(limit)
        .toArray();
      return (found as unknown as AdjustmentDocument[]).flatMap((document) =>
        document.usage.pending.map((claim) => ({
          ...claim,
          adjustmentId: document._id,
          companyId: document.companyId,
        })),
      );
    },

    /** The redemption of the adjustment that `orderId` has confirmed. */
    async findByOrder(companyId: string, adjustmentId: string, orderId: string): Promise<Redemption | undefined> {
      const found = await redemptions
        .findOne({ adjustmentId, orderId, status: 'confirmed', companyId })
        .lean<RedemptionDocument | null>();
      return found === null ? undefined : toRedemption(found);
    },

    /** Newest first; one more than `query.limit`. */
    async list(companyId: string, adjustmentId: string, query: PageQuery): Promise<Redemption[]> {
      const after = afterCursor(query);
      const found = await redemptions.collection
        .find({ companyId, adjustmentId, ...(after === undefined ? {} : { _id: { $lt: after } }) } as never)
        .sort({ _id: -1 })
        .limit(query.limit + 1)
        .toArray();
      return found.map((document) => toRedemption(document as unknown as RedemptionDocument));
    },
  };
}

export function toRedemption(document: RedemptionDocument): Redemption {
  const { _id, companyId: _companyId, created, ...fields } = document;
  return { id: _id, ...fields, created: created.toISOString() };
}

function pendingOf({ id, orderId, customerId, code, quantity, perCustomer, settledBy }: HeldClaim): PendingClaim {
  return {
    id,
    orderId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    quantity,
    perCustomer,
    settledBy,
  };
}

function redemptionEntry(
  claim: Pick<HeldClaim, 'id' | 'adjustmentId' | 'orderId' | 'customerId' | 'code' | 'quantity'>,
  status: RedemptionStatus,
  now: Date,
  traceparent: string | undefined,
): OutboxEntry {
  const { id, adjustmentId, orderId, customerId, code, quantity } = claim;
  const optional = { ...(customerId === undefined ? {} : { customerId }), ...(code === undefined ? {} : { code }) };
  return outboxEntry(`redemption.${status}`, now, {
    traceparent,
    extra: { id, adjustmentId, orderId, ...optional, quantity, status },
  });
}

function customerKey(claim: HeldClaim): string | undefined {
  return claim.customerId === undefined ? undefined : `${claim.adjustmentId}|${claim.customerId}`;
}

function sum(entries: readonly { quantity: number }[]): number {
  return entries.reduce((total, entry) => total + entry.quantity, 0);
}
