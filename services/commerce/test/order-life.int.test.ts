import { call } from '@event-commerce/bus';
import { type OrderState, RPC } from '@event-commerce/contracts';
import { adjustmentBody, newCode, type Reply, rounds } from '@event-commerce/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CommerceAndPricing, type Company, startCommerceAndPricing } from './harness.ts';
import { place, plain, read, replica } from './plain-orders.ts';

/** Events are published, and sweeps run. */
const PATIENT = { timeout: 20_000 };
const HOUR_SECONDS = 3_600;
let platform: CommerceAndPricing;
beforeAll(async () => {
  platform = await startCommerceAndPricing({ replicas: 2 });
});
afterAll(async () => platform?.stop());
afterEach(() => {
  platform.clocks.secondAheadMs = 0;
});

const later = (seconds: number) => {
  platform.clocks.aheadMs += seconds * 1000;
};

/** A new order in each state, with the body that it was made from. */
const STATES = ['pending', 'pending for ever', 'placed', 'labelled', 'cancelled', 'expired'] as const;
async function orderIn(company: Company, state: (typeof STATES)[number]) {
  const changes = {
    pending: { expiresInSeconds: HOUR_SECONDS },
    'pending for ever': { status: 'pending' },
    placed: {},
    labelled: { status: 'paid' },
    cancelled: {},
    expired: { expiresInSeconds: 60 },
  }[state];
  const sent = plain(company, changes);
  const { id } = (await company.commerce.post('/orders', sent)).body.data.order;
  if (state === 'cancelled') await company.commerce.post(`/orders/${id}/cancel`);
  if (state === 'expired') {
    later(61);
    await expect.poll(async () => (await read(company, id)).status, PATIENT).toBe('expired');
  }
  return { sent, order: await read(company, id) };
}

