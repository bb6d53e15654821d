import { RPC } from '@event-commerce/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { EUR, newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('an order of a cart', () => {
  test('has the items, codes, customer, segment and channel of the cart, at the total that the cart shows', async () => {
    const { adjust, cart, cartOf, claimed, order, ticket } = await newShop(services);
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

  test('is placed once, however many requests for it race or follow', async () => {
    const { cartOf, commerce, order, sold, ticket, body } = await newShop(services);
    for (let round = 0; round < 2; round++) {
      const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
      const replies = await Promise.all(
        Array.from({ length: 6 }, async (_, n) =>
          commerce.replica(n % 2).post('/orders', body({ cartSessionId: session.id })),
        ),
      );
      const placed = replies.filter((reply) => reply.status === 201);
      expect(placed).toHaveLength(1);
      const refused = replies.filter((reply) => reply.status !== 201);
      expect(new Set(refused.map((reply) => reply.body.error.code))).toEqual(new Set(['CART_ALREADY_ORDERED']));
      const later = await order({ cartSessionId: session.id });
      expect(later.body.error).toMatchObject({
        code: 'CART_ALREADY_ORDERED',
        details: [{ orderId: placed[0]?.body.data.order.id }],
      });
    }
    await expect.poll(sold, PATIENT).toMatchObject({ sold: 2, held: 0 });
  });

  test('that is cancelled claims nothing for a late copy, not even briefly', async () => {
    const { body, cart, cartOf, commerce, ticket } = await newShop(services);
    const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
    const sent = body({ cartSessionId: session.id });
    const { id } = (await commerce.post('/orders', sent)).body.data.order;
    await commerce.post(`/orders/${id}/cancel`);
    const ofCart = async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.orderId;
    await expect.poll(ofCart, PATIENT).toBeUndefined();
    let claiming = 0;
    const taps = [RPC.purchase, RPC.claimTickets].map(({ subject }) =>
      services.bus.nats.subscribe(subject, { callback: () => void (claiming += 1) }),
    );
    await services.bus.nats.flush();
    const late = await commerce.post('/orders', sent);
    for (const tap of taps) await tap.drain();
    expect([late.status, late.body.data.order.id, claiming]).toEqual([200, id, 0]);
  });

  test('that is empty, unpriced or not for sale is refused with each problem named, and can be ordered once it is fixed', async () => {
    const { cart, cartOf, events, order, ticket } = await newShop(services);
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
          message: 'is not in the catalogue, and the cart has no price for it; add the offering, or remove the item',
        },
        {
          path: 'order.items[1]',
          offeringId: ticket,
          message: 'is inactive, and cannot be ordered; remove it from the cart',
        },
      ],
    ]);
    await events.patch(`/offerings/${ticket}`, { status: 'active' });
    expect((await cart.patch(`/cart/sessions/${session.id}`, { items: items.slice(1) })).status).toBe(200);
    expect((await buy()).status).toBe(201);
    expect((await order({ cartSessionId: 'cs_none' })).body.error.details[0].path).toBe('order.cartSessionId');
  });

  test('is refused for items without a price before the currency is checked: such a cart has none', async () => {
    const { cartOf, order, ticket } = await newShop(services);
    const typo = { offeringId: 'typo', quantity: 1 };
    const dollars = { currency: 'USD' };
    const unpriced = await order({ cartSessionId: (await cartOf([typo], dollars)).id });
    expect([unpriced.status, unpriced.body.error.details]).toMatchObject([409, [{ offeringId: 'typo' }]]);
    const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
    const other = await order({ cartSessionId: session.id, ...dollars });
    expect([other.status, other.body.error.details]).toMatchObject([
      400,
      [{ path: 'order.currency', message: expect.stringContaining('must be EUR') as string }],
    ]);
  });

  test('is what its cart shows until the order ends: its items, modifiers, fees and total, whatever prices are now', async () => {
    const shop = await newShop(services);
    const { adjust, cart, cartOf, commerce, order, ticket } = shop;
    const once = await adjust({ conditions: { maxRedemptionsPerCustomer: 1 } });
    const session = await cartOf([{ offeringId: ticket, quantity: 1 }], { coupons: [once.code], customerId: 'cus_1' });
    expect(session.total).toBe(4_000);
    const sent = { cartSessionId: session.id, costs: { fees: 200, tax: 30 }, expectedTotal: 4_230 };
    const made = (await order(sent)).body.data.order;
    const read = async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data;
    const shown = {
      status: 'ordered',
      orderId: made.id,
      items: made.items.map(
        ({ available: _available, lineId: _line, eventId: _event, shares: _shares, charged: _charged, ...item }: any) =>
          item,
      ),
      couponResults: [{ code: once.code, status: 'applied', adjustmentId: once.id }],
      perOrderModifiers: made.pricing.modifiers,
      summary: { subtotal: 5_000, modifiers: -1_000, fees: 200, tax: 30, total: 4_230, currency: 'EUR' },
      total: made.costs.total,
      pricedAt: made.createdAt,
      priceStatus: 'current',
    };
    expect(made.items[0].modifiers).toMatchObject([{ adjustmentId: once.id, total: -1_000 }]);
    // Before the cart service hears of the order, and after.
    expect(await read()).toMatchObject(shown);
    await expect.poll(() => shop.published('cart.ordered'), PATIENT).toHaveLength(1);
    expect(await read()).toMatchObject(shown);
    expect((await cart.get('/cart/sessions')).body.data[0]).toMatchObject(shown);
    const { currency: _currency, ...summary } = shown.summary;
    expect(shop.published('cart.ordered')).toMatchObject([
      {
        data: {
          orderId: made.id,
          total: 4_230,
          summary,
          items: [{ offeringId: ticket, quantity: 1, total: 4_000 }],
          modifiers: [{ adjustmentId: once.id, total: -1_000 }],
        },
      },
    ]);
    await commerce.post(`/orders/${made.id}/cancel`);
    expect(await read()).toMatchObject({ status: 'open', coupons: [once.code], total: 4_000 });
    expect((await read()).summary).not.toHaveProperty('fees');
  });

  test('with items of its own is shown by its cart with those items, and the cart keeps its own', async () => {
    const { cart, cartOf, commerce, offer, order, ticket } = await newShop(services);
    const drink = await offer('Drink', 2_000);
    const session = await cartOf([{ offeringId: ticket, quantity: 3 }]);
    const items = [
      { offeringId: drink, quantity: 1 },
      { name: 'Voucher', unitPrice: 500 },
    ];
    const made = (await order({ cartSessionId: session.id, items })).body.data.order;
    const read = async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data;
    expect((await read()).items).toMatchObject([
      { offeringId: drink, name: 'Drink', total: 2_000 },
      { name: 'Voucher', quantity: 1, unitPrice: 500, total: 500 },
    ]);
    expect(await read()).toMatchObject({ total: 2_500 });
    await commerce.post(`/orders/${made.id}/cancel`);
    expect(await read()).toMatchObject({ items: [{ offeringId: ticket, quantity: 3 }], total: 15_000 });
  });

  test('at a version other than cartVersion is 409 CART_CHANGED with the current cart, and claims nothing', async () => {
    const { as, body, cart, cartOf, offer, order, sold, ticket } = await newShop(services);
    const other = await offer('Balcony', 5_000);
    const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
    const shown = { cartSessionId: session.id, cartVersion: session.version, expectedTotal: session.total };
    const path = `/cart/sessions/${session.id}`;
    // Changed in another tab, to something else at the same price.
    const items = [{ offeringId: other, quantity: 1 }];
    const now = (await cart.patch(path, { items })).body.data;
    expect(now.total).toBe(session.total);
    const refused = await order(shown);
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'CART_CHANGED']);
    expect(refused.body.error.details).toEqual([
      {
        path: 'order.cartVersion',
        message: 'is 1, and the cart session is at version 2; show the buyer the cart as it is now',
        cart: { ...now, pricedAt: expect.any(String) },
      },
    ]);
    expect((await as('orders:checkout').post('/orders', body(shown))).body.error?.code).toBe('CART_CHANGED');
    expect(await sold()).toMatchObject({ sold: 0, held: 0 });
    expect((await cart.get(path)).body.data).toMatchObject({ status: 'open', version: 2 });

    const placed = await order({ ...shown, cartVersion: 2 });
    expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
    expect(placed.body.data.order).not.toHaveProperty('cartVersion');
    expect((await order({ cartVersion: 1 })).body.error.details).toMatchObject([{ path: 'order.cartVersion' }]);
  });

  test('whose version changes while it is being ordered is placed as it was at the named version, or not at all', async () => {
    const { cart, cartOf, commerce, body, offer, ticket } = await newShop(services);
    const other = await offer('Balcony', 5_000);
    for (let round = 0; round < 5; round++) {
      const session = await cartOf([{ offeringId: ticket, quantity: 1 }]);
      const path = `/cart/sessions/${session.id}`;
      const sent = { cartSessionId: session.id, cartVersion: 1 };
      const change = async (n: number) =>
        cart.replica(n % 2).patch(path, { items: [{ offeringId: other, quantity: 1 }] });
      const [ordered] = await Promise.all([
        Promise.all([0, 1, 2].map(async (n) => commerce.replica(n % 2).post('/orders', body(sent)))),
        ...[0, 1].map(change),
      ]);
      const placed = ordered.filter(({ status }) => status === 201);
      expect(placed.length).toBeLessThanOrEqual(1);
      for (const { body: made } of placed) expect(made.data.order.items).toMatchObject([{ offeringId: ticket }]);
      for (const { status, body: refused } of ordered) {
        if (status !== 201) expect(['CART_CHANGED', 'CART_ALREADY_ORDERED']).toContain(refused.error.code);
      }
    }
  });

  test('with items of its own keeps them, and still orders the cart', async () => {
    const { adjust, cart, cartOf, offer, order, ticket } = await newShop(services);
    const drink = await offer('Drink', 2_000);
    const { code } = await adjust({});
    const session = await cartOf([{ offeringId: ticket, quantity: 3 }], { coupons: [code] });
    const placed = await order({ cartSessionId: session.id, items: [{ offeringId: drink, quantity: 1 }] });
    expect(placed.body.data.order).toMatchObject({ costs: { subtotal: 2_000, total: 1_600 }, coupons: [{ code }] });
    await expect
      .poll(async () => (await cart.get(`/cart/sessions/${session.id}`)).body.data.status, PATIENT)
      .toBe('ordered');
  });
});

