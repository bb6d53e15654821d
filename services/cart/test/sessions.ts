import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Company, Services } from '../../../tests/harness/services.ts';

export const item = (offeringId: string, quantity: number, more: object = {}) => ({ offeringId, quantity, ...more });
/** An item that is in no catalogue. */
export const poster = (quantity: number) => item('poster', quantity, { price: 100 });
export const newSessionId = () => `session-${randomUUID()}`;

export const setItem = (
  company: Company,
  id: string,
  body: object,
  headers: Record<string, string> = {},
  replica = 0,
) => company.cart.replica(replica).post(`/cart/sessions/${id}/item`, body, headers);

export async function createAdjustment(company: Company, body: Record<string, unknown>) {
  const { status } = await company.pricing.post('/pricing/adjustments', body);
  expect(status).toBe(201);
}

/** A cart with one item, of a company of its own, and what happens to it. */
export async function newCart(services: Services) {
  const company = services.newCompany();
  const sessionId = newSessionId();
  const path = `/cart/sessions/${sessionId}`;
  await company.cart.post(`${path}/item`, poster(1));
  return {
    company,
    sessionId,
    path,
    read: async () => (await company.cart.replica(1).get(path)).body.data,
    tableOf: async (id: string) => (await company.cart.get(`/cart/table-commitments/${id}`)).body.data,
    join: async () => {
      const { body } = await company.cart.post('/cart/table-commitments', { contextId: 'evt_1', seats: 1 });
      const tableCommitmentId: string = body.data.id;
      expect((await company.cart.post(`${path}/join-table`, { tableCommitmentId })).status).toBe(200);
      return tableCommitmentId;
    },
  };
}
