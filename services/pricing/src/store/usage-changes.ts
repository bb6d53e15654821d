import { type Group, PENDING_MAX } from '../domain/plan-claims.ts';
import { pendingOf } from './customer-usage.repository.ts';
import { type HeldClaim, redemptionEntry } from './usage-record.ts';

/** A claim that the ledger confirms. */
export interface Confirmation {
  claim: HeldClaim;
  now: Date;
  traceparent?: string | undefined;
}

/** A request that is to rely on a claim. */
export interface Join {
  claim: HeldClaim;
  attempt: string;
}

/** How many confirmed orders an adjustment remembers: more than are confirmed while one copy of an order is under way. */
const RECENT_KEPT = 100;

/** A conditional change of one adjustment's usage. */
export interface UsageChange {
  adjustmentId: string;
  /** What must be so for the change to be made. */
  where: Record<string, unknown>;
  update: Record<string, unknown>;
}

export function toOperation({ adjustmentId, where, update }: UsageChange) {
  return { updateOne: { filter: { _id: adjustmentId, ...where }, update } };
}

export function adjustmentOf([first]: Group<HeldClaim>): string {
  return first.claim.adjustmentId;
}

/** Admits the claims of `group`: all, or none. */
export function admission(group: Group<HeldClaim>): UsageChange {
  const { version, maxRedemptions } = group[0].under;
  const quantity = group.reduce((sum, { claim }) => sum + claim.quantity, 0);
  const keys = keysOf(group);
  return {
    adjustmentId: adjustmentOf(group),
    where: {
      definitionVersion: version,
      ...(maxRedemptions === undefined ? {} : { claimed: { $lte: maxRedemptions - quantity } }),
      [`pending.${PENDING_MAX - group.length}`]: { $exists: false },
      'pending.orderId': { $nin: group.map(({ claim }) => claim.orderId) },
      ...(keys.length === 0 ? {} : { 'pending.key': { $nin: keys }, recent: { $nin: keys } }),
    },
    update: {
      $inc: { claimed: quantity, version: 1 },
      $push: { pending: { $each: group.map(({ claim }) => pendingOf(claim)) } },
    },
  };
}

/** Adds requests to those that rely on a claim. */
export function joining(joins: readonly Join[]): UsageChange {
  const [{ claim }] = joins as [Join];
  return {
    adjustmentId: claim.adjustmentId,
    where: { 'pending.id': claim.id },
    update: { $addToSet: { 'pending.$.attempts': { $each: joins.map(({ attempt }) => attempt) } } },
  };
}

/** Counts pending claims of one adjustment as confirmed: all, or none. */
export function counting(group: readonly Confirmation[]): UsageChange {
  const ids = group.map(({ claim }) => claim.id);
  const keys = keysOf(group);
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
        ...(keys.length === 0 ? {} : { recent: { $each: keys, $slice: -RECENT_KEPT } }),
      },
    },
  };
}

function keysOf(claims: readonly { claim: HeldClaim }[]): string[] {
  return claims.flatMap(({ claim }) => (claim.key === undefined ? [] : [claim.key]));
}
