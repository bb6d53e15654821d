import { isDuplicateKey } from '@event-commerce/service-kit';
import type { ClientSession } from 'mongoose';
import {
  type CustomerUsageDocument,
  HAS_PENDING,
  type PendingClaim,
  type PricingModels,
  type RedemptionDocument,
  type UsageDocument,
} from './models.ts';
import type { HeldClaim, RedeemedClaim } from './usage.repository.ts';

/** More than one customer can have under way at once. */
const COUNTED_KEPT = 50;

export type CustomerUsageRepository = ReturnType<typeof customerUsageRepository>;

/** How often single customers claimed and redeemed adjustments that have a cap per customer. */
export function customerUsageRepository({ usages, customerUsage, redemptions }: PricingModels) {
  /** Begins counting a customer, from the ledger and from the claims still pending, so that earlier redemptions count. */
  const startCounting = async (claim: HeldClaim, _id: string): Promise<void> => {
    const usage = await usages.findOne({ _id: claim.adjustmentId }, { pending: 1 }).lean<UsageDocument | null>();
    const ended = await redemptions.collection
      .find({ adjustmentId: claim.adjustmentId, customerId: claim.customerId })
      .project<RedemptionDocument>({ quantity: 1, status: 1 })
      .toArray();
    const endedIds = new Set(ended.map((redemption) => redemption._id));
    // Claims from before the cap existed are not counted for the customer when they end, so they count now, for good.
    // Claims that wait to be counted for the customer, like this one, must not: they are admitted one by one.
    const untracked = (usage?.pending ?? []).filter(
      (other) => other.customerId === claim.customerId && !other.perCustomer && !endedIds.has(other.id),
    );
    const confirmed = sum(ended.filter((redemption) => redemption.status === 'confirmed')) + sum(untracked);
    const document: CustomerUsageDocument = {
      _id,
      companyId: claim.companyId,
      confirmed,
      claimed: confirmed,
      pending: [],
      counted: [],
    };
    try {
      await customerUsage.collection.insertOne(document as never);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  };

  return {
    /** Counts `claim` against its customer's cap `max` if it fits; a claim that is counted already stays so. */
    async hold(claim: HeldClaim, max: number): Promise<boolean> {
      const _id = keyOf(claim);
      if (_id === undefined) return false;
      for (;;) {
        const { matchedCount } = await customerUsage.collection.updateOne(
          {
            _id,
            claimed: { $lte: max - claim.quantity },
            'pending.id': { $ne: claim.id },
            counted: { $ne: claim.id },
          } as never,
          { $inc: { claimed: claim.quantity }, $push: { pending: pendingOf(claim) } as never },
        );
        if (matchedCount === 1) return true;
        const usage = await customerUsage.findById(_id).lean<CustomerUsageDocument | null>();
        if (usage === null) await startCounting(claim, _id);
        else if (usage.counted.includes(claim.id) || usage.pending.some((held) => held.id === claim.id)) return true;
        else if (usage.claimed > max - claim.quantity) return false;
        // Otherwise it has been made, or a place become free, since: then it fits.
      }
    },

    /** Counts as confirmed those of `claims` that are counted for their customer. Takes effect once for each. */
    async countConfirmed(claims: readonly HeldClaim[]): Promise<void> {
      const changes = claims.flatMap((claim) => {
        const _id = countedKeyOf(claim);
        if (_id === undefined) return [];
        const filter = { _id, 'pending.id': claim.id };
        const update = {
          $pull: { pending: { id: claim.id } },
          $inc: { confirmed: claim.quantity },
          $push: { counted: { $each: [claim.id], $slice: -COUNTED_KEPT } },
        };
        return [{ updateOne: { filter, update } }];
      });
      if (changes.length > 0) await customerUsage.collection.bulkWrite(changes as never, { ordered: false });
    },

    /** Forgets a claim that did not become a redemption. Takes effect once. */
    async forget(claim: HeldClaim): Promise<void> {
      const _id = countedKeyOf(claim);
      if (_id === undefined) return;
      await customerUsage.collection.updateOne({ _id, 'pending.id': claim.id } as never, {
        $pull: { pending: { id: claim.id } } as never,
        $inc: { claimed: -claim.quantity },
      });
    },

    /** Takes a redemption out of its customer's counters, as part of the transaction that takes it out of the ledger. */
    async release(claim: RedeemedClaim, session: ClientSession): Promise<void> {
      const { id, quantity } = claim;
      const _id = keyOf(claim);
      if (_id === undefined) return;
      const { matchedCount } = await customerUsage.collection.updateOne(
        { _id, 'pending.id': { $ne: id } } as never,
        { $inc: { confirmed: -quantity, claimed: -quantity } },
        { session },
      );
      if (matchedCount === 1) return;
      await customerUsage.collection.updateOne(
        { _id, 'pending.id': id } as never,
        { $inc: { claimed: -quantity }, $pull: { pending: { id } } as never },
        { session },
      );
    },

    /** Claims that are pending now for their customer, of any company; of at most `customersMax` customers. */
    async pending(customersMax: number): Promise<HeldClaim[]> {
      const found = await customerUsage.collection
        .find<CustomerUsageDocument>(HAS_PENDING as never, { projection: { companyId: 1, pending: 1 } })
        .limit(customersMax)
        .toArray();
      return found.flatMap(({ _id, companyId, pending }) =>
        pending.map((claim) => ({ ...claim, adjustmentId: adjustmentOf(_id), companyId })),
      );
    },

    /** How often `customerId` has claimed or redeemed each of `adjustmentIds`. */
    async claimedBy(customerId: string, adjustmentIds: readonly string[]): Promise<Map<string, number>> {
      const ids = adjustmentIds.map((adjustmentId) => `${adjustmentId}|${customerId}`);
      const found = await customerUsage.collection
        .find({ _id: { $in: ids } } as never, { projection: { claimed: 1 } })
        .toArray();
      const counted = new Map(found.map((usage) => [adjustmentOf(String(usage._id)), usage['claimed'] as number]));
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
  };
}

/** A claim as it is kept while it is pending. */
export function pendingOf({
  id,
  orderId,
  customerId,
  code,
  quantity,
  perCustomer,
  settledBy,
}: HeldClaim): PendingClaim {
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

function keyOf({ adjustmentId, customerId }: Pick<HeldClaim, 'adjustmentId' | 'customerId'>): string | undefined {
  return customerId === undefined ? undefined : `${adjustmentId}|${customerId}`;
}

function adjustmentOf(key: string): string {
  return key.slice(0, key.indexOf('|'));
}

function countedKeyOf(claim: HeldClaim): string | undefined {
  return claim.perCustomer ? keyOf(claim) : undefined;
}

function sum(entries: readonly { quantity: number }[]): number {
  return entries.reduce((total, entry) => total + entry.quantity, 0);
}
