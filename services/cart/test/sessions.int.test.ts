import { randomUUID } from 'node:crypto';
import { RPC } from '@event-commerce/contracts';
import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionWriter } from '../src/store/session-writer.ts';
import { type Carts, type Company, startCarts } from './cart-fixture.ts';

const IDLE_MS = 7 * 24 * 60 * 60 * 1000;
let carts: Carts;
let now = () => new Date();

beforeAll(async () => {
  carts = await startCarts({ replicas: 2, clock: () => now() });
});
afterAll(async () => carts?.stop());

const item = (offeringId: string, quantity: number, more: object = {}) => ({ offeringId, quantity, ...more });
const newSession = () => `session-${randomUUID()}`;
const setItem = (company: Company, id: string, body: object, headers: Record<string, string> = {}, replica = 0) =>
  company.api(replica).post(`/cart/sessions/${id}/item`, body, headers);

async function createAdjustment(company: Company, body: Record<string, unknown>) {
  const { status } = await company.pricing.post('/pricing/adjustments', body);
  expect(status).toBe(201);
}

describe('an item', () => {
  test('on a new id creates the session, priced from the catalogue', async () => {
    const company = carts.newCompany();
    await company.offer({ id: 'off_1', name: 'Standing', price: { amount: 4_250, currency: 'EUR' } });
    const id = newSession();
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
    expect((await company.api(1).get(`/cart/sessions/${id}`)).body.data).toEqual({
      ...reply.body.data,
      pricedAt: expect.any(String),
    });
  });

  test('is set to the given quantity, removed with 0, and removing a missing one is not an error', async () => {
    const company = carts.newCompany();
    await company.offer({ id: 'a' });
    await company.offer({ id: 'b' });
    const id = newSession();
    await setItem(company, id, item('a', 2));
    await setItem(company, id, item('b', 1));
    expect((await setItem(company, id, item('a', 3))).body.data.total).toBe(20_000);
    const removed = await setItem(company, id, item('a', 0));
    expect(removed.body.data.items.map((one: { offeringId: string }) => one.offeringId)).toEqual(['b']);
    const again = await setItem(company, id, item('a', 0));
    expect([again.status, again.body.data.total]).toEqual([200, 5_000]);
  });

  test('that the catalogue does not have gets the price in the body, in minor units or as money', async () => {
    const company = carts.newCompany();
    const id = newSession();
    await setItem(company, id, item('parking', 2, { price: { amount: 700, currency: 'CHF' }, name: 'Parking' }));
    const { body } = await setItem(company, id, item('locker', 1, { price: 300 }));
    expect(body.data).toMatchObject({ total: 1_700, currency: 'CHF' });
    expect(body.data.items[0]).toMatchObject({ name: 'Parking', unitPrice: 700 });
    // A later call without a price keeps it.
    expect((await setItem(company, id, item('parking', 1))).body.data.total).toBe(1_000);
  });

  test('that the catalogue has ignores the price in the body', async () => {
    const company = carts.newCompany();
    await company.offer({ id: 'off_1' });
    const { body } = await setItem(company, newSession(), item('off_1', 1, { price: 1 }));
    expect(body.data.total).toBe(5_000);
  });

  test('with neither stays unpriced and adds nothing', async () => {
    const company = carts.newCompany();
    await company.offer({ id: 'off_1' });
    await company.offer({ id: 'gone', status: 'inactive' });
    const id = newSession();
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
    const company = carts.newCompany();
    await company.offer({ id: 'eur' });
    await company.offer({ id: 'usd', price: { amount: 100, currency: 'USD' } });
    const id = newSession();
    await setItem(company, id, item('eur', 1));
    const refused = await setItem(company, id, item('usd', 1));
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refused.body.message).toContain('EUR');
    expect((await company.api().get(`/cart/sessions/${id}`)).body.data).toMatchObject({ version: 1, total: 5_000 });
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
    const reply = await carts.newCompany().api().post(`/cart/sessions/${newSession()}/item`, body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('a session', () => {
  test('is created once, with what the caller knows about it', async () => {
    const company = carts.newCompany();
    const api = company.api();
    await company.offer({ id: 'off_1', price: { amount: 100, currency: 'SEK' } });
    const id = newSession();
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

  test('that does not exist is 404 to read, change and join', async () => {
    const api = carts.newCompany().api();
    const replies = [
      await api.get('/cart/sessions/none'),
      await api.patch('/cart/sessions/none', { coupons: [] }),
      await api.post('/cart/sessions/none/join-table', { tableCommitmentId: 't' }),
    ];
    for (const { status, body } of replies) expect([status, body.error.code]).toEqual([404, 'CART_SESSION_NOT_FOUND']);
  });

  test('of another company is another session, whatever its id', async () => {
    const [one, other] = [carts.newCompany(), carts.newCompany()];
    await setItem(one, 'shared', item('a', 1, { price: 100 }));
    expect((await other.api().get('/cart/sessions/shared')).status).toBe(404);
    expect((await other.api().patch('/cart/sessions/shared', { items: [] })).status).toBe(404);
    await setItem(other, 'shared', item('b', 1, { price: 200 }));
    expect((await one.api().get('/cart/sessions/shared')).body.data).toMatchObject({ total: 100, version: 1 });
  });

  test('patched replaces items and codes, and returns the state of each code', async () => {
    const company = carts.newCompany();
    const [percent, capped] = [newCode(), newCode()];
    await createAdjustment(company, adjustmentBody(percent));
    await createAdjustment(
      company,
      adjustmentBody(capped, {
        category: 'big',
        conditions: { code: capped, minOrderTotal: { amount: 50_000, currency: 'EUR' } },
      }),
    );
    await company.offer({ id: 'off_1' });
    const id = newSession();
    await setItem(company, id, item('other', 5, { price: 100 }));
    const { body } = await company.api().patch(`/cart/sessions/${id}`, {
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
    const emptied = await company.api().patch(`/cart/sessions/${id}`, { items: [], coupons: [] });
    expect(emptied.body.data).toMatchObject({ items: [], coupons: [], total: 0 });
  });

  test.each([
    [{ items: [item('a', 1), item('a', 2)] }],
    [
      {
        items: [
          item('a', 1, { price: { amount: 1, currency: 'EUR' } }),
          item('b', 1, { price: { amount: 1, currency: 'USD' } }),
        ],
      },
    ],
    [{ items: Array.from({ length: 501 }, (_, n) => item(`o${n}`, 1)) }],
    [{ coupons: Array.from({ length: 501 }, (_, n) => `C${n}`) }],
    [{ coupons: [''] }],
    [{ items: null }],
    [{ items: 'all' }],
    [{ items: [item('a', 10_000, { price: 1_000_000_000_000 })] }],
  ])('is not patched with %.60j', async (patch) => {
    const company = carts.newCompany();
    const id = newSession();
    await setItem(company, id, item('x', 1, { price: 100 }));
    const reply = await company.api().patch(`/cart/sessions/${id}`, patch);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await company.api().get(`/cart/sessions/${id}`)).body.data.version).toBe(1);
  });

  test('contains up to 500 offerings, priced together, and no more', async () => {
    const company = carts.newCompany();
    const id = newSession();
    const items = Array.from({ length: 500 }, (_, n) => item(`o${n}`, 1, { price: 10 }));
    const created = await company.api().post('/cart/sessions', { id, items });
    expect([created.status, created.body.data.total]).toEqual([201, 5_000]);
    const refused = await setItem(company, id, item('one-more', 1, { price: 10 }));
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('is priced at the moment it is read', async () => {
    const company = carts.newCompany();
    const code = newCode();
    const id = newSession();
    await setItem(company, id, item('a', 1, { price: 1_000 }));
    const patched = await company.api().patch(`/cart/sessions/${id}`, { coupons: [code] });
    expect(patched.body.data.couponResults).toEqual([{ code, status: 'unknown' }]);
    await createAdjustment(company, adjustmentBody(code));
    const read = await company.api().get(`/cart/sessions/${id}`);
    expect(read.body.data).toMatchObject({ total: 800, version: 2, priceStatus: 'current' });
  });

  test('follows a price that changes in the catalogue, on every replica', async () => {
    const company = carts.newCompany();
    await company.offer({ id: 'off_1' });
    const id = newSession();
    await setItem(company, id, item('off_1', 1));
    await company.api(1).get(`/cart/sessions/${id}`);
    const asked = carts.catalogue.requests();
    await company.api(1).get(`/cart/sessions/${id}`);
    expect(carts.catalogue.requests()).toBe(asked);

    await company.offer({ id: 'off_1', price: { amount: 6_000, currency: 'EUR' } });
    for (const replica of [0, 1]) {
      await expect
        .poll(async () => (await company.api(replica).get(`/cart/sessions/${id}`)).body.data.total, { interval: 10 })
        .toBe(6_000);
    }
    await company.offer({ id: 'off_1', price: { amount: 6_000, currency: 'USD' } });
    await expect
      .poll(async () => (await company.api().get(`/cart/sessions/${id}`)).body.data, { interval: 10 })
      .toMatchObject({ total: 6_000, currency: 'USD' });
  });

  test('learns an offering that is created after it was asked for', async () => {
    const company = carts.newCompany();
    const id = newSession();
    expect((await setItem(company, id, item('late', 1))).body.data.items[0].priced).toBe(false);
    await company.offer({ id: 'late' });
    await expect
      .poll(async () => (await company.api().get(`/cart/sessions/${id}`)).body.data.total, { interval: 10 })
      .toBe(5_000);
  });

  test('that was idle for seven days is gone at once, and its id creates a new one', async () => {
    const company = carts.newCompany();
    const id = newSession();
    const first = await setItem(company, id, item('a', 1, { price: 100 }));
    const expiresAt = Date.parse(first.body.data.expiresAt);
    expect(expiresAt - Date.parse(first.body.data.changedAt)).toBe(IDLE_MS);
    try {
      now = () => new Date(expiresAt - 1);
      expect((await company.api().get(`/cart/sessions/${id}`)).status).toBe(200);
      now = () => new Date(expiresAt);
      expect((await company.api().get(`/cart/sessions/${id}`)).status).toBe(404);
      expect((await company.api().patch(`/cart/sessions/${id}`, { coupons: [] })).status).toBe(404);
      const { body } = await setItem(company, id, item('b', 1, { price: 200 }));
      expect(body.data).toMatchObject({ total: 200, createdAt: new Date(expiresAt).toISOString() });
      expect(body.data.version).toBeGreaterThan(first.body.data.version);
    } finally {
      now = () => new Date();
    }
    const ttl = (await carts.models.sessions.collection.indexes()).find((index) => 'expireAfterSeconds' in index);
    expect(ttl).toMatchObject({ key: { purgeAt: 1 }, expireAfterSeconds: 0 });
  });

  test('publishes each change as an event with its state and version', async () => {
    const company = carts.newCompany();
    const seen = carts.events(company.companyId, 'cart.updated');
    await carts.bus.nats.flush();
    const id = newSession();
    await setItem(company, id, item('a', 2, { price: 100 }));
    await setItem(company, id, item('a', 3));
    await expect
      .poll(() => seen.map(({ data }) => [data.version, data.total]))
      .toEqual([
        [1, 200],
        [2, 300],
      ]);
    expect(seen[0]).toMatchObject({
      subject: id,
      source: '/cart',
      data: { items: [{ offeringId: 'a', quantity: 2 }] },
    });
    const left = async () =>
      carts.models.sessions.collection.countDocuments({ companyId: company.companyId, 'outbox.0': { $exists: true } });
    await expect.poll(left).toBe(0);
  });
});

describe('changes at the same time', () => {
  test('100 on one session over two replicas all take effect, with far fewer pricing requests', async () => {
    const company = carts.newCompany();
    const id = newSession();
    let pricingRequests = 0;
    const spy = carts.bus.nats.subscribe(RPC.evaluateCarts.subject, {
      callback: () => {
        pricingRequests += 1;
      },
    });
    await carts.bus.nats.flush();
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => setItem(company, id, item(`o${n}`, 1, { price: n }), {}, n % 2)),
    );
    spy.unsubscribe();
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await company.api().get(`/cart/sessions/${id}`);
    expect(body.data.items).toHaveLength(100);
    expect(body.data).toMatchObject({ version: 100, total: 4_950 });
    expect(pricingRequests).toBeGreaterThan(0);
    expect(pricingRequests).toBeLessThan(60);
  });

  test('on 30 sessions, each over two replicas, all take effect, although they are priced and written together', async () => {
    const company = carts.newCompany();
    const ids = Array.from({ length: 30 }, newSession);
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        setItem(company, ids[n % 30] ?? '', item(`o${n}`, 1, { price: n }), {}, Math.floor(n / 30) % 2),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    for (const [n, id] of ids.entries()) {
      const { body } = await company.api().get(`/cart/sessions/${id}`);
      // The offerings n, n + 30, n + 60, ..., n + 270.
      expect(body.data).toMatchObject({ version: 10, total: 10 * n + 1_350 });
    }
  });

  test('written together succeed or fail each on its own, and a deleted session with a seat is not recreated', async () => {
    const { companyId } = carts.newCompany();
    const sessions = carts.models.sessions.collection;
    const write = sessionWriter(sessions as never);
    const over = (name: string, version: number | undefined, more: object = {}) => ({
      _id: `${companyId}/${name}`,
      base: version === undefined ? undefined : { version, ...more },
      update: { $set: { companyId, priced: '{}', version: (version ?? 0) + 1 } } as never,
    });
    expect(await Promise.all(['a', 'b', 'c'].map((name) => write(over(name, undefined))))).toEqual([true, true, true]);
    const outcomes = await Promise.all([
      write(over('d', undefined)),
      write(over('c', 7)),
      write(over('b', 1)),
      write(over('a', undefined)),
      write(over('gone', 1, { tableCommitmentId: 'table' })),
    ]);
    expect(outcomes).toEqual([true, false, true, false, false]);
    const stored = await sessions.find({ companyId } as never).toArray();
    expect(Object.fromEntries(stored.map(({ _id, version }) => [String(_id).split('/')[1], version]))).toEqual({
      a: 1,
      b: 2,
      c: 1,
      d: 1,
    });
  });

  test('on one replica and then another are never decided by what the first one cached', async () => {
    const company = carts.newCompany();
    const id = newSession();
    await setItem(company, id, item('a', 1, { price: 100 }), {}, 0);
    await setItem(company, id, item('b', 1, { price: 10 }), {}, 1);
    const held = await setItem(company, id, item('c', 1, { price: 1 }), { 'if-match': '"2"' }, 0);
    expect([held.status, held.body.data.total]).toEqual([200, 111]);
    await company.api(1).patch(`/cart/sessions/${id}`, { items: [] });
    const other = await setItem(company, id, item('d', 1, { price: { amount: 5, currency: 'USD' } }), {}, 0);
    expect([other.status, other.body.data.currency, other.body.data.version]).toEqual([200, 'USD', 5]);
  });

  test('of which one is impossible fail only that one', async () => {
    const company = carts.newCompany();
    const id = newSession();
    await setItem(company, id, item('a', 1, { price: 100 }));
    const foreign = { price: { amount: 1, currency: 'USD' } };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => setItem(company, id, item(`o${n}`, 1, n % 2 ? foreign : { price: 1 }))),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map((_, n) => (n % 2 ? 400 : 200)));
    expect((await company.api().get(`/cart/sessions/${id}`)).body.data).toMatchObject({ total: 110, version: 11 });
  });

  test('with If-Match of the same version let exactly one through', async () => {
    const company = carts.newCompany();
    const id = newSession();
    const first = await setItem(company, id, item('a', 1, { price: 100 }));
    const headers = { 'if-match': first.headers.get('etag') ?? '' };
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => setItem(company, id, item('a', n + 2), headers, n % 2)),
    );
    const refused = replies.filter(({ status }) => status === 409);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refused).toHaveLength(9);
    expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['VERSION_CONFLICT']));
  });

  test.each([
    ['"1"', 200],
    ['1', 200],
    ['*', 200],
    ['"7", "1"', 200],
    ['"2"', 409],
    ['W/"1"', 409],
    ['"x"', 409],
  ])('If-Match: %s on version 1 returns %i', async (ifMatch, status) => {
    const company = carts.newCompany();
    const id = newSession();
    await setItem(company, id, item('a', 1, { price: 100 }));
    const reply = await company.api().patch(`/cart/sessions/${id}`, { coupons: ['A'] }, { 'if-match': ifMatch });
    expect(reply.status).toBe(status);
  });

  test('If-Match on a session that does not exist creates none', async () => {
    const company = carts.newCompany();
    const reply = await setItem(company, 'new', item('a', 1), { 'if-match': '*' });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'VERSION_CONFLICT']);
    expect((await company.api().get('/cart/sessions/new')).status).toBe(404);
  });
});

