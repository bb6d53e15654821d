import { call } from '@event-commerce/bus';
import { type PurchaseReply, type PurchaseRequest, RPC } from '@event-commerce/contracts';
import { adjustmentBody, newCode, orderBody } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommerceAndPricing, startCommerceAndPricing } from './harness.ts';

/** Events are published, and claims settled. */
const PATIENT = { timeout: 30_000 };
let platform: CommerceAndPricing;
beforeAll(async () => {
  platform = await startCommerceAndPricing({ claimTtlMs: 1_500, replicas: 2, withCart: true });
});
afterAll(async () => platform?.stop());

const EUR = (amount: number) => ({ amount, currency: 'EUR' });

/** A company with an event, two offerings at 50.00 and 20.00, and what its tests do with them. */
async function newShop() {
  const company = platform.newCompany();
  const { cart, commerce, companyId, events, pricing } = company;
  const event = (await events.post('/events', { name: 'Gala' })).body.data;
  const offer = async (name: string, amount: number, more: object = {}) =>
    (await events.post(`/events/${event.id}/offerings`, { name, price: EUR(amount), capacity: 100, ...more })).body.data
      .id as string;
  const [ticket, drink] = [await offer('Ticket', 5_000), await offer('Drink', 2_000)];
  const adjust = async (changes: Record<string, unknown>) => {
    const code = newCode();
    const { conditions = {}, ...others } = changes as { conditions?: object };
    const body = adjustmentBody(code, { conditions: { code, ...conditions }, ...others });
    const made = await pricing.post('/pricing/adjustments', body);
    expect(made.status).toBe(201);
    return { code, id: made.body.data.id as string };
  };
  const body = (changes: Record<string, unknown>) =>
    orderBody(companyId, { contextId: event.id, items: [], ...changes });
  const cartOf = async (items: object[], changes: object = {}) => {
    const made = await cart.post('/cart/sessions', { items, currency: 'EUR', ...changes });
    expect(made.status).toBe(201);
    return made.body.data;
  };
  return {
    ...company,
    eventId: event.id as string,
    ticket,
    drink,
    offer,
    adjust,
    body,
    cartOf,
    order: async (changes: Record<string, unknown>) => commerce.post('/orders', body(changes)),
    sold: async () => (await events.get(`/offerings/${ticket}`)).body.data.availability,
    left: async (id: string) => (await events.get(`/offerings/${id}`)).body.data.availability.left,
    claimed: async (id: string) =>
      (await platform.pricingDb.collection('usages').findOne({ _id: id } as never))?.['claimed'] ?? 0,
  };
}

describe('an order costs what pricing says', () => {
  test('with its codes and the adjustments that need none, each redeemed, and no other', async () => {
    const { adjust, claimed, commerce, order, ticket, drink } = await newShop();
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
    const { adjust, commerce, events, body } = await newShop();
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
    const { adjust, order, ticket } = await newShop();
    const { code } = await adjust({});
    const placed = await order({ items: [{ offeringId: ticket, quantity: 2, unitPrice: 5_000 }], coupons: [code] });
    expect(placed.body.data.order).toMatchObject({ costs: { total: 8_000 }, pricing: { source: 'platform' } });
  });

  test('and what the catalogue does not have costs what the item says', async () => {
    const { adjust, order } = await newShop();
    const { code } = await adjust({});
    const items = [
      { name: 'Poster', quantity: 2, unitPrice: 1_000 },
      { offeringId: 'shirt', quantity: 3, total: 6_000 },
      { offeringId: 'gift' },
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
    const { events, order, ticket } = await newShop();
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
    const { adjust, claimed, order, sold, ticket } = await newShop();
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
      expect(body.error.details[0].message).not.toBe('');
      expect(await claimed(id)).toBe(0);
    }
    expect(await claimed(counting.id)).toBe(0);
    expect(await sold()).toMatchObject({ sold: 0, held: 0 });
  });

  test('that count for the order’s segment and channel do so', async () => {
    const { adjust, order, ticket } = await newShop();
    const { code } = await adjust({ conditions: { customerSegments: ['vip'], channelIds: ['app'] } });
    const items = [{ offeringId: ticket, quantity: 1 }];
    const placed = await order({ items, coupons: [code], customerSegment: 'vip', channelId: 'app' });
    expect(placed.body.data.order).toMatchObject({ costs: { total: 4_000 }, customerSegment: 'vip', channelId: 'app' });
  });

  test('that lose against a better one are listed with the reason, and not redeemed', async () => {
    const { adjust, claimed, order, ticket } = await newShop();
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
    const { adjust, claimed, commerce, order, pricing, sold, ticket } = await newShop();
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
    const { order } = await newShop();
    expect((await order({ costs: { fees: 100 }, expectedTotal: 100 })).status).toBe(201);
    expect((await order({ costs: { fees: 100 }, expectedTotal: 90 })).body.error.code).toBe('PRICE_CHANGED');
  });
});

