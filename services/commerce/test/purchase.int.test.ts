import { rounds } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeChangedOfferings } from './changed-offerings.cases.ts';
import { type CommerceAndPricing, startCommerceAndPricing } from './harness.ts';
import { EUR, newShop, PATIENT } from './shop.ts';
import { describeStatedPrices } from './stated-prices.cases.ts';
import { describeOrdersOfCarts } from './orders-of-carts.cases.ts';
import { describeReopening } from './reopening.cases.ts';

let platform: CommerceAndPricing;
beforeAll(async () => {
  platform = await startCommerceAndPricing({ othersAsProcesses: true, replicas: 2, withCart: true });
});
afterAll(async () => platform?.stop());

describe('an order costs what pricing says', () => {
  test('with its codes and the adjustments that need none, each redeemed, and no other', async () => {
    const { adjust, claimed, commerce, order, ticket, drink } = await newShop(platform);
    const twenty = await adjust({});
    const automatic = await adjust({
      type: 'fee',
      category: 'service-fee',
      stacking: 'stackable',
      conditions: { code: undefined },
      effect: { kind: 'amount_surcharge', ...EUR(100), per: 'order' },
    });
    const unused = await adjust({ targets: [{ eventId: 'evt_other' }] });
    const items = [
      { offeringId: ticket, quantity: 2, seat: 'A1' },
      { offeringId: drink, quantity: 1 },
    ];
    const placed = await order({
      items,
      coupons: [{ code: twenty.code.toLowerCase(), source: 'mail' }],
      costs: { fees: 50, tax: 7 },
    });
    expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
    const made = placed.body.data.order;
    expect(made.costs).toEqual({
      subtotal: 12_000,
      modifiers: -2_300,
      fees: 50,
      tax: 7,
      total: 9_757,
      currency: 'EUR',
    });
    expect(made.pricing).toMatchObject({ source: 'platform', total: 9_757, difference: 0 });
    expect(made.pricing.modifiers).toMatchObject([{ adjustmentId: automatic.id, total: 100 }]);
    expect(made.items).toMatchObject([
      {
        offeringId: ticket,
        name: 'Ticket',
        seat: 'A1',
        unitPrice: 5_000,
        effectiveUnitPrice: 4_000,
        total: 8_000,
        priced: true,
      },
      { offeringId: drink, unitPrice: 2_000, effectiveUnitPrice: 1_600, total: 1_600, priced: true },
    ]);
    expect(made.items[0].modifiers).toMatchObject([{ adjustmentId: twenty.id, amount: -1_000 }]);
    expect(made.coupons).toEqual([
      {
        code: twenty.code,
        source: 'mail',
        adjustmentId: twenty.id,
        redemptionId: expect.stringMatching(/^rdm_/) as string,
      },
    ]);
    for (const { id } of [twenty, automatic]) await expect.poll(() => claimed(id), PATIENT).toBe(1);
    expect(await claimed(unused.id)).toBe(0);
    expect((await commerce.get(`/orders/${made.id}`)).body.data).toEqual(made);
  });

  test('in an instance, also with what its series gives', async () => {
    const { adjust, commerce, events, body } = await newShop(platform);
    const series = (await events.post('/events', { kind: 'series', name: 'Tour' })).body.data;
    const instance = (await events.post(`/events/${series.id}/instances`, { name: 'Tonight' })).body.data;
    const offering = { name: 'Ticket', price: EUR(4_000) };
    const { id: offeringId } = (await events.post(`/events/${instance.id}/offerings`, offering)).body.data;
    const { code } = await adjust({ targets: [{ eventId: series.id }] });
    const sent = { contextId: instance.id, items: [{ offeringId, quantity: 2 }], coupons: [code] };
    const placed = await commerce.post('/orders', body(sent));
    expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
    expect(placed.body.data.order.costs).toMatchObject({ subtotal: 8_000, total: 6_400 });
  });

  test('as the README has it: two at 50.00 with 20 % off cost 80.00', async () => {
    const { adjust, order, ticket } = await newShop(platform);
    const { code } = await adjust({});
    const placed = await order({ items: [{ offeringId: ticket, quantity: 2, unitPrice: 5_000 }], coupons: [code] });
    expect(placed.body.data.order).toMatchObject({ costs: { total: 8_000 }, pricing: { source: 'platform' } });
  });

  test('and what the catalogue does not have costs what the item says', async () => {
    const { adjust, order } = await newShop(platform);
    const { code } = await adjust({});
    const items = [
      { name: 'Poster', quantity: 2, unitPrice: 1_000 },
      { offeringId: 'shirt', quantity: 3, total: 6_000 },
      { name: 'Gift' },
    ];
    const made = (await order({ items, coupons: [code] })).body.data.order;
    expect(made.costs).toMatchObject({ subtotal: 8_000, modifiers: -1_600, total: 6_400 });
    expect(made.items).toMatchObject([
      { total: 1_600, priced: true },
      { unitPrice: 2_000, total: 4_800 },
      { total: 0, priced: false },
    ]);
    expect(made.pricing.source).toBe('platform');
  });

  test('as of its own last change: an offering that changes between two orders costs the new price', async () => {
    const { events, order, ticket } = await newShop(platform);
    const buy = async () => (await order({ items: [{ offeringId: ticket, quantity: 1 }] })).body.data.order.costs.total;
    expect(await buy()).toBe(5_000);
    await events.patch(`/offerings/${ticket}`, { price: EUR(5_500) });
    expect(await buy()).toBe(5_500);
    // One that was not there when it was first asked for.
    const own = 'off_later';
    const early = await order({ items: [{ offeringId: own, quantity: 1, unitPrice: 1 }] });
    expect(early.body.data.order.costs.total).toBe(1);
    const { eventId } = (await events.get(`/offerings/${ticket}`)).body.data;
    expect((await events.post(`/events/${eventId}/offerings`, { id: own, name: 'Late', price: EUR(900) })).status).toBe(
      201,
    );
    const late = await order({ items: [{ offeringId: own, quantity: 1 }] });
    expect(late.body.data.order.costs.total).toBe(900);
  });
});

