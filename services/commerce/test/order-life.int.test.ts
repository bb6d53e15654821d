import { call } from '@event-commerce/bus';
import { type OrderState, RPC } from '@event-commerce/contracts';
import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { held, newScarceShop } from './held-orders.ts';
import { HOUR_SECONDS, movableClocks, orderIn, place, plain, read, STATES } from './plain-orders.ts';
import { PATIENT } from './shop.ts';

const { clock, clocks, later } = movableClocks();
let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { pricing: 1, commerce: 2, events: 1 }, clock });
});
afterAll(async () => services?.stop());

describe('an order that expires', () => {
  test('is pending, and shows until when', async () => {
    const company = services.newCompany();
    const { sent, order } = await orderIn(company, 'pending', later);
    expect(order).toMatchObject({ status: 'pending', version: 1, changedAt: order.createdAt });
    expect(Date.parse(order.expiresAt) - Date.parse(order.createdAt)).toBe(HOUR_SECONDS * 1000);
    expect(order).not.toHaveProperty('expiresInSeconds');
    const again = await company.commerce.post('/orders', sent);
    expect([again.status, again.body.data.order]).toEqual([200, order]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['in less than a minute', { expiresInSeconds: 59 }, 'order.expiresInSeconds'],
    ['in more than a week', { expiresInSeconds: 604_801 }, 'order.expiresInSeconds'],
    ['with a label', { expiresInSeconds: 60, status: 'paid' }, 'order.status'],
    ['but is placed', { expiresInSeconds: 60, status: 'placed' }, 'order.status'],
  ])('%s is refused', async (_what, changes, path) => {
    const company = services.newCompany();
    const { status, body } = await company.commerce.post('/orders', plain(company, changes));
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });

  test('expires by itself at expiresAt, and not before', async () => {
    const company = services.newCompany();
    const order = await place(company, { expiresInSeconds: 60 });
    const other = await place(company, { expiresInSeconds: 60 });
    clocks.aheadMs = Date.parse(order.expiresAt) - Date.now() - 30_000;
    expect((await read(company, order.id)).status).toBe('pending');
    expect((await company.commerce.post(`/orders/${other.id}/confirm`)).body.data.status).toBe('placed');
    later(31);
    await expect.poll(async () => (await read(company, order.id)).status, PATIENT).toBe('expired');
    const expired = await read(company, order.id);
    expect(expired).toMatchObject({ status: 'expired', version: 2, expiresAt: order.expiresAt });
    expect(Date.parse(expired.changedAt)).toBeGreaterThanOrEqual(Date.parse(order.expiresAt));
    expect((await read(company, other.id)).status).toBe('placed');
  });

  test('cannot be confirmed from expiresAt on, whether or not the sweep has found it', async () => {
    const company = services.newCompany();
    const orders = await Promise.all(Array.from({ length: 6 }, () => place(company, { expiresInSeconds: 60 })));
    later(61);
    const replies = await Promise.all(
      orders.map(({ id }, n) => company.commerce.replica(n % 2).post(`/orders/${id}/confirm`)),
    );
    expect(replies.map(({ status, body }) => [status, body.error?.code])).toEqual(
      orders.map(() => [409, 'ORDER_EXPIRED']),
    );
    // The response holds at once.
    for (const { id } of orders) expect((await read(company, id)).status).toBe('expired');
  });

  test('is given more time, never less, and at most seven days from when it became pending', async () => {
    const company = services.newCompany();
    const order = await place(company, { expiresInSeconds: 60 });
    const extend = async (expiresInSeconds: number, headers = {}) =>
      company.commerce.post(`/orders/${order.id}/extend`, { expiresInSeconds }, headers);
    const longer = (await extend(900)).body.data;
    expect(longer).toMatchObject({ status: 'pending', version: 2, items: order.items });
    expect(Date.parse(longer.expiresAt) - Date.parse(longer.changedAt)).toBe(900_000);
    expect((await extend(60)).body.data).toEqual(longer);
    expect((await extend(1_800, { 'if-match': '"1"' })).body.error.code).toBe('VERSION_CONFLICT');
    later(61);
    expect((await read(company, order.id)).status).toBe('pending');
    const refused = (await extend(7 * 24 * 3_600)).body.error;
    expect(refused.details[0].path).toBe('expiresInSeconds');
    expect(refused.message).toContain(new Date(Date.parse(order.createdAt) + 7 * 24 * 3_600_000).toISOString());
    later(900);
    expect((await extend(60)).body.error.code).toBe('ORDER_EXPIRED');
    const again = (await company.commerce.post(`/orders/${order.id}/reopen`, { expiresInSeconds: 60 })).body.data;
    later(30);
    // A reopening restarts the seven days.
    const most = (await extend(7 * 24 * 3_600 - 31)).body.data;
    expect(Date.parse(most.expiresAt)).toBeGreaterThan(Date.parse(again.expiresAt));
  });

  test('is not extended once it is placed, or without an end', async () => {
    const company = services.newCompany();
    for (const changes of [{}, { status: 'pending' }]) {
      const order = await place(company, changes);
      const extended = await company.commerce.post(`/orders/${order.id}/extend`, { expiresInSeconds: 600 });
      expect([extended.status, extended.body.data]).toEqual([200, order]);
    }
  });

  test('has released what it held by the time a confirmation is refused', async () => {
    const company = services.newCompany();
    const code = newCode();
    const body = adjustmentBody(code, { conditions: { code, maxRedemptions: 1 } });
    expect((await company.pricing.post('/pricing/adjustments', body)).status).toBe(201);
    const { id } = await place(company, { coupons: [code], expiresInSeconds: 60 });
    later(61);
    const { status, body: refusal } = await company.commerce.post(`/orders/${id}/confirm`);
    expect([status, refusal.error.code]).toEqual([409, 'ORDER_EXPIRED']);
    await place(company, { coupons: [code] });
  });

  test('releases exactly what it held when it expires, and only once', async () => {
    const shop = await newScarceShop(services);
    const orders = await Promise.all(
      [60, 60, 3_600, undefined].map((expiresInSeconds) =>
        shop.place({ ...(expiresInSeconds && { expiresInSeconds }) }),
      ),
    );
    await expect.poll(shop.counts, PATIENT).toEqual({ sold: 2, held: 6, left: 2, redeemed: 1, claimed: 4 });
    later(61);
    await expect.poll(shop.counts, PATIENT).toEqual({ sold: 2, held: 2, left: 6, redeemed: 1, claimed: 2 });
    // Both are available to others again.
    const more = await Promise.all([1, 2, 3].map(() => shop.place()));
    await expect.poll(shop.counts, PATIENT).toEqual({ sold: 8, held: 2, left: 0, redeemed: 4, claimed: 5 });
    for (const { id } of [...orders, ...more]) await shop.commerce.post(`/orders/${id}/cancel`);
    await expect.poll(shop.counts, PATIENT).toEqual(held(0));
  });

  test('never expires if it has no expiry', async () => {
    const company = services.newCompany();
    const { order } = await orderIn(company, 'pending for ever', later);
    const other = await place(company, { expiresInSeconds: 60 });
    later(30 * 24 * HOUR_SECONDS);
    await expect.poll(async () => (await read(company, other.id)).status, PATIENT).toBe('expired');
    expect((await read(company, order.id)).status).toBe('pending');
    expect((await company.commerce.post(`/orders/${order.id}/confirm`)).body.data.status).toBe('placed');
  });
});

describe('each transition', () => {
  test.each<[(typeof STATES)[number], string, number, string]>([
    ['pending', 'confirm', 200, 'placed'],
    ['pending', 'cancel', 200, 'cancelled'],
    ['pending for ever', 'confirm', 200, 'placed'],
    ['pending for ever', 'cancel', 200, 'cancelled'],
    ['placed', 'confirm', 200, 'placed'],
    ['placed', 'cancel', 200, 'cancelled'],
    ['labelled', 'confirm', 200, 'paid'],
    ['labelled', 'cancel', 200, 'cancelled'],
    ['cancelled', 'confirm', 409, 'ORDER_STATUS_CONFLICT'],
    ['cancelled', 'cancel', 200, 'cancelled'],
    ['expired', 'confirm', 409, 'ORDER_EXPIRED'],
    ['expired', 'cancel', 200, 'expired'],
  ])('of a %s order by %s is %i %s, and a repeat answers the same', async (state, transition, status, outcome) => {
    const company = services.newCompany();
    const { order } = await orderIn(company, state, later);
    const replies = [];
    for (let n = 0; n < 3; n++)
      replies.push(await company.commerce.replica(n % 2).post(`/orders/${order.id}/${transition}`));
    for (const reply of replies) {
      expect([reply.status, reply.body.data?.status ?? reply.body.error.code]).toEqual([status, outcome]);
      expect(reply.body.data).toEqual(replies[0]?.body.data);
    }
    const now = await read(company, order.id);
    const moved = status === 200 && outcome !== order.status;
    expect(now.version).toBe(order.version + (moved ? 1 : 0));
    if (!moved) expect(now).toEqual(order);
    expect(now.cancelledAt).toEqual(now.status === 'cancelled' ? now.changedAt : undefined);
    if (now.status === 'placed') expect(now).not.toHaveProperty('expiresAt');
  });
});

describe('ten copies of an order at once', () => {
  test.each(STATES)('all return the one order, which stays %s', async (state) => {
    const company = services.newCompany();
    const { sent, order } = await orderIn(company, state, later);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => company.commerce.replica(n % 2).post('/orders', sent)),
    );
    expect(replies.map(({ status, body }) => [status, body.data.order])).toEqual(replies.map(() => [200, order]));
  });
});

test.each<[(typeof STATES)[number], OrderState, boolean]>([
  ['pending', 'pending', true],
  ['placed', 'placed', true],
  ['labelled', 'placed', true],
  ['cancelled', 'cancelled', false],
  ['expired', 'expired', false],
])('other services are told that a %s order is %s', async (state, outcome, stands) => {
  const company = services.newCompany();
  const { order } = await orderIn(company, state, later);
  const asPricing = { identityToken: services.identity.processToken('pricing', 'commerce'), requestId: 'test' };
  const settled = await call(services.bus, RPC.settleOrder, { orderId: order.id }, asPricing);
  expect(settled).toEqual({ outcome, redemptionIds: [], ticketIds: [] });
  const asCart = { identityToken: services.identity.processToken('cart', 'commerce'), requestId: 'test' };
  const request = { orderIds: [order.id] };
  const { standing, over } = await call(services.bus, RPC.ordersStanding, request, asCart);
  const total = { amount: order.costs.total, currency: order.currency };
  expect({ standing, over }).toEqual(
    stands
      ? { standing: [{ orderId: order.id, isPending: state === 'pending', revision: 0, total }], over: [] }
      : { standing: [], over: [{ orderId: order.id, revision: 0 }] },
  );
});
