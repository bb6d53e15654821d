import type { SaleChange } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import { SALE_BYTES_MAX, saleOf, type SoldOrder } from './order-sale.ts';

type Item = SoldOrder['items'][number];

const by = (adjustmentId: string, total: number) => ({ adjustmentId, name: adjustmentId, total });
const item = (eventId: string, quantity: number, charged: number, more: object = {}): Item => ({
  eventId,
  quantity,
  charged,
  modifiers: [],
  shares: [],
  ...more,
});

const order = (status: string, items: Item[], { fees = 0, tax = 0 } = {}): SoldOrder => ({
  status,
  currency: 'EUR',
  items,
  costs: { fees, tax, total: items.reduce((sum, { charged }) => sum + charged, fees + tax) },
});

/** Changes by what they count for. */
const byName = (sale: ReturnType<typeof saleOf>) =>
  Object.fromEntries(
    (sale?.changes ?? []).map(({ eventId, seriesId, adjustment, ...change }: SaleChange) => [
      [eventId ?? seriesId ?? 'all', ...(adjustment === undefined ? [] : [adjustment.id])].join(' '),
      change,
    ]),
  );

describe('a change of an order', () => {
  test('counts a placed order for all, and for each event with its items, without fees and tax', () => {
    const items = [item('evt_1', 2, 9_000), item('evt_2', 1, 3_000), item('evt_1', 1, 4_000)];
    const sale = saleOf(undefined, order('placed', items, { fees: 200, tax: 800 }));
    expect(sale?.currency).toBe('EUR');
    expect(byName(sale)).toEqual({
      all: { added: { orders: 1, tickets: 4, charged: 17_000, fees: 200, tax: 800 } },
      evt_1: { added: { orders: 1, tickets: 3, charged: 13_000 } },
      evt_2: { added: { orders: 1, tickets: 1, charged: 3_000 } },
    });
  });

  test('counts an order once for a series, whatever the number of its dates', () => {
    const seriesId = 'evt_series';
    const items = [item('evt_1', 1, 1_000, { seriesId }), item('evt_2', 1, 1_000, { seriesId })];
    expect(byName(saleOf(undefined, order('Paid', items)))).toMatchObject({
      evt_series: { added: { orders: 1, tickets: 2, charged: 2_000 } },
    });
  });

  test('counts what adjustments took off and added, for each event and for all', () => {
    const items = [
      item('evt_1', 2, 8_000, { modifiers: [by('adj_off', -2_000)], shares: [by('adj_fee', 300)] }),
      item('evt_2', 1, 2_000, { shares: [by('adj_off', -500), by('adj_fee', 100)] }),
    ];
    expect(byName(saleOf(undefined, order('placed', items)))).toMatchObject({
      all: { added: { discounts: 2_500, surcharges: 400 } },
      'all adj_off': { added: { orders: 1, discounts: 2_500 } },
      'evt_1 adj_off': { added: { orders: 1, discounts: 2_000 } },
      'evt_2 adj_fee': { added: { orders: 1, surcharges: 100 } },
    });
  });

  test('counts nothing before it is placed, and nothing that changes no amount', () => {
    const items = [item('evt_1', 1, 1_000)];
    expect(saleOf(undefined, order('pending', items))).toBe(undefined);
    expect(saleOf(order('pending', items), order('cancelled', items))).toBe(undefined);
    expect(saleOf(order('placed', items), order('Sent', items))).toBe(undefined);
    expect(saleOf(order('expired', items), order('pending', items))).toBe(undefined);
  });

  test('counts a pending order that is confirmed, and an expiring one as expired', () => {
    const items = [item('evt_1', 1, 1_000)];
    const added = { orders: 1, tickets: 1, charged: 1_000 };
    expect(byName(saleOf(order('pending', items), order('placed', items)))).toEqual({
      all: { added },
      evt_1: { added },
    });
    expect(byName(saleOf(order('pending', items), order('expired', items)))).toEqual({
      all: { expired: true },
      evt_1: { expired: true },
    });
  });

  test('takes a cancelled order off all counts, and counts a reopened one again', () => {
    const items = [item('evt_1', 2, 9_000, { modifiers: [by('adj_1', -1_000)] })];
    const [placed, cancelled] = [order('placed', items, { tax: 10 }), order('cancelled', items, { tax: 10 })];
    const sold = saleOf(undefined, placed)?.changes;
    expect(saleOf(placed, cancelled)?.changes).toEqual(sold?.map(({ added, ...of }) => ({ ...of, returned: added })));
    expect(saleOf(cancelled, placed)?.changes).toEqual(sold);
  });

  test('counts an amendment by the difference, for each event and for all', () => {
    const before = order('placed', [item('evt_1', 3, 12_000), item('evt_2', 1, 3_000)]);
    const after = order('placed', [item('evt_1', 1, 4_000), item('evt_3', 2, 11_000)]);
    expect(byName(saleOf(before, after))).toEqual({
      all: { returned: { tickets: 1 } },
      evt_1: { returned: { tickets: 2, charged: 8_000 } },
      evt_2: { returned: { orders: 1, tickets: 1, charged: 3_000 } },
      evt_3: { added: { orders: 1, tickets: 2, charged: 11_000 } },
    });
  });

  test('with hundreds of events fits into the event of the order, which has at least the total', () => {
    const id = (n: number) => `evt_${n}`.padEnd(256, 'x');
    const ofEvents = (count: number, adjusted: boolean) =>
      order(
        'placed',
        Array.from({ length: count }, (_, n) => item(id(n), 1, 100, adjusted ? { modifiers: [by('adj_1', -10)] } : {})),
      );
    const [few, many, most] = [ofEvents(20, true), ofEvents(60, true), ofEvents(500, true)].map((one) =>
      saleOf(undefined, one),
    );
    expect(few?.changes).toHaveLength(1 + 20 + 1 + 20);
    expect(many?.changes).toHaveLength(1 + 60 + 1);
    expect(most?.changes).toEqual([{ added: { orders: 1, tickets: 500, charged: 50_000, discounts: 5_000 } }]);
    for (const sale of [few, many, most]) {
      expect(Buffer.byteLength(JSON.stringify(sale?.changes))).toBeLessThanOrEqual(SALE_BYTES_MAX);
    }
  });
});
