import { randomUUID } from 'node:crypto';
import type { PageQuery, Redemption, RedemptionStatus, Tenant } from '@event-commerce/contracts';
import {
  afterCursor,
  collectionOf,
  findPage,
  type Found,
  batched,
  insertEach,
  notShownYet,
  retryLost,
} from '@event-commerce/service-kit';
import type { CustomerUsageRepository } from './customer-usage.repository.ts';
import type { PricingModels, RedemptionDocument } from './models.ts';
import type { HeldClaim, RedeemedClaim } from './usage-record.ts';
import type { UsageRepository } from './usage.repository.ts';

/** How a claim ends. */
export interface Ending {
  claim: HeldClaim;
  status: RedemptionStatus;
  now: Date;
}

/** How a claim ended. `other-redemption`: its order has redeemed the adjustment already, with another claim. */
export type SettleOutcome = RedemptionStatus | 'other-redemption';

export type RedemptionRepository = ReturnType<typeof redemptionRepository>;

/**
 * The ledger: a claim ends with one insert under its own id, which only the first of confirm and lapse can make; the counters
 * follow the ledger.
 */
export function redemptionRepository(
  { redemptions }: PricingModels,
  usage: UsageRepository,
  customers: CustomerUsageRepository,
) {
  /** Why the ledger refused an entry of `claim`, which it does not have under the claim's own id. */
  const otherThan = async ({ companyId, adjustmentId, orderId }: HeldClaim): Promise<'other-redemption' | Error> => {
    const other = await redemptions.collection.findOne(
      { adjustmentId, orderId, status: 'confirmed', companyId } as never,
      { projection: { _id: 1 } },
    );
    return other === null ? notShownYet() : 'other-redemption';
  };

  const settleAll = async (endings: readonly Ending[]): Promise<(SettleOutcome | Error)[]> => {
    // Copies of an order end the same claim, many at once: one entry is written for all of them.
    const entries = [...new Map(endings.map((ending) => [entryKey(ending), ending])).values()];
    const written = await insertEach(collectionOf(redemptions), entries.map(toDocument));
    const refused = entries.filter((_, index) => written[index] === false).map(({ claim }) => claim.id);
    const standing =
      refused.length === 0
        ? []
        : await redemptions.collection
            .find<RedemptionDocument>({ _id: { $in: refused } } as never, { projection: { status: 1 } })
            .toArray();
    const standingOf = new Map(standing.map(({ _id, status }) => [_id, status]));
    const outcomes = new Map<string, SettleOutcome | Error>();
    for (const [index, entry] of entries.entries()) {
      const outcome = written[index];
      if (outcome instanceof Error || outcome === true)
        outcomes.set(entryKey(entry), outcome === true ? entry.status : outcome);
      else outcomes.set(entryKey(entry), standingOf.get(entry.claim.id) ?? (await otherThan(entry.claim)));
    }
    return endings.map((ending) => outcomes.get(entryKey(ending)) ?? notShownYet());
  };
  const settle = batched(settleAll);

  const endRelease = async (
    claim: RedeemedClaim,
    by: string,
    countsCustomers: boolean,
    now: Date,
    traceparent?: string,
  ): Promise<boolean> => {
    const { id, companyId, adjustmentId } = claim;
    const released = await retryLost(async () =>
      redemptions.collection.findOneAndUpdate(
        { _id: id, companyId, adjustmentId, status: 'confirmed' } as never,
        { $set: { status: 'released', releasedBy: by } },
        { returnDocument: 'after' },
      ),
    );
    const entry = released ?? (await redemptions.collection.findOne({ _id: id } as never));
    // It was just found to be otherwise.
    if (entry === null || entry['status'] === 'confirmed') throw notShownYet();
    const isBy = entry['releasedBy'] === by;
    if (isBy) await customers.countAnew(claim, countsCustomers);
    await usage.endRelease(claim, by, { isBy, now, traceparent });
    return released !== null;
  };

  return {
    /**
     * Enters how the claim ended. Only the first entry of a claim is made; the answer is what stands.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE while what stands is not known: ask again
     */
    settle: async (ending: Ending): Promise<SettleOutcome> => await retryLost(async () => settle(ending)),

    /**
     * Gives a confirmed redemption back. False when it was given back before, by somebody else. The ledger says by whom, and only what
     * that one had noted in the adjustment's counters beforehand takes the redemption out of them: so it happens once, and what a crash
     * leaves is ended by `endRelease`. No lock is held on counters that everybody writes.
     */
    async release(claim: RedeemedClaim, now: Date, traceparent?: string): Promise<boolean> {
      const by = randomUUID();
      const { countsCustomers } = await usage.beginRelease(claim, by);
      return await endRelease(claim, by, countsCustomers, now, traceparent);
    },

    /**
     * Ends a release that a crash left after `by` had begun. Safe to repeat.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE while the ledger does not show the redemption
     */
    async endRelease(companyId: Tenant, { id, by, adjustmentId }: Begun, now: Date): Promise<void> {
      const found = await redemptions.findOne({ _id: id, companyId, adjustmentId }).lean<RedemptionDocument | null>();
      // The ledger forgets nothing.
      if (found === null) throw notShownYet();
      await endRelease({ ...found, id }, by, true, now);
    },

    /** The adjustment's redemption `id`, and the claim that it was made of. */
    async find(
      companyId: Tenant,
      adjustmentId: string,
      id: string,
    ): Promise<{ redemption: Redemption; claim: RedeemedClaim; heldByOrder: boolean } | undefined> {
      const found = await redemptions.findOne({ _id: id, companyId, adjustmentId }).lean<RedemptionDocument | null>();
      if (found === null) return undefined;
      return { redemption: toRedemption(found), claim: { ...found, id }, heldByOrder: isHeldByOrder(found) };
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

    /** Newest first. */
    async list(companyId: Tenant, adjustmentId: string, query: PageQuery): Promise<Found<Redemption>> {
      const after = afterCursor(query, 'redemptions');
      const filters = {
        adjustmentId,
        companyId,
        ...(after === undefined ? {} : { _id: { $lt: after } }),
      };
      const { records, more } = await findPage<RedemptionDocument>(collectionOf(redemptions), filters, query);
      return { records: records.map(toRedemption), more };
    },
  };
}

function entryKey({ claim, status }: Ending): string {
  return JSON.stringify([claim.id, status]);
}

/** A release that somebody began. */
type Begun = { id: string; by: string; adjustmentId: string };

/** An order id of commerce: entries from before they told who settles them are told by it. */
const ORDER_ID = /^ord_[0-9a-z]{26}$/;

function isHeldByOrder({ status, settledBy, orderId }: RedemptionDocument): boolean {
  return status === 'confirmed' && (settledBy === undefined ? ORDER_ID.test(orderId) : settledBy === 'commerce');
}

function toRedemption(document: RedemptionDocument): Redemption {
  const {
    _id,
    companyId: _companyId,
    key: _key,
    settledBy: _settledBy,
    releasedBy: _releasedBy,
    created,
    ...fields
  } = document;
  return { id: _id, ...fields, created: created.toISOString() };
}

function toDocument({ claim, status, now }: Ending): RedemptionDocument {
  const { id, companyId, adjustmentId, orderId, customerId, code, quantity, key, settledBy } = claim;
  const optional = {
    ...(customerId === undefined ? {} : { customerId }),
    ...(code === undefined ? {} : { code }),
    ...(key === undefined ? {} : { key }),
  };
  return { _id: id, companyId, adjustmentId, orderId, ...optional, quantity, status, created: now, settledBy };
}
