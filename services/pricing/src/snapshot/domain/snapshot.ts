import { type Adjustment, LIVE_STATUSES, codeKey } from '@event-commerce/contracts';
import type { KeptAdjustment } from '../../adjustments/domain/adjustment.ts';
import type { KeptBudget } from '../../budgets/domain/budget.ts';
import { hasTicketCap } from '../../adjustments/domain/pools-of.ts';
import { AdjustmentIndex } from './adjustment-index.ts';
import { type Candidate, candidateOn, type Line, ticketsOf, withTickets } from '../../evaluate/domain/candidate.ts';
import { CascadeOrder } from '../../evaluate/domain/cascade-order.ts';
import { holderAmong, type SpareCode } from '../../evaluate/domain/codes.ts';
import { type CompiledAdjustment, compileAdjustment } from './compiled-adjustment.ts';
import type { TargetMismatch } from '../../evaluate/domain/eligibility/target.ts';
import type { MismatchList } from '../../evaluate/domain/mismatch-list.ts';
import { Comparisons } from '../../evaluate/domain/price-bounds.ts';
import { hasWindow } from '../../evaluate/domain/eligibility/window.ts';
import { asksBeyondEvents, asksForEvents, targetedLines, TargetIndex } from './target-index.ts';
import { VersionDigest } from './version-digest.ts';

/** An adjustment that this version does not understand, such as one with an effect of a newer version. */
export interface Unreadable {
  version: number;
  code: string | undefined;
  error: unknown;
}

/** The approximate memory use of a budget. */
const BUDGET_BYTES = 600;

/** What an evaluation needs to know of a company's adjustments. */
export type LiveAdjustments = Pick<
  CompanySnapshot,
  | 'size'
  | 'digest'
  | 'hasCaps'
  | 'budget'
  | 'asksForEvents'
  | 'asksBeyondEvents'
  | 'withCode'
  | 'spareCode'
  | 'candidates'
  | 'cappedOn'
  | 'targetMismatches'
>;

/** A company's live adjustments as one request sees them: those of the snapshot, or some of them replaced. */
export type CompanyAdjustments = LiveAdjustments &
  Pick<CompanySnapshot, 'issuesCodes' | 'get' | 'compiled' | 'inOrder' | 'holderOf' | 'isUnreadable' | 'windowedOn'>;

/**
 * The active and scheduled adjustments of one company, compiled and indexed, so that the cost of an evaluation depends
 * on what matches; and its budgets.
 */
export class CompanySnapshot {
  readonly #byId = new Map<string, CompiledAdjustment>();
  /** Adjustments by target. Those that need a code are separate: there may be many, and a buyer presents few. */
  readonly #withoutCode = new TargetIndex();
  readonly #withCode = new TargetIndex();
  readonly #byCode = new AdjustmentIndex();
  readonly #unreadable = new Map<string, Unreadable>();
  readonly #budgets = new Map<string, KeptBudget>();
  #capped = 0;
  #windowed = 0;
  #issuing = 0;
  #bytes = 0;
  #askingForEvents = 0;
  #askingBeyondEvents = 0;
  /** The digest of all live adjustments and their versions. */
  readonly digest = new VersionDigest();
  readonly #cascade = new CascadeOrder();