describe('stated prices', () => {
  const stated = [
    [{ items: [{ quantity: 2, unitPrice: 4_000 }] }, 6_400, 'order.items[0].unitPrice'],
    [{ items: [{ quantity: 2, total: 7_777 }] }, 7_777, 'order.items[0].total'],
    [{ items: [{ quantity: 2 }], costs: { subtotal: 9_000 } }, 7_000, 'order.costs.subtotal'],
    [{ items: [{ quantity: 2 }], costs: { total: 1_234 } }, 1_234, 'order.costs.total'],
  ] as const;

  test.each(stated)('%j stand with orders:write, with what the platform would charge', async (changes, total) => {
    const { adjust, order, ticket } = await newShop();
    const { code } = await adjust({});
    const items = changes.items.map((item) => ({ offeringId: ticket, ...item }));
    const placed = await order({ ...changes, items, coupons: [code] });
    expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
    const { costs, pricing } = placed.body.data.order;
    expect(costs.total).toBe(total);
    expect(costs.subtotal + costs.modifiers).toBe(total);
    expect(pricing).toMatchObject({ source: 'stated', total: 8_000, difference: total - 8_000 });
  });

  test.each(stated)(
    '%j are refused with orders:checkout, naming them, and nothing is taken',
    async (changes, _total, path) => {
      const { adjust, as, body, claimed, sold, ticket } = await newShop();
      const { code, id } = await adjust({});
      const items = changes.items.map((item) => ({ offeringId: ticket, ...item }));
      const shop = as('orders:checkout');
      const refused = await shop.post('/orders', body({ ...changes, items, coupons: [code] }));
      expect([refused.status, refused.body.error.code]).toEqual([409, 'PRICE_CHANGED']);
      expect(JSON.stringify(refused.body.error.details)).toContain(
        path === 'order.costs.total' ? 'order.expectedTotal' : path,
      );
      expect([await claimed(id), await sold()]).toEqual([0, { sold: 0, held: 0, left: 100 }]);
      // The platform's own prices may be stated.
      const agreed = { items: [{ offeringId: ticket, quantity: 2, unitPrice: 5_000, total: 8_000 }] };
      const costs = { subtotal: 10_000, total: 8_000 };
      expect((await shop.post('/orders', body({ ...agreed, costs, coupons: [code] }))).status).toBe(201);
    },
  );

  test('a key with orders:checkout places orders and reads its own, and does nothing else', async () => {
    const { as, body, commerce, companyId, ticket } = await newShop();
    const shop = as('orders:checkout');
    const placed = await shop.post('/orders', body({ items: [{ offeringId: ticket, quantity: 1 }] }));
    const { id } = placed.body.data.order;
    expect((await shop.get(`/orders/${id}`)).body.data).toEqual(placed.body.data.order);
    const others = [
      await shop.get('/orders'),
      await shop.patch(`/orders/${id}`, { meta: {} }),
      ...(await Promise.all(['confirm', 'cancel', 'reopen'].map((what) => shop.post(`/orders/${id}/${what}`)))),
    ];
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 403));
    const mine = (await commerce.post('/orders', orderBody(companyId))).body.data.order;
    await platform.models.orders.updateOne({ _id: mine.id }, { $set: { placedBy: 'key_other' } });
    expect((await shop.get(`/orders/${mine.id}`)).body.error.code).toBe('ORDER_NOT_FOUND');
    expect((await as('orders:read').get(`/orders/${mine.id}`)).status).toBe(200);
  });
});

