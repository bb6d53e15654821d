import { newCode, triesOfOne } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newShop, PATIENT, redemptionsOf } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

type Shop = Awaited<ReturnType<typeof newShop>>;

/** A shop, an order placed there, and what its tests do with it. */
async function newOrder(order: (shop: Shop) => Record<string, unknown> | Promise<Record<string, unknown>>) {
  const shop = await newShop(services);
  const { commerce } = shop;
  const placed = await shop.order(await order(shop));
  expect(placed.status).toBe(201);
  const { id, orderNumber } = placed.body.data.order;
  const path = `/orders/${id}/amendments`;
  return {
    ...shop,
    id: id as string,
    orderNumber: orderNumber as string,
    read: async () => (await commerce.get(`/orders/${id}`)).body.data,
    amend: async (body: object, headers = {}) => commerce.post(path, body, headers),
    preview: async (body: object) => (await commerce.post(`${path}/preview`, body)).body.data,
    list: async () => (await commerce.get(path)).body.data,
  };
}

/** Every fourth ticket is free. */
const FREE_FOURTH = {
  stacking: 'stackable',
  effect: { kind: 'buy_x_get_y', buy: 3, get: 1, percent: 100 },
};

const tickets = (shop: Shop, quantity: number) => ({ items: [{ offeringId: shop.ticket, quantity }] });
const one = (quantity: number, lineId = 'ln_1') => [{ lineId, quantity }];

describe('an order of four tickets for the price of three', () => {
  const fourForThree = async () =>
    newOrder(async (shop) => {
      const { code } = await shop.adjust(FREE_FOURTH);
      return { ...tickets(shop, 4), coupons: [code] };
    });

  test('returns one in either mode as its preview says, which claims and changes nothing', async () => {
    const order = await fourForThree();
    const before = await order.read();
    const { keep, reprice } = await order.preview({ items: one(3) });
    expect([keep.due, reprice.due, keep.lines]).toMatchObject([-3_750, 0, [{ lineId: 'ln_1', due: -3_750 }]]);
    expect(await order.read()).toEqual(before);
    const { status, body } = await order.amend({ mode: 'keep', items: one(3), reason: 'One guest fell ill' });
    expect([status, body.data.order.costs.total]).toEqual([201, 11_250]);
    expect(body.data.amendment).toMatchObject({
      number: 1,
      due: -3_750,
      orderVersion: 2,
      reason: 'One guest fell ill',
    });
    expect(await order.sold()).toEqual({ sold: 3, held: 0, left: 97 });
    const again = await order.amend({ mode: 'keep', items: one(3) });
    expect([again.status, again.body.data]).toEqual([200, { order: body.data.order }]);
    expect((await order.amend({ mode: 'keep', items: one(2) })).body.data.amendment.due).toBe(-3_750);
    const [second, first] = await order.list();
    expect([second.number, first]).toEqual([2, body.data.amendment]);
    const whole = (await order.commerce.get(`/orders/${order.orderNumber}/amendments/${first.id}`)).body.data;
    expect(whole).toEqual({ ...first, before: { items: before.items, costs: before.costs, coupons: before.coupons } });
  });

  test('is priced again for fewer, by the rules under which it was placed', async () => {
    const order = await fourForThree();
    const { data } = (await order.amend({ mode: 'reprice', items: one(2) })).body;
    expect([data.amendment.due, data.order.costs.total]).toEqual([-5_000, 10_000]);
  });

  test.each([
    [{ items: one(3) }, 'mode', 'is required: keep or reprice; the preview shows both'],
    [{ mode: 'keep', items: one(5) }, 'items[0].quantity', 'cannot exceed 4; to add tickets, name the offering'],
    [{ mode: 'keep', items: one(0) }, 'items', 'leave no ticket; cancel the order'],
    [{ mode: 'keep', items: one(1, 'ln_7') }, 'items[0].lineId', 'is ln_7, and the order has ln_1'],
    [{ mode: 'keep', items: [{ quantity: 1 }] }, 'items[0]', 'must have either a lineId'],
    [{ mode: 'keep', coupons: ['NO-SUCH'] }, 'coupons', 'remove a code, which needs mode reprice'],
  ])('is not amended by %j, and the refusal names the field', async (body, path, message) => {
    const order = await fourForThree();
    const before = await order.read();
    const refused = await order.amend(body);
    expect([refused.status, refused.body.error.details[0]]).toMatchObject([
      400,
      { path, message: expect.stringContaining(message) },
    ]);
    expect(await order.read()).toEqual(before);
  });

  test('is not amended at a version or total that the caller does not expect', async () => {
    const order = await fourForThree();
    const body = { mode: 'keep', items: one(3) };
    const changed = await order.amend({ ...body, expectedTotal: 1 });
    expect([changed.status, changed.body.error.code]).toEqual([409, 'PRICE_CHANGED']);
    expect(changed.body.error.details[0]).toMatchObject({ path: 'expectedTotal', expectedTotal: 1, total: 11_250 });
    for (const quantity of [3, 5]) {
      const stale = await order.amend({ ...body, items: one(quantity) }, { 'if-match': '"7"' });
      expect(stale.body.error.code).toBe('VERSION_CONFLICT');
    }
    expect((await order.read()).version).toBe(1);
    expect((await order.amend({ ...body, expectedTotal: 11_250 }, { 'if-match': '"1"' })).status).toBe(201);
  });

  test('is amended once by a request and its repeats, whatever happens in between', async () => {
    const order = await fourForThree();
    const [first, second] = triesOfOne();
    const made = await order.amend({ mode: 'keep', items: one(3) }, first);
    await order.amend({ mode: 'keep', items: one(1) });
    const repeated = await order.amend({ mode: 'keep', items: one(3) }, second);
    expect([repeated.status, repeated.body.data.amendment]).toEqual([201, made.body.data.amendment]);
    expect((await order.read()).items[0].quantity).toBe(1);
  });

  test('cannot be amended once it is over', async () => {
    const order = await fourForThree();
    await order.commerce.post(`/orders/${order.id}/cancel`);
    const refused = await order.amend({ mode: 'keep', items: one(3) });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ORDER_STATUS_CONFLICT']);
  });
});

