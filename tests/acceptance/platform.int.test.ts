import { randomUUID } from 'node:crypto';
import { dataOf } from '@event-commerce/client';
import { type ApiClient, apiClient, newCode, orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';
import { createAdjustment, ledger, newCompany } from './redemptions.ts';

let platform: SharedPlatform;
beforeAll(async () => {
  platform = await sharedPlatform();
});

describe('from an API key to a counted redemption', () => {
  test('an optional body may be omitted by the typed client, without a content-type, or with one', async () => {
    const { client, api } = await newCompany(platform);
    const series = (await api.post('/v1/events', { kind: 'series', name: 'Tour' })).body.data;
    const path = { seriesId: series.id };
    expect(await dataOf(client.POST('/v1/cart/sessions'))).toMatchObject({ items: [] });
    const instance = await dataOf(client.POST('/v1/events/{seriesId}/instances', { params: { path } }));
    expect(instance).toMatchObject({ seriesId: series.id, name: 'Tour' });
    const json = { 'content-type': 'application/json' };
    for (const headers of [{}, json]) {
      for (const route of ['/v1/cart/sessions', `/v1/events/${series.id}/instances`]) {
        expect([route, headers, (await api.post(route, undefined, headers)).status]).toEqual([route, headers, 201]);
      }
    }
  });

  test('an adjustment is created, a ticket priced with it, and an order counts its redemption', async () => {
    const { companyId, client, api } = await newCompany(platform);
    const code = newCode();
    const adjustment = await dataOf(
      client.POST('/v1/pricing/adjustments', {
        body: {
          type: 'coupon',
          category: 'discount-coupon',
          stacking: 'replace-within-category',
          targets: [{ urn: 'urn:v1:any:events:event/*' }],
          conditions: { code },
          effect: { kind: 'percentage_off', percent: 20 },
        },
      }),
    );
    expect(adjustment).toMatchObject({ companyId, conditions: { code } });

    const price = { amount: 5_000, currency: 'EUR' };
    const offering = { id: 'off_1', eventId: 'evt_1', price };
    const cartContext = { quantity: 2, codes: [code.toLowerCase()] };
    const priced = await dataOf(client.POST('/v1/pricing/adjustments/evaluate', { body: { offering, cartContext } }));
    expect(priced.summary).toEqual({
      subtotal: 10_000,
      modifiers: -2_000,
      total: 8_000,
      currency: 'EUR',
      clampedAtZero: false,
    });

    const order = {
      orderNumber: `N-${randomUUID()}`,
      currency: 'EUR',
      companyId,
      organizerId: 'org_1',
      contextId: 'evt_1',
      customer: { id: 'cus_1', email: 'ada@example.com' },
      items: [{ offeringId: 'off_1', name: 'Ticket', quantity: 2, unitPrice: 5_000 }],
      coupons: [code],
      context: { urn: `urn:v1:${companyId}:orders:order/1` },
    };
    const placed = await client.POST('/v1/orders', { body: { order } });
    expect(placed.response.status).toBe(201);
    expect(placed.data).toMatchObject({
      ok: true,
      data: {
        order: { status: 'placed', costs: { subtotal: 10_000, total: 8_000, currency: 'EUR' }, coupons: [{ code }] },
      },
    });
    await expect
      .poll(async () => (await ledger(api, adjustment.id)).map((redemption) => redemption.orderId))
      .toEqual([placed.data?.data.order.id]);
  });

  test('a client that exceeds its limit gets all its responses, only later', async () => {
    const { client } = await newCompany(platform, { rateLimit: { perSecond: 20, burst: 5 } });
    const codes = Array.from({ length: 20 }, newCode);
    const replies = await Promise.all(
      codes.map((code) => client.POST('/v1/coupons', { body: { code, percentOff: 5 } })),
    );
    expect(replies.map(({ response }) => response.status)).toEqual(codes.map(() => 201));
    const coupons = await dataOf(client.GET('/v1/coupons', { params: { query: { limit: 100 } } }));
    expect(new Set(coupons.map(({ code }) => code))).toEqual(new Set(codes));
  });

  test('a company sees nothing of another company', async () => {
    const [one, other] = [await newCompany(platform), await newCompany(platform)];
    const id = await createAdjustment(one.api, newCode());
    const foreign = await other.api.get(`/v1/pricing/adjustments/${id}`);
    const unknown = await other.api.get('/v1/pricing/adjustments/adj_unknown');
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'ADJUSTMENT_NOT_FOUND']);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ADJUSTMENT_NOT_FOUND']);
    const forbidden = await other.api.post('/v1/orders', orderBody(one.companyId));
    expect([forbidden.status, forbidden.body.ok, forbidden.body.error.code]).toEqual([403, false, 'FORBIDDEN']);
  });

  test("an organiser sets up an event, a buyer fills a cart, and the cart's order redeems what was priced", async () => {
    const { companyId, api } = await newCompany(platform);
    const event = await api.post('/v1/events', { name: 'Festival', startsAt: '2027-07-01T18:00:00Z' });
    expect(event.status).toBe(201);
    const eventId = event.body.data.id;
    const offering = await api.post(`/v1/events/${eventId}/offerings`, {
      name: 'Ticket',
      price: { amount: 5_000, currency: 'EUR' },
    });
    expect(offering.status).toBe(201);
    const code = newCode();
    const coupon = await api.post('/v1/coupons', { code, percentOff: 20, contextIds: [eventId] });
    expect(coupon.status).toBe(201);

    const session = `/cart/sessions/${companyId}`;
    await api.post(`${session}/item`, { offeringId: offering.body.data.id, quantity: 2 });
    await api.patch(session, { coupons: [code.toLowerCase()] });
    // The coupon reaches pricing by an event.
    await expect.poll(async () => (await api.get(session)).body.data.total).toBe(8_000);

    const placed = await api.post('/orders', orderBody(companyId, { contextId: eventId, cartSessionId: companyId }));
    expect(placed.status).toBe(201);
    expect(placed.body.data.order.coupons).toMatchObject([{ code }]);
    await expect.poll(async () => (await api.get(`/coupons/${coupon.body.data.id}`)).body.data.quantitySold).toBe(1);

    const lost = await api.post('/orders', orderBody(companyId, { cartSessionId: 'nowhere' }));
    expect([lost.status, lost.body.ok, lost.body.error.details[0].path]).toEqual([400, false, 'order.cartSessionId']);
  });

  test('a table is joined, an instance reverts to its series, and friends merge their groups', async () => {
    const { companyId, api } = await newCompany(platform);
    const table = await api.post('/cart/table-commitments', { contextId: 'evt_1', seats: 1 });
    expect(table.status).toBe(201);
    const join = async (session: string) => {
      await api.post('/cart/sessions', { id: session, contextId: 'evt_1' });
      return await api.post(`/cart/sessions/${session}/join-table`, { tableCommitmentId: table.body.data.id });
    };
    expect((await join('first')).status).toBe(200);
    const second = await join('second');
    expect([second.status, second.body.error.code]).toEqual([409, 'TABLE_NOT_JOINABLE']);

    const series = await api.post('/v1/events', { kind: 'series', name: 'Thursdays', capacity: 100 });
    const { body: instance } = await api.post(`/events/${series.body.data.id}/instances`, { capacity: 50 });
    const url = `/events/${series.body.data.id}/instances/${instance.data.id}`;
    const reverted = await api.post(`${url}/revert`, { fields: ['capacity'] });
    expect([reverted.status, reverted.body]).toEqual([200, { status: 'ok', data: { success: true } }]);
    expect((await api.get(`/v1/events/${instance.data.id}`)).body.data).toMatchObject({ capacity: 100, overrides: [] });

    const groups = `/events/${instance.data.id}/purchase-groups`;
    const create = async (name: string) => (await api.post(groups, { name, size: 2 })).body.data.id as string;
    const [target, source] = [await create('ours'), await create('theirs')];
    const merge = { sourceGroupId: source, combinedSize: 4, note: `friends of ${companyId}` };
    const merged = await api.post(`${groups}/${target}/merge`, merge);
    expect([merged.status, merged.body.data.size, merged.body.data.status]).toEqual([200, 4, 'active']);
    expect((await api.post(`${groups}/${target}/merge`, merge)).status).toBe(400);
  });

  test("a shop reads its orders after its key was replaced, even repeatedly, and no other shop's", async () => {
    const { companyId, api: office } = await platform.newCompany();
    const shop = async (name: string) => await platform.newCompany({ companyId, name, scopes: ['orders:checkout'] });
    const [mine, others] = [await shop('mine'), await shop('others')];
    const items = [{ name: 'Poster', unitPrice: 900 }];
    const placedBy = async ({ api }: { api: ApiClient }): Promise<string> =>
      (await api.post('/v1/orders', orderBody(companyId, { items }))).body.data.order.id;
    const orders = [await placedBy(mine)];
    const theirs = await placedBy(others);
    const rotate = async (): Promise<ApiClient> => {
      const keys: { id: string; name: string; rotatedTo: string | null }[] = (await office.get('/v1/admin/keys')).body
        .data;
      const current = keys.find(({ name, rotatedTo }) => name === 'mine' && rotatedTo === null);
      const { body } = await office.post(`/v1/admin/keys/${current?.id}/rotate`, { overlapSeconds: 60 });
      return apiClient(platform.url, { authorization: `Bearer ${body.data.key}` });
    };
    const first = await rotate();
    orders.push(await placedBy({ api: first }));
    for (const api of [mine.api, first, await rotate()]) {
      for (const id of orders) expect((await api.get(`/v1/orders/${id}`)).status).toBe(200);
      for (const path of ['', '/amendments', `/amendments/amd_${'0'.repeat(26)}`]) {
        expect((await api.get(`/v1/orders/${theirs}${path}`)).body.error.code).toBe('ORDER_NOT_FOUND');
      }
    }
  });

  test('the list of events is empty at first', async () => {
    const { api } = await newCompany(platform);
    expect((await api.get('/v1/events')).body).toEqual({ status: 'ok', data: [], page: { next: null, limit: 50 } });
  });
});