describe('an order of a cart', () => {
  test('is the cart: its items, codes, customer, segment and channel, at the total that the cart shows', async () => {
    const { adjust, cart, cartOf, claimed, order, ticket } = await newShop();
    const forAll = await adjust({ conditions: { maxRedemptionsPerCustomer: 1, customerSegments: ['vip'] } });
    const session = await cartOf(
      [
        { offeringId: ticket, quantity: 2 },
        { offeringId: 'poster', name: 'Poster', quantity: 1, price: EUR(900) },
      ],
      { coupons: [forAll.code], customerId: 'cus_cart', customerSegment: 'vip', channelId: 'web' },
    );
    expect(session.total).toBe(8_720);
    const placed = await order({
      cartSessionId: session.id,
      customer: { email: 'ada@example.com' },
      expectedTotal: session.total,
    });
    expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
    const made = placed.body.data.order;
    expect(made).toMatchObject({
      cartSessionId: session.id,
      customer: { id: 'cus_cart', email: 'ada@example.com' },
      customerSegment: 'vip',
      channelId: 'web',
      costs: { total: session.total },
      coupons: [{ code: forAll.code, adjustmentId: forAll.id }],
    });
    expect(made.items.map(({ total }: { total: number }) => total)).toEqual(
      session.items.map(({ total }: { total: number }) => total),
    );
    await expect.poll(() => claimed(forAll.id), PATIENT).toBe(1);
    await expect
      .poll(async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.orderId, PATIENT)
      .toBe(made.id);
  });

  test('that is made already, or made by two orders at once, makes one', async () => {
    const { cartOf, order, sold, ticket, replicas, body } = await newShop();
    for (let round = 0; round < 5; round++) {
      const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
      const replies = await Promise.all(
        Array.from({ length: 6 }, async (_, n) =>
          (replicas[n % 2] ?? replicas[0])?.post('/orders', body({ cartSessionId: session.id })),
        ),
      );
      const placed = replies.filter((reply) => reply?.status === 201);
      expect(placed).toHaveLength(1);
      const refused = replies.filter((reply) => reply?.status !== 201);
      expect(new Set(refused.map((reply) => reply?.body.error.code))).toEqual(new Set(['CART_ALREADY_ORDERED']));
      const later = await order({ cartSessionId: session.id });
      expect(later.body.error).toMatchObject({
        code: 'CART_ALREADY_ORDERED',
        details: [{ orderId: placed[0]?.body.data.order.id }],
      });
    }
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 5, held: 0 });
  });

  test('sent ten times at once is one order, throughout its life', async () => {
    const { body, cartOf, replicas, sold, ticket } = await newShop();
    const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
    const sent = body({ cartSessionId: session.id, expiresInSeconds: 600 });
    const ten = async () =>
      Promise.all(Array.from({ length: 10 }, async (_, n) => (replicas[n % 2] ?? replicas[0])?.post('/orders', sent)));
    const first = await ten();
    expect(first.filter((reply) => reply?.status === 201)).toHaveLength(1);
    expect(first.filter((reply) => reply?.status === 200)).toHaveLength(9);
    const id = first[0]?.body.data.order.id;
    for (const [what, status] of [
      ['confirm', 'placed'],
      ['cancel', 'cancelled'],
    ] as const) {
      await replicas[0]?.post(`/orders/${id}/${what}`);
      expect(
        (await ten()).map((reply) => [reply?.status, reply?.body.data.order.id, reply?.body.data.order.status]),
      ).toEqual(Array.from({ length: 10 }, () => [200, id, status]));
    }
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 0, held: 0 });
  });

  test('is not placed as the copy that pricing holds claims for while the cart is reserved for another one', async () => {
    const { adjust, body, cart, cartOf, commerce, companyId, events, offer } = await newShop();
    await adjust({ conditions: { code: undefined, maxRedemptions: 5 }, type: 'promotion' });
    // Nothing of it is counted, so that events holds nothing for any copy.
    const poster = await offer('Poster', 1_000, { capacity: undefined, maxPerOrder: 1 });
    const session = await cartOf([{ offeringId: poster, quantity: 2 }]);
    const asked: PurchaseRequest[] = [];
    const tap = platform.bus.nats.subscribe(RPC.purchase.subject, {
      callback: (_error, message) => void asked.push(message.json<PurchaseRequest>()),
    });
    await platform.bus.nats.flush();
    const sent = body({ cartSessionId: session.id });
    expect((await commerce.post('/orders', sent)).body.error.code).toBe('NOT_FOR_SALE');
    await events.patch(`/offerings/${poster}`, { maxPerOrder: null });
    // A copy that was refused like this one, and has not let go of everything yet.
    const copy = { orderId: 'ord_copy', attempt: 'copy' };
    const context = () => platform.context(companyId);
    const { claims } = await call<PurchaseReply>(platform.bus, RPC.purchase, { ...asked[0], ...copy }, context());
    expect(claims).toHaveLength(1);
    const placing = commerce.post('/orders', sent);
    // Refused, the copy's, and two attempts.
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBeGreaterThan(3);
    await call(platform.bus, RPC.cancelClaims, { ...copy, claims }, context());
    const placed = await placing;
    tap.unsubscribe();
    expect(placed.status).toBe(201);
    const { id } = placed.body.data.order;
    await expect.poll(async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.orderId, PATIENT).toBe(id);
    expect(id).not.toBe('ord_copy');
  });

  test('that is empty, unpriced or not for sale is refused, naming each, and can be ordered once it is mended', async () => {
    const { cart, cartOf, events, order, ticket } = await newShop();
    const session = await cartOf([]);
    const buy = async () => order({ cartSessionId: session.id });
    const empty = await buy();
    expect([empty.status, empty.body.error.code]).toEqual([409, 'NOT_FOR_SALE']);
    expect(empty.body.error.message).toContain('is empty');
    await events.patch(`/offerings/${ticket}`, { status: 'inactive' });
    const items = [
      { offeringId: 'unknown', quantity: 1 },
      { offeringId: ticket, quantity: 1 },
    ];
    await cart.patch(`/cart/sessions/${session.id}`, { items });
    const unpriced = await buy();
    expect([unpriced.status, unpriced.body.error.details]).toEqual([
      409,
      [
        {
          path: 'order.items[0]',
          offeringId: 'unknown',
          message: 'is not in the catalogue, and the cart has no price for it',
        },
        { path: 'order.items[1]', offeringId: ticket, message: 'is not for sale' },
      ],
    ]);
    await events.patch(`/offerings/${ticket}`, { status: 'active' });
    expect((await cart.patch(`/cart/sessions/${session.id}`, { items: items.slice(1) })).status).toBe(200);
    expect((await buy()).status).toBe(201);
    expect((await order({ cartSessionId: 'cs_none' })).body.error.details[0].path).toBe('order.cartSessionId');
  });

  test('with items of its own keeps them, and orders the cart all the same', async () => {
    const { adjust, cart, cartOf, order, drink, ticket } = await newShop();
    const { code } = await adjust({});
    const session = await cartOf([{ offeringId: ticket, quantity: 3 }], { coupons: [code] });
    const placed = await order({ cartSessionId: session.id, items: [{ offeringId: drink, quantity: 1 }] });
    expect(placed.body.data.order).toMatchObject({ costs: { subtotal: 2_000, total: 1_600 }, coupons: [{ code }] });
    await expect
      .poll(async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.status, PATIENT)
      .toBe('ordered');
  });
});

