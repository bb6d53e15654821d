import type { DroppedAdjustment, EvaluateRequest } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import type { StoredAdjustment } from './adjustment.ts';
import { aLine, anAdjustment, aRequest, NOW, OPTIONS, targeting } from './adjustments.fixture.ts';
import { AmountTooLargeError } from './exact-amount.ts';
import { TooManyPricesError } from './price-bounds.ts';
import { cappedInQuestion } from './capped-in-question.ts';
import { priceCart, priceOffering } from './price.ts';
import type { PriceOptions } from './price.ts';
import { CompanySnapshot } from './snapshot.ts';

type Effect = StoredAdjustment['effect'];

function price(
  adjustments: Parameters<typeof anAdjustment>[0][],
  request: EvaluateRequest,
  options: Partial<PriceOptions> = {},
) {
  return priceOffering(new CompanySnapshot(adjustments.map(anAdjustment)), request, { ...OPTIONS, ...options });
}

/** Why the only adjustment was dropped. */
function whyDropped(
  adjustment: Omit<Partial<StoredAdjustment>, 'id'>,
  request: EvaluateRequest,
  options: Partial<PriceOptions> = {},
): Pick<DroppedAdjustment, 'reason' | 'detail'> {
  const { droppedAdjustments } = price([{ id: 'adj', ...adjustment }], request, options);
  expect(droppedAdjustments).toHaveLength(1);
  const { reason, detail } = droppedAdjustments[0] as DroppedAdjustment;
  return { reason, detail };
}

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

  test('an exclusive at checkout keeps the listing price, and one at listing excludes nothing at checkout', () => {
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

describe('codes are secrets', () => {
  const secret = {
    id: 'adj',
    name: 'Staff, with STAFF-100-FREE',
    category: 'staff',
    conditions: { code: 'STAFF-100-FREE' },
  };
  const elsewhere = { ...secret, targets: [targeting('event/evt_9')] };

  test.each([
    ['that would apply', secret, 'code-not-presented'],
    ['that targets something else', elsewhere, 'target-mismatch'],
  ])('an adjustment %s shows neither name nor code to a caller who may not see codes', (_, adjustment, reason) => {
    const { droppedAdjustments } = price([adjustment], aRequest(1000), { showCodes: false });
    expect(droppedAdjustments).toEqual([{ adjustmentId: 'adj', category: 'staff', reason, detail: 'needs a code' }]);
  });

  test('a presented code is shown to the caller who presented it', () => {
    const request = aRequest(1000, { codes: ['staff-100-free'] });
    const { droppedAdjustments } = price([elsewhere], request, { showCodes: false });
    expect(droppedAdjustments).toMatchObject([{ name: secret.name, code: 'STAFF-100-FREE' }]);
  });
});

test('a blank code and one above the length limit are unknown', () => {
  const long = 'X'.repeat(5000);
  expect(price([], aRequest(1000, { codes: [' ', long] })).codes).toEqual([
    { code: ' ', status: 'unknown' },
    { code: long, status: 'unknown' },
  ]);
});

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
      'a tier not reached does not count',
      {
        kind: 'tiered',
        tiers: [
          { minQuantity: 5, amount: 900 },
          { minQuantity: 2, amount: 100 },
        ],
        currency: 'EUR',
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

  test('of tickets of different prices, the cheapest are the free ones', () => {
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

  test('per unit comes before per order, whatever the priorities', () => {
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

describe('eligibility', () => {
  const one = aRequest(1000);

  test.each<[StoredAdjustment['conditions'], EvaluateRequest, string, string]>([
    [{ startsAt: '2027-06-01T00:00:00.000Z' }, one, 'not-started', `starts at 2027-06-01T00:00:00.000Z, it is ${NOW}`],
    [{ endsAt: NOW }, one, 'ended', `ended at ${NOW}, it is ${NOW}`],
    [{ code: 'SUMMER' }, one, 'code-not-presented', 'needs the code SUMMER, which was not presented'],
    [
      { customerSegments: ['vip', 'staff'] },
      aRequest(1000, { customerSegment: 'guest' }),
      'segment-mismatch',
      'is for customers in segment vip or staff, this customer is in guest',
    ],
    [{ customerSegments: ['vip'] }, one, 'segment-mismatch', 'is for customers in segment vip, no segment was given'],
    [
      { channelIds: ['web'] },
      aRequest(1000, { channelId: 'app' }),
      'channel-mismatch',
      'is for sales on channel web, this sale is on app',
    ],
    [{ channelIds: ['web'] }, one, 'channel-mismatch', 'is for sales on channel web, no channel was given'],
    [
      { tags: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
      one,
      'tag-mismatch',
      'needs an offering tagged a, b, c, d, e or 2 more, the cart has none',
    ],
    [
      { minQuantity: 4 },
      aRequest(1000, { quantity: 2 }),
      'quantity-below-minimum',
      'needs at least 4 tickets, the cart has 2',
    ],
    [
      { maxQuantity: 1 },
      aRequest(1000, { quantity: 2 }),
      'quantity-above-maximum',
      'allows at most 1 ticket, the cart has 2',
    ],
    [
      { minOrderTotal: { amount: 5000, currency: 'EUR' } },
      aRequest(1000, { orderTotal: { amount: 3250, currency: 'EUR' } }),
      'order-total-below-minimum',
      'needs an order total of at least 50.00 EUR, it is 32.50 EUR',
    ],
    [
      { minOrderTotal: { amount: 1, currency: 'EUR' }, maxOrderTotal: { amount: 5000, currency: 'EUR' } },
      aRequest(1000, { orderTotal: { amount: 5001, currency: 'EUR' } }),
      'order-total-above-maximum',
      'allows an order total of at most 50.00 EUR, it is 50.01 EUR',
    ],
    [
      { maxOrderTotal: { amount: 5000, currency: 'EUR' } },
      one,
      'order-total-missing',
      'allows an order total of at most 50.00 EUR, none was given',
    ],
    [
      { minOrderTotal: { amount: 5000, currency: 'EUR' } },
      aRequest(1000, { orderTotal: { amount: 9000, currency: 'USD' } }),
      'currency-mismatch',
      'needs an order total of at least 50.00 EUR, it is in USD',
    ],
    [
      { minOrderTotal: { amount: 5000, currency: 'JPY' } },
      one,
      'currency-mismatch',
      'needs an order total of at least 5000 JPY, the prices are in EUR',
    ],
    [
      { maxRedemptionsPerCustomer: 1 },
      one,
      'customer-missing',
      'allows 1 redemption per customer, no customer was given',
    ],
  ])('%j', (conditions, request, reason, detail) => {
    expect(whyDropped({ conditions }, request)).toEqual({ reason, detail });
  });

  test('a cap counts pending claims, not only confirmed redemptions', () => {
    const conditions = { maxRedemptions: 5 };
    expect(whyDropped({ conditions }, one, { claimed: () => 5 })).toEqual({
      reason: 'redemption-limit-reached',
      detail: 'allows 5 redemptions in all, none is left',
    });
    const { summary } = price([{ id: 'adj', conditions }], one, { claimed: () => 4 });
    expect(summary.total).toBe(900);
  });

  test("a customer's cap counts that customer's use", () => {
    const conditions = { maxRedemptionsPerCustomer: 2 };
    const request = aRequest(1000, { customerId: 'cus_1' });
    expect(whyDropped({ conditions }, request, { customerUsage: () => 2 })).toEqual({
      reason: 'customer-redemption-limit-reached',
      detail: 'allows 2 redemptions per customer, for this one none is left',
    });
    expect(price([{ id: 'adj', conditions }], request, { customerUsage: () => 1 }).summary.total).toBe(900);
  });

  test('an effect in another currency is never converted', () => {
    const effect: Effect = { kind: 'amount_off', amount: 100, currency: 'USD', per: 'unit' };
    expect(whyDropped({ effect }, one)).toEqual({
      reason: 'currency-mismatch',
      detail: 'is in USD, the prices are in EUR',
    });
  });

  test('an effect that needs more tickets says how many', () => {
    const tiers = [
      { minQuantity: 10, percent: 20 },
      { minQuantity: 3, percent: 10 },
    ];
    const two = aRequest(1000, { quantity: 2 });
    const expected = { reason: 'quantity-below-minimum', detail: 'needs at least 3 tickets, the cart has 2' };
    expect(whyDropped({ effect: { kind: 'tiered', tiers, per: 'unit' } }, two)).toEqual(expected);
    const buyTwo: Effect = { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100, per: 'order' };
    expect(whyDropped({ effect: buyTwo }, two)).toEqual(expected);
  });

  test('quantity counts the tickets it applies to, over all lines, and no others', () => {
    const snapshot = new CompanySnapshot([
      anAdjustment({ id: 'adj', targets: [targeting('event/evt_1')], conditions: { minQuantity: 4 } }),
    ]);
    const priced = (others: number) =>
      priceCart(
        snapshot,
        {
          lines: [aLine('ga', 1000, 2), aLine('vip', 1000, others), aLine('other', 1000, 9, 'evt_2')],
          cartContext: {},
        },
        OPTIONS,
      );
    expect(priced(1).droppedAdjustments).toMatchObject([{ detail: 'needs at least 4 tickets, the cart has 3' }]);
    expect(priced(2).summary.modifiers).toBe(-400);
  });

  test.each(['event/*', 'event/evt_1', 'offering/off_1'])(
    'a target of %s is about offering off_1 of event evt_1',
    (path) => {
      expect(price([{ id: 'adj', targets: [targeting(path)] }], one).summary.total).toBe(900);
    },
  );

  test('a target that is listed twice counts once', () => {
    const targets = [targeting('event/*'), targeting('event/evt_1'), targeting('offering/off_1')];
    const { summary } = price(
      [{ id: 'adj', targets, conditions: { maxQuantity: 2 } }],
      aRequest(1000, { quantity: 2 }),
    );
    expect(summary.total).toBe(1800);
  });

  test('targets that are not in the cart are counted in one sentence', () => {
    const targets = ['event/a', 'event/b', 'offering/c'].map(targeting);
    expect(whyDropped({ targets }, one).detail).toBe('applies to 2 events and 1 offering, none of them in the cart');
  });

  test('tags are matched line by line', () => {
    const snapshot = new CompanySnapshot([anAdjustment({ id: 'adj', conditions: { tags: ['seated', 'box'] } })]);
    const seated = { offering: { ...aLine('a', 1000, 1).offering, tags: ['vip', 'seated'] }, quantity: 1 };
    const { lines } = priceCart(snapshot, { lines: [seated, aLine('b', 1000, 1)], cartContext: {} }, OPTIONS);
    expect(lines.map(({ total }) => total)).toEqual([900, 1000]);
  });

  test('only active and scheduled adjustments exist for an evaluation', () => {
    const { droppedAdjustments, summary } = price(
      (['draft', 'paused', 'archived', 'scheduled'] as const).map((status) => ({ id: status, status })),
      one,
    );
    expect(summary.total).toBe(900);
    expect(droppedAdjustments).toEqual([]);
  });

  test("the instant in the request overrides the server's", () => {
    const conditions = { startsAt: '2028-01-01T00:00:00.000Z' };
    expect(price([{ id: 'adj', conditions }], aRequest(1000, { now: '2028-01-01T00:00:00.000Z' })).summary.total).toBe(
      900,
    );
  });
});

describe('codes', () => {
  test('a code of an adjustment for something else is dropped, and says so even without the list of mismatches', () => {
    const elsewhere = { id: 'adj', conditions: { code: 'SUMMER' }, targets: [targeting('event/evt_9')] };
    const { codes, droppedAdjustments } = price([elsewhere], aRequest(1000, { codes: ['summer'] }), {
      dropped: 'candidates',
    });
    expect(droppedAdjustments).toEqual([]);
    expect(codes).toEqual([
      {
        code: 'summer',
        status: 'dropped',
        adjustmentId: 'adj',
        reason: 'target-mismatch',
        detail: 'applies to event evt_9 only, which is not in the cart',
      },
    ]);
  });

  test('a code that lost its competition names the winner', () => {
    const coupon = { category: 'discount-coupon', stacking: 'replace-within-category' } as const;
    const { codes } = price(
      [
        {
          id: 'small',
          ...coupon,
          conditions: { code: 'SMALL' },
          effect: { kind: 'percentage_off', percent: 5, per: 'unit' },
        },
        { id: 'large', name: 'Large', ...coupon, conditions: { code: 'LARGE' } },
      ],
      aRequest(1000, { codes: ['small', 'large'] }),
    );
    expect(codes).toMatchObject([
      {
        code: 'small',
        status: 'dropped',
        reason: 'replaced-within-category',
        detail: 'gives way to "Large" of the same category (discount-coupon), with which the buyer pays no more',
      },
      { code: 'large', status: 'applied' },
    ]);
  });
});

describe('exclusives', () => {
  const exclusive = (id: string, percent: number) =>
    ({ id, name: id, stacking: 'exclusive', effect: { kind: 'percentage_off', percent, per: 'unit' } }) as const;

  test('the best one applies alone', () => {
    const { perUnitModifiers, droppedAdjustments } = price(
      [{ id: 'other', priority: 9 }, exclusive('ten', 10), exclusive('twenty', 20)],
      aRequest(1000),
    );
    expect(perUnitModifiers).toMatchObject([{ adjustmentId: 'twenty' }]);
    const detail = 'does not combine with "twenty", which is exclusive';
    expect(droppedAdjustments).toMatchObject([
      { adjustmentId: 'ten', reason: 'excluded-by-exclusive', replacedBy: 'twenty', detail },
      { adjustmentId: 'other', reason: 'excluded-by-exclusive', replacedBy: 'twenty', detail },
    ]);
  });

  test('it applies alone even if others together would be cheaper', () => {
    const { summary } = price([exclusive('five', 5), { id: 'a' }, { id: 'b' }], aRequest(1000));
    expect(summary.total).toBe(950);
  });

  test('one that is not eligible excludes no other', () => {
    const { summary } = price(
      [{ ...exclusive('half', 50), conditions: { code: 'HALF' } }, { id: 'a' }],
      aRequest(1000),
    );
    expect(summary.total).toBe(900);
  });

  test('one that would change nothing excludes no other, and is not applied with the others', () => {
    const idle = {
      id: 'idle',
      stacking: 'exclusive',
      effectBase: 'current-price',
      effect: { kind: 'fixed_price', amount: 1050, currency: 'EUR', per: 'order' },
    } as const;
    const fee = { id: 'fee', effect: { kind: 'percentage_surcharge', percent: 10, per: 'unit' } } as const;
    const { summary, droppedAdjustments } = price([idle, fee], aRequest(1000));
    expect(summary.total).toBe(1100);
    expect(droppedAdjustments).toMatchObject([
      {
        reason: 'no-effect',
        detail: 'has no effect, the price of 10.00 EUR is not above the fixed price of 10.50 EUR',
      },
    ]);
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

  test.each<[string, number, Partial<StoredAdjustment>, string]>([
    ['prices to work out', 1_001, { stacking: 'exclusive' }, '500500 prices would have to be worked out for 500 lines'],
    [
      'modifiers to list',
      41,
      { effect: { kind: 'amount_off', amount: 1, currency: 'EUR', per: 'unit' } },
      '20500 modifiers would be listed for 500 lines',
    ],
  ])('with too many %s are refused, saying how many and what to do', (_what, count, change, message) => {
    const adjustments = Array.from({ length: count }, (_, n) => anAdjustment({ id: `adj_${n}`, ...change }));
    const lines = Array.from({ length: 500 }, (_, n) => aLine(`off_${n}`, 100_000, 1));
    const inAll = (all: StoredAdjustment[]) => () =>
      priceCart(new CompanySnapshot(all), { lines, cartContext: {} }, OPTIONS);
    expect(inAll(adjustments)).toThrow(TooManyPricesError);
    expect(inAll(adjustments)).toThrow(message);
    expect(inAll(adjustments)).toThrow('Price fewer lines at a time');
    expect(inAll(adjustments.slice(1))).not.toThrow();
  });

  test('a price without a currency has the default one', () => {
    const { summary } = price([], aRequest(1000, {}, { price: { amount: 1000 } }), { defaultCurrency: 'CHF' });
    expect(summary.currency).toBe('CHF');
  });
});

test('usage is needed only for capped adjustments in question, and for a customer only if there is one', () => {
  const conditions = { maxRedemptions: 9, maxRedemptionsPerCustomer: 1 };
  const snapshot = new CompanySnapshot([
    anAdjustment({ id: 'capped', conditions }),
    anAdjustment({ id: 'uncapped' }),
    anAdjustment({ id: 'elsewhere', conditions, targets: [targeting('event/evt_9')] }),
    anAdjustment({ id: 'coded', conditions: { ...conditions, code: 'SUMMER' } }),
    anAdjustment({ id: 'not-asked', conditions: { ...conditions, code: 'WINTER' } }),
  ]);
  const asked = (eventId: string, cartContext = {}) =>
    cappedInQuestion(snapshot, { lines: [aLine('x', 1, 1, eventId)], cartContext }, new Map());
  const context = { customerId: 'cus_1', codes: ['summer'] };
  const two = ['capped', 'coded'];
  expect(asked('evt_1', context)).toEqual({ inAll: two, perCustomer: two });
  const three = ['capped', 'elsewhere', 'coded'];
  expect(asked('evt_9', context)).toEqual({ inAll: three, perCustomer: three });
  expect(asked('evt_1')).toEqual({ inAll: ['capped'], perCustomer: [] });
});