describe('while another service is down', () => {
  test('pricing: a change is 503 and changes nothing, a read returns the prices of the last change', async () => {
    const company = carts.newCompany();
    const id = newSession();
    const before = await setItem(company, id, item('a', 1, { price: 100 }));
    await carts.pricing.kill9();
    try {
      const began = performance.now();
      const changed = await setItem(company, id, item('a', 2));
      expect([changed.status, changed.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(changed.headers.get('retry-after')).toBe('1');
      expect(performance.now() - began).toBeLessThan(3_000);
      expect((await setItem(company, 'unmade', item('a', 2, { price: 1 }))).status).toBe(503);
      expect((await company.api().get('/cart/sessions/unmade')).status).toBe(404);
      const read = await company.api().get(`/cart/sessions/${id}`);
      expect(read.body.data).toEqual({ ...before.body.data, priceStatus: 'stored' });
    } finally {
      await carts.pricing.restart();
    }
    await expect.poll(async () => (await setItem(company, id, item('a', 2))).body.data?.total).toBe(200);
  });

  test('the catalogue: unknown prices are not taken from the body', async () => {
    const company = carts.newCompany();
    const id = newSession();
    await carts.catalogue.pause();
    try {
      const reply = await setItem(company, id, item('off_1', 1, { price: 1 }));
      expect([reply.status, reply.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect((await company.api().get(`/cart/sessions/${id}`)).status).toBe(404);
    } finally {
      carts.catalogue.resume();
      await carts.bus.nats.flush();
    }
    expect((await setItem(company, id, item('off_1', 1, { price: 1 }))).status).toBe(200);
  });
});
