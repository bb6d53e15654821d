import type { Adjustment, EvaluateRequest } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import { aLine, anAdjustment, aRequest, OPTIONS, targeting } from './adjustments.fixture.ts';
import { AmountTooLargeError } from './exact-amount.ts';
import { price, whyDropped } from './price.fixture.ts';
import { priceCart } from './price.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

type Effect = Adjustment['effect'];

test('buy x get y deducts no more than its tickets cost after other discounts', () => {
  const half = {
    id: 'half',
    priority: 1,
    effect: { kind: 'percentage_off' as const, percent: 35, per: 'unit' as const },
  };
  const free = {
    id: 'free',
    effect: { kind: 'buy_x_get_y' as const, buy: 1, get: 1, percent: 100, per: 'order' as const },
  };
  const { perOrderModifiers, summary } = price([half, free], aRequest(5000, { quantity: 2 }));
  expect(perOrderModifiers).toMatchObject([{ base: 5000, amount: -3250 }]);
  expect(summary.total).toBe(3250);
});

test('among tickets with the same list price, those with the lowest current price are free, wherever they are in the cart', () => {
  const snapshot = new CompanySnapshot([
    anAdjustment({
      id: 'half',
      effect: { kind: 'percentage_off', percent: 50, per: 'unit' },
      targets: [targeting('offering/off_b')],
    }),
    anAdjustment({ id: 'two', effect: { kind: 'buy_x_get_y', buy: 1, get: 1, percent: 100, per: 'order' } }),
  ]);
  const [dear, cheap] = [aLine('off_a', 5000, 1), aLine('off_b', 5000, 1)];
  for (const lines of [
    [dear, cheap],
    [cheap, dear],
  ]) {
    expect(priceCart(snapshot, { lines, cartContext: {} }, OPTIONS).summary.total).toBe(5000);
  }
});

test('a ticket that buy x get y made free is free for later adjustments', () => {
  const free = (id: string, priority: number) =>
    anAdjustment({ id, priority, effect: { kind: 'buy_x_get_y', buy: 1, get: 1, percent: 100, per: 'order' } });
  const half = (offeringId: string) =>
    anAdjustment({
      id: 'half',
      effectBase: 'current-price',
      effect: { kind: 'percentage_off', percent: 50, per: 'order' },
      targets: [targeting(`offering/${offeringId}`)],
    });
  const lines = [aLine('off_a', 5000, 1), aLine('off_b', 3000, 1)];
  const amounts = (second: Adjustment) =>
    priceCart(
      new CompanySnapshot([free('free', 1), second]),
      { lines, cartContext: {} },
      OPTIONS,
    ).perOrderModifiers.map(({ amount }) => amount);
  expect(amounts(free('again', 0))).toEqual([-3000]);
  expect(amounts(half('off_b'))).toEqual([-3000]);
  expect(amounts(half('off_a'))).toEqual([-3000, -2500]);
});

test('an amount on free tickets is split over all of them evenly', () => {
  const snapshot = new CompanySnapshot([
    anAdjustment({
      id: 'fee',
      priority: 1,
      effect: { kind: 'amount_surcharge', amount: 400, currency: 'EUR', per: 'order' },
    }),
    anAdjustment({
      id: 'half',
      effectBase: 'current-price',
      effect: { kind: 'percentage_off', percent: 50, per: 'order' },
      targets: [targeting('offering/off_b')],
    }),
  ]);
  const lines = [aLine('off_a', 0, 1), aLine('off_b', 0, 3)];
  const { summary } = priceCart(snapshot, { lines, cartContext: {} }, OPTIONS);
  expect(summary.total).toBe(250); // off_a has 1.00 of the fee; off_b 3.00, less half
});

