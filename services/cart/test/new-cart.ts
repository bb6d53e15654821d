import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Carts } from './cart-fixture.ts';

/** An item that is in no catalogue. */
export const poster = (quantity: number) => ({ offeringId: 'poster', quantity, price: 100 });

/** A cart with one item, of a company of its own, and what happens to it. */
export async function newCart(carts: Carts) {
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
    /**
     * Reserves the session and writes its order; unless a test does that, tells cart of it, and waits until it knows.
     */
    order: async (state: 'pending' | 'placed' = 'placed', { told = true } = {}) => {
      const { orderId } = await company.checkOut({ sessionId });
      carts.orders.write(orderId, state);
      if (!told) return orderId;
      await company.tell({ orderId, sessionId, state });
      const stored = async () => await carts.models.sessions.collection.findOne({ sessionId });
      await expect.poll(stored).toMatchObject({ ordered: { orderId } });
      return orderId;
    },
  };
}
