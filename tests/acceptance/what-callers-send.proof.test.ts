import { type ApiClient, newCode, orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';
import type { Company } from '../harness/companies.ts';

/** What callers may send, from the gateway to its effect. */

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

const EVALUATE = '/v1/pricing/adjustments/evaluate';
const PRICE = { amount: 5_000, currency: 'EUR' };

async function created(api: ApiClient, path: string, body: object): Promise<any> {
  const reply = await api.post(path, body);
  expect([path, reply.status, reply.body.error]).toEqual([path, 201, undefined]);
  return reply.body.data;
}

/** What one ticket of `offering` costs with `cartContext`. */
async function priceOf({ api }: Company, offering: object, cartContext: object = {}): Promise<number> {
  const { status, body } = await api.post(EVALUATE, {
    offering: { id: 'off_1', price: PRICE, ...offering },
    cartContext,
  });
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data.effectivePrice.amount;
}

describe('an evaluation', () => {
  test('counts the good code beside a blank one and one that is too long', async () => {
    const { api } = await platform.newCompany();
    const { code } = await created(api, '/v1/coupons', { code: newCode(), percentOff: 20 });
    const long = 'X'.repeat(5_000);
    const request = { offering: { id: 'off_1', price: PRICE }, cartContext: { codes: [' ', long, code] } };
    const { status, body } = await api.post(EVALUATE, request);
    expect([status, body.data.effectivePrice.amount]).toEqual([200, 4_000]);
    expect(body.data.codes).toMatchObject([
      { code: ' ', status: 'unknown' },
      { code: long, status: 'unknown' },
      { code, status: 'applied' },
    ]);
  });

  test('accepts a time with its zone in every form', async () => {
    const company = await platform.newCompany();
    const conditions = { startsAt: '2027-07-10T16:00:00Z', endsAt: '2027-07-10T16:00:01Z' };
    await created(company.api, '/v1/pricing/adjustments', {
      targets: [{ eventId: 'evt_1' }],
      conditions,
      effect: { kind: 'percentage_off', percent: 20 },
    });
    const forms = [
      '2027-07-10T16:00:00Z',
      '2027-07-10T18:00:00+02:00',
      '2027-07-10T18:00:00+0200',
      '2027-07-10T16:00:00',
    ];
    for (const now of forms) expect([now, await priceOf(company, { eventId: 'evt_1' }, { now })]).toEqual([now, 4_000]);
    expect(await priceOf(company, { eventId: 'evt_1' }, { now: '2027-07-10T17:00:00+02:00' })).toBe(5_000);
  });

  test.each([
    ['venue', { contextIds: ['ven_1'] }, { venueId: 'ven_1' }, { venueId: 'ven_2' }],
    ['organization', { contextIds: ['org_1'] }, { organizerId: 'org_1' }, { organizerId: 'org_2' }],
    [
      'offering of an event',
      { contextIds: ['evt_1'], offeringIds: ['off_1'] },
      { eventId: 'evt_1' },
      { eventId: 'evt_2' },
    ],
    [
      'offering of an event',
      { contextIds: ['evt_1'], offeringIds: ['off_2'] },
      { id: 'off_2', eventId: 'evt_1' },
      { eventId: 'evt_1' },
    ],
  ])('applies a coupon for one %s only there', async (_, where, there, elsewhere) => {
    const company = await platform.newCompany();
    const { code } = await created(company.api, '/v1/coupons', { code: newCode(), percentOff: 20, ...where });
    expect(await priceOf(company, there, { codes: [code] })).toBe(4_000);
    expect(await priceOf(company, elsewhere, { codes: [code] })).toBe(5_000);
  });

  test("compares callers' ids, tags, segments and channels exactly, whatever characters they have", async () => {
    const company = await platform.newCompany();
    const conditions = {
      tags: ['auth0|5f7c', 'Früh & spät'],
      customerSegments: ['VIP members'],
      channelIds: ['box office/2'],
      maxRedemptionsPerCustomer: 5,
    };
    const effect = { kind: 'percentage_off', percent: 20 };
    await created(company.api, '/v1/pricing/adjustments', { targets: [{ eventId: 'evt_1' }], conditions, effect });
    const context = { customerSegment: 'VIP members', channelId: 'box office/2', customerId: 'auth0|5f7c' };
    const tagged = { eventId: 'evt_1', tags: ['Früh & spät'] };
    expect(await priceOf(company, tagged, context)).toBe(4_000);
    for (const other of [{ customerSegment: 'vip members' }, { channelId: 'box office' }]) {
      expect(await priceOf(company, tagged, { ...context, ...other })).toBe(5_000);
    }
  });
});

test('null means absent for every optional member of an order', async () => {
  const { companyId, api } = await platform.newCompany();
  const optional = [
    'status',
    'expiresInSeconds',
    'costs',
    'coupons',
    'agreements',
    'answers',
    'forwarded',
    'meta',
    'uid',
  ];
  const others = ['cartSessionId', 'customerSegment', 'channelId', 'expectedTotal'];
  const nulls = Object.fromEntries([...optional, ...others].map((name) => [name, null]));
  const customer = { id: null, email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', phone: null };
  const items = [{ offeringId: 'off_1', name: null, quantity: 2, unitPrice: 5_000, total: null }];
  const reply = await api.post('/v1/orders', orderBody(companyId, { ...nulls, customer, items }));
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  expect(reply.body.data.order).toMatchObject({ status: 'placed', costs: { total: 10_000 }, coupons: [], meta: {} });
  const empty = await api.post('/v1/orders', orderBody(companyId, { items: null }));
  expect([empty.status, empty.body.data.order.items]).toEqual([201, []]);
});

describe('a misspelt field or parameter', () => {
  test.each([
    ['GET', '/v1/orders?customer=cus_2', undefined, 'customer', /customerId/],
    [
      'POST',
      '/v1/pricing/adjustments',
      { conditions: { maxRedemption: 5 } },
      'conditions.maxRedemption',
      /maxRedemptions/,
    ],
    ['POST', '/v1/coupons', { code: 'SALE', maxRedemption: 5 }, 'maxRedemption', /limit|maxRedemptions/],
  ])('of %s %s is refused with the name that was meant', async (method, path, changes, at, meant) => {
    const { api } = await platform.newCompany();
    const adjustment = { targets: [{ eventId: 'evt_1' }], effect: { kind: 'percentage_off', percent: 20 } };
    const body = path.endsWith('adjustments') ? { ...adjustment, ...changes } : changes;
    const reply = await (method === 'GET' ? api.get(path) : api.post(path, body));
    expect([reply.status, reply.body.error?.details]).toEqual([
      400,
      [{ path: at, message: expect.stringMatching(meant) as string }],
    ]);
  });
});

test('every list refuses a cursor of another list', async () => {
  const { companyId, api } = await platform.newCompany();
  for (let n = 0; n < 2; n++) {
    await created(api, '/v1/coupons', { code: newCode() });
    await created(api, '/v1/events', { name: 'Gala' });
    await created(api, '/v1/orders', orderBody(companyId));
    await created(api, '/v1/pricing/adjustments', {
      targets: [{ eventId: 'evt_1' }],
      effect: { kind: 'percentage_off', percent: 20 },
    });
  }
  const lists = ['/v1/coupons', '/v1/events', '/v1/orders', '/v1/pricing/adjustments'];
  for (const from of lists) {
    const cursor = (await api.get(`${from}?limit=1`)).body.page.next as string;
    for (const to of lists) {
      const { status, body } = await api.get(`${to}?limit=1&cursor=${cursor}`);
      expect([from, to, status, body.error?.details[0].path]).toEqual(
        from === to ? [from, to, 200, undefined] : [from, to, 400, 'cursor'],
      );
    }
  }
});

test('every service accepts a JSON merge patch, and null removes a field', async () => {
  const { companyId, api } = await platform.newCompany();
  const adjustment = { targets: [{ eventId: 'evt_1' }], effect: { kind: 'percentage_off', percent: 20 } };
  const coupon = await created(api, '/v1/coupons', { code: newCode(), percentOff: 20 });
  const event = await created(api, '/v1/events', { name: 'Gala', capacity: 5 });
  const stored = await created(api, '/v1/pricing/adjustments', { ...adjustment, conditions: { minQuantity: 2 } });
  const order = await created(api, '/v1/orders', orderBody(companyId, { meta: { note: 'x' } }));
  await api.post('/v1/cart/sessions/cart-1/item', { offeringId: 'off_1', quantity: 1, price: PRICE });
  await api.patch('/v1/cart/sessions/cart-1', { coupons: [coupon.code] });
  const patches: [string, object, (data: any) => unknown][] = [
    [`/v1/coupons/${coupon.id}`, { code: null }, ({ code }) => code],
    [`/v1/events/${event.id}`, { capacity: null }, ({ capacity }) => capacity],
    [
      `/v1/pricing/adjustments/${stored.id}`,
      { conditions: { minQuantity: null } },
      (data) => data.conditions.minQuantity,
    ],
    [`/v1/orders/${order.order.id}`, { meta: { note: null } }, ({ meta }) => meta.note],
    ['/v1/cart/sessions/cart-1', { coupons: null }, ({ coupons }) => coupons[0]],
  ];
  for (const [path, patch, left] of patches) {
    const { status, body } = await api.patch(path, patch, { 'content-type': 'application/merge-patch+json' });
    expect([path, status, body.error]).toEqual([path, 200, undefined]);
    expect([path, left(body.data)]).toEqual([path, undefined]);
  }
});

test('a cart can change to a currency only if that of its items is the same', async () => {
  const { api } = await platform.newCompany();
  const { id } = await created(api, '/v1/cart/sessions', {});
  expect((await api.patch(`/v1/cart/sessions/${id}`, { currency: 'CHF' })).body.data.currency).toBe('CHF');
  await api.post(`/v1/cart/sessions/${id}/item`, {
    offeringId: 'off_1',
    quantity: 1,
    price: { amount: 1, currency: 'CHF' },
  });
  const { status, body } = await api.patch(`/v1/cart/sessions/${id}`, { currency: 'EUR' });
  expect([status, body.error.details[0].path]).toEqual([400, 'currency']);
});

test('the document lists 417, for an unsupported Expect header, at every operation', async () => {
  const { paths } = (await (await fetch(`${platform.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId?: string; responses: object }>>;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const named = operations.filter(({ operationId }) => operationId !== undefined);
  expect(named.length).toBeGreaterThan(40);
  for (const { operationId, responses } of named) {
    expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(['417'])]);
  }
});

test.each([
  ['Łódź', 'lodz'],
  ['Østerbro', 'osterbro'],
  ['Straßenfest', 'strassenf'],
  ['Diyarbakır', 'diyarbakir'],
  ['東京ジャズ', 'ジャズ'],
])('a search finds %s by %s among events, coupons, adjustments and orders', async (written, typed) => {
  const { api, companyId } = await platform.newCompany();
  await created(api, '/v1/events', { name: `Fest ${written}` });
  await created(api, '/v1/coupons', { description: written });
  await created(api, '/v1/pricing/adjustments', {
    name: written,
    targets: [{ eventId: 'evt_1' }],
    effect: { kind: 'percentage_off', percent: 20 },
  });
  await created(api, '/v1/orders', orderBody(companyId, { customer: { email: 'a@example.com', lastName: written } }));
  for (const path of ['/v1/events', '/v1/coupons', '/v1/pricing/adjustments', '/v1/orders']) {
    const { status, body } = await api.get(`${path}?q=${encodeURIComponent(typed)}`);
    expect([path, status, body.data?.length]).toEqual([path, 200, 1]);
  }
});
