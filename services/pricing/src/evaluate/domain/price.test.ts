import type { Adjustment } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import { aLine, anAdjustment, aRequest, OPTIONS, targeting, NOW } from './adjustments.fixture.ts';
import { TooManyPricesError } from './price-bounds.ts';
import { capsToRead } from './caps-to-read.ts';
import { price } from './price.fixture.ts';
import { priceCart, priceForOrder, priceOffering } from './price.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

test('returns a complete evaluation', () => {
  const code = anAdjustment({
    id: 'adj_code',
    name: 'Summer',
    type: 'coupon',
    category: 'discount-coupon',
    origin: 'coupon',
    conditions: { code: 'SUMMER' },
  });
  const order = anAdjustment({
    id: 'adj_order',
    effect: { kind: 'amount_off', amount: 500, currency: 'EUR', per: 'order' },
  });
  const other = anAdjustment({ id: 'adj_other', targets: [targeting('event/evt_9')] });
  const request = aRequest(1999, { quantity: 3, codes: [' summer', 'OTHER', 'Summer'] });
  expect(priceOffering(new CompanySnapshot([code, order, other]), request, OPTIONS)).toEqual({
    basePrice: { amount: 1999, currency: 'EUR' },
    effectivePrice: { amount: 1799, currency: 'EUR' },
    perUnitModifiers: [
      {
        adjustmentId: 'adj_code',
        name: 'Summer',
        type: 'coupon',
        category: 'discount-coupon',
        origin: 'coupon',
        code: 'SUMMER',
        effect: code.effect,
        base: 1999,
        amount: -200,
        units: 3,
        total: -600,
      },
    ],
    perOrderModifiers: [
      {
        adjustmentId: 'adj_order',
        name: 'adj_order',
        type: 'promotion',
        category: 'promotion',
        origin: 'manual',
        effect: order.effect,
        base: 5997,
        amount: -500,
        units: 3,
        total: -500,
      },
    ],
    summary: { subtotal: 5997, modifiers: -1100, total: 4897, currency: 'EUR', clampedAtZero: false },
    droppedAdjustments: [
      {
        adjustmentId: 'adj_other',
        name: 'adj_other',
        category: 'promotion',
        reason: 'target-mismatch',
        detail: 'applies to event evt_9 only, which is not in the cart',
      },
    ],
    codes: [
      { code: ' summer', status: 'applied', adjustmentId: 'adj_code' },
      { code: 'OTHER', status: 'unknown' },
    ],
  });
});

const manyEvents = Array.from({ length: 500 }, (_, n) => targeting(`event/elsewhere_${n}`));

describe('at listing', () => {
  const earlyBird = {
    id: 'early-bird',
    application: 'at-listing' as const,
    effect: { kind: 'fixed_price' as const, amount: 4000, currency: 'EUR', per: 'unit' as const },
  };

  test('everything at checkout is computed on the list price', () => {
    const adjustments = [
      { id: 'off', effect: { kind: 'percentage_off' as const, percent: 10, per: 'unit' as const } },
      { id: 'order', effect: { kind: 'percentage_off' as const, percent: 50, per: 'order' as const } },
      earlyBird,
    ];
    const { perUnitModifiers, perOrderModifiers, basePrice, effectivePrice, summary } = price(
      adjustments,
      aRequest(5000, { quantity: 2 }),
    );
    expect(perUnitModifiers).toMatchObject([
      { adjustmentId: 'early-bird', base: 5000, amount: -1000 },
      { adjustmentId: 'off', base: 4000, amount: -400 },
    ]);
    expect(perOrderModifiers).toMatchObject([{ base: 8000, amount: -4000 }]);
    expect([basePrice.amount, effectivePrice.amount]).toEqual([5000, 3600]);
    expect(summary).toMatchObject({ subtotal: 10_000, modifiers: -6800, total: 3200 });
  });

  test('an exclusive at checkout leaves the list price alone, and one at listing excludes nothing at checkout', () => {
    const half = { kind: 'percentage_off' as const, percent: 50, per: 'unit' as const };
    const atCheckout = price([earlyBird, { id: 'half', stacking: 'exclusive', effect: half }], aRequest(5000));
    expect(atCheckout.summary.total).toBe(2000);
    const atListing = price(
      [
        { ...earlyBird, stacking: 'exclusive' },
        { id: 'half', effect: half },
      ],
      aRequest(5000),
    );
    expect(atListing.summary.total).toBe(2000);
  });

  test('adjustments of one category compete at listing and at checkout separately', () => {
    const competing = { stacking: 'replace-within-category' as const };
    const { perUnitModifiers, droppedAdjustments } = price(
      [
        { ...earlyBird, ...competing },
        { ...earlyBird, ...competing, id: 'later' },
        { id: 'off', ...competing },
      ],
      aRequest(5000),
    );
    expect(perUnitModifiers.map(({ adjustmentId }) => adjustmentId)).toEqual(['early-bird', 'off']);
    expect(droppedAdjustments).toMatchObject([{ adjustmentId: 'later', replacedBy: 'early-bird' }]);
  });
});

