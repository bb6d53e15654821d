import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { offer } from './offers.ts';
import { item, newSessionId, setItem } from './sessions.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('an item', () => {
  test('under a new id creates the session, priced from the catalogue', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'off_1', name: 'Standing', price: { amount: 4_250, currency: 'EUR' } });
    const id = newSessionId();
    const reply = await setItem(company, id, item('off_1', 2));
    expect(reply.status).toBe(200);
    expect(reply.headers.get('etag')).toMatch(/^"1-/);
    expect(reply.body.data).toMatchObject({
      id,
      companyId: company.companyId,
      contextId: 'evt_1',
      items: [
        {
          offeringId: 'off_1',
          name: 'Standing',
          quantity: 2,
          unitPrice: 4_250,
          effectiveUnitPrice: 4_250,
          total: 8_500,
          modifiers: [],
          priced: true,
        },
      ],
      coupons: [],
      couponResults: [],
      total: 8_500,
      currency: 'EUR',
      version: 1,
      priceStatus: 'current',
    });
    expect(Date.parse(reply.body.data.createdAt)).toBeGreaterThan(Date.now() - 60_000);
    expect((await company.cart.replica(1).get(`/cart/sessions/${id}`)).body.data).toEqual({
      ...reply.body.data,
      pricedAt: expect.any(String),
    });
  });

  test('is set to the given quantity, removed with 0, and removing a missing one is not an error', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'a' });
    await offer(company, { id: 'b' });
    const id = newSessionId();
    await setItem(company, id, item('a', 2));
    await setItem(company, id, item('b', 1));
    expect((await setItem(company, id, item('a', 3))).body.data.total).toBe(20_000);
    const removed = await setItem(company, id, item('a', 0));
    expect(removed.body.data.items.map((one: { offeringId: string }) => one.offeringId)).toEqual(['b']);
    const again = await setItem(company, id, item('a', 0));
    expect([again.status, again.body.data.total]).toEqual([200, 5_000]);
  });

  test('that is not in the catalogue gets the price in the body, in minor units or as money', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    await setItem(company, id, item('parking', 2, { price: { amount: 700, currency: 'CHF' }, name: 'Parking' }));
    const { body } = await setItem(company, id, item('locker', 1, { price: 300 }));
    expect(body.data).toMatchObject({ total: 1_700, currency: 'CHF' });
    expect(body.data.items[0]).toMatchObject({ name: 'Parking', unitPrice: 700 });
    // A later call without a price keeps it.
    expect((await setItem(company, id, item('parking', 1))).body.data.total).toBe(1_000);
  });

  test('accepts its price under the names that an order accepts too, and stays the same if it is sent back as returned', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'off_1' });
    const id = newSessionId();
    await setItem(company, id, item('off_1', 1));
    await setItem(company, id, item('locker', 2, { amount: 300 }));
    const { body } = await setItem(company, id, item('parking', 1, { unitPrice: { amount: 700, currency: 'EUR' } }));
    expect(body.data.total).toBe(6_300);
    const { items } = body.data;
    const again = await company.cart.patch(`/cart/sessions/${id}`, { items });
    expect([again.status, again.body.data.items]).toEqual([200, items]);
    const dearer = await setItem(company, id, { ...items[1], price: 400 });
    expect(dearer.body.data.total).toBe(6_500);
    const refused = await setItem(company, id, item('locker', 1, { price: 300, amount: 301 }));
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'amount']);
  });

  test('in the catalogue ignores the price in the body', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'off_1' });
    const { body } = await setItem(company, newSessionId(), item('off_1', 1, { price: 1 }));
    expect(body.data.total).toBe(5_000);
  });

  test('with neither price is unpriced and adds nothing', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'off_1' });
    await offer(company, { id: 'gone', status: 'inactive' });
    const id = newSessionId();
    await setItem(company, id, item('off_1', 1));
    await setItem(company, id, item('gone', 1, { price: 100 }));
    const { body } = await setItem(company, id, item('who', 2));
    expect(body.data.total).toBe(5_000);
    const unpriced = { unitPrice: null, effectiveUnitPrice: null, total: 0, modifiers: [], priced: false };
    expect(body.data.items.slice(1)).toEqual([
      {
        offeringId: 'gone',
        name: 'Ticket gone',
        quantity: 1,
        ...unpriced,
        unpricedReason: 'not-for-sale',
        available: false,
        unavailableReason: 'inactive',
      },
      { offeringId: 'who', quantity: 2, ...unpriced, unpricedReason: 'not-in-catalogue' },
    ]);
  });

  test('in a currency other than the cart’s is refused, and changes nothing', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'eur' });
    await offer(company, { id: 'usd', price: { amount: 100, currency: 'USD' } });
    const id = newSessionId();
    await setItem(company, id, item('eur', 1));
    const refused = await setItem(company, id, item('usd', 1));
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refused.body.message).toContain('EUR');
    expect((await company.cart.get(`/cart/sessions/${id}`)).body.data).toMatchObject({ version: 1, total: 5_000 });
  });

  test.each([
    [{}],
    [item('a', -1)],
    [item('a', 1.5)],
    [item('a', 10_001)],
    [item('a', '2' as never)],
    [item('', 1)],
    [item('a\u0000b', 1)],
    [item('a', 1, { price: -1 })],
    [item('a', 1, { price: { amount: 1, currency: 'XXZ' } })],
    [{ offeringId: { $ne: null }, quantity: 1 }],
    [[]],
    [undefined],
  ])('is refused with the body %j', async (body) => {
    const reply = await services.newCompany().cart.post(`/cart/sessions/${newSessionId()}/item`, body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('a session', () => {
  test('loses its items or its codes if they are set to null', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    await setItem(company, id, item('x', 1, { price: 100 }));
    const patch = async (body: object) => (await company.cart.patch(`/cart/sessions/${id}`, body)).body.data;
    expect(await patch({ coupons: ['A'], items: null })).toMatchObject({ items: [], coupons: ['A'] });
    expect(await patch({ coupons: null })).toMatchObject({ items: [], coupons: [] });
  });
});