describe('tickets that are added', () => {
  test('are claimed, and refused if there are not enough; the order then stays as it is', async () => {
    const order = await newOrder(async (shop) => {
      const scarce = await shop.offer('Scarce', 5_000, { capacity: 4 });
      await shop.order({ items: [{ offeringId: scarce, quantity: 1 }] });
      return { items: [{ offeringId: scarce, quantity: 3 }] };
    });
    const [{ offeringId }] = (await order.read()).items;
    const refused = await order.amend({ mode: 'keep', items: [{ offeringId, quantity: 4 }] });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'SOLD_OUT']);
    expect(refused.body.error.details[0]).toMatchObject({ offeringId, left: 0 });
    expect((await order.read()).version).toBe(1);
  });

  test('are priced now and claimed at once, in a line of their own', async () => {
    const order = await newOrder((shop) => tickets(shop, 1));
    const { status, body } = await order.amend({ mode: 'keep', items: [{ offeringId: order.ticket, quantity: 3 }] });
    expect([status, body.data.amendment?.due]).toEqual([201, 10_000]);
    expect(body.data.order.items.map(({ lineId, quantity }: any) => [lineId, quantity])).toEqual([
      ['ln_1', 1],
      ['ln_2', 2],
    ]);
    await expect.poll(order.sold, PATIENT).toEqual({ sold: 3, held: 0, left: 97 });
    // From the newest line first; the other one is empty before the older one loses any.
    const { data } = (await order.amend({ mode: 'keep', items: [{ offeringId: order.ticket, quantity: 1 }] })).body;
    expect(data.order.items).toMatchObject([{ lineId: 'ln_1', quantity: 1 }]);
    expect(await order.sold()).toEqual({ sold: 1, held: 0, left: 99 });
    await order.commerce.post(`/orders/${order.id}/cancel`);
    expect(await order.sold()).toEqual({ sold: 0, held: 0, left: 100 });
  });

  test('are previewed and bought at the price that the catalogue has now, even if it had none before', async () => {
    const order = await newOrder((shop) => tickets(shop, 1));
    await order.events.patch(`/offerings/${order.ticket}`, { price: { amount: 6_000, currency: 'EUR' } });
    const items = [{ offeringId: order.ticket, quantity: 2 }];
    expect((await order.preview({ items })).keep.due).toBe(6_000);
    const late = `late-${order.id}`;
    const another = [{ offeringId: late, quantity: 1 }];
    const refused = await order.amend({ mode: 'keep', items: another });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'NOT_FOR_SALE']);
    expect(refused.body.error.details).toMatchObject([{ path: 'items[0]', offeringId: late }]);
    await order.offer('Late', 700, { id: late });
    expect((await order.preview({ items: another })).reprice.due).toBe(700);
    expect((await order.amend({ mode: 'keep', items: another })).body.data.amendment.due).toBe(700);
  });

  test('are refused by the preview as by the amendment, with the fields of the request', async () => {
    const order = await newOrder((shop) => tickets(shop, 1));
    const scarce = await order.offer('Scarce', 5_000, { capacity: 1 });
    const later = await order.offer('Later', 5_000, { onSaleFrom: '2099-01-01T00:00:00.000Z' });
    for (const [offeringId, quantity, code] of [
      [scarce, 2, 'SOLD_OUT'],
      [later, 1, 'NOT_FOR_SALE'],
    ] as const) {
      const items = [
        { lineId: 'ln_1', quantity: 1 },
        { offeringId, quantity },
      ];
      const { keep, reprice } = await order.preview({ items });
      const { error } = (await order.amend({ mode: 'keep', items })).body;
      expect(error).toMatchObject({ code, details: [{ path: 'items[1]', offeringId }] });
      for (const refused of [keep, reprice]) expect({ ...refused, requestId: error.requestId }).toEqual(error);
    }
    const unknown = { coupons: [newCode()] };
    const { reprice } = await order.preview(unknown);
    const { error } = (await order.amend({ mode: 'reprice', ...unknown })).body;
    for (const refused of [reprice, error]) {
      expect(refused).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'coupons' }] });
      expect(refused.message).toMatch(/^coupons include/);
    }
  });

  test('need no new place at a full event if they replace others of it', async () => {
    const order = await newOrder(async (shop) => {
      await shop.events.patch(`/events/${shop.eventId}`, { capacity: 2 });
      return tickets(shop, 2);
    });
    const other = await order.offer('Balcony', 8_000);
    const items = [
      { offeringId: order.ticket, quantity: 1 },
      { offeringId: other, quantity: 1 },
    ];
    const { status, body } = await order.amend({ mode: 'reprice', items });
    expect([status, body.data.amendment?.due]).toEqual([201, 3_000]);
    const more = await order.amend({ mode: 'keep', items: [{ offeringId: other, quantity: 2 }] });
    expect([more.status, more.body.error.code]).toEqual([409, 'SOLD_OUT']);
    await order.amend({ mode: 'keep', items: [{ offeringId: other, quantity: 0 }] });
    expect((await order.order({ items: [{ offeringId: other, quantity: 1 }] })).status).toBe(201);
  });

  test('need the tax of the whole order if it has tax', async () => {
    const order = await newOrder((shop) => ({ ...tickets(shop, 1), costs: { tax: 950, fees: 300 } }));
    const items = [{ offeringId: order.ticket, quantity: 2 }];
    const refused = await order.amend({ mode: 'keep', items });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'costs.tax']);
    const { data } = (await order.amend({ mode: 'keep', items, costs: { tax: 1_900 } })).body;
    expect([data.amendment.due, data.order.costs]).toMatchObject([5_950, { fees: 300, tax: 1_900, total: 12_200 }]);
    expect((await order.amend({ mode: 'keep', items: one(0) })).body.data.order.costs).toMatchObject({ tax: 950 });
  });
});

