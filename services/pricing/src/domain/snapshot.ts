import { LIVE_STATUSES, matchCode } from '@event-commerce/contracts';
import type { StoredAdjustment, Usage } from './adjustment.ts';
import { addLine, newCandidate } from './candidate.ts';
import type { Candidate, Line } from './candidate.ts';
import { compileAdjustment, inCascadeOrder } from './compiled-adjustment.ts';
import type { CompiledAdjustment } from './compiled-adjustment.ts';
import type { TargetMismatch } from './eligibility/target.ts';

type Index = Map<string, Set<CompiledAdjustment>>;

/**
 * The active and scheduled adjustments of one company, compiled and indexed: what an evaluation costs is what matches.
 */
export class CompanySnapshot {
  readonly #byId = new Map<string, CompiledAdjustment>();
  readonly #onAnyEvent = new Set<CompiledAdjustment>();
  readonly #byEvent: Index = new Map();
  readonly #byOffering: Index = new Map();
  readonly #byCode: Index = new Map();
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
    this.#onAnyEvent.delete(adjustment);
    const { code } = adjustment.conditions;
    if (code !== undefined) unlink(this.#byCode, code, adjustment);
    for (const target of adjustment.targets) {
      if (target.kind === 'event') unlink(this.#byEvent, target.id, adjustment);
      if (target.kind === 'offering') unlink(this.#byOffering, target.id, adjustment);
    }
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

  /** Every adjustment with a target in the cart, in cascade order. */
  candidates(lines: readonly Line[]): Candidate[] {
    this.#order();
    const found = new Map<CompiledAdjustment, Candidate>();
    for (const line of lines) {
      collect(found, line, this.#onAnyEvent);
      if (line.eventId !== undefined) collect(found, line, this.#byEvent.get(line.eventId));
      collect(found, line, this.#byOffering.get(line.offeringId));
    }
    return [...found.values()].toSorted((a, b) => a.adjustment.position - b.adjustment.position);
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
    if (adjustment.conditions.code !== undefined) link(this.#byCode, adjustment.conditions.code, adjustment);
    for (const target of adjustment.targets) {
      if (target.kind === 'any-event') this.#onAnyEvent.add(adjustment);
      if (target.kind === 'event') link(this.#byEvent, target.id, adjustment);
      if (target.kind === 'offering') link(this.#byOffering, target.id, adjustment);
    }
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

function collect(
  found: Map<CompiledAdjustment, Candidate>,
  line: Line,
  adjustments: ReadonlySet<CompiledAdjustment> = NONE,
): void {
  for (const adjustment of adjustments) {
    let candidate = found.get(adjustment);
    if (candidate === undefined) {
      candidate = newCandidate(adjustment);
      found.set(adjustment, candidate);
    }
    addLine(candidate, line);
  }
}

function link(index: Index, key: string, adjustment: CompiledAdjustment): void {
  const held = index.get(key);
  if (held === undefined) index.set(key, new Set([adjustment]));
  else held.add(adjustment);
}

function unlink(index: Index, key: string, adjustment: CompiledAdjustment): void {
  const held = index.get(key);
  held?.delete(adjustment);
  if (held?.size === 0) index.delete(key);
}
