import {
  fitsInto,
  type Order,
  type OrderSale,
  type OrderState,
  orderStateFrom,
  type SaleChange,
  type SaleCounts,
} from '@event-commerce/contracts';

/** What sales count in an order. */
export type SoldOrder = Pick<Order, 'status' | 'currency'> & {
  items: readonly SoldItem[];
  costs: Pick<Order['costs'], 'fees' | 'tax' | 'total'>;
};
type SoldItem = Pick<Order['items'][number], 'eventId' | 'seriesId' | 'quantity' | 'charged' | 'modifiers' | 'shares'>;

/** What is counted: all orders, an event or a series, or an adjustment within one of these. */
type Counted = Pick<SaleChange, 'eventId' | 'seriesId' | 'adjustment'>;
type Counts = Required<SaleCounts>;

const NOTHING: Counts = { orders: 0, tickets: 0, charged: 0, discounts: 0, surcharges: 0, fees: 0, tax: 0 };
const FIELDS = Object.keys(NOTHING) as (keyof Counts)[];

/** The most bytes of a sale as JSON: hundreds of events, or adjustments of events. */
export const SALE_BYTES_MAX = 32 * 1024;

/**
 * How a change of an order changes the counts of sales; undefined if it does not. Only placed orders and expiries
 * count. In an amendment, each event, series and adjustment counts by its difference from before, and so does the
 * order: an exchange at the same price sells one thing and returns another, but charges nothing.
 *
 * @param before absent for a new order
 */
export function saleOf(before: SoldOrder | undefined, after: SoldOrder): OrderSale | undefined {
  const states = [before, after].map((order) => order && orderStateFrom(order.status));
  const changes = isExpiry(...(states as [OrderState | undefined, OrderState]))
    ? placesOf(after.items).map((of): SaleChange => ({ ...of, expired: true }))
    : changesBetween(before, after);
  return changes.length === 0 ? undefined : { currency: after.currency, changes: fitting(changes) };
}

/** The changes that the event of an order has room for. Those that many orders share come first. */
function fitting(changes: readonly SaleChange[]): SaleChange[] {
  const ofAll = ({ eventId, seriesId }: SaleChange) => eventId === undefined && seriesId === undefined;
  const kept = [
    () => true,
    (change: SaleChange) => change.adjustment === undefined || ofAll(change),
    (change: SaleChange) => change.adjustment === undefined,
  ].map((isKept) => changes.filter(isKept));
  return (
    kept.find((some) => fitsInto(SALE_BYTES_MAX, some)) ??
    changes.filter((change) => !change.adjustment && ofAll(change))
  );
}

function isExpiry(before: OrderState | undefined, after: OrderState): boolean {
  return before === 'pending' && after === 'expired';
}

function changesBetween(before: SoldOrder | undefined, after: SoldOrder): SaleChange[] {
  const [former, current] = [countsOf(before), countsOf(after)];
  const keys = new Set([...former.keys(), ...current.keys()]);
  return [...keys].flatMap((key) => {
    const [was, is] = [former.get(key), current.get(key)];
    const difference = (one: Counts | undefined, other: Counts | undefined): SaleCounts => {
      const more = FIELDS.map((field) => [field, (one?.[field] ?? 0) - (other?.[field] ?? 0)] as const);
      return Object.fromEntries(more.filter(([, by]) => by > 0));
    };
    const [added, returned] = [difference(is?.counts, was?.counts), difference(was?.counts, is?.counts)];
    const of = is?.of ?? was?.of ?? {};
    const change = {
      ...of,
      ...(Object.keys(added).length === 0 ? {} : { added }),
      ...(Object.keys(returned).length === 0 ? {} : { returned }),
    };
    return 'added' in change || 'returned' in change ? [change] : [];
  });
}

/** The counts of an order, by what they count for. */
function countsOf(order: SoldOrder | undefined): Map<string, { of: Counted; counts: Counts }> {
  const found = new Map<string, { of: Counted; counts: Counts }>();
  if (order === undefined || orderStateFrom(order.status) !== 'placed') return found;
  const countFor = (of: Counted): Counts => {
    const key = [of.eventId, of.seriesId, of.adjustment?.id].map((id) => id ?? '').join('\n');
    const known = found.get(key) ?? { of, counts: { ...NOTHING, orders: 1 } };
    found.set(key, known);
    return known.counts;
  };
  const { fees, tax, total } = order.costs;
  Object.assign(countFor({}), { charged: total, fees, tax });
  const adjusted = new Map<string, { of: Counted; total: number }>();
  for (const item of order.items) {
    for (const of of placesOf([item])) {
      const counts = countFor(of);
      counts.tickets += item.quantity;
      if ('eventId' in of || 'seriesId' in of) counts.charged += item.charged;
      for (const { adjustmentId: id, name, code, total: by } of [...item.modifiers, ...item.shares]) {
        const key = [of.eventId, of.seriesId, id].join('\n');
        const adjustment = { id, name, ...(code === undefined ? {} : { code }) };
        const one = adjusted.get(key) ?? { of: { ...of, adjustment }, total: 0 };
        one.total += by;
        adjusted.set(key, one);
      }
    }
  }
  for (const { of, total: by } of adjusted.values()) {
    const { adjustment: _adjustment, ...place } = of;
    const field = by < 0 ? 'discounts' : 'surcharges';
    countFor(of)[field] += Math.abs(by);
    countFor(place)[field] += Math.abs(by);
  }
  return found;
}

/** What items count for: all orders, their events, and the series of these. */
function placesOf(items: readonly Pick<SoldItem, 'eventId' | 'seriesId'>[]): Counted[] {
  const events = new Set(items.flatMap(({ eventId }) => eventId ?? []));
  const series = new Set(items.flatMap(({ seriesId }) => seriesId ?? []));
  return [{}, ...[...events].map((eventId) => ({ eventId })), ...[...series].map((seriesId) => ({ seriesId }))];
}