describe('codes', () => {
  test('that do not count refuse the order with the reason, and nothing is taken', async () => {
    const { adjust, claimed, order, sold, ticket } = await newShop(platform);
    const counting = await adjust({});
    const cases = [
      { change: { targets: [{ eventId: 'evt_other' }] }, reason: 'target-mismatch' },
      { change: { conditions: { startsAt: '2099-01-01T00:00:00Z' } }, reason: 'not-started' },
      { change: { conditions: { minQuantity: 3 } }, reason: 'quantity-below-minimum' },
      { change: { conditions: { customerSegments: ['vip'] } }, reason: 'segment-mismatch' },
      { change: { conditions: { channelIds: ['app'] } }, reason: 'channel-mismatch' },
      { change: { conditions: { minOrderTotal: EUR(20_000) } }, reason: 'order-total-below-minimum' },
      { change: { effect: { kind: 'amount_off', amount: 5, currency: 'USD' } }, reason: 'currency-mismatch' },
    ];
    for (const { change, reason } of cases) {
      const { code, id } = await adjust({ category: 'other', stacking: 'stackable', ...change });
      const items = [{ offeringId: ticket, quantity: 2 }];
      const { status, body } = await order({ items, coupons: [counting.code, code] });
      expect([status, body.error.code, body.error.details[0].reason]).toEqual([
        409,
        'ADJUSTMENT_NOT_APPLICABLE',
        reason,
      ]);
      const { message, detail } = body.error.details[0];
      expect([message, detail]).toEqual([expect.stringMatching(/./), message]);
      expect(await claimed(id)).toBe(0);
    }
    expect(await claimed(counting.id)).toBe(0);
    expect(await sold()).toMatchObject({ sold: 0, held: 0 });
  });

  test('that count for the order’s segment and channel do so', async () => {
    const { adjust, order, ticket } = await newShop(platform);
    const { code } = await adjust({ conditions: { customerSegments: ['vip'], channelIds: ['app'] } });
    const items = [{ offeringId: ticket, quantity: 1 }];
    const placed = await order({ items, coupons: [code], customerSegment: 'vip', channelId: 'app' });
    expect(placed.body.data.order).toMatchObject({ costs: { total: 4_000 }, customerSegment: 'vip', channelId: 'app' });
  });

  test('that lose against a better one are listed with the reason, and not redeemed', async () => {
    const { adjust, claimed, order, ticket } = await newShop(platform);
    const best = await adjust({});
    const worse = await adjust({ effect: { kind: 'percentage_off', percent: 5 } });
    const placed = await order({ items: [{ offeringId: ticket, quantity: 1 }], coupons: [worse.code, best.code] });
    expect(placed.body.data.order.coupons).toEqual([
      {
        code: worse.code,
        adjustmentId: worse.id,
        reason: 'replaced-within-category',
        detail: expect.any(String) as string,
      },
      { code: best.code, adjustmentId: best.id, redemptionId: expect.any(String) as string },
    ]);
    await expect.poll(() => claimed(best.id), PATIENT).toBe(1);
    expect(await claimed(worse.id)).toBe(0);
  });
});

