import { newCode, orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { exported } from './exports-of-orders.ts';
import { claimsOf, createAdjustment, redemptionsOf } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('placing an order', () => {
  test('returns the whole order, with costs completed from the items', async () => {
    const company = services.newCompany();
    const body = orderBody(company.companyId, {
      items: [
        { offeringId: 'off_1', name: 'Ticket', quantity: 2, unitPrice: 5000, seat: 'A1' },
        { offeringId: 'off_2', total: { amount: 300, currency: 'EUR' } },
      ],
      costs: { fees: 150 },
      uid: 'user_1',
      answers: { diet: 'none' },
      agreements: { terms: true },
      meta: { source: 'web' },
      forwarded: { for: 'x' },
    });
    const reply = await company.commerce.post('/orders', body);
    expect(reply.status).toBe(201);
    const { order } = reply.body.data;
    expect(order).toMatchObject({
      orderNumber: body.order['orderNumber'],
      status: 'placed',
      currency: 'EUR',
      costs: { subtotal: 10_300, fees: 150, tax: 0, total: 10_450, currency: 'EUR' },
      items: [{ seat: 'A1' }, { offeringId: 'off_2', quantity: 1 }],
      coupons: [],
      uid: 'user_1',
      answers: { diet: 'none' },
      agreements: { terms: true },
      meta: { source: 'web' },
      forwarded: { for: 'x' },
      context: { urn: expect.any(String) },
      customer: { email: 'ada@example.com', firstName: 'Ada' },
    });
    expect(order.id).toMatch(/^ord_[0-9a-z]{26}$/);
    expect(Number.isNaN(Date.parse(order.createdAt))).toBe(false);
    expect((await company.commerce.get(`/orders/${order.id}`)).body.data).toEqual(order);
  });

  test('keeps other fields of customer, costs and items, and accepts the price under any of its names', async () => {
    const company = services.newCompany();
    const customer = { email: 'ada@example.com', company: 'Analytical Engines', newsletter: true };
    const items = [
      { offeringId: 'off_1', quantity: 2, price: 5000, row: 7 },
      { offeringId: 'off_2', amount: { amount: 50, currency: 'EUR' } },
    ];
    const body = orderBody(company.companyId, { customer, items, costs: { deposit: 1_000 } });
    const { order } = (await company.commerce.post('/orders', body)).body.data;
    expect(order).toMatchObject({
      customer,
      items: [{ ...items[0], unitPrice: 5000 }, items[1]],
      costs: { subtotal: 10_050, total: 10_050, deposit: 1_000 },
    });
  });

  test('with a decimal amount is refused: amounts are whole minor units', async () => {
    const company = services.newCompany();
    const { body } = await company.commerce.post('/orders', orderBody(company.companyId, { costs: { fees: 10.5 } }));
    expect(body.message).toBe('order.costs.fees must be in whole minor units: 1050 for 10.50 (got 10.5).');
  });

  test("keeps the caller's own fields, whatever their names, and returns them as they were sent", async () => {
    const company = services.newCompany();
    const { commerce } = company;
    const own = {
      'T-shirt size (e.g. M)?': 'M',
      $budget: { $gt: [{ 'a.b': 1 }], '%2E': '100 %' },
      $ref: 'orders',
      $id: 7,
      prototype: true,
      '': 'no name',
      ['é'.repeat(256)]: 1,
    };
    const sent = {
      customer: { email: 'ada@example.com', ...own },
      items: [{ name: 'Gift', unitPrice: 100, ...own }],
      costs: { fees: 5, ...own },
      agreements: own,
      answers: own,
      forwarded: own,
      meta: own,
      context: { urn: 'urn:v1:any:orders:order/1', ...own },
    };
    const shown = { ...sent, items: [expect.objectContaining(own)], costs: expect.objectContaining(own) };
    const body = orderBody(company.companyId, sent);
    const placed = await commerce.post('/orders', body);
    expect([placed.status, placed.body.data?.order]).toEqual([201, expect.objectContaining(shown)]);
    const { order } = placed.body.data;
    expect((await commerce.post('/orders', body)).body.data.order).toEqual(order);
    expect((await commerce.get(`/orders/${order.id}`)).body.data).toEqual(order);
    expect((await commerce.get('/orders')).body.data).toEqual([order]);
    const { response } = await exported(services, company, 'format=ndjson');
    expect(JSON.parse(await response.text())).toEqual(order);
    const { body: changed } = await commerce.patch(`/orders/${order.id}`, {
      answers: { $budget: null, 'new.one': { $set: 1 } },
      customer: { $id: 8 },
    });
    const { $budget: _, ...kept } = own;
    expect(changed.data.answers).toEqual({ ...kept, 'new.one': { $set: 1 } });
    expect(changed.data.customer).toEqual({ ...sent.customer, $id: 8 });
    expect((await commerce.patch(`/orders/${order.id}`, changed.data)).body.data).toEqual(changed.data);
    expect((await commerce.post(`/orders/${order.id}/cancel`)).body.data).toMatchObject({
      answers: changed.data.answers,
    });
    const told = () => company.published().filter(({ subject }) => subject === order.id);
    await expect
      .poll(() => told().map(({ type }) => type))
      .toEqual(['order.placed', 'order.updated', 'order.cancelled']);
  });

  test('as cancelled or expired redeems nothing', async () => {
    const company = services.newCompany();
    const code = newCode();
    const id = await createAdjustment(company, code, { conditions: { maxRedemptions: 1 } });
    for (const status of ['cancelled', 'expired']) {
      const reply = await company.commerce.post('/orders', orderBody(company.companyId, { status, coupons: [code] }));
      expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
    expect(await claimsOf(services, id)).toEqual([]);
    expect((await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }))).status).toBe(
      201,
    );
  });

  test('accepts the context next to the order too', async () => {
    const company = services.newCompany();
    const { order } = orderBody(company.companyId);
    const { context, ...rest } = order;
    const reply = await company.commerce.post('/orders', { order: rest, context });
    expect([reply.status, reply.body.data.order.context]).toEqual([201, context]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['without a number', { orderNumber: undefined }, 'order.orderNumber'],
    ['with a NUL in its number', { orderNumber: 'a\u0000b' }, 'order.orderNumber'],
    ['with half a character in its number', { orderNumber: 'a\ud800' }, 'order.orderNumber'],
    ['with half a character in an answer', { answers: { diet: ['\udc00'] } }, 'order.answers.diet[0]'],
    ['in an unknown currency', { currency: 'XYZ' }, 'order.currency'],
    ['in lower case currency', { currency: 'eur' }, 'order.currency'],
    ['without a context', { context: undefined }, 'order.context'],
    ['with a context id of another kind', { contextId: 'foo_1' }, 'order.contextId'],
    ['without a customer', { customer: undefined }, 'order.customer'],
    ['without an e-mail address', { customer: { id: 'c' } }, 'order.customer.email'],
    ['with an invalid e-mail address', { customer: { email: 'ada' } }, 'order.customer.email'],
    ['without an organizer', { organizerId: undefined }, 'order.organizerId'],
    ['with items that are not a list', { items: {} }, 'order.items'],
    ['with a price as text', { items: [{ unitPrice: '5' }] }, 'order.items[0].unitPrice'],
    ['with nothing of an item', { items: [{ name: 'Gift', quantity: 0 }] }, 'order.items[0].quantity'],
    ['with an item that says nothing', { items: [{ name: 'Gift' }, {}] }, 'order.items[1]'],
    ['with a mere number of an item', { items: [{ quantity: 2 }] }, 'order.items[0]'],
    ['with half a cent', { costs: { total: 0.5 } }, 'order.costs.total'],
    ['with half a cent in the price of an item', { items: [{ price: 10.5 }] }, 'order.items[0].price'],
    ['with two prices of one item', { items: [{ unitPrice: 5, price: 6 }] }, 'order.items[0].price'],
    ['with an item beyond exact integers', { items: [{ unitPrice: 2 ** 53 - 1, quantity: 3 }] }, 'order.items[0]'],
    ['with costs in another currency', { costs: { currency: 'USD' } }, 'order.costs.currency'],
    ['cancelled from the start', { status: 'cancelled' }, 'order.status'],
    ['expired from the start', { status: 'Expired' }, 'order.status'],
    [
      'with a price in another currency',
      { items: [{ unitPrice: { amount: 5, currency: 'USD' } }] },
      'order.items[0].unitPrice.currency',
    ],
    ['with a prototype in its answers', { answers: JSON.parse('{"__proto__":{"a":1}}') }, 'order.answers.__proto__'],
    ['with a type of the driver in its meta', { meta: { _bsontype: 'ObjectId' } }, 'order.meta._bsontype'],
    ['with a name too long in its meta', { meta: { ['a'.repeat(257)]: 1 } }, `order.meta.${'a'.repeat(63)}…`],
    ['with a number too large in its meta', { meta: { id: 2 ** 53 } }, 'order.meta.id'],
  ])('%s is refused, naming the field', async (_what, change, path) => {
    const company = services.newCompany();
    const { status, body } = await company.commerce.post('/orders', orderBody(company.companyId, change));
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test.each([undefined, {}, { order: null }, { order: [] }])('from the body %j is refused', async (body) => {
    const company = services.newCompany();
    expect((await company.commerce.post('/orders', body)).status).toBe(400);
  });

  test('for another company is forbidden', async () => {
    const reply = await services.newCompany().commerce.post('/orders', orderBody('other'));
    expect([reply.status, reply.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('returns the first order again for the same number and content, in any order of fields', async () => {
    const company = services.newCompany();
    const code = newCode();
    const id = await createAdjustment(company, code);
    const { order } = orderBody(company.companyId, { coupons: [code] });
    const first = await company.commerce.post('/orders', { order });
    const reversed = Object.fromEntries(Object.entries(order).toReversed());
    const again = await Promise.all(
      Array.from({ length: 10 }, () => company.commerce.post('/orders', { order: reversed })),
    );
    expect(first.status).toBe(201);
    expect(again.map((reply) => [reply.status, reply.body.data])).toEqual(again.map(() => [200, first.body.data]));
    await expect.poll(() => redemptionsOf(company, id)).toEqual([[first.body.data.order.id, 'confirmed']]);
  });

  test('under the number of an order with other content is 409', async () => {
    const company = services.newCompany();
    const body = orderBody(company.companyId);
    await company.commerce.post('/orders', body);
    const reply = await company.commerce.post('/orders', { order: { ...body.order, currency: 'USD' } });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'ORDER_NUMBER_TAKEN']);
  });

  test('redeems the adjustments that its items name, each once', async () => {
    const company = services.newCompany();
    const [first, second] = [await createAdjustment(company, newCode()), await createAdjustment(company, newCode())];
    const items = [{ adjustments: [first, { adjustmentId: second }] }, { adjustments: [first] }];
    const { body } = await company.commerce.post('/orders', orderBody(company.companyId, { items }));
    const orderId = body.data.order.id;
    await expect.poll(() => redemptionsOf(company, first)).toEqual([[orderId, 'confirmed']]);
    await expect.poll(() => redemptionsOf(company, second)).toEqual([[orderId, 'confirmed']]);
  });

  test('with an unknown code is refused, naming it', async () => {
    const company = services.newCompany();
    const { status, body } = await company.commerce.post(
      '/orders',
      orderBody(company.companyId, { coupons: ['NOBODY'] }),
    );
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error.message).toContain('NOBODY');
  });

  test('with a code outside its window is refused with evaluation’s reason', async () => {
    const company = services.newCompany();
    const code = newCode();
    await createAdjustment(company, code, { conditions: { startsAt: '2099-01-01T00:00:00Z' } });
    const { status, body } = await company.commerce.post(
      '/orders',
      orderBody(company.companyId, { coupons: [{ code }] }),
    );
    expect([status, body.error.details[0].reason]).toEqual([409, 'not-started']);
  });
});

test('the list of orders is filtered and paged', async () => {
  const company = services.newCompany();
  const place = async (change: Record<string, unknown>) =>
    (await company.commerce.post('/orders', orderBody(company.companyId, change))).body.data.order.id as string;
  const first = await place({ contextId: 'evt_1', customer: { id: 'c1', email: 'a@example.com' } });
  const second = await place({ contextId: 'ven_2', customer: { id: 'c2', email: 'b@example.com' }, status: 'paid' });
  const third = await place({ contextId: 'evt_1', customer: { id: 'c2', email: 'b@example.com' } });
  const list = async (query: string) =>
    (await company.commerce.get(`/orders?${query}`)).body.data.map((order: { id: string }) => order.id);
  expect(await list('')).toEqual([third, second, first]);
  expect(await list('contextId=evt_1')).toEqual([third, first]);
  expect(await list('customerId=c2')).toEqual([third, second]);
  expect(await list('status=paid')).toEqual([second]);
  expect(await list('from=2099-01-01T00:00:00Z')).toEqual([]);
  expect(await list('to=2099-01-01T00:00:00Z&limit=1')).toEqual([third]);
  expect((await company.commerce.get('/orders?from=yesterday')).status).toBe(400);
  expect((await services.newCompany().commerce.get(`/orders/${first}`)).status).toBe(404);
});
