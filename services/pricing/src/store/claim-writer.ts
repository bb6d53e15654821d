import type { Relay } from '@event-commerce/outbox';
import { failedWrites, batched, isOvertaken, retryLost } from '@event-commerce/service-kit';
import {
  fittingOf,
  type Group,
  groupByAdjustment,
  isCrowdedOut,
  oneClaimPerOrder,
  standingOf,
  type Wanted as Planned,
  wasConfirmed,
} from '../domain/plan-claims.ts';
import type { CustomerUsageRepository } from './customer-usage.repository.ts';
import type { PricingModels, UsageDocument } from './models.ts';
import {
  adjustmentOf,
  admission,
  type Confirmation,
  counting,
  type Join,
  joining,
  toOperation,
  type UsageChange,
} from './usage-changes.ts';
import { type HeldClaim, toHeld, toUsageRecord, type UsageRecord } from './usage-record.ts';

/** A claim that asks to be admitted, and the adjustment as whoever asks knows it. */
export type Wanted = Planned<HeldClaim>;

export interface HoldOutcome {
  held: boolean;
  /** The usage afterwards, where it was read: always of a claim that was not admitted, unless there is no usage yet. */
  usage?: UsageRecord | undefined;
  /** The claim that the order, or a copy of it, holds already. */
  standing?: HeldClaim | undefined;
  /** Whether the order, or a copy of it, was confirmed a short time ago. */
  confirmed?: boolean;
  /** Whether too many claims are pending on the adjustment. */
  crowdedOut?: boolean;
}

/** How often a batch looks again at usage that others keep changing: whoever is left comes with a later one, and keeps nobody waiting. */
const ROUNDS_MAX = 4;

/**
 * The claims that everybody makes at once. One conditional update admits claims below the cap. What waits while a write is in progress
 * goes together with the next one: an adjustment that everybody wants is written once for many.
 */
