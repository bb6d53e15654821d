import { type Adjustment, type PriceBasis, codeKey, type RedemptionClaim } from '@event-commerce/contracts';
import { type Candidate, candidateOn, type Line, ticketsOf } from '../../evaluate/domain/candidate.ts';
import type { SpareCode } from '../../evaluate/domain/codes.ts';
import { placeAmong } from '../../evaluate/domain/place-among.ts';
import type { AdjustmentSource } from '../../evaluate/domain/price.ts';
import { Comparisons } from '../../evaluate/domain/price-bounds.ts';
import {
  type CompiledAdjustment,
  compileAdjustment,
  inCascadeOrder,
} from '../../snapshot/domain/compiled-adjustment.ts';
import type { CompanyAdjustments } from '../../snapshot/domain/snapshot.ts';
import { targetedLines } from '../../snapshot/domain/target-index.ts';

/** An adjustment of an order's basis. */
export interface FrozenAdjustment {
  adjustment: CompiledAdjustment;
  /** The lines of the order that it applies to. */
  lineIds: ReadonlySet<string>;
}

/** An adjustment as it was when the order was priced, and as it is now. */
export interface FrozenDefinition {
  frozen: Adjustment;
  /** Its caps and its budget are the present ones: others redeem it too. */
  present: Pick<Adjustment, 'conditions'>;
}

/**
 * The adjustments of `basis` in the versions under which the order was priced. The order met their windows, segments
 * and channels, so these are not checked again. An adjustment without a definition is left out. `issued`: the issued
 * code that the order redeemed each with.
 */
export function frozenAdjustments(
  basis: PriceBasis,
  definitions: ReadonlyMap<string, FrozenDefinition>,
  issued: ReadonlyMap<string, string>,
): FrozenAdjustment[] {
  return basis.adjustments.flatMap(({ id, lines }) => {
    const defined = definitions.get(id);
    if (defined === undefined) return [];
    const { frozen, present } = defined;
    const {
      startsAt: _starts,
      endsAt: _ends,
      recurring: _recurring,
      customerSegments: _segments,
      channelIds: _channels,
      maxRedemptions: _max,
      maxRedemptionsPerCustomer: _perCustomer,
      maxTickets: _maxTickets,
      maxTicketsPerCustomer: _ticketsPerCustomer,
      perCustomerBy: _by,
      uniqueCodes: _unique,
      budgetId: _budgetId,
      ...asked
    } = frozen.conditions;
    const { maxRedemptions, maxRedemptionsPerCustomer, maxTickets, maxTicketsPerCustomer, perCustomerBy, budgetId } =
      present.conditions;
    const code = issued.get(id);
    const conditions = {
      ...asked,
      ...(code === undefined ? {} : { code }),
      ...(maxRedemptions === undefined ? {} : { maxRedemptions }),
      ...(maxRedemptionsPerCustomer === undefined ? {} : { maxRedemptionsPerCustomer }),
      ...(maxTickets === undefined ? {} : { maxTickets }),
      ...(maxTicketsPerCustomer === undefined ? {} : { maxTicketsPerCustomer }),
      ...(perCustomerBy === undefined ? {} : { perCustomerBy }),
      ...(budgetId === undefined ? {} : { budgetId }),
    };
    const adjustment = compileAdjustment({ ...frozen, conditions, status: 'active' });
    return [{ adjustment, lineIds: new Set(lines) }];
  });
}

/** The issued codes that an order redeemed, by their adjustments. */
export function issuedCodesIn(claims: readonly RedemptionClaim[]): Map<string, string> {
  return new Map(
    claims.flatMap(({ adjustmentId = '', pool, code = '' }) =>
      pool === 'code' ? [[adjustmentId, code] as const] : [],
    ),
  );
}

/**
 * The adjustments for an order that is priced again: those of its basis on the lines that they applied to, and on added
 * ones that they target; all other live ones on added lines only, except those that are judged anew.
 */
export class RepricedAdjustments implements AdjustmentSource {
  readonly #live: CompanyAdjustments;
  readonly #frozen: readonly FrozenAdjustment[];
  readonly #frozenIds: ReadonlySet<string>;
  readonly #idOf: (line: Line) => string;
  readonly #isAdded: (line: Line) => boolean;
  readonly #isJudgedAnew: (adjustment: CompiledAdjustment) => boolean;

