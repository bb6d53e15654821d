import type { Tenant } from '@event-commerce/contracts';
import type { Relay } from '@event-commerce/outbox';
import { collectionOf, batched, retryLost, updateOrInsert } from '@event-commerce/service-kit';
import type { AdjustmentRecord } from './adjustment.repository.ts';
import { claimWriter, readUsages } from './claim-writer.ts';
import type { CustomerUsageRepository } from './customer-usage.repository.ts';
import { HAS_PENDING, HAS_RELEASING, type PricingModels, type UsageDocument } from './models.ts';
import { type Page, type Position, sweepPage } from './sweep-page.ts';
import {
  type HeldClaim,
  type RedeemedClaim,
  redemptionEntry,
  toHeld,
  toUsageRecord,
  type UsageRecord,
} from './usage-record.ts';

/** How often a claim that others keep changing is looked at again. */
const ROUNDS_MAX = 8;

export type UsageRepository = ReturnType<typeof usageRepository>;

/** How often each adjustment was claimed and redeemed. */
export function usageRepository(
  models: PricingModels,
  customers: CustomerUsageRepository,
  relay: Relay<UsageDocument>,
) {
  const { usages } = models;

  const claimedOf = batched(async (asked: readonly (readonly string[])[]) => {
    const ids = [...new Set(asked.flat())];
    const found = await usages.collection
      .find<UsageDocument>({ _id: { $in: ids } } as never, { projection: { claimed: 1 } })
      .toArray();
    const claimed = new Map(found.map((usage) => [usage._id, usage.claimed]));
    return asked.map(() => claimed);
  });

  /** Changes one adjustment's usage, which `filter` finds. Answers it as it is then, without its claims; null when there is none. */
  const change = async (
    filter: { _id: string } & Record<string, unknown>,
    update: Record<string, unknown>,
  ): Promise<UsageDocument | null> =>
    (await retryLost(async () =>
      usages.collection.findOneAndUpdate(filter as never, update, {
        returnDocument: 'after',
        projection: { pending: 0, recent: 0 },
      }),
    )) as UsageDocument | null;

  return {
    ...claimWriter(models, customers, relay),

    /**
     * Ends the reliance of the request `attempt` on `claim`, and the claim with it when no other request relies on it: a copy of the
     * order may be about to be placed with it.
     */
    async letGo(claim: HeldClaim, attempt: string): Promise<void> {
      const { id, adjustmentId: _id, quantity } = claim;
      const isAmong = { id, attempts: attempt, 'attempts.1': { $exists: true } };
      for (let round = 1; round <= ROUNDS_MAX; round++) {
        const ended = await change(
          { _id, pending: { $elemMatch: { id, attempts: [attempt] } } },
          { $pull: { pending: { id } }, $inc: { claimed: -quantity, version: 1 } },
        );
        // Should a crash come here, the sweep finds that only the customer's counter still has the claim.
        if (ended !== null) return await customers.forget(claim);
        const left = { $pull: { 'pending.$.attempts': attempt } };
        if ((await change({ _id, pending: { $elemMatch: isAmong } }, left)) !== null) return;
        const relies = { _id, pending: { $elemMatch: { id, attempts: attempt } } };
        if ((await usages.collection.countDocuments(relies as never)) === 0) return;
      }
    },

    /**
     * Forgets a claim that did not become a redemption. Takes effect once, and not where one that became a redemption is being given
     * back before it was counted: that return takes the claim along.
     */
    async forget(claim: HeldClaim, status: 'cancelled' | 'lapsed', now: Date): Promise<void> {
      await customers.forget(claim);
      const entry = status === 'cancelled' ? undefined : redemptionEntry(claim, status, now);
      const document = await change(
        { _id: claim.adjustmentId, 'pending.id': claim.id, 'releasing.id': { $ne: claim.id } },
        {
          $pull: { pending: { id: claim.id } },
          $inc: { claimed: -claim.quantity, version: 1 },
          ...(entry === undefined ? {} : { $push: { outbox: entry } }),
        },
      );
      if (document !== null) relay.publish(document);
    },

    /** Notes that `by` is about to give a redemption back. Answers whether the adjustment counts its customers. */
    async beginRelease({ id, adjustmentId }: RedeemedClaim, by: string): Promise<{ countsCustomers: boolean }> {
      const document = await change({ _id: adjustmentId }, { $push: { releasing: { id, by } } });
      return { countsCustomers: document?.customersSince !== undefined };
    },

    /**
     * Ends what `by` began: takes the redemption out of the counters if `by` took it out of the ledger. Takes effect once, whoever does
     * it: the note that there is something to take out goes with it.
     */
    async endRelease(claim: RedeemedClaim, by: string, release: ReleaseOutcome): Promise<void> {
      const { id, adjustmentId: _id, quantity, key } = claim;
      const begun = { _id, releasing: { $elemMatch: { id, by } } };
      if (!release.isBy) {
        await change(begun, { $pull: { releasing: { id, by } } });
        return;
      }
      const entry = redemptionEntry(claim, 'released', release.now, release.traceparent);
      // Confirmed in the ledger, it may still be pending here; then it was never counted as confirmed, or is between the two looks.
      for (const isPending of [false, true, false]) {
        const document = await change(
          { ...begun, 'pending.id': isPending ? id : { $ne: id } },
          {
            $inc: { claimed: -quantity, version: 1, ...(isPending ? {} : { confirmed: -quantity }) },
            $push: { outbox: entry },
            $pull: {
              releasing: { id, by },
              ...(isPending ? { pending: { id } } : {}),
              ...(key === undefined ? {} : { recent: key }),
            },
          },
        );
        if (document === null) continue;
        relay.publish(document);
        return;
      }
    },

    /** Redemptions that are being given back now, of any company. */
    async releasing(from: Position | undefined): Promise<Page<BegunRelease>> {
      const { found, next } = await sweepPage(usages, HAS_RELEASING, { releasing: 1 }, from);
      const begun = found.flatMap(({ _id, companyId, releasing = [] }) =>
        releasing.map(({ id, by }) => ({ id: by, redemptionId: id, by, adjustmentId: _id, companyId })),
      );
      return { found: begun, next };
    },

    /** Refuses from now on the claims of whoever knows only an older version of the adjustment. Safe to repeat. */
    async follow(companyId: Tenant, { id, version, origin, couponId, customersSince }: Followed): Promise<void> {
      await updateOrInsert(
        collectionOf(usages),
        { _id: id, definitionVersion: { $lt: version } },
        {
          $set: {
            definitionVersion: version,
            origin,
            ...(couponId === undefined ? {} : { couponId }),
            ...(customersSince === undefined ? {} : { customersSince }),
          },
          $setOnInsert: { companyId, confirmed: 0, claimed: 0, version: 0, pending: [] },
        },
      );
    },

    async find(adjustmentId: string): Promise<UsageRecord | undefined> {
      const document = (await readUsages(usages, [adjustmentId], { pending: 0, recent: 0, outbox: 0 })).get(
        adjustmentId,
      );
      return document && toUsageRecord(document);
    },

    /** How often each of the adjustments is claimed now; those that never were are left out. What is asked for at once goes together. */
    claimedOf,

    /** Claims that are pending now, of any company. */
    async pending(from: Position | undefined): Promise<Page<HeldClaim>> {
      const { found, next } = await sweepPage(usages, HAS_PENDING, { pending: 1 }, from);
      return { found: found.flatMap((document) => document.pending.map((claim) => toHeld(document, claim))), next };
    },

    async isPending({ adjustmentId, id }: HeldClaim): Promise<boolean> {
      return (await usages.collection.countDocuments({ _id: adjustmentId, 'pending.id': id } as never)) > 0;
    },
  };
}

type Followed = Pick<AdjustmentRecord, 'id' | 'version' | 'origin' | 'couponId' | 'customersSince'>;

/** A redemption that `by` began to give back; `id` tells this return from others of the same redemption. */
interface BegunRelease {
  id: string;
  redemptionId: string;
  by: string;
  adjustmentId: string;
  companyId: Tenant;
}

interface ReleaseOutcome {
  /** Whether the ledger says that it was given back by whoever began. */
  isBy: boolean;
  now: Date;
  traceparent: string | undefined;
}