describe('the redemption of a code', () => {
  const discounted = async () => {
    const code = newCode();
    return newOrder(async (shop) => {
      const conditions = { code, minQuantity: 2, maxRedemptions: 1 };
      await shop.adjust({ conditions, stacking: 'stackable' });
      return { ...tickets(shop, 2), coupons: [code] };
    });
  };

  test('stays with mode keep as long as it affects a price, and is free for others once it no longer does', async () => {
    for (const [mode, due, status] of [
      ['keep', -4_000, 409],
      ['reprice', -3_000, 201],
    ] as const) {
      const order = await discounted();
      const [{ code, adjustmentId }] = (await order.read()).coupons;
      const { data } = (await order.amend({ mode, items: one(1) })).body;
      expect([data.amendment.due, 'redemptionId' in data.order.coupons[0]]).toEqual([due, mode === 'keep']);
      const other = await order.order({ ...tickets(order, 2), coupons: [code] });
      expect([mode, other.status]).toEqual([mode, status]);
      if (mode === 'keep') continue;
      const { id } = other.body.data.order;
      await expect
        .poll(async () => redemptionsOf(order, adjustmentId), PATIENT)
        .toEqual([
          [id, 'confirmed'],
          [order.id, 'released'],
        ]);
    }
  });

  test('is claimed for a code that is added afterwards, and counts for what the order has', async () => {
    const order = await newOrder((shop) => tickets(shop, 2));
    const { code, id } = await order.adjust({ stacking: 'stackable' });
    const { status, body } = await order.amend({ mode: 'reprice', coupons: [code] });
    expect([status, body.data?.amendment.due]).toEqual([201, -2_000]);
    expect(body.data.order.coupons).toMatchObject([{ code, adjustmentId: id, redemptionId: expect.any(String) }]);
    await expect.poll(async () => redemptionsOf(order, id), PATIENT).toEqual([[order.id, 'confirmed']]);
    await order.commerce.post(`/orders/${order.id}/cancel`);
    expect(await order.claimed(id)).toBe(0);
  });
});

