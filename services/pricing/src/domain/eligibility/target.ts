import type { DroppedAdjustment, TargetPath } from '@event-commerce/contracts';
import type { KeptAdjustment } from '../adjustment.ts';

/**
 * The answer for an adjustment that targets nothing in the cart. It says the same for every cart, so it is made and
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
    this.detail = describe(targets);
    this.#json = JSON.stringify(this);
    Object.freeze(this);
  }

  /** `dropped` as JSON, from what was kept where there is something kept. */
  static encode(dropped: DroppedAdjustment): string {
    return #json in dropped ? dropped.#json : JSON.stringify(dropped);
  }
}

function describe(targets: readonly TargetPath[]): string {
  const events = targets.filter((target) => target.kind === 'event');
  const offerings = targets.filter((target) => target.kind === 'offering');
  const [event] = events;
  const [offering] = offerings;
  if (events.length === 1 && event !== undefined && offering === undefined) {
    return `applies to event ${event.id} only, which is not in the cart`;
  }
  if (offerings.length === 1 && offering !== undefined && event === undefined) {
    return `applies to offering ${offering.id} only, which is not in the cart`;
  }
  const counted = [counting(events.length, 'event'), counting(offerings.length, 'offering')].filter(Boolean);
  // Only an empty cart misses a target that is every event.
  if (counted.length === 0) return 'applies to every event, the cart is empty';
  return `applies to ${counted.join(' and ')}, none of them in the cart`;
}

function counting(count: number, noun: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
