import { LIVE_STATUSES, matchCode } from '@event-commerce/contracts';
import type { KeptAdjustment, StoredAdjustment } from './adjustment.ts';
import { AdjustmentIndex } from './adjustment-index.ts';
import { candidateOn, ticketsOf, withTickets } from './candidate.ts';
import type { Candidate, Line } from './candidate.ts';
import { compileAdjustment, inCascadeOrder } from './compiled-adjustment.ts';
import type { CompiledAdjustment } from './compiled-adjustment.ts';
import type { TargetMismatch } from './eligibility/target.ts';
import { windowRefusal } from './eligibility/window.ts';
import { asksBeyondEvents, asksForEvents, targetedLines, TargetIndex } from './target-index.ts';

/** An adjustment that this version does not understand, such as one with an effect that a newer version brought. */
export interface Unreadable {
  version: number;
  code: string | undefined;
  error: unknown;
}

/**
 * The active and scheduled adjustments of one company, compiled and indexed: what an evaluation costs is what matches.
 */
export class CompanySnapshot {
  readonly #byId = new Map<string, CompiledAdjustment>();
  /** By target, those that need a code apart: there may be many, and a buyer presents few. */
  readonly #withoutCode = new TargetIndex();
  readonly #withCode = new TargetIndex();
  readonly #byCode = new AdjustmentIndex();
  readonly #unreadable = new Map<string, Unreadable>();
  #capped = 0;
  #bytes = 0;
  #askingForEvents = 0;
  #askingBeyondEvents = 0;

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

  /** What the adjustments take of the memory, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The live adjustments that were left out, by id. */
  get unreadable(): ReadonlyMap<string, Unreadable> {
    return this.#unreadable;
  }

  /**
   * Takes in what was created or changed; what is no longer active or scheduled goes. Costs what changed, not what is
   * held. One that cannot be understood is noted as unreadable, and hides no other.
   */
  apply(changed: readonly StoredAdjustment[]): void {
    for (const adjustment of changed) {
      this.remove(adjustment.id);
      if (!LIVE_STATUSES.includes(adjustment.status)) continue;
      try {
        this.#add(compileAdjustment(adjustment));
      } catch (error) {
        this.noteUnreadable(adjustment.id, { version: adjustment.version, code: adjustment.conditions?.code, error });
      }
    }
  }

  noteUnreadable(id: string, why: Unreadable): void {
    this.remove(id);
    this.#unreadable.set(id, why);
  }

  remove(id: string): void {
    this.#unreadable.delete(id);
    const adjustment = this.#byId.get(id);
    if (adjustment === undefined) return;
    this.#byId.delete(id);
    this.#removed.add(adjustment);
    this.#bytes -= adjustment.bytes;
    if (isCapped(adjustment)) this.#capped -= 1;
    if (asksForEvents(adjustment)) this.#askingForEvents -= 1;
    if (asksBeyondEvents(adjustment)) this.#askingBeyondEvents -= 1;
    const { code } = adjustment.conditions;
    if (code !== undefined) this.#byCode.delete(code, adjustment);
    (code === undefined ? this.#withoutCode : this.#withCode).remove(adjustment);
  }

  get(id: string): KeptAdjustment | undefined {
    return this.#byId.get(id)?.source;
  }

  /** The version held of an adjustment; undefined when it is not live, or not known. */
  versionOf(id: string): number | undefined {
    return (this.#byId.get(id)?.source ?? this.#unreadable.get(id))?.version;
  }

  /** Whether an evaluation may have to know how often an adjustment was claimed. */
  get hasCaps(): boolean {
    return this.#capped > 0;
  }

  /** Whether what the events of a request are part of may change its price. */
  get asksForEvents(): boolean {
    return this.#askingForEvents > 0;
  }

  /** Whether some adjustment names a series, a venue or an organization. */
  get asksBeyondEvents(): boolean {
    return this.#askingBeyondEvents > 0;
  }

  /** Every adjustment that has `code`, however it is spelled: one that is active, and any number that are scheduled. */
  withCode(code: string): CompiledAdjustment[] {
    return [...this.#byCode.get(matchCode(code))];
  }

  /**
   * Whom `code` redeems at `nowMs`: of those whose window is open, the active one before those that are scheduled; else whichever
   * can say why it does not count.
   */
  holderOf(code: string, nowMs: number): KeptAdjustment | undefined {
    const inOrder = this.withCode(code).toSorted(
      (a, b) =>
        Number(isOpen(b, nowMs)) - Number(isOpen(a, nowMs)) ||
        Number(b.source.status === 'active') - Number(a.source.status === 'active') ||
        inCascadeOrder(a, b),
    );
    return inOrder[0]?.source;
  }

  /** Whether an adjustment with `code`, or of this id, is left out because it cannot be read. */
  isUnreadable({ id, code }: { id?: string; code?: string }): boolean {
    if (this.#unreadable.size === 0) return false;
    if (id !== undefined) return this.#unreadable.has(id);
    return [...this.#unreadable.values()].some((each) => each.code === matchCode(code ?? ''));
  }

  /**
   * Every adjustment with a target in the cart, in cascade order. Given `codes`, those that need another code are left out, at no
   * cost: a cart costs the same however many codes there are.
   */
  candidates(lines: readonly Line[], codes?: ReadonlySet<string>): Candidate[] {
    this.#order();
    const found = this.#targeting(lines, codes);
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

  /** Those of `candidates(lines, codes)` that are capped and have their tags in the cart, in no order. */
  cappedOn(lines: readonly Line[], codes: ReadonlySet<string>): CompiledAdjustment[] {
    if (this.#capped === 0) return [];
    const capped: CompiledAdjustment[] = [];
    for (const [adjustment, targeted] of this.#targeting(lines, codes)) {
      if (isCapped(adjustment) && candidateOn(adjustment, targeted).tagged) capped.push(adjustment);
    }
    return capped;
  }

  #targeting(lines: readonly Line[], codes: ReadonlySet<string> | undefined): Map<CompiledAdjustment, readonly Line[]> {
    const found = new Map<CompiledAdjustment, readonly Line[]>();
    this.#withoutCode.find(lines, found);
    if (codes === undefined) this.#withCode.find(lines, found);
    else {
      for (const code of codes) {
        for (const adjustment of this.#byCode.get(code)) {
          const targeted = targetedLines(adjustment, lines);
          if (targeted.length > 0) found.set(adjustment, targeted);
        }
      }
    }
    return found;
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
    this.#bytes += adjustment.bytes;
    if (isCapped(adjustment)) this.#capped += 1;
    if (asksForEvents(adjustment)) this.#askingForEvents += 1;
    if (asksBeyondEvents(adjustment)) this.#askingBeyondEvents += 1;
    const { code } = adjustment.conditions;
    if (code !== undefined) this.#byCode.add(code, adjustment);
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

function isOpen({ conditions }: CompiledAdjustment, nowMs: number): boolean {
  return windowRefusal(conditions, nowMs) === undefined;
}

function isCapped({ conditions }: CompiledAdjustment): boolean {
  return conditions.maxRedemptions !== Infinity || conditions.maxRedemptionsPerCustomer !== undefined;
}