describe('carts', () => {
  test('an empty cart costs nothing, and every adjustment is dropped as missing its target', () => {
    const { summary, droppedAdjustments } = priceCart(
      new CompanySnapshot([anAdjustment({ id: 'adj' })]),
      { lines: [], cartContext: {} },
      OPTIONS,
    );
    expect(summary).toEqual({ subtotal: 0, modifiers: 0, total: 0, currency: 'EUR', clampedAtZero: false });
    expect(droppedAdjustments).toMatchObject([
      { reason: 'target-mismatch', detail: 'applies to every event, the cart is empty' },
    ]);
  });

  test('the same offering on two lines is priced on each', () => {
    const { lines } = priceCart(
      new CompanySnapshot([anAdjustment({ id: 'adj' })]),
      { lines: [aLine('ga', 1000, 1), aLine('ga', 1000, 2)], cartContext: {} },
      OPTIONS,
    );
    expect(lines.map(({ total }) => total)).toEqual([900, 1800]);
  });

  test('lines of two currencies are refused', () => {
    const dollars = { offering: { id: 'b', price: { amount: 1, currency: 'USD' } }, quantity: 1 };
    const request = { lines: [aLine('a', 1, 1), dollars], cartContext: {} };
    expect(() => priceCart(new CompanySnapshot([]), request, OPTIONS)).toThrow(TypeError);
  });

  test.each<[string, number, Partial<Adjustment>, string]>([
    ['prices to work out', 1_001, { stacking: 'exclusive' }, '500500 prices would have to be worked out for 500 lines'],
    [
      'modifiers to list',
      41,
      { effect: { kind: 'amount_off', amount: 1, currency: 'EUR', per: 'unit' } },
      '20500 modifiers would be listed for 500 lines',
    ],
    [
      'texts of modifiers',
      15,
      { name: 'n'.repeat(256), effect: { kind: 'amount_off', amount: 1, currency: 'EUR', per: 'unit' } },
      '7500 modifiers would be listed for 500 lines, with texts of',
    ],
  ])('with too many %s are refused, saying how many and what to do', (_what, count, change, message) => {
    const adjustments = Array.from({ length: count }, (_, n) => anAdjustment({ id: `adj_${n}`, ...change }));
    const lines = Array.from({ length: 500 }, (_, n) => aLine(`off_${n}`, 100_000, 1));
    const inAll = (all: Adjustment[]) => () => priceCart(new CompanySnapshot(all), { lines, cartContext: {} }, OPTIONS);
    expect(inAll(adjustments)).toThrow(TooManyPricesError);
    expect(inAll(adjustments)).toThrow(message);
    expect(inAll(adjustments)).toThrow('Price fewer lines at a time');
    expect(inAll(adjustments.slice(1))).not.toThrow();
  });

  test.each<[string, number, Partial<Adjustment>]>([
    ['targets of codes elsewhere', 7, { targets: manyEvents }],
    [
      'lines that it targets, although its time has not come',
      1_201,
      { conditions: { startsAt: '2099-01-01T00:00:00Z' } },
    ],
    ['tags that they do not have', 61, { conditions: { tags: ['none'] } }],
  ])('with too many comparisons with %s are refused before they are made', (what, count, change) => {
    const coded = what.startsWith('targets');
    const targets = change.targets ?? [targeting(what.startsWith('tags') ? 'event/*' : 'event/evt_1')];
    const adjustments = Array.from({ length: count }, (_, n) =>
      anAdjustment({ id: `adj_${n}`, ...change, targets, ...(coded ? { conditions: { code: `C${n}` } } : {}) }),
    );
    const tags = Array.from({ length: 100 }, (_, n) => `tag ${n}`);
    const lines = Array.from({ length: 500 }, (_, n) => {
      const { offering, quantity } = aLine(`off_${n}`, 100_000, 1);
      return { offering: { ...offering, tags }, quantity };
    });
    const cartContext = { codes: coded ? adjustments.map(({ conditions }) => conditions.code ?? '') : [] };
    const inAll = (all: Adjustment[]) => () =>
      priceCart(new CompanySnapshot(all), { lines, cartContext }, { ...OPTIONS, dropped: 'candidates' });
    expect(inAll(adjustments)).toThrow('500 lines would have to be compared with too many targets and tags');
    expect(inAll(adjustments.slice(1))).not.toThrow();
  });

  test('a price without a currency has the default one', () => {
    const { summary } = price([], aRequest(1000, {}, { price: { amount: 1000 } }), { defaultCurrency: 'CHF' });
    expect(summary.currency).toBe('CHF');
  });
});

