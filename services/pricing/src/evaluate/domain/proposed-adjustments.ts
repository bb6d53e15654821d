import type { Adjustment } from '@event-commerce/contracts';
import type { Candidate, Line } from './candidate.ts';
import type { CompiledAdjustment } from '../../snapshot/domain/compiled-adjustment.ts';
import type { SpareCode } from './codes.ts';
import { placeAmong } from './place-among.ts';
import type { TargetMismatch } from './eligibility/target.ts';
import { type CompanyAdjustments, CompanySnapshot, type LiveAdjustments } from '../../snapshot/domain/snapshot.ts';

/**
 * A company's adjustments as they would be if some were saved, for one evaluation: proposed ones replace the stored
 * ones with the same ids. The snapshot stays as it is, and the cost depends on what is proposed.
 */
export class ProposedAdjustments implements LiveAdjustments {
  readonly #stored: CompanyAdjustments;
  readonly #proposed: CompanySnapshot;
  readonly #replaced: ReadonlySet<string>;

  constructor(stored: CompanyAdjustments, proposed: readonly Adjustment[]) {
    this.#stored = stored;
    this.#proposed = new CompanySnapshot(proposed);
    this.#replaced = new Set(proposed.map(({ id }) => id));
  }

  get size(): number {
    return this.#stored.size + this.#proposed.size;
  }

  get digest(): CompanySnapshot['digest'] {
    return this.#stored.digest;
  }

  get hasCaps(): boolean {
    return this.#stored.hasCaps || this.#proposed.hasCaps;
  }

  get asksForEvents(): boolean {
    return this.#stored.asksForEvents || this.#proposed.asksForEvents;
  }

  get asksBeyondEvents(): boolean {
    return this.#stored.asksBeyondEvents || this.#proposed.asksBeyondEvents;
  }

  budget(id: string): ReturnType<CompanySnapshot['budget']> {
    return this.#stored.budget(id);
  }

  withCode(code: string): CompiledAdjustment[] {
    return [...this.#stored.withCode(code).filter(this.#isKept), ...this.#proposed.withCode(code)];
  }

  spareCode(code: string): SpareCode | undefined {
    return this.#stored.spareCode(code);
  }

  cappedOn(lines: readonly Line[], codes: ReadonlySet<string>): CompiledAdjustment[] {
    return [...this.#stored.cappedOn(lines, codes).filter(this.#isKept), ...this.#proposed.cappedOn(lines, codes)];
  }

  candidates(lines: readonly Line[], codes?: ReadonlySet<string>): Candidate[] {
    // Read now and not earlier, because adjustments may change while this evaluation waits for its data.
    placeAmong(this.#stored.inOrder(), this.#proposed.inOrder());
    const stored = this.#stored.candidates(lines, codes).filter(({ adjustment }) => this.#isKept(adjustment));
    const proposed = this.#proposed.candidates(lines, codes);
    return [...stored, ...proposed].toSorted((a, b) => a.adjustment.position - b.adjustment.position);
  }

  targetMismatches(candidates: readonly Candidate[]): TargetMismatch[] {
    const found = new Set(candidates.map(({ adjustment }) => adjustment));
    const proposed = this.#proposed.inOrder();
    const stored = candidates.filter(({ adjustment }) => !this.#replaced.has(adjustment.source.id));
    const mismatches = this.#stored.targetMismatches(stored);
    for (const adjustment of proposed.toReversed()) {
      if (found.has(adjustment)) continue;
      const candidatesBefore = stored.filter((candidate) => candidate.adjustment.position < adjustment.position).length;
      mismatches.splice(Math.ceil(adjustment.position) - candidatesBefore, 0, adjustment.targetMismatch);
    }
    const own = new Set(proposed.map(({ targetMismatch }) => targetMismatch));
    return mismatches.filter((mismatch) => own.has(mismatch) || !this.#replaced.has(mismatch.adjustmentId));
  }

  readonly #isKept = ({ source }: CompiledAdjustment): boolean => !this.#replaced.has(source.id);
}
