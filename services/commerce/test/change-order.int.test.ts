import { orderBody } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { place, toldOf } from './plain-orders.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

test('a merge patch changes the data of an order member by member, but not what it bought', async () => {
  const company = services.newCompany();
  const order = await place(company, { meta: { a: 1, deep: { b: 2, c: 3 } }, answers: { diet: 'none' } });
  const { status, headers, body } = await company.commerce.patch(
    `/orders/${order.id}`,
    {
      status: 'shipped',
      customer: { phone: '+49 1', lastName: null },
      meta: { deep: { b: null, d: [1] } },
      answers: null,
    },
    { 'content-type': 'application/merge-patch+json' },
  );
  expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^"2-/)]);
  const { lastName: _, ...customer } = order.customer;
  expect(body.data).toEqual({
    ...order,
    status: 'shipped',
    customer: { ...customer, phone: '+49 1' },
    meta: { a: 1, deep: { c: 3, d: [1] } },
    answers: {},
    version: 2,
    changedAt: body.data.changedAt,
  });
  const read = await company.commerce.get(`/orders/${order.id}`);
  expect([read.body.data, read.headers.get('etag')]).toEqual([body.data, headers.get('etag')]);
  await expect.poll(() => toldOf(company, order.id)).toEqual(['order.placed', 'order.updated']);
});

test('a misspelt member of the customer is refused, as when placing the order, and changes nothing', async () => {
  const company = services.newCompany();
  const order = await place(company);
  const misspelt = await company.commerce.patch(`/orders/${order.id}`, { customer: { frstName: 'Grace' } });
  expect([misspelt.status, misspelt.body.error.details]).toEqual([
    400,
    [{ path: 'customer.frstName', message: 'is unknown; did you mean firstName?' }],
  ]);
  expect((await company.commerce.get(`/orders/${order.id}`)).body.data).toEqual(order);
  const own = { customer: { loyalty: 'gold', id: null } };
  const { id: _, ...customer } = order.customer;
  expect((await company.commerce.patch(`/orders/${order.id}`, own)).body.data.customer).toEqual({
    ...customer,
    loyalty: 'gold',
  });
});

test('the items of an order can be ordered again as returned, and its fees and tax are bounded', async () => {
  const company = services.newCompany();
  const { items, orderNumber: _number, coupons } = await place(company);
  const again = await place(company, { items, coupons });
  expect(again.items).toEqual(items);
  const costs = { fees: Number.MAX_SAFE_INTEGER, tax: 1 };
  const refused = await company.commerce.post('/orders', orderBody(company.companyId, { items, costs }));
  expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ path: 'order.costs' }]]);
});

test('a patch that changes nothing, even one with the whole order, makes no new version', async () => {
  const company = services.newCompany();
  const order = await place(company, { meta: { a: 1 } });
  for (const patch of [{}, { meta: { a: 1 } }, { status: 'placed' }, { status: null }, order]) {
    expect((await company.commerce.patch(`/orders/${order.id}`, patch)).body.data).toEqual(order);
  }
  const pending = await place(company, {
    items: [{ id: 'line-1', name: 'Poster', price: { amount: 900, currency: 'EUR' }, quantity: 2, seat: null }],
    costs: { fees: 50, service: 1 },
    expiresInSeconds: 900,
    expectedTotal: 1850,
    uid: 'auth0|5f7c',
    channelId: 'web',
    customerSegment: 'member',
  });
  expect((await company.commerce.patch(`/orders/${pending.id}`, pending)).body.data).toEqual(pending);
});

test('null removes a label', async () => {
  const company = services.newCompany();
  const { id } = await place(company, { status: 'paid' });
  expect((await company.commerce.patch(`/orders/${id}`, { status: null })).body.data.status).toBe('placed');
});

test.each<[object, string]>([
  [{ customer: { email: null } }, 'customer.email'],
  [{ customer: { email: 'ada' } }, 'customer.email'],
  [{ customer: null }, 'customer'],
  [{ customer: 'ada' }, 'customer'],
  [{ meta: [] }, 'meta'],
  [{ status: 'cancelled' }, 'status'],
  [{ status: 'Expired' }, 'status'],
  [{ status: 'pending' }, 'status'],
  [{ custmer: {} }, 'custmer'],
  [{ items: [] }, 'items'],
  [{ costs: { total: 1 } }, 'costs'],
  [{ coupons: ['A'] }, 'coupons'],
  [{ currency: 'USD' }, 'currency'],
  [{ uid: 'other' }, 'uid'],
  [{ contextId: null }, 'contextId'],
  [{ expiresAt: '2099-01-01T00:00:00Z' }, 'expiresAt'],
  [{ expiresInSeconds: 900 }, 'expiresInSeconds'],
])('%j is refused, naming the field', async (patch, path) => {
  const company = services.newCompany();
  const order = await place(company);
  const { status, body } = await company.commerce.patch(`/orders/${order.id}`, patch);
  expect([status, body.error.details[0].path]).toEqual([400, path]);
  expect((await company.commerce.get(`/orders/${order.id}`)).body.data).toEqual(order);
});

test('a change that would make an object too large is refused', async () => {
  const company = services.newCompany();
  const { id } = await place(company, { meta: { half: 'x'.repeat(40_000) } });
  const { status, body } = await company.commerce.patch(`/orders/${id}`, { meta: { other: 'x'.repeat(40_000) } });
  expect([status, body.error.details[0].path]).toEqual([400, 'meta']);
});

test('an order that is not placed cannot have a label, but can be changed otherwise', async () => {
  const company = services.newCompany();
  const pending = await place(company, { status: 'pending' });
  const cancelled = await place(company);
  await company.commerce.post(`/orders/${cancelled.id}/cancel`);
  for (const { id } of [pending, cancelled]) {
    const refused = await company.commerce.patch(`/orders/${id}`, { status: 'paid' });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ORDER_STATUS_CONFLICT']);
    expect((await company.commerce.patch(`/orders/${id}`, { meta: { a: 1 } })).body.data.meta).toEqual({ a: 1 });
  }
});

test("another company's order is not found", async () => {
  const { id } = await place(services.newCompany());
  const other = services.newCompany().commerce;
  for (const reply of [
    await other.patch(`/orders/${id}`, { meta: {} }),
    await other.post(`/orders/${id}/confirm`),
    await other.post(`/orders/${id}/cancel`),
  ]) {
    expect([reply.status, reply.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  }
});
