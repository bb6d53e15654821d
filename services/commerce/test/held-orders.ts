import { newCode, orderBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Services } from '../../../tests/harness/services.ts';
import { claimsOf, createAdjustment, EUR, usageOf } from './shop.ts';

export const LEFT = 10;

/** A company with ten tickets, and a code that can be redeemed ten times. An order takes two tickets and the code. */
export async function newScarceShop(services: Services) {
  const company = services.newCompany();
  const { commerce, companyId, events } = company;
  const event = (await events.post('/events', { name: 'Gala' })).body.data;
  const ticket = { name: 'Ticket', price: EUR(5_000), capacity: LEFT };
  const offering = (await events.post(`/events/${event.id}/offerings`, ticket)).body.data;
  const code = newCode();
  const adjustmentId = await createAdjustment(company, code, { conditions: { maxRedemptions: LEFT } });
  const body = (changes: Record<string, unknown> = {}) =>
    orderBody(companyId, { items: [{ offeringId: offering.id, quantity: 2 }], coupons: [code], ...changes });
  return {
    ...company,
    body,
    place: async (changes?: Record<string, unknown>) => {
      const { status, body: placed } = await commerce.post('/orders', body(changes));
      expect([status, placed.error?.message]).toEqual([201, undefined]);
      return placed.data.order;
    },
    /** How many tickets are sold, held and left, and how often the code is redeemed and claimed. */
    counts: async () => {
      const { availability } = (await events.get(`/offerings/${offering.id}`)).body.data;
      const usage = await usageOf(services, adjustmentId);
      return { ...availability, redeemed: usage?.['confirmed'] ?? 0, claimed: usage?.['claimed'] ?? 0 };
    },
    /** The claims that wait for their order to be written. */
    claims: async () => claimsOf(services, adjustmentId),
    pending: async () => (await claimsOf(services, adjustmentId)).length,
  };
}

export const held = (orders: number) => ({
  sold: 0,
  held: 2 * orders,
  left: LEFT - 2 * orders,
  redeemed: 0,
  claimed: orders,
});
export const sold = (orders: number) => ({
  sold: 2 * orders,
  held: 0,
  left: LEFT - 2 * orders,
  redeemed: orders,
  claimed: orders,
});
