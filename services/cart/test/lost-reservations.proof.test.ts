import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { checkOut, newOrderableCart } from './checkouts.ts';
import { poster } from './sessions.ts';
import { serveEmptyCatalogue, serveOrders, type SimulatedOrders } from './simulated-commerce.ts';

let services: Services;
let orders: SimulatedOrders;
beforeAll(async () => {
  services = await startServices({ replicas: { cart: 2, pricing: 1 }, claimTtlMs: 300 });
  serveEmptyCatalogue(services.bus);
  orders = serveOrders(services.bus);
});
afterAll(async () => services?.stop());

describe('a reservation that is abandoned because commerce was killed', () => {
  test('lapses if the order was not written, and rules it out, but not while commerce cannot be reached', async () => {
    const { company, sessionId, path } = await newOrderableCart(services, orders);
    const { orderId } = await checkOut(services, company, { sessionId });
    const change = async () => (await company.cart.post(`${path}/item`, poster(2))).status;
    orders.setDown(true);
    try {
      await expect.poll(() => orders.refused(), { timeout: 20_000 }).toBeGreaterThan(2);
      expect(await change()).toBe(409);
    } finally {
      orders.setDown(false);
    }
    await expect.poll(change, { timeout: 20_000 }).toBe(200);
    expect(orders.write(orderId, 'placed')).toBe(false);
  });

  test.each(['placed', 'pending'] as const)('becomes the order (%s) that was written, with its seat', async (state) => {
    const { read, order, join, tableOf } = await newOrderableCart(services, orders);
    const table = await join();
    const orderId = await order(state, { told: false });
    expect(await read()).toMatchObject({ status: 'ordered', orderId });
    const joined = async () =>
      (await services.models.cart.tables.collection.findOne({ tableId: table } as never))?.['joined'];
    await expect.poll(joined, { timeout: 20_000 }).toMatchObject([{ sessionId: `order/${orderId}` }]);
    expect(await tableOf(table)).toMatchObject({ seatsTaken: 1 });
  });

  test('ends if the order is over by then', async () => {
    const { order, path, company } = await newOrderableCart(services, orders);
    orders.write(await order('pending', { told: false }), 'expired');
    await expect
      .poll(async () => (await company.cart.post(`${path}/item`, poster(2))).status, { timeout: 20_000 })
      .toBe(200);
  });

  test('keeps a cart that was about to expire: its order may have been written without cart having heard of it', async () => {
    const { company, sessionId } = await newOrderableCart(services, orders);
    const sessions = services.models.cart.sessions.collection;
    const soon = new Date(Date.now() + 5_000);
    await sessions.updateOne({ sessionId }, { $set: { expiresAt: soon, purgeAt: soon } });
    await checkOut(services, company, { sessionId });
    const reserved = await sessions.findOne({ sessionId });
    expect(reserved?.['expiresAt']).toEqual(soon);
    expect(reserved?.['purgeAt'] - soon.getTime()).toBeGreaterThan(60_000);
  });
});
