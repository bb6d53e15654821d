import { PlatformError } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { checkOut, newOrderableCart, tell } from './checkouts.ts';
import { openStores } from './session-world.ts';
import { poster } from './sessions.ts';
import { join as joinTable, newSession } from './tables.ts';
import { serveEmptyCatalogue, serveOrders, type SimulatedOrders } from './simulated-commerce.ts';

// A simulated commerce service publishes events of its orders when a test says so.
let services: Services;
let orders: SimulatedOrders;
beforeAll(async () => {
  services = await startServices({ replicas: { cart: 2, pricing: 1 } });
  serveEmptyCatalogue(services.bus);
  orders = serveOrders(services.bus);
});
afterAll(async () => services?.stop());

async function codeOf(refused: Promise<unknown>): Promise<string | undefined> {
  return await refused.then(
    () => undefined,
    (error: unknown) => (error instanceof PlatformError ? error.code : String(error)),
  );
}

describe('a session for which an order was placed', () => {
  test('can be used at once when its order is over, before cart hears of that', async () => {
    const { company, path, read, order, join } = await newOrderableCart(services, orders);
    const table = await join();
    const orderId = await order();
    expect(await read()).toMatchObject({ status: 'ordered', orderId });
    orders.write(orderId, 'cancelled');
    const left = await company.cart.post(`${path}/leave-table`);
    expect([left.status, left.body.data.status]).toEqual([200, 'open']);
    expect((await company.cart.post(`${path}/join-table`, { tableCommitmentId: table })).status).toBe(200);

    const next = await order();
    expect(await read()).toMatchObject({ status: 'ordered', orderId: next });
    orders.write(next, 'expired');
    expect((await company.cart.replica(1).post(`${path}/item`, poster(2))).body.data).toMatchObject({
      status: 'open',
      items: [{ quantity: 2 }],
    });
  });

  test('can be ordered again at once when its order is over, before cart hears that it was placed', async () => {
    const { company, sessionId, order } = await newOrderableCart(services, orders);
    const orderId = await order('placed', { told: false });
    expect(await codeOf(checkOut(services, company, { sessionId }))).toBe('CART_ALREADY_ORDERED');
    orders.write(orderId, 'cancelled');
    expect((await checkOut(services, company, { sessionId })).orderId).not.toBe(orderId);
  });

  test('reads as ordered at once, and as open once the order is over, before cart hears of either', async () => {
    const { company, sessionId, path, read, order } = await newOrderableCart(services, orders);
    const listed = async () => (await company.cart.replica(1).get('/cart/sessions')).body.data[0];
    const orderId = await order('placed', { told: false });
    expect(await read()).toMatchObject({ status: 'ordered', orderId });
    expect(await listed()).toMatchObject({ status: 'ordered', orderId });
    await tell(services, company, { orderId, sessionId, state: 'placed' });
    await expect.poll(async () => (await company.cart.get(path)).body.data.version).toBe(2);

    orders.write(orderId, 'cancelled');
    for (const shown of [await read(), await listed()]) {
      expect(shown).toMatchObject({ status: 'open' });
      expect(shown).not.toHaveProperty('orderId');
    }
  });

  test('can be changed with the tag that was read after its order ended, whether or not cart hears of that in between', async () => {
    for (const told of [false, true]) {
      const { company, sessionId, path, order } = await newOrderableCart(services, orders);
      const orderId = await order();
      orders.write(orderId, 'cancelled');
      const { body, headers } = await company.cart.get(path);
      if (told) {
        await tell(services, company, { orderId, sessionId, state: 'cancelled' });
        const isOpened = async () =>
          (await openStores(services.models.cart).sessions.load(liveTenant(company.companyId), sessionId))?.ordered;
        await expect.poll(isOpened).toBe(undefined);
        expect((await company.cart.replica(1).get(path)).body.data.version).toBe(body.data.version);
      }
      const changed = await company.cart
        .replica(1)
        .post(`${path}/item`, poster(2), { 'if-match': headers.get('etag') ?? '' });
      expect([changed.status, changed.body.data?.version]).toEqual([200, body.data.version + 1]);
    }
  });

  test.each(['placed', 'pending'] as const)('(%s) is ordered, says so, and refuses changes', async (state) => {
    const { company, sessionId, path, read, order } = await newOrderableCart(services, orders);
    const before = await company.cart.get(path);
    expect(before.body.data).toMatchObject({ status: 'open' });
    expect(before.body.data).not.toHaveProperty('orderId');
    const orderId = await order(state);
    expect(await read()).toMatchObject({ status: 'ordered', orderId, version: 2 });
    const after = await company.cart.get(path);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));

    const { body: table } = await company.cart.post('/cart/table-commitments', { contextId: 'evt_1', seats: 1 });
    const refusals = await Promise.all([
      company.cart.replica(0).post(`${path}/item`, poster(2)),
      company.cart.replica(1).patch(path, { coupons: ['A'] }, { 'if-match': '"1"' }),
      company.cart.replica(0).post(`${path}/join-table`, { tableCommitmentId: table.data.id }),
      company.cart.replica(1).post(`${path}/leave-table`),
    ]);
    for (const { status, body, headers } of refusals) {
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([409, 'CART_ALREADY_ORDERED', null]);
      expect(body.error.details).toMatchObject([{ path: 'id', orderId }]);
      expect(body.message).toContain('Open a new session, or cancel the order.');
    }
    expect(await checkOut(services, company, { sessionId }).catch((error: unknown) => error)).toMatchObject({
      code: 'CART_ALREADY_ORDERED',
      retryAfterSeconds: undefined,
      details: [{ path: 'order.cartSessionId', orderId }],
    });
    expect(await read()).toEqual(after.body.data);
    await expect
      .poll(() => company.published('cart.ordered'))
      .toMatchObject([
        {
          subject: sessionId,
          data: { orderId, version: 2, total: 100, summary: { subtotal: 100, total: 100 }, modifiers: [] },
        },
      ]);
  });

  test('is ordered once its order is written, whether or not cart has heard of that', async () => {
    const { company, sessionId, path, read } = await newOrderableCart(services, orders);
    const { orderId } = await checkOut(services, company, { sessionId });
    orders.write(orderId, 'placed');
    const { status, body, headers } = await company.cart.post(`${path}/item`, poster(2));
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([409, 'CART_ALREADY_ORDERED', null]);
    await tell(services, company, { orderId, sessionId, state: 'placed' });
    expect(await read()).toMatchObject({ status: 'ordered', orderId, version: 2 });
  });

  test.each(['cancelled', 'expired'] as const)(
    'opens again when that order is %s, and can be ordered again',
    async (state) => {
      const { company, sessionId, path, read, order } = await newOrderableCart(services, orders);
      const orderId = await order('pending');
      expect(await read()).toMatchObject({ status: 'ordered' });
      orders.write(orderId, state);
      await tell(services, company, { orderId, sessionId, state });
      await expect.poll(read).toMatchObject({ status: 'open', version: 3 });
      expect(await read()).not.toHaveProperty('orderId');
      expect((await company.cart.post(`${path}/item`, poster(2), { 'if-match': '"3"' })).body.data.total).toBe(200);
      const again = await order();
      expect(await read()).toMatchObject({ status: 'ordered', orderId: again, total: 200 });
    },
  );

  test('stays ordered whatever events report about another order', async () => {
    const { company, sessionId, read, order } = await newOrderableCart(services, orders);
    const orderId = await order();
    expect(await read()).toMatchObject({ status: 'ordered' });
    const other = newId('ord');
    for (const state of ['placed', 'cancelled', 'expired'] as const) {
      await tell(services, company, { orderId: other, sessionId, state });
    }
    await services.followedOrders('cart');
    expect(await read()).toMatchObject({ status: 'ordered', orderId, version: 2 });
    await tell(services, company, { orderId, sessionId, state: 'cancelled' });
    await expect.poll(read).toMatchObject({ status: 'open', version: 3 });
  });

  test('and cancelled before cart heard of it stays open, however often and late the events arrive', async () => {
    const { company, sessionId, path, read, order } = await newOrderableCart(services, orders);
    const orderId = await order('placed', { told: false });
    orders.write(orderId, 'cancelled');
    await tell(services, company, { orderId, sessionId, state: 'cancelled' });
    await expect.poll(async () => (await company.cart.post(`${path}/item`, poster(2))).status).toBe(200);
    await tell(services, company, { orderId, sessionId, state: 'placed' });
    const next = await order();
    expect(await read()).toMatchObject({ status: 'ordered', orderId: next });
    await tell(services, company, { orderId, sessionId, state: 'cancelled' });
    await tell(services, company, { orderId: next, sessionId, state: 'placed' });
    await expect.poll(() => company.published('cart.ordered').map(({ data }) => data.orderId)).toEqual([next]);
    expect(await read()).toMatchObject({ status: 'ordered', orderId: next });
  });
});

