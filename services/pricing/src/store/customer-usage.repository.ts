import { PlatformError } from '@event-commerce/contracts';
import { collectionOf, failedWrites, isDuplicateKey, retryLost, updateOrInsert } from '@event-commerce/service-kit';
import {
  type CustomerUsageDocument,
  HAS_PENDING,
  type PendingClaim,
  type PricingModels,
  type RedemptionDocument,
  type UsageDocument,
} from './models.ts';
import { type Page, type Position, sweepPage } from './sweep-page.ts';
import type { HeldClaim, RedeemedClaim } from './usage-record.ts';

/** More than one customer can have under way at once. */
const COUNTED_KEPT = 50;

export type CustomerUsageRepository = ReturnType<typeof customerUsageRepository>;

/** What a claim on an adjustment that counts its customers is held against. */
export interface CustomerCap {
  /** Undefined when customers are counted, and not capped at the moment. */
  max: number | undefined;
  /** The adjustment's `customersSince`; undefined for one that was last changed before that was kept. */
  since: number | undefined;
}

/** Marks counters that were not begun: only that something changed is known of them. */
const NOT_BEGUN = 0;
/** How long a claim is tried again while others keep changing the customer's counters. */
const HOLD_WITHIN_MS = 2_000;
/** On a slow machine a few tries take all of that time, and are made nevertheless. */
const ATTEMPTS_MIN = 5;

