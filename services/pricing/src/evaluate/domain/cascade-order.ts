import type { Candidate } from './candidate.ts';
import { type CompiledAdjustment, inCascadeOrder } from '../../snapshot/domain/compiled-adjustment.ts';
import type { TargetMismatch } from './eligibility/target.ts';
import { MismatchList } from './mismatch-list.ts';

/**
 * Removed adjustments stay in memory until the next sort. A company that prices nothing would postpone that forever, so
 * a sort also happens once this many, or this share of all, are removed.
 */
const REMOVED_MAX = 256;
const REMOVED_PART = 1 / 8;

/** The adjustments of one company in cascade order: each has its index as its `position`. */
export class CascadeOrder {
  /** All adjustments in cascade order, once `#added` and `#removed` have been merged. */
  #ordered: CompiledAdjustment[] = [];
  /** Why each adjustment of `#ordered` is dropped if it targets nothing in the cart, at the same index. */
  #mismatches: TargetMismatch[] = [];
  /** The list of mismatches with codes, and the one without; each is built on demand. */
  readonly #lists = new Map<boolean, MismatchList>();
  #added: CompiledAdjustment[] = [];
  readonly #removed = new Set<CompiledAdjustment>();

  add(adjustment: CompiledAdjustment): void {
    this.#added.push(adjustment);
  }

  remove(adjustment: CompiledAdjustment): void {
    this.#removed.add(adjustment);
    if (this.#removed.size > Math.max(REMOVED_MAX, this.#ordered.length * REMOVED_PART)) this.settle();
  }

  all(): readonly CompiledAdjustment[] {
    this.settle();
    return this.#ordered;
  }

  /** The refusals of all adjustments that are not among `candidates`, which are in order themselves. */
  targetMismatches(candidates: readonly Candidate[]): TargetMismatch[] {
    this.settle();
    const mismatches: TargetMismatch[] = [];
    let position = 0;
    let next = 0;
    let nextPosition = candidates[0]?.adjustment.position;
    // Does not touch the adjustments themselves: with 10,000 of them, that would take most of the time.
    for (const mismatch of this.#mismatches) {
      if (position !== nextPosition) mismatches.push(mismatch);
      else {
        next += 1;
        nextPosition = candidates[next]?.adjustment.position;
      }
      position += 1;
    }
    return mismatches;
  }

  /** The refusals of all adjustments, encoded; the same object until one changes. */
  mismatchList(showCodes: boolean): MismatchList {
    this.settle();
    let list = this.#lists.get(showCodes);
    if (list === undefined) this.#lists.set(showCodes, (list = new MismatchList(this.#mismatches, showCodes)));
    return list;
  }

  /**
   * Gives every adjustment its position. Postponed until they are needed, so that a burst of writes is sorted once.
   * Sorting a nearly sorted list is linear.
   */
  settle(): void {
    if (this.#added.length === 0 && this.#removed.size === 0) return;
    this.#ordered = [...this.#ordered, ...this.#added.toSorted(inCascadeOrder)]
      .filter((adjustment) => !this.#removed.has(adjustment))
      .toSorted(inCascadeOrder);
    this.#mismatches = this.#ordered.map(({ targetMismatch }) => targetMismatch);
    this.#lists.clear();
    this.#added = [];
    this.#removed.clear();
    for (const [position, adjustment] of this.#ordered.entries()) adjustment.position = position;
  }
}
