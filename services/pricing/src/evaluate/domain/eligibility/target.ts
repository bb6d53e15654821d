import { type DroppedAdjustment, EVERY_EVENT, isEverywhere, type TargetPath } from '@event-commerce/contracts';
import type { KeptAdjustment } from '../../../adjustments/domain/adjustment.ts';

/**
 * The refusal of an adjustment that targets nothing in the cart. It is the same for every cart, so it is built and
 * encoded once: a company with 10,000 adjustments has 9,990 of them in a typical response.
 */
export class TargetMismatch implements DroppedAdjustment {
  readonly adjustmentId: string;
  readonly name: string;
  readonly category: string;
  declare readonly code?: string;
  readonly reason = 'target-mismatch';
  readonly detail: string;
  readonly #json: string;

  constructor(adjustment: KeptAdjustment, targets: readonly TargetPath[]) {
    const { code } = adjustment.conditions;
    this.adjustmentId = adjustment.id;
    this.name = adjustment.name;
    this.category = adjustment.category;
    if (code !== undefined) this.code = code;
    this.detail = describe(targets, adjustment.conditions.offeringIds);
    this.#json = JSON.stringify(this);
    Object.freeze(this);
  }

  /** `dropped` as JSON, from the cache if it is there. */
  static encode(dropped: DroppedAdjustment): string {
    return #json in dropped ? dropped.#json : JSON.stringify(dropped);
  }
}

function describe(targets: readonly TargetPath[], offeringIds: readonly string[] = []): string {
  // Only an empty cart misses a target of every event.
  if (offeringIds.length === 0 && targets.some(isEverywhere)) {
    return 'applies to every event, the cart is empty';
  }
  if (offeringIds.length > 0) return describeOfferings(targets, offeringIds);
  const [target] = targets;
  if (targets.length === 1 && target !== undefined) {
    return `applies to ${naming(target)} only, which is not in the cart`;
  }
  return `applies to ${countingAll(targets)}, none of them in the cart`;
}

/** For an adjustment of some offerings in the targeted contexts. */
function describeOfferings(targets: readonly TargetPath[], offeringIds: readonly string[]): string {
  const [target] = targets;
  const [offeringId] = offeringIds;
  const one = offeringIds.length === 1;
  const offerings = one ? `offering ${offeringId}` : counting(offeringIds.length, 'offering');
  const lacks = `the cart ${one ? 'does not have it' : 'has none of them'}`;
  if (targets.some(isEverywhere)) return `applies to ${offerings} only, ${lacks}`;
  const places = targets.length === 1 && target !== undefined ? naming(target) : countingAll(targets);
  return `applies to ${offerings} at ${places} only, ${lacks} there`;
}

function countingAll(targets: readonly TargetPath[]): string {
  const counts = new Map<string, number>();
  for (const { context, offeringId } of targets) {
    const noun = offeringId === undefined && context !== undefined ? partsOf(context).kind : 'offering';
    counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  return [...counts].map(([noun, count]) => counting(count, noun)).join(' and ');
}

function naming({ context, offeringId }: TargetPath): string {
  const { kind, id } = partsOf(context ?? EVERY_EVENT);
  if (offeringId === undefined) return `${kind} ${id}`;
  return id === '*' ? `offering ${offeringId}` : `offering ${offeringId} at ${kind} ${id}`;
}

function partsOf(context: string): { kind: string; id: string } {
  const slash = context.indexOf('/');
  return { kind: context.slice(0, slash), id: context.slice(slash + 1) };
}

const PLURALS: Readonly<Record<string, string>> = { series: 'series' };

function counting(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${PLURALS[noun] ?? `${noun}s`}`;
}
