import { adjustmentBody, newCode, orderBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company, Services } from '../../../tests/harness/services.ts';

/** Time to publish events and settle claims. */
export const PATIENT = { timeout: 30_000 };

export const EUR = (amount: number) => ({ amount, currency: 'EUR' });

/** Creates an adjustment that needs `code`. Returns its id. */
export async function createAdjustment(
  { pricing }: Company,
  code: string,
  { conditions = {}, ...others }: { conditions?: object; [member: string]: unknown } = {},
): Promise<string> {
  const body = adjustmentBody(code, { conditions: { code, ...conditions }, ...others });
  const made = await pricing.post('/pricing/adjustments', body);
  expect(made.status).toBe(201);
  return made.body.data.id;
}

/** The redemptions of an adjustment, each with its order and status. */
export const redemptionsOf = async ({ pricing }: Company, id: string) =>
  (await pricing.get(`/pricing/adjustments/${id}/redemptions`)).body.data.map((entry: any) => [
    entry.orderId,
    entry.status,
  ]);

/** Pricing's counters of an adjustment; no document exists before the first claim. */
export const usageOf = async ({ databases }: Services, id: string) =>
  await databases.pricing.collection<{ _id: string; [member: string]: any }>('usages').findOne({ _id: id });

/** The claims that pricing holds on an adjustment now. */
export const claimsOf = async (services: Services, id: string): Promise<{ orderId: string }[]> =>
  (await usageOf(services, id))?.['pending'] ?? [];

/** A company with an event, an offering at 50.00, and what its tests do with them. */
export async function newShop(services: Services, company = services.newCompany()) {
  const { cart, commerce, companyId, events } = company;
  const event = (await events.post('/events', { name: 'Gala' })).body.data;
  const offer = async (name: string, amount: number, more: object = {}) =>
    (await events.post(`/events/${event.id}/offerings`, { name, price: EUR(amount), capacity: 100, ...more })).body.data
      .id as string;
  const ticket = await offer('Ticket', 5_000);
  const adjust = async (changes: Parameters<typeof createAdjustment>[2]) => {
    const code = newCode();
    return { code, id: await createAdjustment(company, code, changes) };
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
    as: commerce.as,
    eventId: event.id as string,
    ticket,
    offer,
    adjust,
    body,
    cartOf,
    order: async (changes: Record<string, unknown>) => commerce.post('/orders', body(changes)),
    sold: async () => (await events.get(`/offerings/${ticket}`)).body.data.availability,
    left: async (id: string) => (await events.get(`/offerings/${id}`)).body.data.availability.left,
    claimed: async (id: string): Promise<number> => (await usageOf(services, id))?.['claimed'] ?? 0,
  };
}
