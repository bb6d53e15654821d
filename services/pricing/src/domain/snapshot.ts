import { LIVE_STATUSES, matchCode } from '@event-commerce/contracts';
import type { StoredAdjustment, Usage } from './adjustment.ts';
import { candidateOn, ticketsOf, withTickets } from './candidate.ts';
import type { Candidate, Line } from './candidate.ts';
import { compileAdjustment, inCascadeOrder } from './compiled-adjustment.ts';
import type { CompiledAdjustment } from './compiled-adjustment.ts';
import type { TargetMismatch } from './eligibility/target.ts';
import { link, targetedLines, TargetIndex, unlink } from './target-index.ts';

/**
 * The active and scheduled adjustments of one company, compiled and indexed: what an evaluation costs is what matches.
 */
export class CompanySnapshot {
  readonly #byId = new Map<string, CompiledAdjustment>();
  /** By target, those that need a code apart: there may be many, and a buyer presents few. */
  readonly #withoutCode = new TargetIndex();
  readonly #withCode = new TargetIndex();
  readonly #byCode = new Map<string, Set<CompiledAdjustment>>();
  #cappedPerCustomer = 0;

  /** In cascade order, once `#unordered` and `#removed` have been worked in. */
  #ordered: CompiledAdjustment[] = [];
  /** Those of `#ordered`, one for one. */
  #mismatches: TargetMismatch[] = [];
  #unordered: CompiledAdjustment[] = [];
  readonly #removed = new Set<CompiledAdjustment>();

  constructor(adjustments: readonly StoredAdjustment[] = []) {
    this.apply(adjustments);
  }

  get size(): number {
    return this.#byId.size;
  }

  /**
   * Takes in what was created or changed; what is no longer active or scheduled goes. Costs what changed, not what is
   * held.
   */
  apply(changed: readonly StoredAdjustment[]): void {
    for (const adjustment of changed) {
      this.remove(adjustment.id);
      if (LIVE_STATUSES.includes(adjustment.status)) this.#add(compileAdjustment(adjustment));
    }
  }

  remove(id: string): void {
    const adjustment = this.#byId.get(id);
    if (adjustment === undefined) return;
    this.#byId.delete(id);
    this.#removed.add(adjustment);
    if (adjustment.conditions.maxRedemptionsPerCustomer !== undefined) this.#cappedPerCustomer -= 1;
    const { code } = adjustment.conditions;
    if (code !== undefined) unlink(this.#byCode, code, adjustment);
    (code === undefined ? this.#withoutCode : this.#withCode).remove(adjustment);
  }

  /** Takes in new counters. An adjustment that is not held is ignored: counters may arrive after it was archived. */
  setUsage(id: string, usage: Usage): void {
    const adjustment = this.#byId.get(id);
    if (adjustment !== undefined) adjustment.usage = usage;
  }

  /** With the counters as they were last set. */
  get(id: string): StoredAdjustment | undefined {
    const adjustment = this.#byId.get(id);
    return adjustment && { ...adjustment.source, usage: adjustment.usage };
  }

  /** Whether an evaluation may have to know what a customer has claimed. */
  get capsCustomers(): boolean {
    return this.#cappedPerCustomer > 0;
  }

  /** Every adjustment that holds `code`, however it is spelled. There is one, unless the store let two in. */
  withCode(code: string): ReadonlySet<CompiledAdjustment> {
    return this.#byCode.get(matchCode(code)) ?? NONE;
  }

  /**
   * Every adjustment with a target in the cart, in cascade order. Given `codes`, those that need another code are left out, at no
   * cost: a cart costs the same however many codes there are.
   */
  candidates(lines: readonly Line[], codes?: ReadonlySet<string>): Candidate[] {
    this.#order();
    const found = new Map<CompiledAdjustment, readonly Line[]>();
    this.#withoutCode.find(lines, found);
    if (codes === undefined) this.#withCode.find(lines, found);
    else {
      for (const code of codes) {
        for (const adjustment of this.#byCode.get(code) ?? NONE) {
          const targeted = targetedLines(adjustment, lines);
          if (targeted.length > 0) found.set(adjustment, targeted);
        }
      }
    }
    // Worked out once for all that apply to the whole cart: in a large one there may be thousands of them.
    const wholeCart = { lines: withTickets(lines), quantity: ticketsOf(lines) };
    const candidates: Candidate[] = [];
    for (const [adjustment, targeted] of found) {
      if (targeted !== lines || adjustment.conditions.tags !== undefined)
        candidates.push(candidateOn(adjustment, targeted));
      else candidates.push({ adjustment, lines: wholeCart.lines, quantity: wholeCart.quantity, tagged: true });
    }
    return candidates.toSorted((a, b) => a.adjustment.position - b.adjustment.position);
  }

  /** The answers for every adjustment that is none of `candidates` (as `candidates()` gave them), in cascade order. */
  targetMismatches(candidates: readonly Candidate[]): TargetMismatch[] {
    this.#order();
    const mismatches: TargetMismatch[] = [];
    let position = 0;
    let next = 0;
    let nextPosition = candidates[0]?.adjustment.position;
    // Reads nothing of the adjustments themselves: with 10,000 of them, that would be most of the time.
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

  #add(adjustment: CompiledAdjustment): void {
    this.#byId.set(adjustment.source.id, adjustment);
    this.#unordered.push(adjustment);
    if (adjustment.conditions.maxRedemptionsPerCustomer !== undefined) this.#cappedPerCustomer += 1;
    const { code } = adjustment.conditions;
    if (code !== undefined) link(this.#byCode, code, adjustment);
    (code === undefined ? this.#withoutCode : this.#withCode).add(adjustment);
  }

  /**
   * Put off until somebody evaluates, so that a burst of writes is sorted once. Sorting what is nearly sorted is
   * linear.
   */
  #order(): void {
    if (this.#unordered.length === 0 && this.#removed.size === 0) return;
    this.#ordered = [...this.#ordered, ...this.#unordered.toSorted(inCascadeOrder)]
      .filter((adjustment) => !this.#removed.has(adjustment))
      .toSorted(inCascadeOrder);
    this.#mismatches = this.#ordered.map(({ targetMismatch }) => targetMismatch);
    this.#unordered = [];
    this.#removed.clear();
    for (const [position, adjustment] of this.#ordered.entries()) adjustment.position = position;
  }
}

const NONE: ReadonlySet<CompiledAdjustment> = new Set();