describe('an order that is reopened', () => {
  test('takes its session again, even if the event of its cancellation arrives late', async () => {
    const { company, sessionId, read, order, join, tableOf } = await newOrderableCart(services, orders);
    const table = await join();
    const orderId = await order();
    expect(await read()).toMatchObject({ status: 'ordered' });
    orders.write(orderId, 'cancelled');
    const request = { sessionId, orderId, reopening: 1, tableCommitmentId: table };
    expect(await checkOut(services, company, request)).toMatchObject({ orderId, tableCommitmentId: table });
    // The event of the previous state, delivered while the order is being reopened.
    await tell(services, company, { orderId, sessionId, state: 'cancelled' });
    await expect.poll(read).toMatchObject({ status: 'open' });
    expect(await codeOf(checkOut(services, company, { sessionId }))).toBe('CART_ALREADY_ORDERED');
    orders.write(orderId, 'placed');
    await tell(services, company, { orderId, sessionId, state: 'placed', reopenings: 1, type: 'order.reopened' });
    expect(await read()).toMatchObject({ status: 'ordered', orderId });
    await tell(services, company, { orderId, sessionId, state: 'cancelled' });
    await tell(services, company, { orderId, sessionId, state: 'placed' });
    orders.write(orderId, 'expired');
    await tell(services, company, { orderId, sessionId, state: 'expired', reopenings: 1 });
    await expect.poll(read).toMatchObject({ status: 'open' });
    expect(await read()).not.toHaveProperty('tableCommitmentId');
    await expect.poll(() => tableOf(table)).toMatchObject({ seatsTaken: 0, joinedSessions: [] });
  });

  test('is refused if another order has the session, and if its seat is taken by now', async () => {
    const { company, sessionId, read, order, join } = await newOrderableCart(services, orders);
    const table = await join();
    const orderId = await order();
    expect(await read()).toMatchObject({ status: 'ordered' });
    orders.write(orderId, 'cancelled');
    await tell(services, company, { orderId, sessionId, state: 'cancelled' });
    await expect.poll(read).toMatchObject({ status: 'open' });
    const next = await newSession(company.cart);
    expect((await joinTable(company.cart, next, table)).status).toBe(200);
    const reopening = { sessionId, orderId, reopening: 1, tableCommitmentId: table };
    expect(await checkOut(services, company, reopening).catch((error: unknown) => error)).toMatchObject({
      code: 'TABLE_NOT_JOINABLE',
      message: `All 1 seats of table ${table} are taken. Join another table.`,
    });
    // The refused reopening left nothing reserved.
    const other = await order();
    expect(await read()).toMatchObject({ status: 'ordered', orderId: other });
    expect(await checkOut(services, company, reopening).catch((error: unknown) => error)).toMatchObject({
      code: 'CART_ALREADY_ORDERED',
      details: [{ orderId: other }],
    });
  });
});