  constructor(adjustments: readonly Adjustment[] = [], budgets: readonly KeptBudget[] = []) {
    this.apply(adjustments);
    for (const budget of budgets) this.applyBudget(budget);
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The approximate memory use of the adjustments. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The live adjustments that were skipped, by id. */
  get unreadable(): ReadonlyMap<string, Unreadable> {
    return this.#unreadable;
  }

  /**
   * Applies what was created or changed, and removes what is no longer active or scheduled. The cost depends on what
   * changed, not on the size. An adjustment that cannot be understood is recorded as unreadable, and hides no other.
   */
  apply(changed: readonly Adjustment[]): void {
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
    this.digest.toggle('unreadable', id, why.version);
  }

  remove(id: string): void {
    const unreadable = this.#unreadable.get(id);
    if (unreadable !== undefined) this.digest.toggle('unreadable', id, unreadable.version);
    this.#unreadable.delete(id);
    const adjustment = this.#byId.get(id);
    if (adjustment === undefined) return;
    this.digest.toggle('read', id, adjustment.source.version);
    this.#byId.delete(id);
    this.#cascade.remove(adjustment);
    this.#count(adjustment, -1);
    const { codeKey: key } = adjustment.conditions;
    if (key !== undefined) this.#byCode.delete(key, adjustment);
    this.#indexOf(adjustment).remove(adjustment);
  }

  /** Applies a budget that was created or changed. */
  applyBudget({ id, limit, per, timezone, onExhausted, version }: KeptBudget): void {
    const before = this.#budgets.get(id);
    if (before === undefined) this.#bytes += BUDGET_BYTES;
    else this.digest.toggle('read', id, before.version);
    this.digest.toggle('read', id, version);
    this.#budgets.set(id, { id, limit, per, timezone, onExhausted, version });
  }

  budget(id: string): KeptBudget | undefined {
    return this.#budgets.get(id);
  }

  get(id: string): KeptAdjustment | undefined {
    return this.#byId.get(id)?.source;
  }

  compiled(id: string): CompiledAdjustment | undefined {
    return this.#byId.get(id);
  }

  /** The loaded version of an adjustment or budget; undefined if it is not live, or unknown. */
  versionOf(id: string): number | undefined {
    return (this.#byId.get(id)?.source ?? this.#unreadable.get(id) ?? this.#budgets.get(id))?.version;
  }

  /** Whether an evaluation may need an adjustment's claim count. */
  get hasCaps(): boolean {
    return this.#capped > 0;
  }

  /** Whether a code that no adjustment has may have been issued for one. */
  get issuesCodes(): boolean {
    return this.#issuing > 0;
  }

  /** Whether the contexts of a request's events may change its price. */
  get asksForEvents(): boolean {
    return this.#askingForEvents > 0;
  }

  /** Whether any adjustment names a series, a venue or an organization. */
  get asksBeyondEvents(): boolean {
    return this.#askingBeyondEvents > 0;
  }

  /** All adjustments in cascade order: each has its index as its `position`. */
  inOrder(): readonly CompiledAdjustment[] {
    return this.#cascade.all();
  }

  /**
   * Every adjustment with `code`, in any spelling: at most one that is active and has not ended, and any number of
   * scheduled ones.
   */
  withCode(code: string): CompiledAdjustment[] {
    return [...this.#byCode.get(codeKey(code))];
  }

  /** Issued codes are not in memory: see `IssuedAdjustments`. */
  spareCode(_code: string): SpareCode | undefined {
    return undefined;
  }

  /** The adjustment that `code` redeems at `nowMs`. */
  holderOf(code: string, nowMs: number): KeptAdjustment | undefined {
    return holderAmong(this.withCode(code), nowMs)?.source;
  }

  /** Whether an adjustment with `code`, or with this id, was skipped because it cannot be read. */
  isUnreadable(named: { id: string } | { code: string }): boolean {
    if ('id' in named) return this.#unreadable.has(named.id);
    const key = codeKey(named.code);
    return [...this.#unreadable.values()].some(({ code }) => code !== undefined && codeKey(code) === key);
  }

  /**
   * Every adjustment with a target in the cart, in cascade order. Given `codes`, those that need another code are left
   * out at no cost: the price of a cart takes the same time however many codes there are.
   *
   * @throws {TooManyPricesError} if that takes too many comparisons; so do the two methods below
   */
  candidates(lines: readonly Line[], codes?: ReadonlySet<string>): Candidate[] {
    this.#cascade.settle();
    const comparisons = new Comparisons(lines.length);
    const found = this.#targeting(lines, codes, comparisons);
    // Computed once for all adjustments of the whole cart: there may be thousands.
    const wholeCart = { lines: withTickets(lines), quantity: ticketsOf(lines) };
    const candidates: Candidate[] = [];
    for (const [adjustment, targeted] of found) {
      if (targeted !== lines || adjustment.conditions.tags !== undefined)
        candidates.push(candidateOn(adjustment, targeted, comparisons));
      else candidates.push({ adjustment, lines: wholeCart.lines, quantity: wholeCart.quantity, tagged: true });
    }
    return candidates.toSorted((a, b) => a.adjustment.position - b.adjustment.position);
  }

  /** The adjustments of `candidates(lines, codes)` that are capped and have their tags in the cart, in any order. */
  cappedOn(lines: readonly Line[], codes: ReadonlySet<string>): CompiledAdjustment[] {
    if (this.#capped === 0) return [];
    const capped: CompiledAdjustment[] = [];
    const comparisons = new Comparisons(lines.length);
    for (const [adjustment, targeted] of this.#targeting(lines, codes, comparisons)) {
      if (isCapped(adjustment) && candidateOn(adjustment, targeted, comparisons).tagged) capped.push(adjustment);
    }
    return capped;
  }

  /** The adjustments of `candidates(lines, codes)` that have a start or an end, in any order. */
  windowedOn(lines: readonly Line[], codes: ReadonlySet<string>): CompiledAdjustment[] {
    if (this.#windowed === 0) return [];
    return [...this.#targeting(lines, codes, new Comparisons(lines.length)).keys()].filter(hasWindow);
  }

  #targeting(
    lines: readonly Line[],
    codes: ReadonlySet<string> | undefined,
    comparisons: Comparisons,
  ): Map<CompiledAdjustment, readonly Line[]> {
    const found = new Map<CompiledAdjustment, readonly Line[]>();
    this.#withoutCode.find(lines, found, comparisons);
    if (codes === undefined) this.#withCode.find(lines, found, comparisons);
    else {
      for (const code of codes) {
        for (const adjustment of this.#byCode.get(code)) {
          const targeted = targetedLines(adjustment, lines, comparisons);
          if (targeted.length > 0) found.set(adjustment, targeted);
        }
      }
    }
    return found;
  }

  /** The refusals of all adjustments that are not among `candidates` (from `candidates()`), in cascade order. */
  targetMismatches(candidates: readonly Candidate[]): TargetMismatch[] {
    return this.#cascade.targetMismatches(candidates);
  }

  /** The refusals of all adjustments, encoded; every adjustment has its position in it. */
  mismatchList(showCodes: boolean): MismatchList {
    return this.#cascade.mismatchList(showCodes);
  }

  #count(adjustment: CompiledAdjustment, by: 1 | -1): void {
    this.#bytes += by * adjustment.bytes;
    if (isCapped(adjustment)) this.#capped += by;
    if (hasWindow(adjustment)) this.#windowed += by;
    if (adjustment.source.conditions.uniqueCodes === true) this.#issuing += by;
    if (asksForEvents(adjustment)) this.#askingForEvents += by;
    if (asksBeyondEvents(adjustment)) this.#askingBeyondEvents += by;
  }

  #add(adjustment: CompiledAdjustment): void {
    this.digest.toggle('read', adjustment.source.id, adjustment.source.version);
    this.#byId.set(adjustment.source.id, adjustment);
    this.#cascade.add(adjustment);
    this.#count(adjustment, 1);
    const { codeKey: key } = adjustment.conditions;
    if (key !== undefined) this.#byCode.add(key, adjustment);
    this.#indexOf(adjustment).add(adjustment);
  }

  #indexOf({ conditions }: CompiledAdjustment): TargetIndex {
    return conditions.needsCode ? this.#withCode : this.#withoutCode;
  }
}

/** Whether an evaluation needs its claim counts. */
export function isCapped({ source, conditions }: CompiledAdjustment): boolean {
  if (source.issued !== undefined || conditions.budgetId !== undefined) return true;
  const { maxRedemptions, maxRedemptionsPerCustomer } = conditions;
  return maxRedemptions !== Infinity || maxRedemptionsPerCustomer !== undefined || hasTicketCap(conditions);
}
