import { randomUUID } from 'node:crypto';
import { type Client, createClient, dataOf } from '@event-commerce/client';
import {
  adjustmentBody,
  type ApiClient,
  evaluationBody,
  newCode,
  newCompanyId,
  orderBody,
  type Reply,
} from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProcessName } from '../../deploy/local/platform.ts';
import type { Company } from '../companies.ts';
import { startTestPlatform, type TestPlatform } from '../start-test-platform.ts';

const CLAIM_TTL_MS = 3_000;
let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform({
    env: {
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      CLAIM_TTL_MS: String(CLAIM_TTL_MS),
    },
  });
});

afterAll(async () => {
  await platform?.stop();
});

async function newCompany(key?: Record<string, unknown>): Promise<Company & { client: Client }> {
  const company = await platform.newCompany(key);
  return { ...company, client: createClient({ baseUrl: platform.url, apiKey: company.key, retries: 8 }) };
}

async function createAdjustment(
  api: ApiClient,
  code: string,
  conditions: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await api.post(
    '/v1/pricing/adjustments',
    adjustmentBody(code, { conditions: { code, ...conditions } }),
  );
  expect(status).toBe(201);
  return body.data.id;
}

/** How many redemptions the ledger contains, over all pages. */
async function ledger(api: ApiClient, adjustmentId: string, status = 'confirmed') {
  const found = [];
  let next = '';
  do {
    const { body } = await api.get(
      `/v1/pricing/adjustments/${adjustmentId}/redemptions?limit=200${next && `&cursor=${next}`}`,
    );
    found.push(...body.data);
    next = body.page.next ?? '';
  } while (next !== '');
  return found.filter((redemption) => redemption.status === status);
}

describe('from an API key to a counted redemption', () => {
  test('an optional body may be left out: by the typed client, without a content-type, and empty with one', async () => {
    const { client, api } = await newCompany();
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
    const { companyId, client, api } = await newCompany();
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
    const { client } = await newCompany({ rateLimit: { perSecond: 20, burst: 5 } });
    const codes = Array.from({ length: 20 }, newCode);
    const replies = await Promise.all(
      codes.map((code) => client.POST('/v1/coupons', { body: { code, percentOff: 5 } })),
    );
    expect(replies.map(({ response }) => response.status)).toEqual(codes.map(() => 201));
    const coupons = await dataOf(client.GET('/v1/coupons', { params: { query: { limit: 100 } } }));
    expect(new Set(coupons.map(({ code }) => code))).toEqual(new Set(codes));
  });

  test('a company sees nothing of another company', async () => {
    const [one, other] = [await newCompany(), await newCompany()];
    const id = await createAdjustment(one.api, newCode());
    const foreign = await other.api.get(`/v1/pricing/adjustments/${id}`);
    const unknown = await other.api.get('/v1/pricing/adjustments/adj_unknown');
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'ADJUSTMENT_NOT_FOUND']);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ADJUSTMENT_NOT_FOUND']);
    const forbidden = await other.api.post('/v1/orders', orderBody(one.companyId));
    expect([forbidden.status, forbidden.body.ok, forbidden.body.error.code]).toEqual([403, false, 'FORBIDDEN']);
  });

  test("an organiser sets up an event, a buyer fills a cart, and the cart's order redeems what was priced", async () => {
    const { companyId, api } = await newCompany();
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
    const { companyId, api } = await newCompany();
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

  test('a key that may only evaluate learns nothing about codes it did not present', async () => {
    const secret = (name: string, code: string, changes: object = {}, conditions: object = {}) =>
      adjustmentBody(code, { name: `${name} ${code}`, ...changes, conditions: { code, ...conditions } });
    const seenBy = async (codeOf: (name: string) => string) => {
      const companyId = newCompanyId();
      const { api: office } = await platform.newCompany({ companyId });
      const { api: shop } = await platform.newCompany({ companyId, scopes: ['pricing:evaluate'] });
      const bodies = [
        secret('staff', codeOf('STAFF')),
        secret('elsewhere', codeOf('ELSEWHERE'), { targets: [{ eventId: 'evt_9' }] }),
        secret('later', codeOf('LATER'), {}, { startsAt: '2999-01-01T00:00:00Z' }),
        secret('gone', codeOf('GONE'), {}, { maxRedemptions: 0 }),
        secret('known', 'KNOWN'),
        { name: 'for all', targets: [{ eventId: 'evt_1' }], effect: { kind: 'percentage_off', percent: 5 } },
      ];
      const ids: string[] = [];
      for (const body of bodies) ids.push((await office.post('/v1/pricing/adjustments', body)).body.data.id);
      const texts = [];
      for (const codes of [[], ['KNOWN'], ['NOBODY-KNOWS', ' ']]) {
        const { status, body } = await shop.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes }));
        expect(status).toBe(200);
        const text = JSON.stringify(body);
        texts.push(ids.reduce((whole, id, index) => whole.replaceAll(id, `id ${index}`), text));
      }
      return texts;
    };
    const one = await seenBy((name) => `${name}-100-FREE`);
    expect(one.join()).not.toMatch(/100-FREE|staff|elsewhere|later|gone/);
    expect(one[1]).toContain('"applied"');
    expect(await seenBy((name) => `X${name}`)).toEqual(one);
  });

  test('the list of events is empty at first', async () => {
    const { api } = await newCompany();
    expect((await api.get('/v1/events')).body).toEqual({ status: 'ok', data: [], page: { next: null, limit: 50 } });
  });
});