describe('an order in which nothing can be priced again', () => {
  test('keeps its prices', async () => {
    const order = await newOrder((shop) => ({ ...tickets(shop, 2), costs: { total: 9_001 } }));
    const refused = await order.amend({ mode: 'reprice', items: one(1) });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'REPRICE_UNAVAILABLE']);
    const { keep, reprice } = await order.preview({ items: one(1) });
    expect([keep.due, reprice.code]).toEqual([-4_501, 'REPRICE_UNAVAILABLE']);
    const kept = (await order.amend({ mode: 'keep', items: one(1) })).body.data;
    expect([kept.order.costs.total, kept.order.pricing.source]).toEqual([4_500, 'stated']);
  });
});

test('a stated total that equals the computed one sets no price', async () => {
  const order = await newOrder((shop) => tickets(shop, 3));
  const { data } = (await order.amend({ mode: 'keep', items: one(2), costs: { total: 10_000 } })).body;
  expect(data.order.pricing.source).toBe('platform');
  expect((await order.preview({ items: one(1) })).reprice.due).toBe(-5_000);
});

test('a key with orders:checkout amends its pending orders at platform prices, and no others', async () => {
  const shop = await newShop(services);
  const checkout = shop.as('orders:checkout');
  const place = async (more: object) =>
    (await checkout.post('/orders', shop.body({ ...tickets(shop, 2), ...more }))).body.data.order;
  const pending = await place({ expiresInSeconds: 600 });
  const amend = async (id: string, body: object) =>
    checkout.post(`/orders/${id}/amendments`, { mode: 'keep', ...body });
  const stated = await amend(pending.id, { costs: { total: 1 } });
  expect([stated.status, stated.body.error.details[0].path]).toEqual([400, 'costs.total']);
  const { data } = (await amend(pending.id, { items: one(1) })).body;
  expect(data.order).toMatchObject({ status: 'pending', costs: { total: 5_000 }, amendments: 1 });
  expect(await shop.sold()).toEqual({ sold: 0, held: 1, left: 99 });
  const path = `/orders/${pending.id}/amendments`;
  expect((await checkout.get(path)).body.data).toMatchObject([{ id: data.amendment.id }]);
  expect((await checkout.get(`${path}/${data.amendment.id}`)).body.data).toMatchObject({ id: data.amendment.id });
  await shop.commerce.post(`/orders/${pending.id}/confirm`, { expectedTotal: 5_000 });
  const refused = await amend(pending.id, { items: one(0) });
  expect([refused.status, refused.body.error.message]).toEqual([
    403,
    expect.stringContaining('Changing or cancelling a placed order needs the scope orders:write'),
  ]);
  await expect.poll(shop.sold, PATIENT).toEqual({ sold: 1, held: 0, left: 99 });
});