test('a modifier says how many tickets it changes the price of', () => {
  const unitsOf = (effect: Effect, quantity: number) => {
    const { perUnitModifiers, perOrderModifiers } = price([{ id: 'a', effect }], aRequest(5000, { quantity }));
    return [...perUnitModifiers, ...perOrderModifiers].map(({ units }) => units);
  };
  expect(unitsOf({ kind: 'percentage_off', percent: 10, per: 'unit' }, 3)).toEqual([3]);
  expect(unitsOf({ kind: 'percentage_off', percent: 10, per: 'order' }, 3)).toEqual([3]);
  expect(unitsOf({ kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100, per: 'order' }, 7)).toEqual([2]);
});

describe('effects', () => {
  test.each<[string, Effect, number, number, number]>([
    // effect, price, quantity, total
    [
      'percentage off each unit, rounded on the unit',
      { kind: 'percentage_off', percent: 12.5, per: 'unit' },
      1999,
      3,
      5247,
    ],
    ['percentage off the order, rounded once', { kind: 'percentage_off', percent: 12.5, per: 'order' }, 1999, 3, 5247],
    ['half a cent is rounded away from zero', { kind: 'percentage_off', percent: 50, per: 'unit' }, 5, 1, 2],
    ['a percentage is capped', { kind: 'percentage_off', percent: 50, per: 'unit', maxAmount: 300 }, 1000, 2, 1400],
    ['amount off each unit', { kind: 'amount_off', amount: 150, currency: 'EUR', per: 'unit' }, 1000, 4, 3400],
    ['amount off the order', { kind: 'amount_off', amount: 150, currency: 'EUR', per: 'order' }, 1000, 4, 3850],
    ['fixed price of a unit', { kind: 'fixed_price', amount: 700, currency: 'EUR', per: 'unit' }, 1000, 2, 1400],
    ['fixed price of the order', { kind: 'fixed_price', amount: 700, currency: 'EUR', per: 'order' }, 1000, 2, 700],
    ['percentage surcharge', { kind: 'percentage_surcharge', percent: 2.5, per: 'unit' }, 1000, 2, 2050],
    [
      'a surcharge is not capped',
      { kind: 'percentage_surcharge', percent: 10, per: 'unit', maxAmount: 1 },
      1000,
      1,
      1100,
    ],
    ['amount surcharge', { kind: 'amount_surcharge', amount: 250, currency: 'EUR', per: 'order' }, 1000, 2, 2250],
    [
      'the highest tier reached counts for every ticket',
      {
        kind: 'tiered',
        tiers: [
          { minQuantity: 2, percent: 10 },
          { minQuantity: 5, percent: 20 },
        ],
        per: 'unit',
      },
      1000,
      5,
      4000,
    ],
    [
      'a tier not reached does not count; amounts without a currency match any currency',
      {
        kind: 'tiered',
        tiers: [
          { minQuantity: 5, amount: 900 },
          { minQuantity: 2, amount: 100 },
        ],
        per: 'order',
      },
      1000,
      4,
      3900,
    ],
    ['two and one free', { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100, per: 'order' }, 1000, 7, 5000],
    ['two and one at half price', { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 50, per: 'order' }, 999, 3, 2497],
  ])('%s', (_, effect, amount, quantity, total) => {
    expect(price([{ id: 'adj', effect }], aRequest(amount, { quantity })).summary.total).toBe(total);
  });

  test('among tickets of different prices, the cheapest are free', () => {
    const effect: Effect = { kind: 'buy_x_get_y', buy: 2, get: 2, percent: 100, per: 'order' };
    const snapshot = new CompanySnapshot([anAdjustment({ id: 'adj', effect })]);
    const lines = [aLine('vip', 5000, 2), aLine('ga', 1000, 1), aLine('child', 500, 1)];
    const { perOrderModifiers, summary } = priceCart(snapshot, { lines, cartContext: {} }, OPTIONS);
    expect(perOrderModifiers).toMatchObject([{ base: 1500, amount: -1500 }]);
    expect(summary.total).toBe(10_000);
  });

  test.each([
    ['list-price', 700],
    ['current-price', 720],
  ] as const)('a second discount on the %s leaves %i', (effectBase, total) => {
    const first = { id: 'first', priority: 1 };
    const second = { id: 'second', effectBase, effect: { kind: 'percentage_off', percent: 20, per: 'unit' } } as const;
    expect(price([second, first], aRequest(1000)).summary.total).toBe(total);
  });

  test('per unit comes before per order, regardless of priorities', () => {
    const order = {
      id: 'order',
      priority: 9,
      effectBase: 'current-price',
      effect: { kind: 'percentage_off', percent: 50, per: 'order' },
    } as const;
    expect(price([order, { id: 'unit' }], aRequest(1000)).perOrderModifiers).toMatchObject([{ base: 900 }]);
  });

  test('a later per-order discount sees what an earlier one left of its lines', () => {
    const half = { kind: 'percentage_off', percent: 50, per: 'order' } as const;
    const snapshot = new CompanySnapshot([
      anAdjustment({ id: 'all', priority: 1, effect: half }),
      anAdjustment({ id: 'ga', effectBase: 'current-price', targets: [targeting('offering/ga')], effect: half }),
    ]);
    const lines = [aLine('ga', 1000, 2), aLine('vip', 5000, 1)];
    const { perOrderModifiers } = priceCart(snapshot, { lines, cartContext: {} }, OPTIONS);
    expect(perOrderModifiers).toMatchObject([
      { base: 7000, amount: -3500 },
      { base: 1000, amount: -500 },
    ]);
  });

  test('a discount larger than the price deducts the whole price', () => {
    const effect: Effect = { kind: 'amount_off', amount: 5000, currency: 'EUR', per: 'unit' };
    const { summary, perUnitModifiers, droppedAdjustments } = price(
      [
        { id: 'a', effect },
        { id: 'b', effect },
      ],
      aRequest(1000, { quantity: 2 }),
    );
    expect(perUnitModifiers).toMatchObject([{ adjustmentId: 'a', amount: -1000, total: -2000 }]);
    expect(summary).toMatchObject({ total: 0, clampedAtZero: true });
    expect(droppedAdjustments).toMatchObject([
      { adjustmentId: 'b', reason: 'no-effect', detail: 'has no effect, there is nothing left to take off' },
    ]);
  });

  test.each<[Effect, EvaluateRequest, string]>([
    [
      { kind: 'fixed_price', amount: 5000, currency: 'EUR', per: 'unit' },
      aRequest(4000),
      'the price of 40.00 EUR is not above the fixed price of 50.00 EUR',
    ],
    [{ kind: 'percentage_off', percent: 10, per: 'unit' }, aRequest(4), 'its share of 0.04 EUR rounds to 0.00 EUR'],
    [{ kind: 'percentage_off', percent: 10, per: 'unit' }, aRequest(0), 'the price is 0.00 EUR'],
    [
      { kind: 'percentage_off', percent: 10, per: 'unit', maxAmount: 0 },
      aRequest(1000),
      'it may take off at most 0.00 EUR',
    ],
    [
      { kind: 'percentage_off', percent: 10, per: 'order' },
      aRequest(1000, { quantity: 0 }),
      'the cart has 0 tickets that it applies to',
    ],
  ])('an adjustment that changes nothing is dropped: %j', (effect, request, detail) => {
    expect(whyDropped({ effect }, request)).toEqual({ reason: 'no-effect', detail: `has no effect, ${detail}` });
  });

  test('prices beyond exact integers are refused, not rounded', () => {
    const effect: Effect = { kind: 'percentage_surcharge', percent: 1000, per: 'unit' };
    const compounding = Array.from({ length: 9 }, (_, index) => ({
      id: `adj_${index}`,
      effect,
      effectBase: 'current-price' as const,
    }));
    expect(() => price(compounding, aRequest(1_000_000_000))).toThrow(AmountTooLargeError);
  });
});
