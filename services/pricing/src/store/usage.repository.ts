import type { DomainEvent, DomainEventType, RedemptionStatus, Tenant } from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import { failedWrites, inBatches, isDuplicateKey, isOvertaken } from '@event-commerce/service-kit';
import type { ClientSession } from 'mongoose';
import type { AdjustmentRecord } from './adjustment.repository.ts';
import { type CustomerUsageRepository, pendingOf } from './customer-usage.repository.ts';
import { HAS_PENDING, type PendingClaim, type PricingModels, type UsageDocument } from './models.ts';

/** A pending claim and the adjustment that it is held on. */
export interface HeldClaim extends PendingClaim {
  adjustmentId: string;
  companyId: Tenant;
}

export interface UsageRecord {
  adjustmentId: string;
  /** The version of the adjustment that claims must know. */
  definitionVersion: number;
  redeemed: number;
  claimed: number;
  /** Counts every change: of two readings, the higher is the newer. */
  version: number;
}

/** A claim that asks to be admitted, and the adjustment as whoever asks knows it. */
export interface Wanted {
  claim: HeldClaim;
  under: { version: number; maxRedemptions: number | undefined };
}

export interface HoldOutcome {
  held: boolean;
  /** The usage afterwards, where it was read: always of a claim that was not admitted, unless there is no usage yet. */
  usage?: UsageRecord | undefined;
  /** The claim that the order holds already. */
  standing?: HeldClaim | undefined;
}

/** Claims that are still not admitted, after so many looks at usage that others keep changing, are refused. */
const ROUNDS_MAX = 5;

export type UsageRepository = ReturnType<typeof usageRepository>;

/**
 * How often each adjustment was claimed and redeemed. One conditional update admits claims below the cap. What waits while a
 * write is under way goes together with the next one: an adjustment that everybody wants is written once for many.
 */