describe('the seat of an order that is over', () => {
  const expire = async (id: string) => {
    const orders = services.databases.commerce.collection<{ _id: string; expiresAt: Date }>('orders');
    await orders.updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1_000) } });
  };

  test.each(['cancelled', 'expired'] as const)(
    'is free for others once the response says %s; the cart keeps its items and codes, and can join again',
    async (end) => {
      const { adjust, cart, cartOf, commerce, eventId, order, ticket } = await newShop(services);
      const table = (await cart.post('/cart/table-commitments', { contextId: eventId, seats: 4 })).body.data.id;
      const join = async (id: string, seats = 4) =>
        (await cart.replica(1).post(`/cart/sessions/${id}/join-table`, { tableCommitmentId: table, seats })).status;
      const { code } = await adjust({});
      for (let round = 0; round < 2; round++) {
        const session = await cartOf([{ offeringId: ticket, quantity: 1 }], { coupons: [code], contextId: eventId });
        const other = await cartOf([], { contextId: eventId });
        expect(await join(session.id)).toBe(200);
        const made = (await order({ cartSessionId: session.id, expiresInSeconds: 900 })).body.data.order;
        // In some rounds the cart service hears of the order first.
        if (round % 2 === 1) {
          const parties = async () => (await cart.get(`/cart/table-commitments/${table}`)).body.data.parties;
          await expect.poll(parties, PATIENT).toMatchObject([{ seats: 4, orderId: made.id }]);
        }
        if (end === 'cancelled') expect((await commerce.post(`/orders/${made.id}/cancel`)).status).toBe(200);
        else {
          await expire(made.id);
          expect((await commerce.post(`/orders/${made.id}/confirm`)).body.error.code).toBe('ORDER_EXPIRED');
        }
        expect(await join(other.id)).toBe(200);
        const { data } = (await cart.get(`/cart/sessions/${session.id}`)).body;
        expect(data).toMatchObject({ status: 'open', coupons: [code], items: [{ quantity: 1 }] });
        expect(data).not.toHaveProperty('tableCommitmentId');
        expect(await join(session.id)).toBe(409);
        await cart.post(`/cart/sessions/${other.id}/leave-table`);
        expect(await join(session.id, 1)).toBe(200);
        await cart.post(`/cart/sessions/${session.id}/leave-table`);
      }
    },
  );

  test('stays taken when the order is confirmed, and is taken again when it is reopened, or the reopening is refused', async () => {
    const { cart, cartOf, commerce, eventId, events, order, ticket } = await newShop(services);
    const id = (await cart.post('/cart/table-commitments', { contextId: eventId, seats: 4 })).body.data.id;
    const table = async () => (await cart.get(`/cart/table-commitments/${id}`)).body.data;
    const session = await cartOf([{ offeringId: ticket, quantity: 3 }], { contextId: eventId });
    await cart.post(`/cart/sessions/${session.id}/join-table`, { tableCommitmentId: id, seats: 3 });
    const made = (await order({ cartSessionId: session.id, expiresInSeconds: 900 })).body.data.order;
    await commerce.post(`/orders/${made.id}/confirm`);
    await expect.poll(table, PATIENT).toMatchObject({ seatsTaken: 3, spent: 15_000 });
    await commerce.post(`/orders/${made.id}/cancel`);
    expect(await table()).toMatchObject({ seatsTaken: 0, spent: 0, parties: [] });

    await events.patch(`/offerings/${ticket}`, { capacity: 1 });
    expect((await commerce.post(`/orders/${made.id}/reopen`)).body.error.code).toBe('SOLD_OUT');
    expect(await table()).toMatchObject({ seatsTaken: 0 });
    expect((await cart.get(`/cart/sessions/${session.id}`)).body.data).not.toHaveProperty('tableCommitmentId');

    await events.patch(`/offerings/${ticket}`, { capacity: 100 });
    expect((await commerce.post(`/orders/${made.id}/reopen`)).status).toBe(200);
    expect(await table()).toMatchObject({ seatsTaken: 3 });
    await expect
      .poll(table, PATIENT)
      .toMatchObject({ parties: [{ sessionId: session.id, seats: 3, orderId: made.id }] });
    await commerce.post(`/orders/${made.id}/cancel`);
    await commerce.post(`/orders/${made.id}/reopen`);
    await commerce.post(`/orders/${made.id}/cancel`);
    expect(await table()).toMatchObject({ seatsTaken: 0 });
  });
});
