import { orderBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company } from '../../../tests/harness/services.ts';

/** The body of an order that needs no offering. */
export const plain = (company: Company, changes: Record<string, unknown> = {}) =>
  orderBody(company.companyId, { items: [{ name: 'Poster', quantity: 1, unitPrice: 900 }], ...changes });

export async function place(company: Company, changes: Record<string, unknown> = {}) {
  const { status, body } = await company.commerce.post('/orders', plain(company, changes));
  expect(status).toBe(201);
  return body.data.order;
}

export const read = async (company: Company, id: string) => (await company.commerce.get(`/orders/${id}`)).body.data;

/** The types of the events of an order so far, sorted by name. */
export const toldOf = (company: Company, orderId: string): string[] =>
  company
    .published()
    .filter(({ subject }) => subject === orderId)
    .map(({ type }) => type)
    .toSorted((a, b) => a.localeCompare(b));

/** How far the clocks of commerce are ahead of the machine's, and how much further that of its second replica is. */
export function movableClocks() {
  const clocks = { aheadMs: 0, secondAheadMs: 0 };
  return {
    clocks,
    later: (seconds: number) => {
      clocks.aheadMs += seconds * 1_000;
    },
    clock: (service: string, replica: number) =>
      new Date(
        service === 'commerce' ? Date.now() + clocks.aheadMs + (replica === 1 ? clocks.secondAheadMs : 0) : Date.now(),
      ),
  };
}

export const HOUR_SECONDS = 3_600;
export const STATES = ['pending', 'pending for ever', 'placed', 'labelled', 'cancelled', 'expired'] as const;

/** A new order in a state, with the body that it was made from. `later` moves the clocks. */
export async function orderIn(company: Company, state: (typeof STATES)[number], later: (seconds: number) => void) {
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
    await expect.poll(async () => (await read(company, id)).status).toBe('expired');
  }
  return { sent, order: await read(company, id) };
}