export function usageRepository(
  { usages }: PricingModels,
  customers: CustomerUsageRepository,
  relay: Relay<UsageDocument>,
) {
  const read = async (adjustmentIds: readonly string[], projection: Record<string, 0>) => {
    const found = await usages.collection
      .find<UsageDocument>({ _id: { $in: adjustmentIds } } as never, { projection })
      .toArray();
    return new Map(found.map((document) => [document._id, document]));
  };

  /** Makes `changes`, each of one document; whether each found its document as it wanted it. */
  const change = async (changes: readonly UsageChange[]): Promise<boolean> => {
    try {
      // In one order everywhere, so that no two processes wait for each other.
      const operations = changes.toSorted((a, b) => (a.adjustmentId < b.adjustmentId ? -1 : 1)).map(toOperation);
      const { matchedCount } = await usages.collection.bulkWrite(operations as never, { ordered: false });
      return matchedCount === changes.length;
    } catch (error) {
      const serious = failedWrites(error).find((failed) => !isOvertaken(failed.error));
      if (serious !== undefined) throw serious.error;
      return false;
    }
  };

  const holdAll = async (wanted: readonly Wanted[]): Promise<HoldOutcome[]> => {
    const outcomes = new Map<Wanted, HoldOutcome>();
    const { first, repeats } = oneClaimPerOrder(wanted);
    let waiting = first;
    for (let round = 1; waiting.length > 0 && round <= ROUNDS_MAX; round++) {
      const { groups, rest } = groupByAdjustment(waiting);
      const all = await change(groups.map(admission));
      const toRead = all ? groups.filter(([one]) => one.under.maxRedemptions !== undefined) : groups;
      const documents =
        toRead.length === 0
          ? new Map<string, UsageDocument>()
          : await read(toRead.map(adjustmentOf), { outbox: 0, ...(all ? { pending: 0 as const } : {}) });
      const next: Wanted[] = [...rest];
      for (const group of groups) {
        const document = documents.get(adjustmentOf(group));
        const usage = document && toUsageRecord(document);
        // All of a group are admitted, or none.
        const held = all || isHeld(document, group[0].claim.id);
        for (const one of group) {
          outcomes.set(one, { held, usage, standing: held ? undefined : heldBy(document, one.claim.orderId) });
        }
        if (!held) next.push(...fittingOf(group, document));
      }
      waiting = next;
    }
    for (const [repeat, original] of repeats) {
      const { held = false, usage, standing } = outcomes.get(original) ?? {};
      outcomes.set(repeat, { held: false, usage, standing: held ? original.claim : standing });
    }
    return wanted.map((one) => outcomes.get(one) ?? { held: false });
  };

  const countAll = async (confirmed: readonly Confirmation[]): Promise<undefined[]> => {
    const once = [...new Map(confirmed.map((one) => [one.claim.id, one])).values()];
    await customers.countConfirmed(once.map(({ claim }) => claim));
    const groups = [...Map.groupBy(once, ({ claim }) => claim.adjustmentId).values()];
    // Where one of several was counted before, each is tried by itself; it has no effect for those that are counted.
    if (!(await change(groups.map(counting)))) {
      for (const one of once) await change([counting([one])]);
    }
    const documents = await read(
      groups.map(([first]) => first?.claim.adjustmentId ?? ''),
      { pending: 0 },
    );
    for (const document of documents.values()) relay.publish(document);
    return confirmed.map(() => undefined);
  };

  const claimedOf = inBatches(async (asked: readonly (readonly string[])[]) => {
    const ids = [...new Set(asked.flat())];
    const found = await usages.collection
      .find<UsageDocument>({ _id: { $in: ids } } as never, { projection: { claimed: 1 } })
      .toArray();
    const claimed = new Map(found.map((usage) => [usage._id, usage.claimed]));
    return asked.map(() => claimed);
  });

  return {
    /**
     * Counts a claim against its adjustment's cap if it fits, the adjustment is at the version that the claim knows, and
     * the order holds no other claim on it.
     */
    hold: inBatches(holdAll),

    /** Makes a confirmed redemption of a claim that is pending. Takes effect once. */
    countConfirmed: inBatches(countAll),

    /** Forgets a claim that did not become a redemption. Takes effect once. */
    async forget(claim: HeldClaim, status: 'cancelled' | 'lapsed', now: Date): Promise<void> {
      await customers.forget(claim);
      const entry = status === 'cancelled' ? undefined : redemptionEntry(claim, status, now);
      const document = await usages.collection.findOneAndUpdate(
        { _id: claim.adjustmentId, 'pending.id': claim.id } as never,
        {
          $pull: { pending: { id: claim.id } } as never,
          $inc: { claimed: -claim.quantity, version: 1 },
          ...(entry === undefined ? {} : { $push: { outbox: entry } as never }),
        },
        { returnDocument: 'after', projection: { pending: 0 } },
      );
      if (document !== null) relay.publish(document as unknown as UsageDocument);
    },

    /**
     * Takes a redemption out of the counters, as part of the transaction of `session` that takes it out of the ledger.
     * The function that comes back publishes its event once that is committed.
     */
    async release(claim: RedeemedClaim, now: Date, options: ReleaseOptions): Promise<() => void> {
      const { id, adjustmentId, quantity } = claim;
      await customers.release(claim, options.session);
      const entry = redemptionEntry(claim, 'released', now, options.traceparent);
      // Confirmed in the ledger, it may still be pending here; then it was never counted as confirmed.
      for (const pending of [false, true]) {
        const document = await usages.collection.findOneAndUpdate(
          { _id: adjustmentId, 'pending.id': pending ? id : { $ne: id } } as never,
          {
            $inc: { claimed: -quantity, version: 1, ...(pending ? {} : { confirmed: -quantity }) },
            $push: { outbox: entry } as never,
            ...(pending ? { $pull: { pending: { id } } as never } : {}),
          },
          { returnDocument: 'after', projection: { pending: 0 }, session: options.session },
        );
        if (document !== null) return () => relay.publish(document as unknown as UsageDocument);
      }
      return () => undefined;
    },

    /** Refuses from now on the claims of whoever knows only an older version of the adjustment. Safe to repeat. */
    async follow(companyId: Tenant, { id, version, origin, couponId }: Followed): Promise<void> {
      try {
        await usages.collection.updateOne(
          { _id: id, definitionVersion: { $lt: version } } as never,
          {
            $set: { definitionVersion: version, origin, ...(couponId === undefined ? {} : { couponId }) },
            $setOnInsert: { companyId, confirmed: 0, claimed: 0, version: 0, pending: [] },
          },
          { upsert: true },
        );
      } catch (error) {
        // It exists, and follows this version or a later one.
        if (!isDuplicateKey(error)) throw error;
      }
    },

    async find(adjustmentId: string): Promise<UsageRecord | undefined> {
      const document = (await read([adjustmentId], { pending: 0, outbox: 0 })).get(adjustmentId);
      return document && toUsageRecord(document);
    },

    /** How often each of the adjustments is claimed now; those that never were are left out. What is asked for at once goes together. */
    claimedOf,

    /** Claims that are pending now, of any company; of at most `adjustmentsMax` adjustments. */
    async pending(adjustmentsMax: number): Promise<HeldClaim[]> {
      const found = await usages.collection
        .find<UsageDocument>(HAS_PENDING as never, { projection: { companyId: 1, pending: 1 } })
        .limit(adjustmentsMax)
        .toArray();
      return found.flatMap((document) => document.pending.map((claim) => toHeld(document, claim)));
    },

    async isPending({ adjustmentId, id }: HeldClaim): Promise<boolean> {
      return (await usages.collection.countDocuments({ _id: adjustmentId, 'pending.id': id } as never)) > 0;
    },
  };
}

