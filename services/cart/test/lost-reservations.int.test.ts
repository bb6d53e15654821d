import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Carts, startCarts } from './cart-fixture.ts';
import { newCart, poster } from './new-cart.ts';

let carts: Carts;
beforeAll(async () => {
  carts = await startCarts({ replicas: 2, env: { CLAIM_TTL_MS: '300' } });
});
afterAll(async () => carts?.stop());

describe('a reservation that nobody ends, because commerce was killed', () => {
  test('lapses when the order was not written, which then never is, and not while commerce cannot be asked', async () => {
    const { company, sessionId, path } = await newCart(carts);
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
    const { read, order, join, tableOf } = await newCart(carts);
    const table = await join();
    const orderId = await order(state, { told: false });
    expect(await read()).toMatchObject({ status: 'ordered', orderId });
    const joined = async () => (await carts.models.tables.collection.findOne({ tableId: table } as never))?.['joined'];
    await expect.poll(joined, { timeout: 20_000 }).toMatchObject([{ sessionId: `order/${orderId}` }]);
    expect(await tableOf(table)).toMatchObject({ seatsTaken: 1 });
  });

  test('ends when the order is over by then', async () => {
    const { order, path, company } = await newCart(carts);
    carts.orders.write(await order('pending', { told: false }), 'expired');
    await expect
      .poll(async () => (await company.api().post(`${path}/item`, poster(2))).status, { timeout: 20_000 })
      .toBe(200);
  });

  test('keeps a cart that was about to expire: its order may have been written, and cart not told of it yet', async () => {
    const { company, sessionId } = await newCart(carts);
    const sessions = carts.models.sessions.collection;
    const soon = new Date(Date.now() + 5_000);
    await sessions.updateOne({ sessionId }, { $set: { expiresAt: soon, purgeAt: soon } });
    await company.checkOut({ sessionId });
    const reserved = await sessions.findOne({ sessionId });
    expect(reserved?.['expiresAt']).toEqual(soon);
    expect(reserved?.['purgeAt'] - soon.getTime()).toBeGreaterThan(60_000);
  });
});