describe('an order that expires', () => {
  test('is pending, and says until when', async () => {
    const company = platform.newCompany();
    const { sent, order } = await orderIn(company, 'pending');
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
    const company = platform.newCompany();
    const { status, body } = await company.commerce.post('/orders', plain(company, changes));
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });

  test('expires by itself at expiresAt, and not before', async () => {
    const company = platform.newCompany();
    const order = await place(company, { expiresInSeconds: 60 });
    const other = await place(company, { expiresInSeconds: 60 });
    platform.clocks.aheadMs = Date.parse(order.expiresAt) - Date.now() - 30_000;
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
    const company = platform.newCompany();
    const orders = await Promise.all(Array.from({ length: 20 }, () => place(company, { expiresInSeconds: 60 })));
    later(61);
    const replies = await Promise.all(orders.map(({ id }, n) => replica(company, n).post(`/orders/${id}/confirm`)));
    expect(replies.map(({ status, body }) => [status, body.error?.code])).toEqual(
      orders.map(() => [409, 'ORDER_EXPIRED']),
    );
    // What was answered holds at once.
    for (const { id } of orders) expect((await read(company, id)).status).toBe('expired');
  });

  test('has given back what it held when its confirmation says so', async () => {
    const company = platform.newCompany();
    const code = newCode();
    const body = adjustmentBody(code, { conditions: { code, maxRedemptions: 1 } });
    expect((await company.pricing.post('/pricing/adjustments', body)).status).toBe(201);
    const { id } = await place(company, { coupons: [code], expiresInSeconds: 60 });
    later(61);
    const { status, body: refusal } = await company.commerce.post(`/orders/${id}/confirm`);
    expect([status, refusal.error.code]).toEqual([409, 'ORDER_EXPIRED']);
    await place(company, { coupons: [code] });
  });

  test('waits for ever if it does not say for how long', async () => {
    const company = platform.newCompany();
    const { order } = await orderIn(company, 'pending for ever');
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
    const company = platform.newCompany();
    const { order } = await orderIn(company, state);
    const replies = [];
    for (let n = 0; n < 3; n++) replies.push(await replica(company, n).post(`/orders/${order.id}/${transition}`));
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

  test('has one outcome, however many ask for different ones on two replicas', async () => {
    for (let round = 0; round < rounds(50); round++) {
      const company = platform.newCompany();
      const { id } = await place(company, { expiresInSeconds: 60 });
      if (round % 2 === 1) later(60);
      const asked = ['confirm', 'cancel', 'confirm', 'cancel', 'confirm', 'cancel', 'confirm', 'cancel'];
      const replies = await Promise.all(asked.map((what, n) => replica(company, n >> 1).post(`/orders/${id}/${what}`)));
      later(2);
      const final = await read(company, id);
      await expect.poll(() => platform.toldOf(id).length, PATIENT).toBe(final.version);
      const told = platform.toldOf(id);
      expect(LIVES).toContainEqual(told);
      // Nobody was told of a confirmation that is not part of the order's history, nor of two ends.
      const confirmed = replies.filter(({ body }) => body.data?.status === 'placed');
      if (confirmed.length > 0) expect(told).toContain('order.confirmed');
      const ends = new Set(replies.map(({ body }) => body.data?.status).filter((one) => one && one !== 'placed'));
      expect([...ends]).toEqual([final.status]);
    }
  }, 120_000);

  /** What can become of a pending order that is confirmed and cancelled, and may expire. */
  const LIVES = [
    ['order.cancelled', 'order.pending'],
    ['order.expired', 'order.pending'],
    ['order.cancelled', 'order.confirmed', 'order.pending'],
  ];

  test('of an order at its last moment is either its confirmation or its end, with clocks a second apart', async () => {
    const company = platform.newCompany();
    platform.clocks.secondAheadMs = 1_000;
    const orders = await Promise.all(Array.from({ length: 40 }, () => place(company, { expiresInSeconds: 60 })));
    // By the first replica's clock there is half a second left, by the second one's it is over.
    platform.clocks.aheadMs += 59_500;
    const replies = await Promise.all(orders.map(({ id }) => replica(company, 0).post(`/orders/${id}/confirm`)));
    later(2);
    for (const [n, { id }] of orders.entries()) {
      const reply = replies[n] as Reply;
      const final = await read(company, id);
      if (reply.status === 200) expect(final.status).toBe('placed');
      else {
        expect(reply.body.error.code).toBe('ORDER_EXPIRED');
        expect(final.status).toBe('expired');
      }
      expect(final.version).toBe(2);
    }
  });
});

describe('ten copies of an order at once', () => {
  test.each(STATES)('are the order, which stays %s', async (state) => {
    for (let round = 0; round < rounds(10); round++) {
      const company = platform.newCompany();
      const { sent, order } = await orderIn(company, state);
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, n) => replica(company, n).post('/orders', sent)),
      );
      expect(replies.map(({ status, body }) => [status, body.data.order])).toEqual(replies.map(() => [200, order]));
    }
  });

  test('are one pending order, if none was there', async () => {
    for (let round = 0; round < rounds(20); round++) {
      const company = platform.newCompany();
      const sent = plain(company, { expiresInSeconds: 60 });
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, n) => replica(company, n).post('/orders', sent)),
      );
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(new Set(replies.map(({ body }) => JSON.stringify(body.data.order))).size).toBe(1);
    }
  });
});

test.each<[(typeof STATES)[number], OrderState, boolean]>([
  ['pending', 'pending', true],
  ['placed', 'placed', true],
  ['labelled', 'placed', true],
  ['cancelled', 'cancelled', false],
  ['expired', 'expired', false],
])('other services are told that a %s order is %s', async (state, outcome, stands) => {
  const company = platform.newCompany();
  const { order } = await orderIn(company, state);
  const asPricing = { identityToken: platform.processToken('pricing'), requestId: 'test' };
  const settled = await call(platform.bus, RPC.settleOrder, { orderId: order.id }, asPricing);
  expect(settled).toEqual({ outcome, redemptionIds: [], ticketIds: [] });
  const asCart = { identityToken: platform.processToken('cart'), requestId: 'test' };
  const request = { orderIds: [order.id] };
  const { standing, over } = await call(platform.bus, RPC.ordersStanding, request, asCart);
  const total = { amount: order.costs.total, currency: order.currency };
  expect({ standing, over }).toEqual(
    stands
      ? { standing: [{ orderId: order.id, total }], over: [] }
      : { standing: [], over: [{ orderId: order.id, reopening: 0 }] },
  );
});
