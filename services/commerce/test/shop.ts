import { adjustmentBody, newCode, orderBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { CommerceAndPricing } from './harness.ts';

/** Events are published, and claims settled. */
export const PATIENT = { timeout: 30_000 };

export const EUR = (amount: number) => ({ amount, currency: 'EUR' });

/** A company with an event, two offerings at 50.00 and 20.00, and what its tests do with them. */
export async function newShop(platform: CommerceAndPricing) {
  const company = platform.newCompany();
  const { cart, commerce, companyId, events, pricing } = company;
  const event = (await events.post('/events', { name: 'Gala' })).body.data;
  const offer = async (name: string, amount: number, more: object = {}) =>
    (await events.post(`/events/${event.id}/offerings`, { name, price: EUR(amount), capacity: 100, ...more })).body.data
      .id as string;
  const [ticket, drink] = [await offer('Ticket', 5_000), await offer('Drink', 2_000)];
  const adjust = async (changes: Record<string, unknown>) => {
    const code = newCode();
    const { conditions = {}, ...others } = changes as { conditions?: object };
    const body = adjustmentBody(code, { conditions: { code, ...conditions }, ...others });
    const made = await pricing.post('/pricing/adjustments', body);
    expect(made.status).toBe(201);
    return { code, id: made.body.data.id as string };
  };
  const body = (changes: Record<string, unknown>) =>
    orderBody(companyId, { contextId: event.id, items: [], ...changes });
  const cartOf = async (items: object[], changes: object = {}) => {
    const made = await cart.post('/cart/sessions', { items, currency: 'EUR', ...changes });
    expect(made.status).toBe(201);
    return made.body.data;
  };
  return {
    ...company,
    eventId: event.id as string,
    ticket,
    drink,
    offer,
    adjust,
    body,
    cartOf,
    order: async (changes: Record<string, unknown>) => commerce.post('/orders', body(changes)),
    sold: async () => (await events.get(`/offerings/${ticket}`)).body.data.availability,
    left: async (id: string) => (await events.get(`/offerings/${id}`)).body.data.availability.left,
    claimed: async (id: string) =>
      (await platform.pricingDb.collection('usages').findOne({ _id: id } as never))?.['claimed'] ?? 0,
  };
}