test('the basis of an order has what counts, and what may count once the order has other tickets', () => {
  const percent = { kind: 'percentage_off', percent: 10, per: 'unit' } as const;
  const money = (amount: number) => ({ amount, currency: 'EUR' });
  const considered: Parameters<typeof anAdjustment>[0][] = [
    { id: 'counts' },
    { id: 'of-one-line', targets: [targeting('offering/off_1')], version: 7 },
    { id: 'too-few', conditions: { minQuantity: 9 } },
    { id: 'too-many', conditions: { maxQuantity: 1 } },
    { id: 'below', conditions: { minOrderTotal: money(100_000) } },
    { id: 'above', conditions: { maxOrderTotal: money(1) } },
    { id: 'nothing', effect: { kind: 'fixed_price', ...money(9_000), per: 'unit' } },
    { id: 'wins', stacking: 'replace-within-category', effect: { ...percent, percent: 20 } },
    { id: 'loses', stacking: 'replace-within-category' },
    { id: 'alone', stacking: 'exclusive' },
  ];
  const never: Parameters<typeof anAdjustment>[0][] = [
    { id: 'over', conditions: { endsAt: '2027-01-01T00:00:00.000Z' } },
    { id: 'segment', conditions: { customerSegments: ['vip'] } },
    { id: 'channel', conditions: { channelIds: ['app'] } },
    { id: 'code', conditions: { code: 'SUMMER' } },
    { id: 'capped', conditions: { maxRedemptions: 0 } },
    { id: 'elsewhere', targets: [targeting('event/evt_9')] },
    { id: 'currency', effect: { kind: 'amount_off', amount: 1, currency: 'USD', per: 'unit' } },
  ];
  const snapshot = new CompanySnapshot([...considered, ...never].map(anAdjustment));
  const request = {
    lines: [aLine('off_2', 5_000, 2), aLine('off_1', 4_000, 1)],
    cartContext: { orderTotal: money(14_000) },
  };
  const { basis } = priceForOrder(snapshot, request, { ...OPTIONS, dropped: 'none' });
  const adjustments = basis?.adjustments ?? [];
  expect(basis?.lines).toEqual([1, 0]);
  expect(adjustments.map(({ id }) => id).toSorted()).toEqual(considered.map(({ id }) => id).toSorted());
  expect(adjustments).toContainEqual({ id: 'of-one-line', version: 7, lines: [1] });
  expect(adjustments).toContainEqual({ id: 'loses', version: 1, lines: [0, 1] });
  const many = new CompanySnapshot(Array.from({ length: 201 }, (_, n) => anAdjustment({ id: `adj_${n}` })));
  expect(priceForOrder(many, request, OPTIONS).basis).toBeUndefined();
});

test('usage is read only for relevant capped adjustments, and per customer only if there is one', () => {
  const conditions = { maxRedemptions: 9, maxRedemptionsPerCustomer: 1 };
  const snapshot = new CompanySnapshot([
    anAdjustment({ id: 'capped', conditions }),
    anAdjustment({ id: 'uncapped' }),
    anAdjustment({ id: 'elsewhere', conditions, targets: [targeting('event/evt_9')] }),
    anAdjustment({ id: 'coded', conditions: { ...conditions, code: 'SUMMER' } }),
    anAdjustment({ id: 'not-asked', conditions: { ...conditions, code: 'WINTER' } }),
  ]);
  const asked = (eventId: string, cartContext = {}) =>
    capsToRead(snapshot, { lines: [aLine('x', 1, 1, eventId)], cartContext }, new Map(), Date.parse(NOW));
  const context = { customerId: 'cus_1', codes: ['summer'] };
  const two = ['capped', 'coded'];
  const own = { buyer: { customerId: 'cus_1' }, perEmail: [] };
  expect(asked('evt_1', context)).toEqual({ ...own, inAll: two, perCustomer: two });
  const three = ['capped', 'elsewhere', 'coded'];
  expect(asked('evt_9', context)).toEqual({ ...own, inAll: three, perCustomer: three });
  expect(asked('evt_1')).toEqual({ buyer: {}, inAll: ['capped'], perCustomer: [], perEmail: [] });
});
