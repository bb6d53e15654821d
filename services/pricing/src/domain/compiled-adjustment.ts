import { matchCode, targetPath } from '@event-commerce/contracts';
import type { Conditions, TargetPath } from '@event-commerce/contracts';
import type { StoredAdjustment, Usage } from './adjustment.ts';
import { compileEffect } from './effects/compile-effect.ts';
import type { CompiledEffect } from './effects/compile-effect.ts';
import { TargetMismatch } from './eligibility/target.ts';

/**
 * Conditions in the form the rules compare: instants as epoch milliseconds, lists as sets, absent bounds as infinity.
 */
export interface CompiledConditions {
  startsAtMs: number;
  endsAtMs: number;
  /** Upper case; undefined when no code is needed. */
  code: string | undefined;
  tags: ReadonlySet<string> | undefined;
  customerSegments: ReadonlySet<string> | undefined;
  channelIds: ReadonlySet<string> | undefined;
  minQuantity: number;
  maxQuantity: number;
  minOrderTotal: Conditions['minOrderTotal'];
  maxOrderTotal: Conditions['maxOrderTotal'];
  maxRedemptions: number;
  /** undefined when there is no such cap, because only then the customer may stay unknown. */
  maxRedemptionsPerCustomer: number | undefined;
}

/** An adjustment with everything worked out that does not depend on the request. */
export interface CompiledAdjustment {
  readonly source: StoredAdjustment;
  readonly targets: readonly TargetPath[];
  readonly conditions: CompiledConditions;
  readonly effect: CompiledEffect;
  /** Changes what tickets are listed at, before anything applies at checkout. */
  readonly atListing: boolean;
  readonly perUnit: boolean;
  readonly onListPrice: boolean;
  readonly exclusive: boolean;
  readonly replacesWithinCategory: boolean;
  readonly targetMismatch: TargetMismatch;
  /** Replaced by the snapshot when a redemption is counted, without compiling anything again. */
  usage: Usage;
  /** Place in the cascade order of its snapshot. */
  position: number;
}

export function compileAdjustment(source: StoredAdjustment): CompiledAdjustment {
  const effect = compileEffect(source.effect);
  const targets = source.targets.map((target) => targetPath(target.urn));
  return {
    source,
    targets,
    conditions: compileConditions(source.conditions, effect.minQuantity),
    effect,
    // One ticket's listing price knows no order; older adjustments may still say so.
    atListing: source.application === 'at-listing' && source.effect.per === 'unit',
    perUnit: source.effect.per === 'unit',
    onListPrice: source.effectBase === 'list-price',
    exclusive: source.stacking === 'exclusive',
    replacesWithinCategory: source.stacking === 'replace-within-category',
    targetMismatch: new TargetMismatch(source, targets),
    usage: source.usage,
    position: 0,
  };
}

/** `effectMinQuantity`: tickets that the effect itself needs; the larger minimum counts. */
export function compileConditions(conditions: Conditions, effectMinQuantity: number): CompiledConditions {
  return {
    startsAtMs: conditions.startsAt === undefined ? -Infinity : Date.parse(conditions.startsAt),
    endsAtMs: conditions.endsAt === undefined ? Infinity : Date.parse(conditions.endsAt),
    code: conditions.code === undefined ? undefined : matchCode(conditions.code),
    tags: setOf(conditions.tags),
    customerSegments: setOf(conditions.customerSegments),
    channelIds: setOf(conditions.channelIds),
    minQuantity: Math.max(conditions.minQuantity ?? 0, effectMinQuantity),
    maxQuantity: conditions.maxQuantity ?? Infinity,
    minOrderTotal: conditions.minOrderTotal,
    maxOrderTotal: conditions.maxOrderTotal,
    maxRedemptions: conditions.maxRedemptions ?? Infinity,
    maxRedemptionsPerCustomer: conditions.maxRedemptionsPerCustomer,
  };
}

function setOf(values: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return values === undefined ? undefined : new Set(values);
}

/**
 * The cascade order: at listing, exclusives, then per unit, then per order; within each by priority (higher first), then oldest
 * first, then id. It is total, so one set of adjustments has one order on every replica.
 */
export function inCascadeOrder(a: CompiledAdjustment, b: CompiledAdjustment): number {
  return (
    Number(b.atListing) - Number(a.atListing) ||
    Number(b.exclusive) - Number(a.exclusive) ||
    Number(b.perUnit) - Number(a.perUnit) ||
    b.source.priority - a.source.priority ||
    compareText(a.source.created, b.source.created) ||
    compareText(a.source.id, b.source.id)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
