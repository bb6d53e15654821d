import { compareCounters } from '@event-commerce/claims';
import { orderBody, type Reply } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company, Services } from '../../../tests/harness/services.ts';
import { redemptionCollections } from '../src/redemptions/redemption-pools.ts';
import { createAutomatic } from './purchases.ts';

const PATIENT = { timeout: 60_000 };

/** A machine that is busy with other tests may not answer in time; every request here can be repeated. */
async function answered(request: (attempt: number) => Promise<Reply>): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const reply = await request(attempt);
    if (reply.status !== 503) return reply;
  }
}

/** A company that sells tickets at 50.00 with an automatic discount, and orders that race for it. */
export async function newRacingSale(
  services: Services,
  discount: { conditions: object; effect: object },
  company: Company = services.newCompany(),
) {
  const { commerce, companyId, events, pricing } = company;
  const id = await createAutomatic(company, discount);
  const contextId = (await events.post('/events', { name: 'Festival' })).body.data.id;
  const offering = { name: 'Ticket', price: { amount: 5_000, currency: 'EUR' }, capacity: 10_000 };
  const offeringId = (await events.post(`/events/${contextId}/offerings`, offering)).body.data.id;
  const collections = redemptionCollections(services.models.pricing);
  /** Orders at one replica of commerce, or at the other if it does not answer. */
  const buy = async ({ quantity, customerId }: { quantity: number; customerId: string }, replica: number) => {
    const customer = { id: customerId, email: 'ada@example.com' };
    const body = orderBody(companyId, { contextId, items: [{ offeringId, quantity }], customer });
    const reply = await answered(async (attempt) =>
      commerce.replica((replica + attempt) % services.replicas.commerce.length).post('/orders', body),
    );
    expect(reply.body.error).toBeUndefined();
    return reply.body.data.order;
  };
  return {
    buy,
    usage: async () => (await pricing.get(`/pricing/adjustments/${id}`)).body.data.usage,
    /** Places the orders of all buyers at once, and returns them. */
    race: async (buyers: readonly { quantity: number; customerId: string }[]): Promise<any[]> =>
      await Promise.all(buyers.map(async (buyer, n) => buy(buyer, n % 2))),
    cancel: async (orders: readonly any[]) =>
      await Promise.all(
        orders.map(async (order) => answered(async () => commerce.post(`/orders/${order.id}/cancel`, {}))),
      ),
    /** Waits until nothing is pending, and compares the counters with the ledger. */
    settled: async (): Promise<void> => {
      const pending = async () => await collections.pools.countDocuments({ 'pending.0': { $exists: true } });
      await expect.poll(pending, PATIENT).toBe(0);
      expect(await Array.fromAsync(compareCounters(collections, { repair: false }))).toEqual([]);
    },
  };
}

/** How much the discounts of orders take off, all together. */
export function takenOff(orders: readonly any[]): number {
  return orders.reduce((sum, { costs }) => sum + costs.subtotal - costs.total, 0);
}