describe('expectedTotal', () => {
  test('is what the order costs, or there is no order, with both totals', async () => {
    const { adjust, claimed, commerce, order, pricing, sold, ticket } = await newShop(platform);
    const { code, id } = await adjust({ conditions: { maxRedemptions: 5 } });
    const buy = async (expectedTotal: number) =>
      order({ items: [{ offeringId: ticket, quantity: 2 }], coupons: [code], costs: { fees: 100 }, expectedTotal });
    const right = await buy(8_100);
    expect(right.status).toBe(201);
    expect(right.body.data.order).not.toHaveProperty('expectedTotal');
    const wrong = await buy(8_000);
    expect([wrong.status, wrong.body.error.code]).toEqual([409, 'PRICE_CHANGED']);
    expect(wrong.body.error.details[0]).toMatchObject({
      path: 'order.expectedTotal',
      expectedTotal: 8_000,
      total: 8_100,
    });
    await pricing.patch(`/pricing/adjustments/${id}`, { effect: { kind: 'percentage_off', percent: 10 } });
    const changed = await buy(8_100);
    expect(changed.body.error.details[0]).toMatchObject({ expectedTotal: 8_100, total: 9_100 });
    expect((await commerce.get('/orders')).body.data).toHaveLength(1);
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 2, held: 0 });
    expect(await claimed(id)).toBe(1);
  });

  test('holds for an order in which nothing has a price too', async () => {
    const { order } = await newShop(platform);
    expect((await order({ costs: { fees: 100 }, expectedTotal: 100 })).status).toBe(201);
    expect((await order({ costs: { fees: 100 }, expectedTotal: 90 })).body.error.code).toBe('PRICE_CHANGED');
  });
});

test('what a cancelled order had is free for the next request, also for the faster of two that cancel it', async () => {
  const { adjust, body, cart, cartOf, events, offer, pricing, replicas } = await newShop(platform);
  const ticket = await offer('Last one', 5_000, { capacity: 1 });
  const { code, id } = await adjust({ conditions: { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 } });
  const customer = { id: 'cus_ada', email: 'ada@example.com' };
  const session = await cartOf([{ offeringId: ticket, quantity: 1 }], { coupons: [code] });
  const slower = [];
  for (let n = 0; n < rounds(250); n++) {
    const held = n % 3 === 0 ? { expiresInSeconds: 60 } : {};
    const placed = await replicas[n % 2]?.post('/orders', body({ cartSessionId: session.id, customer, ...held }));
    expect([n, placed?.status, placed?.body.error?.message]).toEqual([n, 201, undefined]);
    const cancelled = replicas.map(async (one) => one.post(`/orders/${placed?.body.data.order.id}/cancel`));
    slower.push(...cancelled);
    expect((await Promise.race(cancelled)).body.data.status).toBe('cancelled');
    const [adjustment, offering, opened] = await Promise.all([
      pricing.get(`/pricing/adjustments/${id}`),
      events.get(`/offerings/${ticket}`),
      cart.get(`/cart/sessions/${session.id}`),
    ]);
    expect([n, adjustment.body.data.usage]).toEqual([n, { redeemed: 0, claimed: 0, remaining: 1 }]);
    expect([n, offering.body.data.availability]).toEqual([n, { sold: 0, held: 0, left: 1 }]);
    expect([n, opened.body.data.status]).toEqual([n, 'open']);
  }
  expect((await Promise.all(slower)).map(({ status }) => status)).toEqual(slower.map(() => 200));
}, 120_000);

describeStatedPrices(() => platform);
describeOrdersOfCarts(() => platform);
describeReopening(() => platform);
describeChangedOfferings(() => platform);
