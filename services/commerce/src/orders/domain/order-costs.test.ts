import {
  type CartEvaluation,
  type Modifier,
  type OrderInput,
  orderRequest,
  type Purchased,
} from '@event-commerce/contracts';
import { allocate } from '@event-commerce/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceOrder } from './order-costs.ts';
import { draftOrder, pricedLines } from './order-draft.ts';

const LIST_PRICES = new Map([
  ['off_a', 5_000],
  ['off_b', 999],
]);
const CATALOGUE = new Map(
  [...LIST_PRICES].map(([id, amount]) => [
    id,
    {
      id,
      eventId: 'evt_1',
      companyId: 'c',
      name: `Ticket ${id}`,
      price: { amount, currency: 'EUR' },
      tags: [],
      status: 'active' as const,
      created: '2027-01-01T00:00:00.000Z',
      changed: '2027-01-01T00:00:00.000Z',
      version: 1,
    },
  ]),
);

function inputOf(changes: Record<string, unknown>): OrderInput {
  const order = {
    orderNumber: 'N-1',
    currency: 'EUR',
    companyId: 'c',
    organizerId: 'org_1',
    contextId: 'evt_1',
    customer: { email: 'ada@example.com' },
    context: { urn: 'urn:x' },
    ...changes,
  };
  return orderRequest.parse({ order });
}

/** Prices an order as pricing would, with `percent` off every unit and `off` off the order. */
function pricedBy(input: OrderInput, percent: number, off: number) {
  const draft = draftOrder(input, undefined, CATALOGUE);
  const lines = pricedLines(draft, input.currency);
  const evaluate = (unitPrice: (line: (typeof lines)[number]['line']) => number): CartEvaluation => {
    const priced = lines.map(({ line }) => {
      const base = unitPrice(line);
      const each = base - Math.round((base * percent) / 100);
      return {
        offeringId: line.offering.id,
        quantity: line.quantity,
        basePrice: { amount: base, currency: 'EUR' },
        effectivePrice: { amount: each, currency: 'EUR' },
        perUnitModifiers: [],
        total: each * line.quantity,
      };
    });
    const subtotal = priced.reduce((sum, line) => sum + line.basePrice.amount * line.quantity, 0);
    const before = priced.reduce((sum, line) => sum + line.total, 0);
    const amount = -Math.min(off, before);
    const total = before + amount;
    const summary = { subtotal, modifiers: total - subtotal, total, currency: 'EUR', clampedAtZero: false };
    const modifier = { adjustmentId: 'adj_off', name: 'Off', total: amount } as Modifier;
    return { lines: priced, perOrderModifiers: amount === 0 ? [] : [modifier], summary, codes: [] };
  };
  const price = evaluate(({ offering, statedPrice }) => statedPrice ?? offering.price.amount);
  const weights = price.lines.map(({ total }) => total);
  const reply: Pick<Purchased, 'price' | 'platformTotal' | 'shares'> =
    lines.length === 0
      ? {}
      : {
          price,
          platformTotal: evaluate(({ offering }) => offering.price.amount).summary.total,
          shares: price.perOrderModifiers.map(({ total }) => allocate(total, weights)),
        };
  const indexes = lines.map(({ index }) => index);
  return priceOrder(input, draft, indexes, reply);
}
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
const costsOf = (items: Record<string, unknown>[], costs: Record<string, unknown> = {}) =>
  pricedBy(inputOf({ items, costs }), 0, 0).costs;

const amount = fc.oneof(fc.nat(100_000), fc.nat(1_000_000_000_000));
const item = fc
  .record(
    {
      offeringId: fc.constantFrom('off_a', 'off_b', 'off_unknown'),
      quantity: fc.integer({ min: 1, max: 20 }),
      unitPrice: amount,
      total: fc.nat(1_000).map((n) => n * 232_792_560),
    },
    { requiredKeys: ['quantity'] },
  )
  // A body that says nothing about what is bought is refused.
  .filter(({ offeringId, unitPrice }) => offeringId !== undefined || unitPrice !== undefined);
