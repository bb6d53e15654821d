import {
  type Adjustment,
  type Conditions,
  EVERY_EVENT,
  isEverywhere,
  codeKey,
  type Target,
  targetPath,
  type TargetPath,
  unitsOf,
} from '@event-commerce/contracts';
import type { KeptAdjustment } from '../../adjustments/domain/adjustment.ts';
import { hasTicketCap } from '../../adjustments/domain/pools-of.ts';
import { compileEffect } from '../../evaluate/domain/effects/compile-effect.ts';
import type { CompiledEffect } from '../../evaluate/domain/effects/compiled-effect.ts';
import { TargetMismatch } from '../../evaluate/domain/eligibility/target.ts';
import { compareText } from '../../evaluate/domain/compare-text.ts';
import { type CompiledWindow, compileWindows } from '../../evaluate/domain/windows/recurring-windows.ts';
import { share, shareText } from '../../evaluate/domain/share.ts';

/**
 * Conditions in the form that the rules compare: instants as epoch milliseconds, lists as sets, absent bounds as
 * infinity.
 */
export interface CompiledConditions {
  startsAtMs: number;
  endsAtMs: number;
  windows: readonly CompiledWindow[] | undefined;
  /** The key of the code that it needs, if it needs a certain one. */
  codeKey: string | undefined;
  /** Whether it needs a code: that one, or one that was issued for it. */
  needsCode: boolean;
  tags: ReadonlySet<string> | undefined;
  offeringIds: ReadonlySet<string> | undefined;
  customerSegments: ReadonlySet<string> | undefined;
  channelIds: ReadonlySet<string> | undefined;
  minQuantity: number;
  maxQuantity: number;
  minOrderTotal: Conditions['minOrderTotal'];
  maxOrderTotal: Conditions['maxOrderTotal'];
  minEligibleTotal: Conditions['minEligibleTotal'];
  maxRedemptions: number;
  /** Undefined without such a cap: only then may the customer stay unknown. */
  maxRedemptionsPerCustomer: number | undefined;
  maxTickets: number;
  /** As `maxRedemptionsPerCustomer`. */
  maxTicketsPerCustomer: number | undefined;
  budgetId: string | undefined;
}

/** An adjustment with everything precomputed that does not depend on the request. */
export interface CompiledAdjustment {
  readonly source: KeptAdjustment;
  readonly targets: readonly TargetPath[];
  readonly conditions: CompiledConditions;
  readonly effect: CompiledEffect;
  /** Changes the list price of tickets, before anything applies at checkout. */
  readonly atListing: boolean;
  readonly perUnit: boolean;
  readonly onListPrice: boolean;
  readonly exclusive: boolean;
  readonly replacesWithinCategory: boolean;
  /** Whether it may count for fewer tickets than it applies to. */
  readonly limitsTickets: boolean;
  readonly targetMismatch: TargetMismatch;
  /** Its approximate memory use. */
  readonly bytes: number;
  /** Its position in the cascade order of its snapshot. */
  position: number;
}

/** @throws the first error in an adjustment that this version does not understand */
export function compileAdjustment(stored: Adjustment): CompiledAdjustment {
  const source = kept(stored);
  const effect = compiledEffect(source.effect);
  source.effect = effect.given;
  const targets = stored.targets.map((target) => sharedPath(targetPath(target)));
  const targetMismatch = new TargetMismatch(source, targets);
  return {
    source,
    targets,
    conditions: compileConditions(source.conditions, effect.compiled.minQuantity),
    effect: effect.compiled,
    // A ticket's list price does not depend on an order; older adjustments may still be per order.
    atListing: stored.application === 'at-listing' && source.effect.per === 'unit',
    perUnit: source.effect.per === 'unit',
    onListPrice: stored.effectBase === 'list-price',
    exclusive: stored.stacking === 'exclusive',
    replacesWithinCategory: stored.stacking === 'replace-within-category',
    limitsTickets: unitsOf(source.effect) !== undefined || hasTicketCap(source.conditions),
    targetMismatch,
    bytes: memoryBytesOf(stored),
    position: 0,
  };
}

function kept(stored: Adjustment): KeptAdjustment {
  const { id, name, type, category, origin, priority, status, conditions, effect, couponId, created } = stored;
  return {
    id,
    name,
    type: shareText(type),
    category: shareText(category),
    origin: shareText(origin),
    priority,
    status: shareText(status) as Adjustment['status'],
    conditions,
    effect,
    ...(couponId === undefined ? {} : { couponId }),
    created,
    version: stored.version,
  };
}

type Effect = KeptAdjustment['effect'];

