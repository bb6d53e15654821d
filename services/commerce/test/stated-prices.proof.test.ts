import { orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newShop } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('stated prices', () => {
  const stated = [
    [{ items: [{ quantity: 2, unitPrice: 4_000 }] }, 6_400, 'order.items[0].unitPrice'],
    [{ items: [{ quantity: 2, total: 7_777 }] }, 7_777, 'order.items[0].total'],
    [{ items: [{ quantity: 2 }], costs: { subtotal: 9_000 } }, 7_000, 'order.costs.subtotal'],
    [{ items: [{ quantity: 2 }], costs: { total: 1_234 } }, 1_234, 'order.costs.total'],
  ] as const;

  test.each(stated)(
    '%j are kept with orders:write, together with what the platform would charge',
    async (changes, total) => {
      const { adjust, order, ticket } = await newShop(services);
      const { code } = await adjust({});
      const items = changes.items.map((item) => ({ offeringId: ticket, ...item }));
      const placed = await order({ ...changes, items, coupons: [code] });
      expect([placed.status, placed.body.error?.message]).toEqual([201, undefined]);
      const { costs, pricing, items: charged } = placed.body.data.order;
      expect(costs.total).toBe(total);
      expect(charged).toMatchObject([{ charged: total }]);
      expect(costs.subtotal + costs.modifiers).toBe(total);
      expect(pricing).toMatchObject({ source: 'stated', total: 8_000, difference: total - 8_000 });
      const stored = await services.models.commerce.orders.findById(placed.body.data.order.id).lean();
      expect(stored).not.toHaveProperty('basis');
    },
  );

  test.each(stated)(
    '%j are refused by name with orders:checkout, and nothing is claimed',
    async (changes, _total, path) => {
      const { adjust, as, body, claimed, sold, ticket } = await newShop(services);
      const { code, id } = await adjust({});
      const items = changes.items.map((item) => ({ offeringId: ticket, ...item }));
      const shop = as('orders:checkout');
      const refused = await shop.post('/orders', body({ ...changes, items, coupons: [code] }));
      expect([refused.status, refused.body.error.code]).toEqual([409, 'PRICE_CHANGED']);
      expect(JSON.stringify(refused.body.error.details)).toContain(path);
      expect([await claimed(id), await sold()]).toEqual([0, { sold: 0, held: 0, left: 100 }]);
      // The platform's own prices may be stated.
      const agreed = { items: [{ offeringId: ticket, quantity: 2, unitPrice: 5_000, total: 8_000 }] };
      const costs = { subtotal: 10_000, total: 8_000 };
      expect((await shop.post('/orders', body({ ...agreed, costs, coupons: [code] }))).status).toBe(201);
    },
  );

  test('are refused with orders:checkout before pricing judges the order by them', async () => {
    const { adjust, as, body, ticket } = await newShop(services);
    const { code } = await adjust({ conditions: { minOrderTotal: { amount: 9_000, currency: 'EUR' } } });
    const items = [{ offeringId: ticket, quantity: 2, price: 4_000 }];
    const order = { items, coupons: [code], expectedTotal: 8_000 };
    const refused = await as('orders:checkout').post('/orders', body(order));
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toMatchObject([
      409,
      'PRICE_CHANGED',
      [{ path: 'order.items[0].price', stated: 4_000, price: 5_000 }],
    ]);
  });

  test('do not include those of an item that a cart returned as unpriced', async () => {
    const { as, body } = await newShop(services);
    const items = [{ offeringId: 'off_unknown', quantity: 2, unitPrice: null, total: 0, priced: false }];
    const refused = await as('orders:checkout').post('/orders', body({ items }));
    expect([refused.status, refused.body.error.code]).toEqual([409, 'NOT_FOR_SALE']);
  });

  test('that lead to a total other than the one shown to the buyer are refused with the reasons', async () => {
    const { adjust, order, sold, ticket } = await newShop(services);
    const { code, id } = await adjust({});
    const items = [{ offeringId: ticket, quantity: 2, total: 7_777 }];
    const refused = await order({ items, coupons: [code], costs: { fees: 23 }, expectedTotal: 8_000 });
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'PRICE_CHANGED']);
    expect(refused.body.error.details).toMatchObject([
      { path: 'order.expectedTotal', expectedTotal: 8_000, total: 7_800 },
      { path: 'order.coupons', adjustmentId: id, code, total: -2_000 },
      { path: 'order.items', offeringId: ticket, quantity: 2, unitPrice: 5_000 },
      { path: 'order.items[0].total', stated: 7_777, price: 8_000 },
    ]);
    const agreed = { items, coupons: [code], costs: { subtotal: 10_000 }, expectedTotal: 7_000 };
    expect((await order(agreed)).body.error.details).toHaveLength(4);
    expect(await sold()).toMatchObject({ sold: 0, held: 0 });
  });

  test('a key with orders:checkout places orders and reads its own, and can do nothing else', async () => {
    const { as, body, commerce, companyId, ticket } = await newShop(services);
    const shop = as('orders:checkout');
    const placed = await shop.post('/orders', body({ items: [{ offeringId: ticket, quantity: 1 }] }));
    const { id } = placed.body.data.order;
    expect((await shop.get(`/orders/${id}`)).body.data).toEqual(placed.body.data.order);
    const others = [
      await shop.get('/orders'),
      await shop.patch(`/orders/${id}`, { meta: {} }),
      ...(await Promise.all(['confirm', 'cancel', 'reopen'].map(async (what) => shop.post(`/orders/${id}/${what}`)))),
    ];
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 403));
    const mine = (await commerce.post('/orders', orderBody(companyId))).body.data.order;
    await services.models.commerce.orders.updateOne({ _id: mine.id }, { $set: { placedBy: 'key_other' } });
    expect((await shop.get(`/orders/${mine.id}`)).body.error.code).toBe('ORDER_NOT_FOUND');
    expect((await as('orders:read').get(`/orders/${mine.id}`)).status).toBe(200);
  });

  test('a key with orders:checkout extends and cancels the pending orders that were placed with it, and no others', async () => {
    const { as, body, commerce, companyId, left, offer } = await newShop(services);
    const [shop, last] = [as('orders:checkout'), await offer('Last one', 100, { capacity: 1 })];
    const items = [{ offeringId: last, quantity: 1 }];
    const buy = async (more: object) => (await shop.post('/orders', body({ items, ...more }))).body.data.order;
    const { id, orderNumber } = await buy({ expiresInSeconds: 600 });
    const theirs = orderBody(companyId, { items: [], expiresInSeconds: 600 });
    const other = (await commerce.post('/orders', theirs)).body.data.order;
    await services.models.commerce.orders.updateOne({ _id: other.id }, { $set: { placedBy: 'key_other' } });
    for (const named of [other.id, other.orderNumber]) {
      for (const [what, sent] of [['cancel'], ['extend', { expiresInSeconds: 900 }]] as const) {
        const refused = await shop.post(`/orders/${named}/${what}`, sent);
        expect([refused.status, refused.body.error.message]).toEqual([404, expect.stringContaining(named)]);
      }
    }
    expect((await commerce.get(`/orders/${other.id}`)).body.data.status).toBe('pending');
    expect((await shop.post(`/orders/${id}/extend`, { expiresInSeconds: 900 })).body.data.version).toBe(2);
    for (const named of [id, orderNumber]) {
      expect((await shop.post(`/orders/${named}/cancel`)).body.data.status).toBe('cancelled');
    }
    expect(await left(last)).toBe(1);
    const placed = await buy({});
    const refused = await shop.post(`/orders/${placed.id}/cancel`);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.error.message).toContain('orders:write');
    expect((await commerce.post(`/orders/${placed.id}/cancel`)).body.data.status).toBe('cancelled');
  });
});

