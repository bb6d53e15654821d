import type { CallOffCounts } from '@event-commerce/contracts';

export const NOTHING: CallOffCounts = {
  orders: 0,
  cancelled: 0,
  changed: 0,
  byHand: 0,
  listed: 0,
  tickets: 0,
  toPayBack: [],
};

/** The sum of the counts of some pages. */
export function allCounts(all: readonly CallOffCounts[]): CallOffCounts {
  const sum = (count: Exclude<keyof CallOffCounts, 'toPayBack'>) => all.reduce((total, one) => total + one[count], 0);
  const byCurrency = new Map<string, number>();
  for (const { currency, amount } of all.flatMap(({ toPayBack }) => toPayBack)) {
    byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + amount);
  }
  return {
    orders: sum('orders'),
    cancelled: sum('cancelled'),
    changed: sum('changed'),
    byHand: sum('byHand'),
    listed: sum('listed'),
    tickets: sum('tickets'),
    toPayBack: [...byCurrency]
      .map(([currency, amount]) => ({ amount, currency }))
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  };
}
