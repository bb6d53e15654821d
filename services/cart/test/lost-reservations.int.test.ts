import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Carts, startCarts } from './cart-fixture.ts';

let carts: Carts;
beforeAll(async () => {
  carts = await startCarts({ replicas: 2, env: { CLAIM_TTL_MS: '300' } });
});
afterAll(async () => carts?.stop());

const poster = (quantity: number) => ({ offeringId: 'poster', quantity, price: 100 });

async function newCart() {
  const company = carts.newCompany();
  const sessionId = `session-${randomUUID()}`;
  const path = `/cart/sessions/${sessionId}`;
  await company.api().post(`${path}/item`, poster(1));
  return {
    company,
    sessionId,
    path,
    read: async () => (await company.api(1).get(path)).body.data,
    tableOf: async (id: string) => (await company.api().get(`/cart/table-commitments/${id}`)).body.data,
    join: async () => {
      const { body } = await company.api().post('/cart/table-commitments', { contextId: 'evt_1', seats: 1 });
      const tableCommitmentId: string = body.data.id;
      expect((await company.api().post(`${path}/join-table`, { tableCommitmentId })).status).toBe(200);
      return tableCommitmentId;
    },
    /** Reserves the session, writes its order, and tells of it unless a test does that. */
    order: async (state: 'pending' | 'placed' = 'placed', { told = true } = {}) => {
      const { orderId } = await company.checkOut({ sessionId });
      carts.orders.write(orderId, state);
      if (told) await company.tell({ orderId, sessionId, state });
      return orderId;
    },
  };
}

describe('a reservation that nobody ends, because commerce was killed', () => {
  test('lapses when the order was not written, which then never is, and not while commerce cannot be asked', async () => {
    const { company, sessionId, path } = await newCart();
    const { orderId } = await company.checkOut({ sessionId });
    const change = async () => (await company.api().post(`${path}/item`, poster(2))).status;
    carts.orders.setDown(true);
    try {
      await expect.poll(() => carts.orders.refused(), { timeout: 20_000 }).toBeGreaterThan(2);
      expect(await change()).toBe(409);
    } finally {
      carts.orders.setDown(false);
    }
    await expect.poll(change, { timeout: 20_000 }).toBe(200);
    expect(carts.orders.write(orderId, 'placed')).toBe(false);
  });

  test.each(['placed', 'pending'] as const)('becomes the order (%s) that was written, with its seat', async (state) => {
    const { read, order, join, tableOf } = await newCart();
    const table = await join();
    const orderId = await order(state, { told: false });
    await expect.poll(read, { timeout: 20_000 }).toMatchObject({ status: 'ordered', orderId });
    await expect
      .poll(async () => (await carts.models.tables.collection.findOne({ tableId: table } as never))?.['joined'])
      .toMatchObject([{ sessionId: `order/${orderId}` }]);
    expect(await tableOf(table)).toMatchObject({ seatsTaken: 1 });
  });

  test('ends when the order is over by then', async () => {
    const { order, path, company } = await newCart();
    carts.orders.write(await order('pending', { told: false }), 'expired');
    await expect
      .poll(async () => (await company.api().post(`${path}/item`, poster(2))).status, { timeout: 20_000 })
      .toBe(200);
  });
});
