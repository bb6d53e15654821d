import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { offer } from './offers.ts';
import { createAdjustment, item, newSessionId, setItem } from './sessions.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('a session', () => {
  test('is created once, with the caller’s data', async () => {
    const company = services.newCompany();
    const api = company.cart;
    await offer(company, { id: 'off_1', price: { amount: 100, currency: 'SEK' } });
    const id = newSessionId();
    const given = {
      contextId: 'ven_1',
      currency: 'SEK',
      customerId: 'c1',
      customerSegment: 'member',
      channelId: 'web',
    };
    const created = await api.post('/cart/sessions', { id, ...given, items: [item('off_1', 3)], coupons: ['X'] });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ id, ...given, total: 300, coupons: ['X'] });
    const again = await api.post('/cart/sessions', { id });
    expect([again.status, again.body.error.code]).toEqual([409, 'ALREADY_EXISTS']);
    const own = await api.post('/cart/sessions', {});
    expect(own.body.data).toMatchObject({
      id: expect.stringMatching(/^cs_/),
      total: 0,
      currency: 'EUR',
    });
  });

  test('that does not exist is 404 when read, changed or joined', async () => {
    const api = services.newCompany().cart;
    const replies = [
      await api.get('/cart/sessions/none'),
      await api.patch('/cart/sessions/none', { coupons: [] }),
      await api.post('/cart/sessions/none/join-table', { tableCommitmentId: 't' }),
    ];
    for (const { status, body } of replies) expect([status, body.error.code]).toEqual([404, 'CART_SESSION_NOT_FOUND']);
  });

  test('is in its company’s list whatever its id begins with', async () => {
    const api = services.newCompany().cart;
    const ids = ['\u{10ffff}1', '\u{10ffff}', '0', '!'];
    for (const id of ids) expect((await api.post('/cart/sessions', { id })).status).toBe(201);
    const { data } = (await api.get('/cart/sessions')).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test('is in its company’s paged list, with current prices, until it expires', async () => {
    const [company, other] = [services.newCompany(), services.newCompany()];
    const api = company.cart;
    const prefix = 'ü'.repeat(250);
    await offer(company, { id: 'off_1', price: { amount: 100, currency: 'EUR' } });
    for (let n = 0; n < 5; n++) await setItem(company, `${prefix}${n}`, item('off_1', n + 1, { price: 100 }));
    await setItem(other, newSessionId(), item('off_1', 1, { price: 100 }));
    const list = async (query = '') => (await api.get(`/cart/sessions${query}`)).body;
    const totals = ({ data }: { data: { total: number }[] }) => data.map(({ total }) => total);
    expect(totals(await list())).toEqual([500, 400, 300, 200, 100]);
    const first = await list('?limit=3');
    expect([totals(first), first.page.limit]).toEqual([[500, 400, 300], 3]);
    const second = await list(`?limit=3&cursor=${first.page.next}`);
    expect([totals(second), second.page.next]).toEqual([[200, 100], null]);
    const { pricedAt: _at, ...alone } = (await api.get(`/cart/sessions/${encodeURIComponent(`${prefix}4`)}`)).body.data;
    expect(first.data[0]).toMatchObject(alone);
    await createAdjustment(company, {
      ...adjustmentBody(newCode()),
      type: 'promotion',
      conditions: {},
      targets: [{ offeringId: 'off_1' }],
      effect: { kind: 'percentage_off', percent: 50 },
    });
    expect(totals(await list())).toEqual([250, 200, 150, 100, 50]);
    expect((await api.get('/cart/sessions?contextId=evt_1')).body.error.code).toBe('VALIDATION_FAILED');
  });

  test('of another company is another session, whatever its id', async () => {
    const [one, other] = [services.newCompany(), services.newCompany()];
    await setItem(one, 'shared', item('a', 1, { price: 100 }));
    expect((await other.cart.get('/cart/sessions/shared')).status).toBe(404);
    expect((await other.cart.patch('/cart/sessions/shared', { items: [] })).status).toBe(404);
    await setItem(other, 'shared', item('b', 1, { price: 200 }));
    expect((await one.cart.get('/cart/sessions/shared')).body.data).toMatchObject({ total: 100, version: 1 });
  });

  test('patched replaces items and codes, and returns the state of each code', async () => {
    const company = services.newCompany();
    const [percent, capped] = [newCode(), newCode()];
    await createAdjustment(company, adjustmentBody(percent));
    await createAdjustment(
      company,
      adjustmentBody(capped, {
        category: 'big',
        conditions: { code: capped, minOrderTotal: { amount: 50_000, currency: 'EUR' } },
      }),
    );
    await offer(company, { id: 'off_1' });
    const id = newSessionId();
    await setItem(company, id, item('other', 5, { price: 100 }));
    const { body } = await company.cart.patch(`/cart/sessions/${id}`, {
      items: [item('off_1', 2), item('zero', 0)],
      coupons: [percent.toLowerCase(), ` ${percent} `, capped, 'NOBODY'],
    });
    expect(body.data.items).toHaveLength(1);
    expect(body.data.items[0]).toMatchObject({
      unitPrice: 5_000,
      effectiveUnitPrice: 4_000,
      total: 8_000,
      modifiers: [{ code: percent, amount: -1_000 }],
    });
    expect(body.data).toMatchObject({ total: 8_000, coupons: [percent.toLowerCase(), capped, 'NOBODY'] });
    expect(body.data.couponResults).toEqual([
      expect.objectContaining({ code: percent.toLowerCase(), status: 'applied' }),
      expect.objectContaining({
        code: capped,
        status: 'dropped',
        reason: 'order-total-below-minimum',
        detail: expect.any(String),
      }),
      { code: 'NOBODY', status: 'unknown' },
    ]);
    // The order's total is that of the whole cart.
    const more = await setItem(company, id, item('off_1', 10));
    expect(more.body.data.couponResults[1]).toMatchObject({ code: capped, status: 'applied' });
    const emptied = await company.cart.patch(`/cart/sessions/${id}`, { items: [], coupons: [] });
    expect(emptied.body.data).toMatchObject({ items: [], coupons: [], total: 0 });
  });

  test.each([
    ['an item twice', { items: [item('a', 1), item('a', 2)] }],
    [
      'two currencies',
      {
        items: [
          item('a', 1, { price: { amount: 1, currency: 'EUR' } }),
          item('b', 1, { price: { amount: 1, currency: 'USD' } }),
        ],
      },
    ],
    ['too many items', { items: Array.from({ length: 501 }, (_, n) => item(`o${n}`, 1)) }],
    ['too many codes', { coupons: Array.from({ length: 501 }, (_, n) => `C${n}`) }],
    ['an empty code', { coupons: [''] }],
    ['items that are no list', { items: 'all' }],
    ['a total that cannot be kept exactly', { items: [item('a', 10_000, { price: 1_000_000_000_000 })] }],
  ])('is not patched with %s', async (_what, patch) => {
    const company = services.newCompany();
    const id = newSessionId();
    await setItem(company, id, item('x', 1, { price: 100 }));
    const reply = await company.cart.patch(`/cart/sessions/${id}`, patch);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await company.cart.get(`/cart/sessions/${id}`)).body.data.version).toBe(1);
  });

  test('contains at most 500 offerings, priced together', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    const items = Array.from({ length: 500 }, (_, n) => item(`o${n}`, 1, { price: 10 }));
    const created = await company.cart.post('/cart/sessions', { id, items });
    expect([created.status, created.body.data.total]).toEqual([201, 5_000]);
    const refused = await setItem(company, id, item('one-more', 1, { price: 10 }));
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('is priced at the moment it is read', async () => {
    const company = services.newCompany();
    const code = newCode();
    const id = newSessionId();
    await setItem(company, id, item('a', 1, { price: 1_000 }));
    const patched = await company.cart.patch(`/cart/sessions/${id}`, { coupons: [code] });
    expect(patched.body.data.couponResults).toEqual([{ code, status: 'unknown' }]);
    await createAdjustment(company, adjustmentBody(code));
    const read = await company.cart.get(`/cart/sessions/${id}`);
    expect(read.body.data).toMatchObject({ total: 800, version: 2, priceStatus: 'current' });
  });

  test('publishes each change as an event with its state and version', async () => {
    const company = services.newCompany();
    const id = newSessionId();
    await setItem(company, id, item('a', 2, { price: 100 }));
    await setItem(company, id, item('a', 3));
    await expect
      .poll(() => company.published('cart.updated').map(({ data }) => [data.version, data.total]))
      .toEqual([
        [1, 200],
        [2, 300],
      ]);
    expect(company.published('cart.updated')[0]).toMatchObject({
      subject: id,
      source: '/cart',
      data: { items: [{ offeringId: 'a', quantity: 2 }] },
    });
    const left = async () =>
      services.models.cart.sessions.collection.countDocuments({
        companyId: company.companyId,
        'outbox.0': { $exists: true },
      });
    await expect.poll(left).toBe(0);
  });
});
