import { RPC } from '@event-commerce/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { EUR, newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('an order of a cart', () => {
  test('is the cart: its items, codes, customer, segment and channel, at the total that the cart shows', async () => {
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

  test('that is made already, or made by two orders at once, makes one', async () => {
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

  test('that is cancelled claims nothing again for a late copy, not for a moment', async () => {
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

  test('that is empty, unpriced or not for sale is refused, naming each, and can be ordered once it is mended', async () => {
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

  test('names what has no price before a currency, which such a cart does not have', async () => {
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

  test('with items of its own keeps them, and orders the cart all the same', async () => {
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
