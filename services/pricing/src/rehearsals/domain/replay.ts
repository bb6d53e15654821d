import type { RanOut, RehearsalReport, ReplayedOrder } from '@event-commerce/contracts';
import type { FrozenAdjustment } from '../../amend/domain/frozen-adjustments.ts';
import { type KeptAdjustment, sharesFor } from '../../adjustments/domain/adjustment.ts';
import { hasTicketCap, poolNamed, ticketPoolOf } from '../../adjustments/domain/pools-of.ts';
import type { KeptBudget } from '../../budgets/domain/budget.ts';
import { poolsCapping } from '../../evaluate/domain/caps-to-read.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';
import { PoolCounts, type Taken } from './pool-counts.ts';
import { ReportBuilder } from './rehearsal-report.ts';
import { type Changes, type Places, priceReplayed, takenAsClaimed } from './replay-order.ts';

/** More would say nothing that these do not. */
const RAN_OUT_MAX = 100;

/** What is claimed of pools before the first order: in all, or in a share. */
interface InitialCount {
  poolId: string;
  share?: string;
  quantity: number;
}

/** The pools whose counts an order's price may depend on. */
interface PoolsOfOrder {
  inAll: string[];
  perCustomer: string[];
  shares: string[];
}

/**
 * Replays the orders of a period, one after the other, in two worlds: as it was, where each takes what it really
 * claimed, and as it would have been under changes. When an order ends, it returns what it took.
 */
export class Replay {
  readonly #unchanged: Changes;
  readonly #changes: Changes;
  readonly #before = new PoolCounts();
  readonly #after = new PoolCounts();
  readonly #report = new ReportBuilder();
  readonly #ranOut = new Map<string, RanOut>();
  readonly #names = new Map<string, string>();
  readonly #limits = { before: new Map<string, number>(), after: new Map<string, number>() };
  /** The orders that end, in order of time. */
  #ends: { atMs: number; before: Taken[]; after: Taken[] }[] = [];

  constructor(changes: Changes, budgets: readonly (KeptBudget & { name: string })[]) {
    this.#changes = changes;
    this.#unchanged = { live: new CompanySnapshot([], budgets), ids: new Set() };
    for (const { id, name, limit, per } of budgets) {
      this.#names.set(id, name);
      if (per === 'customer') continue;
      for (const limits of Object.values(this.#limits)) limits.set(id, limit.amount);
    }
    for (const { source } of changes.live.inOrder()) this.#know(source, ['after']);
  }

  /** Whether anything would have been different: only then does it matter what lines are part of. */
  get hasChanges(): boolean {
    return this.#changes.ids.size > 0;
  }

  /** The pools whose counts must be known before an order is replayed. */
  poolsFor({ buyer, basis }: ReplayedOrder, frozen: readonly FrozenAdjustment[]): PoolsOfOrder {
    const nowMs = Date.parse(basis?.at ?? '');
    const judged = [...frozen.map(({ adjustment }) => adjustment), ...this.#changes.live.inOrder()];
    const capping = judged.map((adjustment) => poolsCapping(adjustment, this.#changes.live, nowMs));
    return {
      inAll: capping.flatMap(({ inAll }) => inAll),
      perCustomer: capping.flatMap(({ perCustomer }) => perCustomer),
      shares: sharesFor({ perCustomerBy: 'email' }, buyer),
    };
  }

  /** Counts what was claimed before the period. */
  begin(counts: readonly InitialCount[]): void {
    for (const { poolId, share, quantity } of counts) {
      this.#before.add(poolId, share, quantity);
      this.#after.add(poolId, share, quantity);
    }
  }

  next(order: ReplayedOrder, frozen: readonly FrozenAdjustment[], places: Places): void {
    this.#endUntil(Date.parse(order.createdAt));
    for (const { adjustment } of frozen) {
      const { source } = adjustment;
      this.#know(source, this.#changes.ids.has(source.id) ? ['before'] : ['before', 'after']);
    }
    const before = takenAsClaimed(order);
    const after = this.#replayed(order, frozen, places) ?? before;
    this.#take('before', before, order);
    this.#take('after', after, order);
    if (order.endedAt === undefined) return;
    const atMs = Date.parse(order.endedAt);
    const later = this.#ends.findIndex((end) => end.atMs > atMs);
    this.#ends.splice(later === -1 ? this.#ends.length : later, 0, { atMs, before, after });
  }

  report(): RehearsalReport {
    return this.#report.report([...this.#ranOut.values()].slice(0, RAN_OUT_MAX));
  }

  /** What the order would have taken; undefined if it counts as it was. */
  #replayed(order: ReplayedOrder, frozen: readonly FrozenAdjustment[], places: Places): Taken[] | undefined {
    const { basis } = order;
    if (order.isStated || order.isAmended || basis === undefined) {
      this.#report.keep(order, whyKept(order));
      return undefined;
    }
    const toPrice = { order: { ...order, basis }, frozen };
    const was = priceReplayed(toPrice, this.#unchanged, places, this.#before);
    if ('refusal' in was || was.price.summary.total + order.charges !== order.total) {
      this.#report.keep(order, 'unexplained');
      return undefined;
    }
    const outcome = priceReplayed(toPrice, this.#changes, places, this.#after);
    this.#report.add(order, was.price, outcome);
    return 'refusal' in outcome ? [] : outcome.taken;
  }

  #endUntil(nowMs: number): void {
    while (this.#ends[0] !== undefined && this.#ends[0].atMs <= nowMs) {
      const { before, after } = this.#ends[0];
      this.#before.release(before);
      this.#after.release(after);
      this.#ends.shift();
    }
  }

  #know({ id, name, conditions }: KeptAdjustment, worlds: readonly ('before' | 'after')[]): void {
    this.#names.set(id, name);
    for (const world of worlds) {
      this.#limits[world].set(id, conditions.maxRedemptions ?? Infinity);
      if (hasTicketCap(conditions)) this.#limits[world].set(ticketPoolOf(id), conditions.maxTickets ?? Infinity);
    }
  }

  #take(world: 'before' | 'after', taken: readonly Taken[], { createdAt }: ReplayedOrder): void {
    const counts = world === 'before' ? this.#before : this.#after;
    counts.take(taken);
    for (const { poolId } of taken) {
      const { pool, adjustmentId, budgetId, day } = poolNamed(poolId);
      const limit = this.#limits[world].get(pool === 'budget' ? budgetId : poolId);
      if (pool === 'code' || limit === undefined || counts.claimed(poolId) < limit) continue;
      const id = adjustmentId ?? budgetId;
      const known = this.#ranOut.get(poolId) ?? {
        pool,
        ...(adjustmentId === undefined ? { budgetId } : { adjustmentId }),
        ...(day === undefined ? {} : { day }),
        name: this.#names.get(id) ?? id,
      };
      this.#ranOut.set(poolId, { [world]: createdAt, ...known });
    }
  }
}

/** Why an order is not replayed. An order without priced items has nothing to replay. */
function whyKept({ isStated, isAmended, lines, basis, claims }: ReplayedOrder) {
  if (isAmended) return 'amended';
  if (isStated) return 'stated';
  return basis === undefined && claims.length === 0 && lines.length === 0 ? undefined : 'unexplained';
}
