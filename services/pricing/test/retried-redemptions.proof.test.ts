import type { Relay } from '@event-commerce/outbox';
import { liveTenant, proofSize } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import { toRecord } from '../src/adjustments/adjustment-record.ts';
import type { UsageDocument } from '../src/models.ts';
import { redemptionPools } from '../src/redemptions/redemption-pools.ts';
import { redemptionRepository } from '../src/redemptions/redemption.repository.ts';
import { redeemAdjustment } from '../src/redemptions/redeem-adjustment.ts';
import { createCoupon, redeem, usageOf } from './purchases.ts';

const services = await sharedServices();

/** Redeems `id` as a process that is killed after claiming, before the ledger has the redemption. */
async function redeemHalf({ companyId }: Company, id: string, body: { orderId: string; customerId: string }) {
  const relay: Relay<UsageDocument> = { publish: () => {}, stop: async () => {} };
  const pools = redemptionPools(services.models.pricing, relay, () => new Date());
  const confirm = async () => await Promise.reject(new Error('killed'));
  const find = async () =>
    toRecord((await services.models.pricing.adjustments.findById(id).lean()) ?? expect.fail('not there'));
  const deps = {
    codes: { find: async () => new Map() },
    adjustments: { find },
    redemptions: redemptionRepository(services.models.pricing),
    budgets: { find: async () => undefined, noteExhausted: async () => {} },
    clock: () => new Date(),
    pools: { ...pools, confirm },
  };
  const who = { tenant: liveTenant(companyId), companyId, keyId: 'key_1', identityToken: '' };
  const caller = { ...who, requestId: 'test', traceparent: undefined };
  await expect(redeemAdjustment(deps, caller, id, { ...body, quantity: 1 })).rejects.toThrow('killed');
}

test('a redemption that was interrupted before it reached the ledger is completed by the next attempt', async () => {
  const company = services.newCompany();
  for (const conditions of [{ maxRedemptionsPerCustomer: 1 }, { maxRedemptions: 1 }, {}]) {
    const { id } = await createCoupon(company, conditions);
    const body = { orderId: 'o1', customerId: 'c1' };
    await redeemHalf(company, id, body);
    expect(await usageOf(services, company, id)).toEqual({ confirmed: 0, claimed: 1, pending: 1 });
    const replies = [await redeem(company, id, body), await redeem(company, id, body, 1)];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await usageOf(services, company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  }
});

test('concurrent copies of an order are never refused because of one another', async () => {
  const company = services.newCompany();
  const { id } = await createCoupon(company, { maxRedemptionsPerCustomer: 1 });
  for (let round = 0; round < proofSize(8, 100); round++) {
    const body = { orderId: `o${round}`, customerId: `c${round}` };
    const replies = await Promise.all(Array.from({ length: 8 }, async (_, n) => redeem(company, id, body, n % 2)));
    expect(replies.filter(({ status }) => status >= 300).map((reply) => reply.body)).toEqual([]);
    expect(new Set(replies.map(({ body: { data } }) => data.redemption.id)).size).toBe(1);
  }
}, 240_000);

describe('an order that is sent 150 times at once, to two replicas', () => {
  test.each([{ maxRedemptions: 1 }, { maxRedemptionsPerCustomer: 1 }, { maxRedemptionsPerCustomer: 3 }, {}])(
    'is redeemed once, and every answer is that redemption (conditions %j)',
    async (conditions) => {
      const company = services.newCompany();
      const { id } = await createCoupon(company, conditions);
      const body = { orderId: 'same', customerId: 'c1' };
      const replies = await Promise.all(Array.from({ length: 150 }, (_, n) => redeem(company, id, body, n % 2)));
      expect(replies.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
      expect(replies.filter(({ status }) => status >= 300)).toEqual([]);
      expect(new Set(replies.map((reply) => reply.body.data.redemption.id)).size).toBe(1);
      expect(await usageOf(services, company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
      const byCustomer = await services.models.pricing.customerUsage.findById(`${id}\nc1`).lean();
      expect(byCustomer).toMatchObject({ claimed: 1, pending: [] });
    },
  );
});