const costs = fc.record({ subtotal: amount, fees: amount, tax: amount, total: amount }, { requiredKeys: [] });

describe("an order's costs", () => {
  test('add up, and show the difference from what the platform would charge', () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 6 }),
        costs,
        fc.nat(100),
        fc.nat(10_000),
        (items, given, percent, off) => {
          const priced = pricedBy(inputOf({ items, costs: given }), percent, off);
          const { subtotal, modifiers, fees, tax, total } = priced.costs;
          expect(subtotal + modifiers + fees + tax).toBe(total);
          if (items.length > 0) expect(sum(priced.items.map(({ charged }) => charged)) + fees + tax).toBe(total);
          for (const { charged, total: before, shares } of priced.items) {
            expect(charged).toBeGreaterThanOrEqual(0);
            if (priced.stated.length > 0) continue;
            expect(charged).toBe(before + sum(shares.map((share) => share.total)));
          }
          expect(priced.pricing.total + priced.pricing.difference).toBe(total);
          expect(priced.pricing.source).toBe(priced.stated.length === 0 ? 'platform' : 'stated');
          // Stated amounts are kept. A stated total is never exceeded by tax, then fees.
          expect([total, subtotal]).toEqual([given.total ?? total, given.subtotal ?? subtotal]);
          expect(tax).toBe(Math.min(given.tax ?? 0, total));
          expect(fees).toBe(Math.min(given.fees ?? 0, total - tax));
          if (priced.stated.length === 0) expect(priced.pricing.difference).toBe(0);
        },
      ),
    );
  });

  test('are the platform’s if the caller states none, or states the same ones', () => {
    const bought = fc.record({
      offeringId: fc.constantFrom('off_a', 'off_b'),
      quantity: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(bought, { maxLength: 6 }), fc.nat(100), fc.nat(10_000), (items, percent, off) => {
        const silent = pricedBy(inputOf({ items, costs: { fees: 7 } }), percent, off);
        expect(silent.pricing).toMatchObject({ source: 'platform', total: silent.costs.total, difference: 0 });
        const same = items.map((one) => ({ ...one, unitPrice: LIST_PRICES.get(one.offeringId) }));
        const { subtotal, total } = silent.costs;
        const spoken = pricedBy(inputOf({ items: same, costs: { fees: 7, subtotal, total } }), percent, off);
        expect([spoken.costs, spoken.stated]).toEqual([silent.costs, []]);
        expect(spoken.items.map(({ total: of }) => of)).toEqual(silent.items.map(({ total: of }) => of));
      }),
    );
  });

  test('are charged to the items: stated amounts are split by what these cost, and take none below zero', () => {
    const items = [
      { offeringId: 'off_a', quantity: 2 },
      { name: 'Poster', unitPrice: 2_000 },
    ];
    const chargedOf = (given: Record<string, unknown>, sold = items) => {
      const priced = pricedBy(inputOf({ items: sold, costs: given }), 0, 1_000);
      return [...priced.items.map(({ charged }) => charged), priced.costs.fees, priced.costs.tax];
    };
    expect(chargedOf({ fees: 300, tax: 2_850 })).toEqual([9_167, 1_833, 300, 2_850]);
    expect(chargedOf({ fees: 300, total: 6_300 })).toEqual([5_000, 1_000, 300, 0]);
    expect(chargedOf({ fees: 300, tax: 50, total: 200 })).toEqual([0, 0, 150, 50]);
    expect(chargedOf({ total: 20 }, [{ name: 'Gift' }, { name: 'Gift', quantity: 3 }] as never)).toEqual([5, 15, 0, 0]);
    const { items: shared } = pricedBy(inputOf({ items }), 0, 1_000);
    expect(shared).toMatchObject([
      { lineId: 'ln_1', total: 10_000, shares: [{ adjustmentId: 'adj_off', name: 'Off', total: -833 }] },
      { lineId: 'ln_2', total: 2_000, shares: [{ adjustmentId: 'adj_off', name: 'Off', total: -167 }] },
    ]);
  });

  test('use the catalogue’s price, or the stated unit price', () => {
    expect(costsOf([{ offeringId: 'off_a', quantity: 2 }])).toMatchObject({ subtotal: 10_000, total: 10_000 });
    const {
      costs: stated,
      pricing,
      items,
    } = pricedBy(inputOf({ items: [{ offeringId: 'off_a', quantity: 2, unitPrice: 4_000 }] }), 20, 0);
    expect(stated).toMatchObject({ subtotal: 8_000, modifiers: -1_600, total: 6_400 });
    expect(pricing).toMatchObject({ source: 'stated', total: 8_000, difference: -1_600 });
    expect(items).toMatchObject([{ unitPrice: 4_000, effectiveUnitPrice: 3_200, total: 6_400, priced: true }]);
  });

  test('keep the total of an item, unless it is its unit price times its quantity', () => {
    const ofTotal = (total: number) =>
      pricedBy(inputOf({ items: [{ offeringId: 'off_a', quantity: 2, unitPrice: 5_000, total }] }), 20, 0);
    expect(ofTotal(10_000).costs.total).toBe(8_000);
    expect(ofTotal(8_000).stated).toEqual([]);
    expect(ofTotal(7_000)).toMatchObject({
      costs: { subtotal: 10_000, modifiers: -3_000, total: 7_000 },
      stated: [{ path: 'order.items[0].total', stated: 7_000, price: 8_000 }],
    });
  });

  test.each([
    ['order.items[1]', [{ unitPrice: 1 }, { unitPrice: Number.MAX_SAFE_INTEGER, quantity: 1_000_000 }], {}],
    ['order.items[0]', [{ unitPrice: Number.MAX_SAFE_INTEGER }, { unitPrice: 1 }], {}],
    ['order.costs', [{ unitPrice: 1 }], { tax: Number.MAX_SAFE_INTEGER, fees: 1 }],
    // The items count although a subtotal was given.
    ['order.items[0]', [{ unitPrice: Number.MAX_SAFE_INTEGER, quantity: 3 }], { subtotal: 5, total: 5 }],
    ['order.items[0].total', [{ total: 1_000, quantity: 3 }], {}],
    ['order.items[0].offeringId', [{ offeringId: 'off_usd' }], {}],
  ])('that cannot be exact, or are of another currency, are refused at %s', (path, items, given) => {
    const dollars = { ...CATALOGUE.get('off_a'), price: { amount: 1, currency: 'USD' } };
    CATALOGUE.set('off_usd', dollars as never);
    expect(() => costsOf(items, given)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', details: [expect.objectContaining({ path })] }),
    );
  });

  test('are refused if the order names more than fits into one request to pricing', () => {
    const names = Array.from({ length: 501 }, (_, n) => `n${n}`);
    const drafted = (changes: Record<string, unknown>, codes: string[] = []) =>
      draftOrder(inputOf(changes), { items: [], codes } as never, CATALOGUE);
    const naming = (adjustments: string[]) => ({ name: 'Poster', unitPrice: 5, adjustments });
    expect(() => drafted({ items: [naming(names.slice(0, 250)), naming(names.slice(250))] })).toThrow(
      'order.items name 501 adjustments, and an order can redeem at most 500; split it into several orders.',
    );
    expect(() => drafted({ items: [naming([])], coupons: names.slice(0, 300) }, names.slice(300))).toThrow(
      'order.coupons name 501 codes with those of the cart session, and an order can redeem at most 500; split it into several orders.',
    );
  });

  test.each(['unitPrice', 'price', 'amount'])('read the price of an item from the field %s', (field) => {
    expect(costsOf([{ [field]: 5_000, quantity: 2 }])).toMatchObject({ subtotal: 10_000, total: 10_000 });
    expect(costsOf([{ [field]: { amount: 5_000, currency: 'EUR' } }])).toMatchObject({ total: 5_000 });
  });

  test('keep other fields', () => {
    expect(costsOf([{ price: 5 }], { deposit: 3 })).toEqual({
      subtotal: 5,
      modifiers: 0,
      fees: 0,
      tax: 0,
      total: 5,
      currency: 'EUR',
      deposit: 3,
    });
  });
});
