import { proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { newRacingSale, takenOff } from './racing-sale.ts';

const ROUNDS = proofSize(1, 5);
const BUYERS = 200;
const CAP = 100;
const PER_CUSTOMER = 5;
const HALF = { kind: 'percentage_off', percent: 50 };

let services: Services;
beforeAll(async () => {
  services = await startServices({
    replicas: { pricing: 2, commerce: 2, events: 1 },
    asProcesses: ['commerce', 'pricing'],
    // Claims of an order that was not answered in time are settled soon.
    claimTtlMs: 3_000,
  });
});
afterAll(async () => services?.stop());

/** Half price for some tickets, and a company that sells them. */
async function newSale(conditions: object) {
  const sale = await newRacingSale(services, { conditions, effect: HALF });
  return {
    ...sale,
    /** Waits until nothing is pending, and counts the tickets. */
    settled: async (): Promise<number> => {
      await sale.settled();
      return (await sale.usage()).tickets.claimed;
    },
  };
}

const ticketsAtHalf = (some: readonly any[]): number => takenOff(some) / 2_500;

test(
  'when 200 buyers of 1 to 7 tickets race for 100 at half price, exactly 100 tickets get it, and each order pays for what it got',
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
