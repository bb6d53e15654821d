import { codeKey, compactKey } from '@event-commerce/contracts';
import type { IssuedCode, KeptAdjustment } from '../../adjustments/domain/adjustment.ts';
import type { CompiledAdjustment } from '../../snapshot/domain/compiled-adjustment.ts';
import { type CompanyAdjustments, type CompanySnapshot, isCapped } from '../../snapshot/domain/snapshot.ts';
import { targetedLines } from '../../snapshot/domain/target-index.ts';
import { type Candidate, candidateOn, type Line } from './candidate.ts';
import { holderAmong, type SpareCode } from './codes.ts';
import { codeRevoked, codeUsedUp } from './eligibility/code.ts';
import { hasWindow } from './eligibility/window.ts';
import { Comparisons } from './price-bounds.ts';

/** An issued code that a request presents, as it was read. */
export interface PresentedCode extends IssuedCode {
  /** The adjustment that it redeems. */
  adjustmentId: string;
  /** How many orders have it, pending claims included. */
  claimed: number;
}

/**
 * A company's adjustments for a request that presents issued codes: each of these stands in for the code that its
 * adjustment needs, so that the cascade judges it like any other. The snapshot stays as it is.
 */
export class IssuedAdjustments implements CompanyAdjustments {
  readonly #stored: CompanySnapshot;
  /** The code that each adjustment is redeemed with, and its copy that needs this code. */
  readonly #codes = new Map<string, IssuedCode>();
  readonly #copies = new Map<string, { of: CompiledAdjustment; copy: CompiledAdjustment }>();
  readonly #spare = new Map<string, SpareCode>();

  /**
   * `codes`: all codes of the request; `issued`: the issued ones among them, in that order. If several are for one
   * adjustment, the first that is not used up counts; none counts beside the adjustment's own code.
   */
  constructor(stored: CompanySnapshot, codes: readonly string[], issued: readonly PresentedCode[]) {
    this.#stored = stored;
    const byOwnCode = new Set(codes.flatMap((code) => stored.withCode(code)).map(({ source }) => source.id));
    for (const [adjustmentId, presented] of Map.groupBy(issued, (code) => code.adjustmentId)) {
      const counting = byOwnCode.has(adjustmentId)
        ? undefined
        : (presented.find(({ claimed, limit }) => claimed < limit) ?? presented[0]);
      for (const code of presented) {
        if (code === counting) this.#codes.set(adjustmentId, code);
        else this.#spare.set(compactKey(code.code), { adjustmentId, ...whySpare(code) });
      }
    }
  }

  get size(): number {
    return this.#stored.size;
  }

  get digest(): CompanySnapshot['digest'] {
    return this.#stored.digest;
  }

  get hasCaps(): boolean {
    return true;
  }

  get issuesCodes(): boolean {
    return true;
  }

  get asksForEvents(): boolean {
    return this.#stored.asksForEvents;
  }

  get asksBeyondEvents(): boolean {
    return this.#stored.asksBeyondEvents;
  }

  budget(id: string): ReturnType<CompanySnapshot['budget']> {
    return this.#stored.budget(id);
  }

  get(id: string): KeptAdjustment | undefined {
    return this.compiled(id)?.source;
  }

  compiled(id: string): CompiledAdjustment | undefined {
    const stored = this.#stored.compiled(id);
    const issued = this.#codes.get(id);
    if (stored === undefined || issued === undefined || stored.source.conditions.uniqueCodes !== true) return stored;
    // Read now and not earlier, because it may be changed while the request waits for its data.
    const known = this.#copies.get(id);
    const { copy } = known?.of === stored ? known : { copy: redeemedWith(stored, issued) };
    this.#copies.set(id, { of: stored, copy });
    copy.position = stored.position;
    return copy;
  }

  withCode(code: string): CompiledAdjustment[] {
    const stored = this.#stored.withCode(code);
    if (stored.length > 0) return stored;
    const key = compactKey(code);
    return this.#redeemed().filter(({ source: { issued } }) => issued !== undefined && compactKey(issued.code) === key);
  }

  spareCode(code: string): SpareCode | undefined {
    return this.#spare.get(compactKey(code));
  }

  holderOf(code: string, nowMs: number): KeptAdjustment | undefined {
    return holderAmong(this.withCode(code), nowMs)?.source;
  }

  isUnreadable(named: { id: string } | { code: string }): boolean {
    return this.#stored.isUnreadable(named);
  }

  inOrder(): readonly CompiledAdjustment[] {
    return this.#stored.inOrder();
  }

  candidates(lines: readonly Line[], codes?: ReadonlySet<string>): Candidate[] {
    const stored = this.#stored.candidates(lines, codes);
    const redeemed = this.#redeemedOn(lines);
    const ids = new Set(redeemed.map(({ adjustment }) => adjustment.source.id));
    return [...stored.filter(({ adjustment }) => !ids.has(adjustment.source.id)), ...redeemed].toSorted(
      (a, b) => a.adjustment.position - b.adjustment.position,
    );
  }

  cappedOn(lines: readonly Line[], codes: ReadonlySet<string>): CompiledAdjustment[] {
    const redeemed = this.#redeemedOn(lines).flatMap(({ adjustment, tagged }) => (tagged ? [adjustment] : []));
    return [...this.#stored.cappedOn(lines, codes).filter(this.#isStored), ...redeemed.filter(isCapped)];
  }

  windowedOn(lines: readonly Line[], codes: ReadonlySet<string>): CompiledAdjustment[] {
    const redeemed = this.#redeemedOn(lines).map(({ adjustment }) => adjustment);
    return [...this.#stored.windowedOn(lines, codes).filter(this.#isStored), ...redeemed.filter(hasWindow)];
  }

  targetMismatches(candidates: readonly Candidate[]): ReturnType<CompanySnapshot['targetMismatches']> {
    return this.#stored.targetMismatches(candidates);
  }

  #redeemed(): CompiledAdjustment[] {
    return [...this.#codes.keys()].flatMap((id) => {
      const adjustment = this.compiled(id);
      return adjustment?.source.issued === undefined ? [] : [adjustment];
    });
  }

  /** The adjustments that are redeemed with issued codes, where they target something in the cart. */
  #redeemedOn(lines: readonly Line[]): Candidate[] {
    const comparisons = new Comparisons(lines.length);
    return this.#redeemed().flatMap((adjustment) => {
      const targeted = targetedLines(adjustment, lines, comparisons);
      return targeted.length === 0 ? [] : [candidateOn(adjustment, targeted, comparisons)];
    });
  }

  readonly #isStored = ({ source }: CompiledAdjustment): boolean => !this.#codes.has(source.id);
}

function whySpare(code: PresentedCode): Pick<SpareCode, 'reason' | 'detail'> {
  if (code.limit === 0) return codeRevoked;
  if (code.claimed >= code.limit) return codeUsedUp(code);
  return { reason: 'code-counts-once', detail: 'another code of the same coupon already counts' };
}

/** `stored`, needing this code. */
function redeemedWith(stored: CompiledAdjustment, { code, limit, version }: IssuedCode): CompiledAdjustment {
  const { source, conditions } = stored;
  return {
    ...stored,
    source: { ...source, conditions: { ...source.conditions, code }, issued: { code, limit, version } },
    conditions: { ...conditions, codeKey: codeKey(code) },
  };
}