/** How often single customers claimed and redeemed adjustments that have, or had, a cap per customer. */
export function customerUsageRepository({ usages, customerUsage, redemptions }: PricingModels) {
  /**
   * Counts a customer from the ledger and from the claims still pending, over what is kept of `before`. False when that changed
   * meanwhile. The order of reading matters: what moves on meanwhile is found in a later place, or has changed the counters.
   */
  const begin = async (
    claim: HeldClaim,
    before: CustomerUsageDocument | null,
    since: number | undefined,
  ): Promise<boolean> => {
    const { adjustmentId, customerId, companyId } = claim;
    const _id = keyOf({ adjustmentId, customerId }) ?? '';
    const usage = await usages.findOne({ _id: adjustmentId }, { pending: 1 }).lean<UsageDocument | null>();
    const ended = await endedOf(adjustmentId, customerId);
    const endedIds = new Set(ended.map((redemption) => redemption._id));
    const known = before?.pending ?? [];
    // A claim from before customers were counted is not counted by itself when it ends: the sweep ends it here. One that waits to be
    // counted, like this one, is left out: such claims are admitted one by one.
    const untracked = (usage?.pending ?? [])
      .filter((other) => other.customerId === customerId && !other.perCustomer)
      .filter((other) => !known.some(({ id }) => id === other.id))
      .map((other) => ({ ...other, perCustomer: true }));
    const pending = [...known, ...untracked].filter(({ id }) => !endedIds.has(id));
    const redeemed = ended.filter((redemption) => redemption.status === 'confirmed');
    const confirmed = sum(redeemed);
    const counters = {
      companyId,
      // Ids are in the order of time.
      counted: redeemed
        .map((redemption) => redemption._id)
        .toSorted()
        .slice(-COUNTED_KEPT),
      confirmed,
      claimed: confirmed + sum(pending),
      pending,
      ...(since === undefined ? {} : { since }),
    };
    if (before !== null) {
      const { matchedCount } = await customerUsage.collection.updateOne({ _id, rev: before.rev ?? null } as never, {
        $set: counters,
        $inc: { rev: 1 },
        ...(since === undefined ? { $unset: { since: '' } } : {}),
      });
      return matchedCount === 1;
    }
    try {
      const document: CustomerUsageDocument = { _id, ...counters, rev: 1 };
      await customerUsage.collection.insertOne(document as never);
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  };

  const endedOf = async (adjustmentId: string, customerId: string | undefined) =>
    await redemptions.collection
      .find({ adjustmentId, customerId })
      .project<RedemptionDocument>({ quantity: 1, status: 1 })
      .toArray();

  const holdOne = async (claim: HeldClaim, { max = Infinity, since }: CustomerCap): Promise<boolean> => {
    const _id = keyOf(claim);
    if (_id === undefined) return false;
    const untilMs = performance.now() + HOLD_WITHIN_MS;
    for (let attempts = 1; attempts <= ATTEMPTS_MIN || performance.now() < untilMs; attempts++) {
      const { matchedCount } = await customerUsage.collection.updateOne(
        {
          _id,
          since: since ?? { $ne: NOT_BEGUN },
          claimed: { $lte: max - claim.quantity },
          'pending.id': { $ne: claim.id },
          counted: { $ne: claim.id },
        } as never,
        { $inc: { claimed: claim.quantity, rev: 1 }, $push: { pending: pendingOf(claim) } as never },
      );
      if (matchedCount === 1) return true;
      const usage = await customerUsage.findById(_id).lean<CustomerUsageDocument | null>();
      if (usage === null || (since === undefined ? usage.since === NOT_BEGUN : usage.since !== since)) {
        await begin(claim, usage, since);
      } else if (usage.counted.includes(claim.id) || usage.pending.some((held) => held.id === claim.id)) {
        return true;
      } else if (usage.claimed > max - claim.quantity) {
        return false;
      }
      // Otherwise it has been begun, or a place become free, since: then it fits.
    }
    throw new PlatformError('SERVICE_UNAVAILABLE', 'The customer redeems too much at once; try again shortly.', {
      retryAfterSeconds: 1,
    });
  };

  /** Copies of an order hold one claim, many at once: here it is counted for all of them together. */
  const holding = new Map<string, Promise<boolean>>();

  return {
    /**
     * Counts `claim` for its customer if the cap leaves room; a claim that is counted already stays so.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE when others keep changing the customer's counters
     */
    async hold(claim: HeldClaim, cap: CustomerCap): Promise<boolean> {
      const copy = holding.get(claim.id);
      if (copy !== undefined) return await copy;
      const held = retryLost(async () => holdOne(claim, cap)).finally(() => holding.delete(claim.id));
      holding.set(claim.id, held);
      return await held;
    },

    /**
     * Counts as confirmed those of `claims` that are counted for their customer. Takes effect once for each. Answers the errors of
     * those that could not be counted, by their claims' ids.
     */
    async countConfirmed(claims: readonly HeldClaim[]): Promise<Map<string, Error>> {
      const counted = claims.flatMap((claim) => {
        const _id = countedKeyOf(claim);
        return _id === undefined ? [] : [{ _id, claim }];
      });
      if (counted.length === 0) return new Map();
      const changes = counted.map(({ _id, claim }) => ({
        updateOne: {
          filter: { _id, 'pending.id': claim.id },
          update: {
            $pull: { pending: { id: claim.id } },
            $inc: { confirmed: claim.quantity, rev: 1 },
            $push: { counted: { $each: [claim.id], $slice: -COUNTED_KEPT } },
          },
        },
      }));
      const failed = await customerUsage.collection
        .bulkWrite(changes as never, { ordered: false })
        .then(() => [], failedWrites);
      return new Map(failed.map(({ index, error }) => [counted[index]?.claim.id ?? '', error]));
    },

    /** Forgets a claim that did not become a redemption. Takes effect once. */
    async forget(claim: HeldClaim): Promise<void> {
      const _id = countedKeyOf(claim);
      if (_id === undefined) return;
      await retryLost(async () =>
        customerUsage.collection.updateOne({ _id, 'pending.id': claim.id } as never, {
          $pull: { pending: { id: claim.id } } as never,
          $inc: { claimed: -claim.quantity, rev: 1 },
        }),
      );
    },

    /**
     * Forgets the counters of a claim's customer: a redemption that they count was given back. The next claim begins them anew. Where the
     * adjustment counts its customers, it leaves a document in any case: counters that somebody begins at this moment have to meet it.
     */
    async countAnew(claim: RedeemedClaim, countsCustomers: boolean): Promise<void> {
      const _id = keyOf(claim);
      if (_id === undefined) return;
      const blank = { companyId: claim.companyId, confirmed: 0, claimed: 0, pending: [], counted: [] };
      const anew = { $set: { since: NOT_BEGUN }, $inc: { rev: 1 } };
      if (countsCustomers) await updateOrInsert(collectionOf(customerUsage), { _id }, { ...anew, $setOnInsert: blank });
      else await retryLost(async () => customerUsage.collection.updateOne({ _id } as never, anew));
    },

    /** Claims that are pending now for their customer, of any company. */
    async pending(from: Position | undefined): Promise<Page<HeldClaim>> {
      const { found, next } = await sweepPage(customerUsage, HAS_PENDING, { pending: 1 }, from);
      const claims = found.flatMap(({ _id, companyId, pending }) =>
        pending.map((claim) => ({ ...claim, adjustmentId: adjustmentOf(_id), companyId })),
      );
      return { found: claims, next };
    },

    /** How often `customerId` has claimed or redeemed each of `adjustmentIds`. */
    async claimedBy(customerId: string, adjustmentIds: readonly string[]): Promise<Map<string, number>> {
      const ids = adjustmentIds.map((adjustmentId) => `${adjustmentId}|${customerId}`);
      const found = await customerUsage.collection
        .find({ _id: { $in: ids }, since: { $ne: NOT_BEGUN } } as never, { projection: { claimed: 1 } })
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
export function pendingOf({ adjustmentId: _adjustmentId, companyId: _companyId, ...claim }: HeldClaim): PendingClaim {
  return Object.fromEntries(
    Object.entries(claim).filter(([, member]) => member !== undefined),
  ) as unknown as PendingClaim;
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
