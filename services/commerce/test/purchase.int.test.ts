import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { EUR, newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('an order costs what pricing says', () => {
  test('with its codes and the adjustments that need none, and redeems exactly these', async () => {
    const { adjust, claimed, commerce, offer, order, ticket } = await newShop(services);
    const drink = await offer('Drink', 2_000);
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
        lineId: 'ln_1',
        offeringId: ticket,
        name: 'Ticket',
        seat: 'A1',
        unitPrice: 5_000,
        effectiveUnitPrice: 4_000,
        total: 8_000,
        shares: [{ adjustmentId: automatic.id, total: 83 }],
        charged: 8_083,
        priced: true,
      },
      {
        lineId: 'ln_2',
        offeringId: drink,
        unitPrice: 2_000,
        effectiveUnitPrice: 1_600,
        total: 1_600,
        shares: [{ adjustmentId: automatic.id, total: 17 }],
        charged: 1_617,
        priced: true,
      },
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
    // What it would be priced again with. The API does not show it.
    const { basis } = (await services.models.commerce.orders.findById(made.id).lean()) ?? {};
    expect(basis?.adjustments).toEqual(
      [twenty, automatic].map(({ id }) => ({ id, version: 1, lines: ['ln_1', 'ln_2'] })),
    );
    expect(made).not.toHaveProperty('basis');
    expect((await commerce.get(`/orders/${made.id}`)).body.data).toEqual(made);
  });

  test('including the adjustments of the series for an instance', async () => {
    const { adjust, commerce, events, body } = await newShop(services);
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

  test('as in the README: two at 50.00 with 20 % off cost 80.00', async () => {
    const { adjust, order, ticket } = await newShop(services);
    const { code } = await adjust({});
    const placed = await order({ items: [{ offeringId: ticket, quantity: 2, unitPrice: 5_000 }], coupons: [code] });
    expect(placed.body.data.order).toMatchObject({ costs: { total: 8_000 }, pricing: { source: 'platform' } });
  });

  test('and an item that is not in the catalogue costs what it says', async () => {
    const { adjust, order } = await newShop(services);
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

  test('at current prices: an offering that changes between two orders costs the new price', async () => {
    const { events, order, ticket } = await newShop(services);
    const buy = async () => (await order({ items: [{ offeringId: ticket, quantity: 1 }] })).body.data.order.costs.total;
    expect(await buy()).toBe(5_000);
    await events.patch(`/offerings/${ticket}`, { price: EUR(5_500) });
    expect(await buy()).toBe(5_500);
    // An offering that did not exist when it was first looked up.
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
  test('that do not count get the order refused with the reason, and nothing is claimed', async () => {
    const { adjust, claimed, order, sold, ticket } = await newShop(services);
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

  test('are checked against the order’s segment and channel', async () => {
    const { adjust, order, ticket } = await newShop(services);
    const { code } = await adjust({ conditions: { customerSegments: ['vip'], channelIds: ['app'] } });
    const items = [{ offeringId: ticket, quantity: 1 }];
    const placed = await order({ items, coupons: [code], customerSegment: 'vip', channelId: 'app' });
    expect(placed.body.data.order).toMatchObject({ costs: { total: 4_000 }, customerSegment: 'vip', channelId: 'app' });
  });

  test('that lose against a better one are listed with the reason, and not redeemed', async () => {
    const { adjust, claimed, order, ticket } = await newShop(services);
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
  test('is what the order costs; otherwise the order is refused with both totals', async () => {
    const { adjust, claimed, commerce, order, pricing, sold, ticket } = await newShop(services);
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

  test('also applies to an order in which nothing has a price', async () => {
    const { order } = await newShop(services);
    expect((await order({ costs: { fees: 100 }, expectedTotal: 100 })).status).toBe(201);
    expect((await order({ costs: { fees: 100 }, expectedTotal: 90 })).body.error.code).toBe('PRICE_CHANGED');
  });
});
