import { proofSize } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { createAutomatic } from './purchases.ts';
import { newRacingSale, takenOff } from './racing-sale.ts';

const ROUNDS = proofSize(1, 5);
const BUYERS = 200;
/** An odd amount, less than a tenth of what is bought. */
const LIMIT = 123_457;
const FEW = 60;
const FEW_LIMIT = 37_123;
const PER_CUSTOMER = 2_501;
const TENTH = { kind: 'percentage_off', percent: 10, per: 'order' };
const TENTH_EACH = { ...TENTH, per: 'unit' };

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

/** A company whose discount draws on a budget. */
async function newSale(budget: object, effect: object = TENTH) {
  const company = services.newCompany();
  const { pricing } = company;
  const limit = { amount: LIMIT, currency: 'EUR' };
  const made = await pricing.post('/pricing/budgets', { name: 'Shared', limit, onExhausted: 'partial', ...budget });
  const budgetId = made.body.data.id as string;
  const sale = await newRacingSale(services, { conditions: { budgetId }, effect }, company);
  return {
    ...sale,
    company,
    budgetId,
    /** Waits until nothing is pending, and reads what is drawn. */
    settled: async (query = '') => {
      await sale.settled();
      return (await pricing.get(`/pricing/budgets/${budgetId}${query}`)).body.data.usage;
    },
  };
}

const buyers = Array.from({ length: BUYERS }, (_, n) => ({ quantity: 1 + (n % 7), customerId: `cus_${n}` }));

test(
  '200 orders that race for a shared partial budget draw exactly its limit, each order pays for what it got, and all return it',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const sale = await newSale({});
      // Another adjustment draws on the same budget.
      const other = { conditions: { budgetId: sale.budgetId }, effect: { ...TENTH, percent: 12.5 } };
      await createAutomatic(sale.company, other);
      const orders = await sale.race(buyers);
      for (const { pricing, costs } of orders) {
        const drawn = pricing.modifiers.reduce((sum: number, { total }: any) => sum - total, 0);
        expect(costs.subtotal - costs.total).toBe(drawn);
      }
      expect(takenOff(orders)).toBe(LIMIT);
      expect(await sale.settled()).toEqual({ spent: LIMIT, held: 0, left: 0 });
      await sale.cancel(orders);
      expect(await sale.settled()).toEqual({ spent: 0, held: 0, left: LIMIT });
      const exhausted = sale.company.published().filter(({ type }) => type === 'budget.exhausted');
      expect(exhausted).toHaveLength(1);
    }
  },
  ROUNDS * 180_000,
);

test('orders that race for whole tickets, or for all or nothing, draw no more than the limit, and what they draw is counted', async () => {
  for (const [budget, effect, least] of [
    [{}, TENTH_EACH, FEW_LIMIT - 500],
    [{ onExhausted: 'drop' }, TENTH, FEW_LIMIT - 500],
  ] as const) {
    const sale = await newSale({ ...budget, limit: { amount: FEW_LIMIT, currency: 'EUR' } }, effect);
    const orders = await sale.race(buyers.slice(0, FEW));
    expect(takenOff(orders)).toBeLessThanOrEqual(FEW_LIMIT);
    expect(await sale.settled()).toEqual({ spent: takenOff(orders), held: 0, left: FEW_LIMIT - takenOff(orders) });
    // Orders that held more than they finally drew have returned the rest: the next ones get it.
    for (let n = 0; takenOff(orders) <= least; n++) {
      orders.push(...(await sale.race([{ quantity: 1, customerId: `later_${n}` }])));
      await sale.settled();
    }
    expect(takenOff(orders)).toBeLessThanOrEqual(FEW_LIMIT);
  }
}, 180_000);

test('customers who race with themselves draw no more than each may, and what they draw is counted', async () => {
  const sale = await newSale({ per: 'customer', limit: { amount: PER_CUSTOMER, currency: 'EUR' } });
  const some = Array.from({ length: 24 }, (_, n) => ({ quantity: 1 + (n % 4), customerId: `cus_${n % 3}` }));
  const orders = await sale.race(some);
  for (const [customerId, own] of Map.groupBy(orders, ({ customer }) => customer.id)) {
    expect(takenOff(own)).toBeLessThanOrEqual(PER_CUSTOMER);
    expect(await sale.settled(`?customerId=${customerId}`)).toMatchObject({ spent: takenOff(own), held: 0 });
  }
  expect(await sale.settled()).toEqual({ spent: takenOff(orders), held: 0, left: null });
}, 180_000);