describe('reopening', () => {
  test('takes everything anew at the old price, also after the price has changed', async () => {
    const { adjust, cart, cartOf, claimed, commerce, events, order, sold, ticket } = await newShop();
    const { code, id } = await adjust({ conditions: { maxRedemptions: 1 } });
    const session = await cartOf([{ offeringId: ticket, quantity: 2 }], { coupons: [code] });
    const placed = (await order({ cartSessionId: session.id })).body.data.order;
    await commerce.post(`/orders/${placed.id}/cancel`);
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 0, held: 0 });
    await events.patch(`/offerings/${ticket}`, { price: EUR(6_000) });
    await expect
      .poll(async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.status, PATIENT)
      .toBe('open');
    const reopened = await commerce.post(`/orders/${placed.id}/reopen`);
    expect([reopened.status, reopened.body.error?.message]).toEqual([200, undefined]);
    expect(reopened.body.data).toMatchObject({ status: 'placed', costs: placed.costs, version: 3 });
    expect(reopened.body.data).not.toHaveProperty('cancelledAt');
    expect(reopened.body.data.coupons[0].redemptionId).not.toBe(placed.coupons[0].redemptionId);
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 2, held: 0 });
    await expect.poll(() => claimed(id), PATIENT).toBe(1);
    await expect
      .poll(async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.orderId, PATIENT)
      .toBe(placed.id);
    const again = await commerce.post(`/orders/${placed.id}/reopen`, {});
    expect(again.body.data).toEqual(reopened.body.data);
  });

  test('right after cancelling does not meet what the order itself had', async () => {
    const { adjust, commerce, offer, order } = await newShop();
    const scarce = await offer('Last one', 100, { capacity: 1 });
    const { code } = await adjust({ conditions: { maxRedemptions: 1 } });
    const { id } = (await order({ items: [{ offeringId: scarce, quantity: 1 }], coupons: [code] })).body.data.order;
    for (let n = 0; n < 5; n++) {
      expect((await commerce.post(`/orders/${id}/cancel`)).body.data.status).toBe('cancelled');
      const reopened = await commerce.post(`/orders/${id}/reopen`, { expiresInSeconds: 60 });
      expect([reopened.status, reopened.body.error?.message ?? reopened.body.data.status]).toEqual([200, 'pending']);
    }
  });

  test('is refused with the reason if something is gone, and nothing is taken', async () => {
    const { adjust, claimed, commerce, left, offer, order } = await newShop();
    const scarce = await offer('Last one', 100, { capacity: 1 });
    const { code, id: adjustmentId } = await adjust({});
    const buy = async (coupons: string[]) => order({ items: [{ offeringId: scarce, quantity: 1 }], coupons });
    const first = (await buy([code])).body.data.order;
    await commerce.post(`/orders/${first.id}/cancel`);
    await expect.poll(async () => left(scarce), PATIENT).toBe(1);
    expect((await buy([])).status).toBe(201);
    const refused = await commerce.post(`/orders/${first.id}/reopen`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'SOLD_OUT']);
    expect((await commerce.get(`/orders/${first.id}`)).body.data.status).toBe('cancelled');
    expect(await claimed(adjustmentId)).toBe(0);
  });

  test('needs no cart session that has ended since, unless the order had a seat with it', async () => {
    const { cart, cartOf, commerce, eventId, order, sold, ticket } = await newShop();
    const table = (await cart.post('/cart/table-commitments', { contextId: eventId, seats: 2 })).body.data;
    const sessions = [];
    for (const seated of [false, true]) {
      const { id } = await cartOf([{ offeringId: ticket, quantity: 1 }], { contextId: eventId });
      if (seated) {
        expect((await cart.post(`/cart/sessions/${id}/join-table`, { tableCommitmentId: table.id })).status).toBe(200);
      }
      const placed = (await order({ cartSessionId: id })).body.data.order;
      await commerce.post(`/orders/${placed.id}/cancel`);
      sessions.push({ id, orderId: placed.id });
    }
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 0, held: 0 });
    const ended = sessions.map(({ id: sessionId }) => sessionId);
    await platform.cartDb.collection('sessions').deleteMany({ sessionId: { $in: ended } });
    const [plain, seated] = await Promise.all(
      sessions.map(async ({ orderId }) => commerce.post(`/orders/${orderId}/reopen`, {})),
    );
    expect([plain?.status, plain?.body.data?.status]).toEqual([200, 'placed']);
    expect([seated?.status, seated?.body.error?.code]).toEqual([409, 'TABLE_NOT_JOINABLE']);
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 1, held: 0 });
  });

  test('asked for by many at once, or against a cancellation, happens once at a time', async () => {
    const { body, adjust, claimed, replicas, sold, ticket } = await newShop();
    const { code, id: adjustmentId } = await adjust({ conditions: { maxRedemptions: 1 } });
    const sent = body({ items: [{ offeringId: ticket, quantity: 1 }], coupons: [code] });
    const id = (await replicas[0]?.post('/orders', sent))?.body.data.order.id;
    for (let round = 0; round < 10; round++) {
      await replicas[0]?.post(`/orders/${id}/cancel`);
      const asked = round % 2 === 0 ? Array(8).fill('reopen') : [...Array(6).fill('reopen'), 'cancel', 'cancel'];
      const replies = await Promise.all(asked.map(async (what, n) => replicas[n % 2]?.post(`/orders/${id}/${what}`)));
      const refused = replies.filter((reply) => reply?.status !== 200).map((reply) => reply?.body.error.code);
      expect(refused).toEqual([]);
      if (round % 2 === 0) {
        expect(new Set(replies.map((reply) => reply?.body.data.version)).size).toBe(1);
      }
    }
    const status = (await replicas[0]?.get(`/orders/${id}`))?.body.data.status;
    await expect.poll(() => claimed(adjustmentId), PATIENT).toBe(status === 'placed' ? 1 : 0);
    await expect
      .poll(sold, PATIENT)
      .toEqual({ sold: status === 'placed' ? 1 : 0, held: 0, left: status === 'placed' ? 99 : 100 });
  });
});

test('while cart is away, an order of a cart is 503, and another one is placed', async () => {
  const { cartOf, order, sold, ticket } = await newShop();
  const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
  await platform.cart?.kill9();
  try {
    expect((await order({ cartSessionId: session.id })).body.error.code).toBe('SERVICE_UNAVAILABLE');
    expect((await order({ items: [{ offeringId: ticket, quantity: 1 }] })).status).toBe(201);
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 1, held: 0 });
  } finally {
    await platform.cart?.restart();
  }
  expect((await order({ cartSessionId: session.id })).status).toBe(201);
}, 60_000);