test('the cart of an amended order shows what the order costs now', async () => {
  const shop = await newShop(services);
  const cart = await shop.cartOf([{ offeringId: shop.ticket, quantity: 3 }]);
  const { id } = (await shop.order({ cartSessionId: cart.id })).body.data.order;
  await expect
    .poll(async () => (await shop.cart.get(`/cart/sessions/${cart.id}`)).body.data.total, PATIENT)
    .toBe(15_000);
  await shop.commerce.post(`/orders/${id}/amendments`, { mode: 'keep', items: one(1) });
  await expect
    .poll(async () => (await shop.cart.get(`/cart/sessions/${cart.id}`)).body.data.total, PATIENT)
    .toBe(5_000);
});

test('seats at the table of the cart stay with an order until it says that it needs fewer', async () => {
  const { cart, cartOf, commerce, eventId, order, ticket } = await newShop(services);
  const tableId = (await cart.post('/cart/table-commitments', { contextId: eventId, seats: 4 })).body.data.id;
  const session = await cartOf([{ offeringId: ticket, quantity: 4 }], { contextId: eventId });
  await cart.post(`/cart/sessions/${session.id}/join-table`, { tableCommitmentId: tableId, seats: 4 });
  const { id } = (await order({ cartSessionId: session.id })).body.data.order;
  const table = async () => (await cart.get(`/cart/table-commitments/${tableId}`)).body.data;
  await expect.poll(table, PATIENT).toMatchObject({ status: 'full', seatsTaken: 4, spent: 20_000 });

  const amend = async (body: object) => commerce.post(`/orders/${id}/amendments`, { mode: 'keep', ...body });
  for (const [seats, message] of [
    [5, 'cannot exceed 4'],
    [0, 'must be at least 1'],
  ] as const) {
    const refused = (await amend({ seats })).body.error;
    expect(refused.details[0]).toMatchObject({ path: 'seats', message: expect.stringContaining(message) });
  }
  await amend({ items: one(3) });
  expect(await table()).toMatchObject({ seatsTaken: 4, spent: 15_000 });
  const fewer = (await amend({ items: one(2), seats: 2 })).body.data.amendment;
  expect([fewer.due, fewer.seats]).toEqual([-5_000, { before: 4, after: 2 }]);
  const shared = { status: 'open', seatsTaken: 2, spent: 10_000, parties: [{ seats: 2, orderId: id }] };
  expect(await table()).toMatchObject(shared);
  expect((await amend({ seats: 2 })).status).toBe(200);

  const waiting = (await amend({ seats: 1, expiresInSeconds: 60 })).body.data.amendment;
  expect(await table()).toMatchObject(shared);
  await commerce.post(`/orders/${id}/amendments/${waiting.id}/confirm`);
  expect(await table()).toMatchObject({ seatsTaken: 1, spent: 10_000 });
  await commerce.post(`/orders/${id}/cancel`);
  await commerce.post(`/orders/${id}/reopen`);
  await expect.poll(table, PATIENT).toMatchObject({ seatsTaken: 1, parties: [{ seats: 1, orderId: id }] });

  const without = (await order({ items: [{ offeringId: ticket, quantity: 1 }] })).body.data.order;
  const none = await commerce.post(`/orders/${without.id}/amendments/preview`, { seats: 1 });
  expect(none.body.error.details[0].path).toBe('seats');
});

test('an amended order that is cancelled and reopened has what it was amended to, at its price', async () => {
  const order = await newOrder((shop) => tickets(shop, 3));
  await order.amend({ mode: 'keep', items: [{ offeringId: order.ticket, quantity: 5 }] });
  await order.amend({ mode: 'keep', items: one(1) });
  const { costs } = await order.read();
  await order.commerce.post(`/orders/${order.id}/cancel`);
  expect(await order.sold()).toEqual({ sold: 0, held: 0, left: 100 });
  const reopened = (await order.commerce.post(`/orders/${order.id}/reopen`)).body.data;
  expect([reopened.costs, costs.total]).toEqual([costs, 15_000]);
  await expect.poll(order.sold, PATIENT).toEqual({ sold: 3, held: 0, left: 97 });
  expect((await order.amend({ mode: 'keep', items: one(0) })).body.data.order.costs.total).toBe(10_000);
  expect(await order.sold()).toEqual({ sold: 2, held: 0, left: 98 });
});