/** Longer ones, with many tiers, are rarely the same in two adjustments, and are released with their adjustment. */
const SHARED_EFFECT_LENGTH_MAX = 256;
const compiledEffects = new Map<string, { given: Effect; compiled: CompiledEffect }>();

function compiledEffect(effect: Effect): { given: Effect; compiled: CompiledEffect } {
  const compile = () => ({ given: effect, compiled: compileEffect(effect) });
  const text = JSON.stringify(effect);
  return text.length > SHARED_EFFECT_LENGTH_MAX ? compile() : share(compiledEffects, text, compile);
}

const EVERYWHERE: TargetPath = { context: EVERY_EVENT };

function sharedPath(path: TargetPath): TargetPath {
  return isEverywhere(path) ? EVERYWHERE : path;
}

/** The measured sizes of the parts of an adjustment. */
const BYTES = {
  adjustment: 850,
  /** With its index entry. */
  target: 110,
  targetCharacter: 0.8,
  /** A condition's list, and an entry of it. */
  list: 250,
  listed: 30,
  character: 1.5,
  tier: 145,
  window: 300,
};

/**
 * An offering at an event is indexed by both together. A character outside Latin-1 takes two bytes, and so does every
 * other character of its string.
 */
function targetCharacters({ urn, offeringId = '' }: { urn: string; offeringId?: string | undefined }): number {
  const characters = offeringId === '' ? urn.length : 2 * (urn.length + offeringId.length);
  return /[^ -\u00ff]/.test(urn + offeringId) ? 2 * characters : characters;
}

/** The approximate memory use of a live adjustment. */
export function memoryBytesOf({
  name,
  conditions,
  targets,
  effect,
}: Pick<Adjustment, 'name' | 'conditions' | 'effect'> & {
  targets: readonly Pick<Target, 'urn' | 'offeringId'>[];
}): number {
  const { tags, offeringIds = [], customerSegments, channelIds } = conditions;
  const places = targets.length + offeringIds.length;
  const lists = [tags, conditions.offeringIds, customerSegments, channelIds].filter((list) => list !== undefined);
  const listed = lists.reduce((count, list) => count + list.length, 0) - offeringIds.length;
  const tiers = effect.kind === 'tiered' ? effect.tiers.length : 0;
  const windows = conditions.recurring?.length ?? 0;
  const targetText = targets.reduce((length, target) => length + targetCharacters(target), 0);
  const text = 2 * name.length + JSON.stringify(conditions).length;
  return Math.ceil(
    BYTES.adjustment +
      BYTES.target * places +
      BYTES.targetCharacter * targetText +
      BYTES.list * lists.length +
      BYTES.listed * listed +
      BYTES.character * text +
      BYTES.tier * tiers +
      BYTES.window * windows,
  );
}

/** `effectMinQuantity`: tickets that the effect itself needs; the larger minimum applies. */
export function compileConditions(conditions: Conditions, effectMinQuantity: number): CompiledConditions {
  return {
    startsAtMs: conditions.startsAt === undefined ? -Infinity : Date.parse(conditions.startsAt),
    endsAtMs: conditions.endsAt === undefined ? Infinity : Date.parse(conditions.endsAt),
    windows: conditions.recurring === undefined ? undefined : compileWindows(conditions.recurring),
    codeKey: conditions.code === undefined ? undefined : codeKey(conditions.code),
    needsCode: conditions.code !== undefined || conditions.uniqueCodes === true,
    tags: setOf(conditions.tags),
    offeringIds: setOf(conditions.offeringIds),
    customerSegments: setOf(conditions.customerSegments),
    channelIds: setOf(conditions.channelIds),
    minQuantity: Math.max(conditions.minQuantity ?? 0, effectMinQuantity),
    maxQuantity: conditions.maxQuantity ?? Infinity,
    minOrderTotal: conditions.minOrderTotal,
    maxOrderTotal: conditions.maxOrderTotal,
    minEligibleTotal: conditions.minEligibleTotal,
    maxRedemptions: conditions.maxRedemptions ?? Infinity,
    maxRedemptionsPerCustomer: conditions.maxRedemptionsPerCustomer,
    maxTickets: conditions.maxTickets ?? Infinity,
    maxTicketsPerCustomer: conditions.maxTicketsPerCustomer,
    budgetId: conditions.budgetId,
  };
}

function setOf(values: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return values === undefined ? undefined : new Set(values);
}

/**
 * The cascade order: at listing, exclusives, then per unit, then per order; within each by priority (higher first),
 * then age (oldest first), then id. The order is total, so a set of adjustments has the same order on every replica.
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