export function claimWriter(
  { usages }: PricingModels,
  customers: CustomerUsageRepository,
  relay: Relay<UsageDocument>,
) {
  /** Makes `changes`, each of one document. For each: whether it was made, as far as is known, or why it cannot be made. */
  const change = async (changes: readonly UsageChange[]): Promise<Made[]> => {
    // In one order everywhere, so that no two processes wait for each other.
    const ordered = changes.toSorted((a, b) => (a.adjustmentId < b.adjustmentId ? -1 : 1));
    const errors = new Map<UsageChange | undefined, Error>();
    try {
      const { matchedCount } = await usages.collection.bulkWrite(ordered.map(toOperation) as never, { ordered: false });
      if (matchedCount === changes.length) return changes.map(() => 'made');
    } catch (failure) {
      for (const { index, error } of failedWrites(failure)) {
        if (!isOvertaken(error)) errors.set(ordered[index], error);
      }
    }
    return changes.map((one) => errors.get(one) ?? 'unknown');
  };

  /** Makes one change for each group. Where that cannot be made, each of the group is tried by itself: only the culprits fail. */
  const changeEach = async <Some extends readonly unknown[]>(
    groups: readonly Some[],
    toChange: (group: Some) => UsageChange,
  ): Promise<Map<Some[number], Made>> => {
    const made = await change(groups.map(toChange));
    const outcomes = new Map<Some[number], Made>();
    const alone: Some[] = [];
    for (const [index, group] of groups.entries()) {
      const outcome = made[index] ?? 'unknown';
      if (outcome instanceof Error && group.length > 1) alone.push(...group.map((one) => [one] as unknown as Some));
      else for (const one of group) outcomes.set(one, outcome);
    }
    const madeAlone = alone.length === 0 ? [] : await change(alone.map(toChange));
    for (const [index, [one]] of alone.entries()) outcomes.set(one, madeAlone[index] ?? 'unknown');
    return outcomes;
  };

  const holdAll = async (wanted: readonly Wanted[]): Promise<(HoldOutcome | undefined | Error)[]> => {
    const outcomes = new Map<Wanted, HoldOutcome | Error>();
    const { first, repeats } = oneClaimPerOrder(wanted);
    /** As last read, of adjustments for whose claims there was no room all at once. */
    const pools = new Map<string, UsageDocument>();
    let waiting = first;
    for (let round = 1; waiting.length > 0 && round <= ROUNDS_MAX; round++) {
      const { groups, rest } = groupByAdjustment(waiting);
      waiting = rest;
      const asking = groups.map((group) => {
        const fitting = fittingOf(group, pools.get(adjustmentOf(group)));
        return isGroup(fitting) ? fitting : group;
      });
      const made = await changeEach(asking, admission);
      const all = groups.every((group) => group.every((one) => made.get(one) === 'made'));
      const documents = await readAfter(groups, all);
      for (const group of groups) {
        const document = documents.get(adjustmentOf(group));
        if (document !== undefined) pools.set(adjustmentOf(group), document);
        for (const one of group) {
          const failure = made.get(one);
          // Each by itself, though they are admitted together: an earlier run that failed may have admitted a part of them.
          const held = all || isPendingIn(document, one.claim.id);
          if (failure instanceof Error) outcomes.set(one, failure);
          else if (!held && fittingOf([one], document).length > 0) waiting.push(one);
          else
            outcomes.set(one, {
              held,
              usage: document && toUsageRecord(document),
              ...(held ? {} : whyNotHeld(document, one)),
            });
        }
      }
    }
    for (const [repeat, original] of repeats) {
      const outcome = outcomes.get(original);
      if (outcome === undefined) continue;
      const isHeld = !(outcome instanceof Error) && outcome.held;
      outcomes.set(repeat, isHeld ? { ...outcome, held: false, standing: original.claim } : outcome);
    }
    return wanted.map((one) => outcomes.get(one));
  };

  /** The usage after a round of claims: all that tells who holds what, or after one that admitted `all`, the counters of capped ones. */
  const readAfter = async (groups: readonly Group<HeldClaim>[], all: boolean): Promise<Map<string, UsageDocument>> => {
    const toRead = all ? groups.filter(([one]) => one.under.maxRedemptions !== undefined) : groups;
    if (toRead.length === 0) return new Map();
    return await readUsages(usages, toRead.map(adjustmentOf), { outbox: 0, ...(all ? { pending: 0, recent: 0 } : {}) });
  };

  /** Makes requests rely on claims that copies of their orders hold. For each: whether the claim still stands. */
  const joinAll = async (joins: readonly Join[]): Promise<(boolean | Error)[]> => {
    const groups = [...Map.groupBy(joins, ({ claim }) => claim.id).values()];
    const made = await changeEach(groups, joining);
    return await Promise.all(
      joins.map(async (join) => {
        const outcome = made.get(join);
        // Of several claims some stand no more: which, each tells by itself.
        const [own] = outcome === 'unknown' ? await change([joining([join])]) : [outcome];
        return own instanceof Error ? own : own === 'made';
      }),
    );
  };

  /** For each: whether it is counted. */
  const countAll = async (confirmed: readonly Confirmation[]): Promise<(boolean | Error)[]> => {
    const once = [...new Map(confirmed.map((one) => [one.claim.id, one])).values()];
    const errors = await customers.countConfirmed(once.map(({ claim }) => claim));
    let waiting = once.filter(({ claim }) => !errors.has(claim.id));
    const adjustmentIds = [...new Set(waiting.map(({ claim }) => claim.adjustmentId))];
    for (let round = 1; waiting.length > 0 && round <= ROUNDS_MAX; round++) {
      const groups = [...Map.groupBy(waiting, ({ claim }) => claim.adjustmentId).values()];
      const made = await changeEach(groups, counting);
      if (waiting.every((one) => made.get(one) === 'made')) {
        waiting = [];
        break;
      }
      // Some may be counted already: those that are not are counted without them.
      const documents = await readUsages(usages, adjustmentIds, { outbox: 0 });
      waiting = waiting.filter((one) => {
        const failure = made.get(one);
        if (failure instanceof Error) errors.set(one.claim.id, failure);
        return !(failure instanceof Error) && isPendingIn(documents.get(one.claim.adjustmentId), one.claim.id);
      });
    }
    if (adjustmentIds.length > 0) {
      const documents = await readUsages(usages, adjustmentIds, { pending: 0, recent: 0 });
      for (const document of documents.values()) relay.publish(document);
    }
    const left = new Set(waiting.map(({ claim }) => claim.id));
    return confirmed.map(({ claim }) => errors.get(claim.id) ?? !left.has(claim.id));
  };
  const count = batched(countAll);

  return {
    /**
     * Counts a claim against its adjustment's cap if it fits, the adjustment is at the version that the claim knows, and
     * neither the order nor a copy of it holds another claim on it. Undefined when others kept changing the usage: ask again.
     */
    hold: batched(holdAll),

    /** Makes a request rely on the claim of a copy of its order. False when the claim stands no more. */
    join: batched(joinAll),

    /** Makes a confirmed redemption of a claim that is pending. Takes effect once. */
    async countConfirmed(confirmation: Confirmation): Promise<void> {
      while (!(await retryLost(async () => count(confirmation))));
    },
  };
}

/** The usage documents of the adjustments that have one, by adjustment. */
export async function readUsages(
  usages: PricingModels['usages'],
  adjustmentIds: readonly string[],
  projection: Partial<Record<keyof UsageDocument, 0>>,
): Promise<Map<string, UsageDocument>> {
  const found = await usages.collection
    .find<UsageDocument>({ _id: { $in: adjustmentIds } } as never, { projection })
    .toArray();
  return new Map(found.map((document) => [document._id, document]));
}

/** Whether a change was made, as far as is known, or why it cannot be. */
type Made = 'made' | 'unknown' | Error;

function isGroup(wanted: readonly Wanted[]): wanted is Group<HeldClaim> {
  return wanted.length > 0;
}

function isPendingIn(document: UsageDocument | undefined, claimId: string): boolean {
  return document?.pending.some(({ id }) => id === claimId) ?? false;
}

function whyNotHeld(document: UsageDocument | undefined, wanted: Wanted) {
  const standing = standingOf(document, wanted.claim);
  return {
    standing: standing && document && toHeld(document, standing),
    confirmed: wasConfirmed(document, wanted.claim),
    crowdedOut: isCrowdedOut(wanted, document),
  };
}
