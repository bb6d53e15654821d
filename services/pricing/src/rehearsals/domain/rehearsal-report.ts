import {
  modifiersOf,
  modifierTotals,
  type RanOut,
  type RehearsalReport,
  type RehearsalSample,
  type ReplayedOrder,
  SAMPLES_MAX,
} from '@event-commerce/contracts';
import type { OrderPrice } from '../../evaluate/domain/price.ts';
import type { Outcome } from './replay-order.ts';

type InCurrency = RehearsalReport['currencies'][number];
type Kept = keyof RehearsalReport['kept'];

/** What no rehearsal can know, for people who read its report. */
const NOT_MODELLED = [
  'Whether buyers would have bought more, less or something else at other prices.',
  'Tags of offerings, and the series, venues and organizers of events, as they were: they count as they are now.',
  'Redemptions that were made by hand within the period, and earlier ones that were released since.',
  'Adjustments that did not count for an order because their cap was full, or for another reason that tickets do not change: they count for it only if the rehearsal changes them.',
];

/** Collects what a rehearsal finds out, order by order. */
export class ReportBuilder {
  readonly #currencies = new Map<string, InCurrency>();
  readonly #kept: Record<Kept, number> = { amended: 0, stated: 0, unexplained: 0 };
  /** Sorted by how much they differ, the most first. */
  #samples: { weight: number; sample: RehearsalSample }[] = [];
  #orders = 0;
  #touched = 0;

  /** Counts an order as it was, both before and after. */
  keep(order: ReplayedOrder, why: Kept | undefined): void {
    if (order.endedAt !== undefined) return;
    if (why !== undefined) this.#kept[why] += 1;
    const discounts = Math.max(0, -order.modifiers);
    const both = { revenue: order.total, discounts };
    this.#count(order, both, both);
  }

  add(order: ReplayedOrder, was: OrderPrice, outcome: Outcome): void {
    if (order.endedAt !== undefined) return;
    const before = { revenue: order.total, discounts: discountsIn(was) };
    if ('refusal' in outcome) {
      const counted = this.#count(order, before, { revenue: 0, discounts: 0 });
      countIn(counted.refused, order.total);
      this.#sample(order, was, { refusal: outcome.refusal }, Infinity);
      return;
    }
    const revenue = outcome.price.summary.total + order.charges;
    const counted = this.#count(order, before, { revenue, discounts: discountsIn(outcome.price) });
    const difference = revenue - order.total;
    if (difference === 0) return;
    countIn(difference < 0 ? counted.winners : counted.losers, Math.abs(difference));
    const after = { total: revenue, modifiers: totalsOf(outcome.price) };
    this.#sample(order, was, { after }, Math.abs(difference));
  }

  report(ranOut: RanOut[]): RehearsalReport {
    return {
      orders: this.#orders,
      touched: this.#touched,
      currencies: [...this.#currencies.values()],
      ranOut,
      samples: this.#samples.map(({ sample }) => sample),
      kept: { ...this.#kept },
      notModelled: NOT_MODELLED,
    };
  }

  #count({ currency }: ReplayedOrder, before: InCurrency['before'], after: InCurrency['after']): InCurrency {
    const counted = this.#currencies.get(currency) ?? emptyIn(currency);
    this.#currencies.set(currency, counted);
    this.#orders += 1;
    counted.orders += 1;
    counted.before.revenue += before.revenue;
    counted.before.discounts += before.discounts;
    counted.after.revenue += after.revenue;
    counted.after.discounts += after.discounts;
    return counted;
  }

  #sample(
    { orderId, orderNumber, createdAt, currency, total, charges }: ReplayedOrder,
    was: OrderPrice,
    then: Pick<RehearsalSample, 'after' | 'refusal'>,
    weight: number,
  ): void {
    this.#touched += 1;
    const last = this.#samples.at(-1);
    if (this.#samples.length === SAMPLES_MAX && last !== undefined && last.weight >= weight) return;
    const { subtotal } = was.summary;
    const before = { total, modifiers: totalsOf(was) };
    const sample = { orderId, orderNumber, createdAt, currency, subtotal, charges, before, ...then };
    this.#samples.push({ weight, sample });
    this.#samples = this.#samples.toSorted((a, b) => b.weight - a.weight).slice(0, SAMPLES_MAX);
  }
}

function emptyIn(currency: string): InCurrency {
  const none = () => ({ orders: 0, amount: 0 });
  const nothing = () => ({ revenue: 0, discounts: 0 });
  return {
    currency,
    orders: 0,
    before: nothing(),
    after: nothing(),
    winners: none(),
    losers: none(),
    refused: none(),
  };
}

function countIn(some: { orders: number; amount: number }, amount: number): void {
  some.orders += 1;
  some.amount += amount;
}

function discountsIn(price: OrderPrice): number {
  let discounts = 0;
  for (const { total } of modifiersOf(price)) if (total < 0) discounts -= total;
  return discounts;
}

function totalsOf(price: OrderPrice): RehearsalSample['before']['modifiers'] {
  return modifierTotals(price).map(({ adjustmentId, name, code, total }) => ({
    adjustmentId,
    name,
    ...(code === undefined ? {} : { code }),
    total,
  }));
}