/** A claim that the ledger confirms. */
export interface Confirmation {
  claim: HeldClaim;
  now: Date;
  traceparent?: string | undefined;
}

type Followed = Pick<AdjustmentRecord, 'id' | 'version' | 'origin' | 'couponId'>;

/** A redemption as the ledger has it. */
export type RedeemedClaim = Omit<HeldClaim, 'settledBy' | 'perCustomer'>;

interface ReleaseOptions {
  session: ClientSession;
  traceparent: string | undefined;
}

/** The domain event of a usage's outbox entry. */
export function redemptionEvent(entry: OutboxEntry, document: UsageDocument): DomainEvent {
  const { _id, companyId, confirmed, claimed, version, origin, couponId } = document;
  return domainEvent(entry as OutboxEntry & { type: RedemptionEventType }, {
    subject: _id,
    tenant: companyId,
    data: {
      redemption: entry.extra as never,
      usage: { redeemed: confirmed, claimed, version },
      origin,
      ...(couponId === undefined ? {} : { couponId }),
    },
  });
}

type RedemptionEventType = Extract<DomainEventType, `redemption.${string}`>;
type Group = readonly [Wanted, ...Wanted[]];

interface UsageChange {
  adjustmentId: string;
  /** What must be so for the change to be made. */
  where: Record<string, unknown>;
  update: Record<string, unknown>;
}

function toOperation({ adjustmentId, where, update }: UsageChange) {
  return { updateOne: { filter: { _id: adjustmentId, ...where }, update } };
}

/** The first claim of each order on each adjustment; the others get what became of that one. */
function oneClaimPerOrder(wanted: readonly Wanted[]): { first: Wanted[]; repeats: Map<Wanted, Wanted> } {
  const first = new Map<string, Wanted>();
  const repeats = new Map<Wanted, Wanted>();
  for (const one of wanted) {
    const key = JSON.stringify([one.claim.adjustmentId, one.claim.orderId]);
    const original = first.get(key);
    if (original === undefined) first.set(key, one);
    else repeats.set(one, original);
  }
  return { first: [...first.values()], repeats };
}