  constructor({
    live,
    frozen,
    idOf,
    isAdded,
    isJudgedAnew,
  }: {
    live: CompanyAdjustments;
    frozen: readonly FrozenAdjustment[];
    idOf: (line: Line) => string;
    isAdded: (line: Line) => boolean;
    /** For live adjustments that are not in the basis. */
    isJudgedAnew: (adjustment: CompiledAdjustment) => boolean;
  }) {
    this.#live = live;
    this.#frozen = frozen.toSorted((a, b) => inCascadeOrder(a.adjustment, b.adjustment));
    this.#frozenIds = new Set(frozen.map(({ adjustment }) => adjustment.source.id));
    this.#idOf = idOf;
    this.#isAdded = isAdded;
    this.#isJudgedAnew = isJudgedAnew;
  }

  budget(id: string): ReturnType<CompanyAdjustments['budget']> {
    return this.#live.budget(id);
  }

  withCode(code: string): CompiledAdjustment[] {
    const key = codeKey(code);
    const own = this.#frozen.flatMap(({ adjustment }) => (adjustment.conditions.codeKey === key ? [adjustment] : []));
    return own.length > 0 ? own : this.#live.withCode(code);
  }

  spareCode(code: string): SpareCode | undefined {
    return this.#live.spareCode(code);
  }

  candidates(lines: readonly Line[], codes: ReadonlySet<string> = new Set()): Candidate[] {
    placeAmong(
      this.#live.inOrder(),
      this.#frozen.map(({ adjustment }) => adjustment),
    );
    const comparisons = new Comparisons(lines.length);
    const added = lines.filter(this.#isAdded);
    const frozen = this.#frozen.flatMap(({ adjustment, lineIds }): Candidate[] => {
      const key = adjustment.conditions.codeKey;
      if (key !== undefined && !codes.has(key)) return [];
      const targeted = candidateOn(adjustment, targetedLines(adjustment, added, comparisons), comparisons).lines;
      return candidateIn(
        adjustment,
        lines.filter((line) => (this.#isAdded(line) ? targeted.includes(line) : lineIds.has(this.#idOf(line)))),
      );
    });
    const live = this.#live.candidates(lines, codes).flatMap(({ adjustment, lines: applying }): Candidate[] => {
      if (this.#frozenIds.has(adjustment.source.id)) return [];
      return candidateIn(adjustment, this.#isJudgedAnew(adjustment) ? applying : applying.filter(this.#isAdded));
    });
    return [...frozen, ...live].toSorted((a, b) => a.adjustment.position - b.adjustment.position);
  }

  /** Nobody is shown these refusals. */
  targetMismatches(): [] {
    return [];
  }
}

function candidateIn(adjustment: CompiledAdjustment, lines: readonly Line[]): Candidate[] {
  return lines.length === 0 ? [] : [{ adjustment, lines, quantity: ticketsOf(lines), tagged: true }];
}

/** The live adjustments for lines that are added to an order, without those that the order already has. */
export class AddedAdjustments implements AdjustmentSource {
  readonly #live: CompanyAdjustments;
  readonly #counted: ReadonlySet<string>;

  constructor(live: CompanyAdjustments, counted: ReadonlySet<string>) {
    this.#live = live;
    this.#counted = counted;
  }

  budget(id: string): ReturnType<CompanyAdjustments['budget']> {
    return this.#live.budget(id);
  }

  withCode(code: string): CompiledAdjustment[] {
    return this.#live.withCode(code);
  }

  spareCode(code: string): SpareCode | undefined {
    return this.#live.spareCode(code);
  }

  candidates(lines: readonly Line[], codes?: ReadonlySet<string>): Candidate[] {
    return this.#live
      .candidates(lines, codes)
      .filter(({ adjustment }) => adjustment.perUnit || !this.#counted.has(adjustment.source.id));
  }

  /** Nobody is shown these refusals. */
  targetMismatches(): [] {
    return [];
  }
}
