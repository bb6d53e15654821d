import type { Adjustment, EvaluateRequest } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import { aLine, anAdjustment, aRequest, NOW, OPTIONS, targeting } from './adjustments.fixture.ts';
import { price, whyDropped } from './price.fixture.ts';
import { priceCart } from './price.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

type Effect = Adjustment['effect'];

describe('eligibility', () => {
  const one = aRequest(1000);

  test.each<[Adjustment['conditions'], EvaluateRequest, string, string]>([
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
      'needs at least 50.00 EUR for the whole order, at catalogue prices; it has 32.50 EUR',
    ],
    [
      { minOrderTotal: { amount: 5000, currency: 'EUR' } },
      aRequest(1000, { orderTotal: { amount: 3250 } }),
      'order-total-below-minimum',
      'needs at least 50.00 EUR for the whole order, at catalogue prices; it has 32.50 EUR',
    ],
    [
      { minOrderTotal: { amount: 1, currency: 'EUR' }, maxOrderTotal: { amount: 5000, currency: 'EUR' } },
      aRequest(1000, { orderTotal: { amount: 5001, currency: 'EUR' } }),
      'order-total-above-maximum',
      'allows at most 50.00 EUR for the whole order, at catalogue prices; it has 50.01 EUR',
    ],
    [
      { maxOrderTotal: { amount: 5000, currency: 'EUR' } },
      one,
      'order-total-missing',
      'allows at most 50.00 EUR for the whole order, at catalogue prices; no total was given',
    ],
    [
      { minOrderTotal: { amount: 5000, currency: 'EUR' } },
      aRequest(1000, { orderTotal: { amount: 9000, currency: 'USD' } }),
      'currency-mismatch',
      'needs at least 50.00 EUR for the whole order, at catalogue prices; its total is in USD',
    ],
    [
      { minOrderTotal: { amount: 5000, currency: 'JPY' } },
      one,
      'currency-mismatch',
      'needs at least 5000 JPY for the whole order, at catalogue prices; the prices are in EUR',
    ],
    [
      { minEligibleTotal: { amount: 10_000, currency: 'EUR' } },
      aRequest(1000, { quantity: 2 }),
      'eligible-total-below-minimum',
      'needs 100.00 EUR of tickets it applies to, at catalogue prices; the cart has 20.00 EUR',
    ],
    [
      { minEligibleTotal: { amount: 10_000, currency: 'USD' } },
      aRequest(1000, { quantity: 10 }),
      'currency-mismatch',
      'needs 100.00 USD of tickets it applies to, at catalogue prices; the prices are in EUR',
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

  test("a cap per customer counts that customer's redemptions", () => {
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

  test.each<Effect>([
    { kind: 'tiered', tiers: [{ minQuantity: 1, percent: 20 }], currency: 'USD', maxAmount: 1000, per: 'order' },
    { kind: 'percentage_off', percent: 20, currency: 'USD', maxAmount: 1000, per: 'unit' },
    { kind: 'buy_x_get_y', buy: 1, get: 1, percent: 100, currency: 'USD', maxAmount: 1000, per: 'order' },
  ])('%j is capped in its own currency only', (effect) => {
    const two = (currency: string) => aRequest(4000, { quantity: 2 }, { price: { amount: 4000, currency } });
    expect(whyDropped({ effect }, two('EUR')).reason).toBe('currency-mismatch');
    expect(price([{ id: 'adj', effect }], two('USD')).summary.modifiers).toBeLessThan(0);
    for (const member of ['currency', 'maxAmount'] as const) {
      const without = { ...effect, [member]: undefined };
      expect(price([{ id: 'adj', effect: without }], two('EUR')).summary.modifiers).toBeLessThan(0);
    }
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
    const detail = 'needs at least 4 tickets, the cart has 3 that it applies to';
    expect(priced(1).droppedAdjustments).toMatchObject([{ detail }]);
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

  test.each([
    [['event/a'], ['x'], 'applies to offering x at event a only, the cart does not have it there'],
    [
      ['event/a', 'venue/b'],
      ['x'],
      'applies to offering x at 1 event and 1 venue only, the cart does not have it there',
    ],
    [['event/a'], ['x', 'y'], 'applies to 2 offerings at event a only, the cart has none of them there'],
    [['event/*'], ['x', 'y'], 'applies to 2 offerings only, the cart has none of them'],
    [['event/*'], ['x'], 'applies to offering x only, the cart does not have it'],
  ])('of targets %j only offerings %j: %s', (paths, offeringIds, detail) => {
    expect(whyDropped({ targets: paths.map(targeting), conditions: { offeringIds } }, one).detail).toBe(detail);
  });

  test('a refusal does not deny tags of tickets that the adjustment does not apply to', () => {
    const adjustment = anAdjustment({ id: 'adj', targets: [targeting('event/evt_1')], conditions: { tags: ['vip'] } });
    const vip = { offering: { ...aLine('vip', 1000, 1, 'evt_2').offering, tags: ['vip'] }, quantity: 1 };
    const request = { lines: [aLine('ga', 1000, 1), vip], cartContext: {} };
    const { droppedAdjustments } = priceCart(new CompanySnapshot([adjustment]), request, OPTIONS);
    expect(droppedAdjustments).toMatchObject([
      { detail: 'needs an offering tagged vip, the cart has none that it applies to' },
    ]);
  });

  test('tags are matched line by line', () => {
    const snapshot = new CompanySnapshot([anAdjustment({ id: 'adj', conditions: { tags: ['seated', 'box'] } })]);
    const seated = { offering: { ...aLine('a', 1000, 1).offering, tags: ['vip', 'seated'] }, quantity: 1 };
    const { lines } = priceCart(snapshot, { lines: [seated, aLine('b', 1000, 1)], cartContext: {} }, OPTIONS);
    expect(lines.map(({ total }) => total)).toEqual([900, 1000]);
  });

  test('an evaluation considers only active and scheduled adjustments', () => {
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
