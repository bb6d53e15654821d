import { randomUUID } from 'node:crypto';
import { type CheckedOut, PlatformError } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { checkOut, release } from './checkouts.ts';
import { offer } from './offers.ts';
import { item } from './sessions.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

async function newSession(company: Company, body: object = { items: [item('poster', 1, { price: 100 })] }) {
  const id = `session-${randomUUID()}`;
  const { status } = await company.cart.post('/cart/sessions', { id, ...body });
  expect(status).toBe(201);
  return id;
}

const anOrder = () => ({ orderId: newId('ord') });

async function refusalOf(asked: Promise<CheckedOut>): Promise<PlatformError> {
  const outcome = await asked.catch((error: unknown) => error);
  if (outcome instanceof PlatformError) return outcome;
  throw new TypeError(`not refused: ${JSON.stringify(outcome)}`);
}

describe('checking a session out', () => {
  test('returns its content, with the records of the catalogue, and reserves it', async () => {
    const company = services.newCompany();
    await offer(company, { id: 'off_1', tags: ['vip'] });
    const sessionId = await newSession(company, {
      items: [item('off_1', 2), item('poster', 1, { name: 'Poster', price: { amount: 900, currency: 'EUR' } })],
      coupons: ['SUMMER20'],
      customerId: 'cus_1',
      customerSegment: 'member',
      channelId: 'web',
    });
    const order = anOrder();
    const reply = await checkOut(services, company, { sessionId, ...order });
    expect(reply).toEqual({
      orderId: order.orderId,
      items: [
        {
          offeringId: 'off_1',
          quantity: 2,
          offering: expect.objectContaining({ id: 'off_1', tags: ['vip'], version: 1 }),
        },
        { offeringId: 'poster', quantity: 1, name: 'Poster', price: { amount: 900, currency: 'EUR' } },
      ],
      codes: ['SUMMER20'],
      currency: 'EUR',
      contextId: 'evt_1',
      customerId: 'cus_1',
      customerSegment: 'member',
      channelId: 'web',
      version: 1,
      sessionCreatedAt: (await company.cart.get(`/cart/sessions/${sessionId}`)).body.data.createdAt,
    });
  });

  test('finds no unknown session, and none of another company', async () => {
    const company = services.newCompany();
    const sessionId = await newSession(services.newCompany());
    for (const wanted of [sessionId, 'none']) {
      expect(await refusalOf(checkOut(services, company, { sessionId: wanted }))).toMatchObject({
        code: 'CART_SESSION_NOT_FOUND',
      });
    }
  });

  test('for ten concurrent copies of an order succeeds for all of them', async () => {
    const company = services.newCompany();
    const sessionId = await newSession(company);
    const order = anOrder();
    const copies = Array.from({ length: 10 }, async () => checkOut(services, company, { sessionId, ...order }));
    expect(new Set((await Promise.all(copies)).map(({ orderId }) => orderId))).toEqual(new Set([order.orderId]));
  });

  test('for ten concurrent orders reserves it for one of them; the others learn which, and when to retry', async () => {
    const company = services.newCompany();
    const sessionId = await newSession(company);
    const orders = Array.from({ length: 10 }, anOrder);
    const outcomes = await Promise.allSettled(
      orders.map((order) => checkOut(services, company, { sessionId, ...order })),
    );
    const [won, ...more] = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.orderId] : []));
    expect(more).toEqual([]);
    for (const one of outcomes.filter(({ status }) => status === 'rejected')) {
      expect((one as PromiseRejectedResult).reason).toMatchObject({
        code: 'CART_ALREADY_ORDERED',
        retryAfterSeconds: 1,
        details: [{ path: 'order.cartSessionId', orderId: won }],
      });
    }
  });
});

describe('a session that is being ordered', () => {
  test('reads as before, refuses changes with a time to retry after, and accepts them once released', async () => {
    const company = services.newCompany();
    const sessionId = await newSession(company);
    const path = `/cart/sessions/${sessionId}`;
    const { body: table } = await company.cart.post('/cart/table-commitments', { contextId: 'evt_1', seats: 2 });
    const { body: before, headers } = await company.cart.get(path);
    const order = anOrder();
    await checkOut(services, company, { sessionId, ...order });

    const read = await company.cart.replica(1).get(path);
    expect(read.body.data).toEqual({ ...before.data, pricedAt: expect.any(String) });
    expect(read.headers.get('etag')).toBe(headers.get('etag'));
    const refusals = await Promise.all([
      company.cart.replica(0).post(`${path}/item`, item('poster', 2)),
      company.cart.replica(1).patch(path, { coupons: ['A'] }),
      company.cart.replica(0).post(`${path}/join-table`, { tableCommitmentId: table.data.id }),
    ]);
    for (const { status, body, headers: answered } of refusals) {
      expect([status, body.error.code]).toEqual([409, 'CART_ALREADY_ORDERED']);
      expect(body.error.details).toMatchObject([{ path: 'id', orderId: order.orderId }]);
      expect(answered.get('retry-after')).toBe('1');
    }

    await release(services, company, { sessionId, orderId: order.orderId });
    // The session is at the version that the caller saw: a refused order changes nothing.
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    expect((await company.cart.replica(1).post(`${path}/item`, item('poster', 2), ifMatch)).body.data.total).toBe(200);
  });

  test('and changed at the same time is ordered before or after each change, never with half of it', async () => {
    const company = services.newCompany();
    const sessionId = await newSession(company);
    const orderId = newId('ord');
    const change = async (n: number) =>
      company.cart.replica(n % 2).post(`/cart/sessions/${sessionId}/item`, item(`o${n}`, 1, { price: 1 }));
    const changes = Array.from({ length: 20 }, (_, n) => n);
    const first = changes.slice(0, 10).map(change);
    const checkedOut = checkOut(services, company, { sessionId, orderId });
    const replies = await Promise.all([...first, ...changes.slice(10).map(change)]);
    const { items, version } = await checkedOut;
    const taken = replies.flatMap(({ status, body }) => (status === 200 ? [body.data.version] : []));
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    // The order contains every acknowledged change, and nothing else.
    expect(items).toHaveLength(1 + taken.length);
    expect(Math.max(1, ...taken)).toBe(version);
  });
});

describe('releasing a session', () => {
  test('ends the reservation, however often it is repeated', async () => {
    const company = services.newCompany();
    const sessionId = await newSession(company);
    const { orderId } = await checkOut(services, company, { sessionId });
    for (let repeat = 0; repeat < 2; repeat++) await release(services, company, { sessionId, orderId });
    expect((await checkOut(services, company, { sessionId })).orderId).not.toBe(orderId);
  });

  test('for another reopening of the order changes nothing', async () => {
    const company = services.newCompany();
    const sessionId = await newSession(company);
    const { orderId } = await checkOut(services, company, { sessionId, reopening: 2 });
    for (const reopening of [1, 3]) await release(services, company, { sessionId, orderId, reopening });
    await release(services, company, { sessionId, orderId });
    expect(await refusalOf(checkOut(services, company, { sessionId }))).toMatchObject({ details: [{ orderId }] });
  });

  test('for an order that it is not reserved for changes nothing', async () => {
    const company = services.newCompany();
    const sessionId = await newSession(company);
    const { orderId } = await checkOut(services, company, { sessionId });
    await release(services, company, { sessionId, orderId: newId('ord') });
    expect(await refusalOf(checkOut(services, company, { sessionId }))).toMatchObject({ details: [{ orderId }] });
    await release(services, company, { sessionId, orderId });
    await checkOut(services, company, { sessionId });
  });
});
