import { compareCounters } from '@event-commerce/claims';
import { orderBody, proofSize, type Reply } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { redemptionCollections } from '../src/redemptions/redemption-pools.ts';
import { createAutomatic } from './purchases.ts';

const ROUNDS = proofSize(1, 5);
const BUYERS = 200;
const CAP = 100;
const PER_CUSTOMER = 5;
const PATIENT = { timeout: 60_000 };

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 2, commerce: 2, events: 1 },
    asProcesses: ['commerce', 'pricing'],
    // What an order that was not answered in time held is settled soon.
    claimTtlMs: 3_000,
  });
});
afterAll(async () => services?.stop());

/** A machine that is busy with other tests may not answer in time; every request here can be repeated. */
async function answered(request: (attempt: number) => Promise<Reply>): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const reply = await request(attempt);
    if (reply.status !== 503) return reply;
  }
}

/** Half price for some tickets, and a company that sells them. */
async function newSale(conditions: object) {
  const company = services.newCompany();
  const { commerce, companyId, events, pricing } = company;
  const id = await createAutomatic(company, { conditions, effect: { kind: 'percentage_off', percent: 50 } });
  const contextId = (await events.post('/events', { name: 'Festival' })).body.data.id;
  const offering = { name: 'Ticket', price: { amount: 5_000, currency: 'EUR' }, capacity: 10_000 };
  const offeringId = (await events.post(`/events/${contextId}/offerings`, offering)).body.data.id;
  const collections = redemptionCollections(services.models.pricing);
  return {
    /** Orders all at once, and returns the orders. */
    race: async (buyers: readonly { quantity: number; customerId: string }[]) => {
      const replies = await Promise.all(
        buyers.map(async ({ quantity, customerId }, n) => {
          const customer = { id: customerId, email: 'ada@example.com' };
          const body = orderBody(companyId, { contextId, items: [{ offeringId, quantity }], customer });
          return await answered(async (attempt) => commerce.replica((n + attempt) % 2).post('/orders', body));
        }),
      );
      expect(replies.flatMap(({ body }) => body.error ?? [])).toEqual([]);
      return replies.map(({ body }) => body.data.order);
    },
    cancel: async (orders: readonly any[]) =>
      await Promise.all(
        orders.map(async (order) => answered(async () => commerce.post(`/orders/${order.id}/cancel`, {}))),
      ),
    /** Waits until nothing is pending, and counts the tickets. */
    settled: async (): Promise<number> => {
      const pending = async () => await collections.pools.countDocuments({ 'pending.0': { $exists: true } });
      await expect.poll(pending, PATIENT).toBe(0);
      expect(await Array.fromAsync(compareCounters(collections, { repair: false }))).toEqual([]);
      return (await pricing.get(`/pricing/adjustments/${id}`)).body.data.usage.tickets.claimed;
    },
  };
}

const ticketsAtHalf = (some: readonly any[]): number =>
  some.reduce((sum, { costs }) => sum + (costs.subtotal - costs.total) / 2_500, 0);

test(
  'of 200 buyers of 1 to 7 tickets who race for 100 at half price, exactly 100 tickets get it, and each order costs what it got',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const sale = await newSale({ maxTickets: CAP });
      const buyers = Array.from({ length: BUYERS }, (_, n) => ({ quantity: 1 + (n % 7), customerId: `cus_${n}` }));
      const orders = await sale.race(buyers);
      expect(ticketsAtHalf(orders)).toBe(CAP);
      expect(await sale.settled()).toBe(CAP);
      await sale.cancel(orders);
      expect(await sale.settled()).toBe(0);
    }
  },
  ROUNDS * 180_000,
);

test('customers who race with themselves get no more tickets than each may have, and what they get is counted', async () => {
  const sale = await newSale({ maxTicketsPerCustomer: PER_CUSTOMER });
  const buyers = Array.from({ length: 40 }, (_, n) => ({ quantity: 1 + (n % 4), customerId: `cus_${n % 5}` }));
  const orders = await sale.race(buyers);
  for (const own of Map.groupBy(orders, ({ customer }) => customer.id).values()) {
    expect(ticketsAtHalf(own)).toBeLessThanOrEqual(PER_CUSTOMER);
  }
  expect(await sale.settled()).toBe(ticketsAtHalf(orders));
}, 180_000);
