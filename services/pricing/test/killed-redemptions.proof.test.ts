import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { toRecord } from '../src/adjustments/adjustment-record.ts';
import { budgetRepository } from '../src/budgets/budget.repository.ts';
import { redeemAdjustment } from '../src/redemptions/redeem-adjustment.ts';
import { redemptionPools } from '../src/redemptions/redemption-pools.ts';
import { redemptionRepository } from '../src/redemptions/redemption.repository.ts';
import { createAutomatic, redeem } from './purchases.ts';

const NO_RELAY = { publish: () => {}, stop: async () => {} };
const AMOUNT = 700;

let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { pricing: 1, commerce: 1 }, claimTtlMs: 300 });
});
afterAll(async () => services?.stop());

/** A redemption by hand of 7.00 EUR whose process is killed after `confirmations` confirmations. */
async function redeemUntil(confirmations: number) {
  const company = services.newCompany();
  const limit = { amount: 1_500, currency: 'EUR' };
  const budgetId = (await company.pricing.post('/pricing/budgets', { name: 'Summer', limit })).body.data.id;
  const id = await createAutomatic(company, { conditions: { budgetId, maxTickets: 10 } });
  const { pricing } = services.models;
  const clock = () => new Date();
  const pools = redemptionPools(pricing, NO_RELAY, clock);
  let made = 0;
  const confirm: typeof pools.confirm = async (claim, cause) => {
    if (made === confirmations) throw new Error('killed');
    made += 1;
    return await pools.confirm(claim, cause);
  };
  const deps = {
    adjustments: { find: async () => toRecord((await pricing.adjustments.findById(id).lean()) ?? expect.fail('gone')) },
    budgets: budgetRepository(
      pricing,
      pools,
      NO_RELAY,
      { use: async (_tenant, _growth, write) => await write() },
      async () => {},
      clock,
    ),
    codes: { find: async () => expect.fail('the adjustment has no codes') },
    redemptions: redemptionRepository(pricing),
    pools: { ...pools, confirm },
    clock,
  };
  const { companyId } = company;
  const who = { tenant: liveTenant(companyId), companyId, keyId: 'key_1', identityToken: '' };
  const caller = { ...who, requestId: 'test', traceparent: undefined };
  const body = { orderId: 'o1', tickets: 4, amount: AMOUNT };
  await expect(redeemAdjustment(deps, caller, id, { ...body, quantity: 1 })).rejects.toThrow('killed');
  return {
    again: async () => (await redeem(company, id, body)).status,
    /** How much of it counts: the redemption, its tickets, its amount, and what is pending. */
    counted: async () => {
      const adjustment = (await company.pricing.get(`/pricing/adjustments/${id}`)).body.data;
      const budget = (await company.pricing.get(`/pricing/budgets/${budgetId}`)).body.data;
      const { redeemed, tickets } = adjustment.usage;
      return [redeemed, tickets.claimed, budget.usage.spent, budget.usage.held];
    },
  };
}

test.each([
  [0, [0, 0, 0, 0]],
  [1, [1, 4, AMOUNT, 0]],
  [2, [1, 4, AMOUNT, 0]],
])(
  'all or nothing of a redemption soon counts if its process was killed after %i confirmations',
  async (confirmations, expected) => {
    const { counted } = await redeemUntil(confirmations);
    await expect.poll(counted, { timeout: 20_000 }).toEqual(expected);
  },
  30_000,
);

test('a repeat of an interrupted redemption makes all of it count at once', async () => {
  for (const confirmations of [0, 1, 2]) {
    const { again, counted } = await redeemUntil(confirmations);
    expect(await again()).toBeLessThan(300);
    expect(await counted()).toEqual([1, 4, AMOUNT, 0]);
  }
});