describe('an item that names no offering and has no price', () => {
  const gifts = [{ name: 'Gift' }, { sku: 'off_1', quantity: 2 }];
  const detail = (index: number) => ({
    path: `order.items[${index}]`,
    message: 'needs an offeringId or a unitPrice: only a key with orders:write may place what has no price',
  });

  test('is not sold for free with orders:checkout alone', async () => {
    const { as, body, commerce, sold, ticket } = await newShop(services);
    const shop = as('orders:checkout');
    for (const [items, details] of [
      [gifts, [detail(0), detail(1)]],
      [
        [{ offeringId: ticket, quantity: 1 }, ...gifts],
        [detail(1), detail(2)],
      ],
      [[{ name: 'Poster', unitPrice: 900 }, gifts[0]], [detail(1)]],
    ] as const) {
      const refused = await shop.post('/orders', body({ items }));
      expect([refused.status, refused.body.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(refused.body.error.details).toEqual(details);
    }
    expect((await commerce.get('/orders')).body.data).toEqual([]);
    expect(await sold()).toMatchObject({ sold: 0, held: 0 });
    expect((await shop.post('/orders', body({ items: [{ name: 'Gift', unitPrice: 0 }] }))).status).toBe(201);
  });

  test('is accepted with orders:write, and costs nothing', async () => {
    const { order, ticket } = await newShop(services);
    const placed = await order({ items: [{ offeringId: ticket, quantity: 1 }, ...gifts] });
    expect([placed.status, placed.body.data?.order]).toMatchObject([
      201,
      { costs: { total: 5_000 }, items: [{ priced: true }, { priced: false }, { priced: false }] },
    ]);
  });
});

describe('an offering that is not in the catalogue and has no price in the order', () => {
  const unknown = (index: number) => ({
    path: `order.items[${index}]`,
    offeringId: 'typo',
    message: 'is not in the catalogue, and the order has no price for it; check the offeringId, or send a unitPrice',
  });

  test('is not sold for free next to items with a price', async () => {
    const { order, sold, ticket } = await newShop(services);
    const refused = await order({
      items: [
        { offeringId: ticket, quantity: 1 },
        { offeringId: 'typo', quantity: 2 },
      ],
    });
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'NOT_FOR_SALE']);
    expect(refused.body.error.details).toEqual([unknown(1)]);
    expect(await sold()).toMatchObject({ sold: 0, held: 0 });
    const poster = { name: 'Poster', quantity: 1, unitPrice: 900 };
    expect((await order({ items: [{ offeringId: 'typo', quantity: 2 }, poster] })).body.error?.details).toEqual([
      unknown(0),
    ]);
  });

  test('is not sold for free to a key that cannot state prices, and the order’s code is not redeemed', async () => {
    const { adjust, as, body, claimed } = await newShop(services);
    const { code, id } = await adjust({});
    const refused = await as('orders:checkout').post(
      '/orders',
      body({ items: [{ offeringId: 'typo', quantity: 2 }], coupons: [code] }),
    );
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'NOT_FOR_SALE']);
    expect(refused.body.error.details).toEqual([unknown(0)]);
    expect(await claimed(id)).toBe(0);
  });

  test('is accepted without a price if nothing has one and the key may state prices', async () => {
    const { order } = await newShop(services);
    const placed = await order({ items: [{ offeringId: 'typo', quantity: 2 }] });
    expect([placed.status, placed.body.data?.order.items]).toMatchObject([201, [{ total: 0, priced: false }]]);
  });
});