/** One group for each adjustment; a claim that knows another version of it than its group's waits. */
function groupByAdjustment(wanted: readonly Wanted[]): { groups: Group[]; rest: Wanted[] } {
  const groups = new Map<string, [Wanted, ...Wanted[]]>();
  const rest: Wanted[] = [];
  for (const one of wanted) {
    const group = groups.get(one.claim.adjustmentId);
    if (group === undefined) groups.set(one.claim.adjustmentId, [one]);
    else if (group[0].under.version === one.under.version) group.push(one);
    else rest.push(one);
  }
  return { groups: [...groups.values()], rest };
}

function adjustmentOf([first]: Group): string {
  return first.claim.adjustmentId;
}

/** Admits the claims of `group`: all, or none. */
function admission(group: Group): UsageChange {
  const { version, maxRedemptions } = group[0].under;
  const quantity = group.reduce((sum, { claim }) => sum + claim.quantity, 0);
  return {
    adjustmentId: adjustmentOf(group),
    where: {
      definitionVersion: version,
      ...(maxRedemptions === undefined ? {} : { claimed: { $lte: maxRedemptions - quantity } }),
      'pending.orderId': { $nin: group.map(({ claim }) => claim.orderId) },
    },
    update: {
      $inc: { claimed: quantity, version: 1 },
      $push: { pending: { $each: group.map(({ claim }) => pendingOf(claim)) } },
    },
  };
}

/** Those of a group that was not admitted as a whole for which there is room. */
function fittingOf(group: Group, usage: UsageDocument | undefined): Wanted[] {
  const { version, maxRedemptions = Infinity } = group[0].under;
  if (usage?.definitionVersion !== version) return [];
  let room = maxRedemptions - usage.claimed;
  return group.filter(({ claim }) => {
    if (claim.quantity > room || heldBy(usage, claim.orderId) !== undefined) return false;
    room -= claim.quantity;
    return true;
  });
}

/** Counts pending claims of one adjustment as confirmed: all, or none. */
function counting(group: readonly Confirmation[]): UsageChange {
  const ids = group.map(({ claim }) => claim.id);
  return {
    adjustmentId: group[0]?.claim.adjustmentId ?? '',
    where: { 'pending.id': { $all: ids } },
    update: {
      $pull: { pending: { id: { $in: ids } } },
      $inc: { confirmed: group.reduce((sum, { claim }) => sum + claim.quantity, 0), version: 1 },
      $push: {
        outbox: {
          $each: group.map(({ claim, now, traceparent }) => redemptionEntry(claim, 'confirmed', now, traceparent)),
        },
      },
    },
  };
}

function isHeld(document: UsageDocument | undefined, claimId: string): boolean {
  return document?.pending.some(({ id }) => id === claimId) ?? false;
}

function heldBy(document: UsageDocument | undefined, orderId: string): HeldClaim | undefined {
  const claim = document?.pending?.find((pending) => pending.orderId === orderId);
  return claim && document && toHeld(document, claim);
}

function toHeld({ _id, companyId }: Pick<UsageDocument, '_id' | 'companyId'>, claim: PendingClaim): HeldClaim {
  return { ...claim, adjustmentId: _id, companyId };
}

function toUsageRecord(document: UsageDocument): UsageRecord {
  const { _id, definitionVersion, confirmed, claimed, version } = document;
  return { adjustmentId: _id, definitionVersion, redeemed: confirmed, claimed, version };
}

function redemptionEntry(
  claim: Omit<RedeemedClaim, 'companyId'>,
  status: RedemptionStatus,
  now: Date,
  traceparent?: string,
): OutboxEntry {
  const { id, adjustmentId, orderId, customerId, code, quantity } = claim;
  const optional = { ...(customerId === undefined ? {} : { customerId }), ...(code === undefined ? {} : { code }) };
  return outboxEntry(`redemption.${status}`, now, {
    traceparent,
    extra: { id, adjustmentId, orderId, ...optional, quantity, status },
  });
}