describe('a cap of 10', () => {
  test('admits exactly 10 of 60 concurrent redemptions', async () => {
    const { api } = await newCompany();
    const id = await createAdjustment(api, newCode(), { maxRedemptions: 10 });
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => api.post(`/v1/pricing/adjustments/${id}/redemptions`, { orderId: `o${n}` })),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(10);
    const refused = replies.filter((reply) => reply.status !== 201);
    expect(new Set(refused.map((reply) => `${reply.status} ${reply.body.error.code}`))).toEqual(
      new Set(['409 REDEMPTION_LIMIT_REACHED']),
    );
    expect(await ledger(api, id)).toHaveLength(10);
  });

  test('admits exactly 10 of 50 concurrent orders', async () => {
    const { companyId, api } = await newCompany();
    const code = newCode();
    const id = await createAdjustment(api, code, { maxRedemptions: 10 });
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => api.post('/v1/orders', orderBody(companyId, { coupons: [code] }))),
    );
    const placed = replies.filter((reply) => reply.status === 201);
    expect(placed).toHaveLength(10);
    expect(new Set(replies.filter((reply) => reply.status !== 201).map((reply) => reply.status))).toEqual(
      new Set([409]),
    );
    await expect.poll(async () => ledger(api, id)).toHaveLength(10);
    const orderIds = placed.map((reply) => reply.body.data.order.id);
    expect(new Set((await ledger(api, id)).map((redemption) => redemption.orderId))).toEqual(new Set(orderIds));
  });

  test('admits an order once that is sent ten times at once, with and without Idempotency-Key', async () => {
    for (let round = 0; round < 10; round++) {
      const { companyId, api } = await newCompany();
      const code = newCode();
      const id = await createAdjustment(api, code, { maxRedemptions: 1 });
      const body = orderBody(companyId, { coupons: [code] });
      const keys = ['one', 'one', 'one', 'two', 'two', undefined, undefined, undefined, undefined, undefined];
      const send = async (key: string | undefined): Promise<Reply> => {
        const reply = await api.post('/v1/orders', body, key === undefined ? {} : { 'idempotency-key': key });
        // The first request with this key is still in progress.
        return reply.body.error?.code === 'IDEMPOTENCY_KEY_IN_USE' ? await send(key) : reply;
      };
      const replies = await Promise.all(keys.map(send));
      expect(new Set(replies.map((reply) => reply.body.data?.order.id)).size).toBe(1);
      expect(replies.every(({ status }) => status === 200 || status === 201)).toBe(true);
      await expect.poll(async () => ledger(api, id)).toHaveLength(1);
    }
  });

  test('counts an order once that is redeemed 20 times at once', async () => {
    const { api } = await newCompany();
    const id = await createAdjustment(api, newCode(), { maxRedemptions: 10 });
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => api.post(`/v1/pricing/adjustments/${id}/redemptions`, { orderId: 'same' })),
    );
    expect(new Set(replies.map((reply) => reply.body.data?.redemption.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.status === 201).length).toBeLessThanOrEqual(1);
    const again = await api.post(`/v1/pricing/adjustments/${id}/redemptions`, { orderId: 'same' });
    expect(again.body.data.usage).toEqual({ redeemed: 1, remaining: 9 });
  });

  test.each<[ProcessName[]]>([[['pricing']], [['commerce']], [['pricing', 'commerce']]])(
    'holds, and every placed order is counted, when %s is killed while orders come in',
    async (victims) => {
      const { companyId, api } = await newCompany();
      const code = newCode();
      const id = await createAdjustment(api, code, { maxRedemptions: 10 });
      let answered = 0;
      const replies = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const body = orderBody(companyId, { coupons: [code] });
          const reply = await api.post('/v1/orders', body);
          answered += 1;
          if (answered === 5) for (const victim of victims) platform.kill(victim, 'SIGKILL');
          return { ...reply, request: body };
        }),
      );
      await Promise.all(victims.map((victim) => platform.ready(victim)));

      // Like a client, sends every order again until it gets a 201.
      const unanswered = replies.filter((reply) => reply.status >= 500);
      const orderIds = new Set(
        replies.filter((reply) => reply.status === 201).map((reply) => reply.body.data.order.id),
      );
      await expect
        .poll(
          async () => {
            for (const { request } of unanswered) {
              const reply = await api.post('/v1/orders', request);
              if (reply.status < 300) orderIds.add(reply.body.data.order.id);
            }
            return orderIds.size;
          },
          { timeout: 20_000, interval: 500 },
        )
        .toBe(10);
      await expect
        .poll(async () => new Set((await ledger(api, id)).map((redemption) => redemption.orderId)), { timeout: 15_000 })
        .toEqual(orderIds);
      expect(await ledger(api, id)).toHaveLength(10);
      const last = await api.post('/v1/orders', orderBody(companyId, { coupons: [code] }));
      expect([last.status, last.body.error.code]).toEqual([409, 'REDEMPTION_LIMIT_REACHED']);
    },
    60_000,
  );
});
