import type { Relay } from '@event-commerce/outbox';
import { liveTenant, rounds } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toRecord } from '../src/store/adjustment-record.ts';
import type { UsageDocument } from '../src/store/models.ts';
import { redemptionPools } from '../src/store/redemption-pools.ts';
import { redemptionRepository } from '../src/store/redemption.repository.ts';
import { redeemAdjustment } from '../src/use-cases/redeem-adjustment.ts';
import { type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';
import { create, redeem } from './redeeming.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2 });
});
afterAll(async () => pricing?.stop());

/** Redeems `id` as a process does that is killed when it has claimed, before the ledger has it. */
async function redeemHalf({ companyId }: Company, id: string, body: { orderId: string; customerId: string }) {
  const { models } = pricing;
  const relay: Relay<UsageDocument> = { publish: () => {}, stop: async () => {} };
  const pools = redemptionPools(models, relay, () => new Date());
  const confirm = async () => await Promise.reject(new Error('killed'));
  const find = async () => toRecord((await models.adjustments.findById(id).lean()) ?? expect.fail('not there'));
  const deps = { adjustments: { find }, redemptions: redemptionRepository(models), pools: { ...pools, confirm } };
  const who = { tenant: liveTenant(companyId), companyId, keyId: 'key_1', identityToken: '' };
  const caller = { ...who, requestId: 'test', traceparent: undefined };
  await expect(redeemAdjustment(deps, caller, id, { ...body, quantity: 1 })).rejects.toThrow('killed');
}

test('a redemption that was interrupted before the ledger had it is completed by the next attempt', async () => {
  const company = pricing.newCompany();
  for (const conditions of [{ maxRedemptionsPerCustomer: 1 }, { maxRedemptions: 1 }, {}]) {
    const id = await create(company.api(), conditions);
    const body = { orderId: 'o1', customerId: 'c1' };
    await redeemHalf(company, id, body);
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 0, claimed: 1, pending: 1 });
    const replies = [await redeem(company, id, body), await redeem(company, id, body, 1)];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  }
});

test('copies of an order that come at once are never refused because of one another', async () => {
  const company = pricing.newCompany();
  const id = await create(company.api(), { maxRedemptionsPerCustomer: 1 });
  for (let round = 0; round < rounds(300); round++) {
    const body = { orderId: `o${round}`, customerId: `c${round}` };
    const replies = await Promise.all(Array.from({ length: 8 }, async (_, n) => redeem(company, id, body, n % 2)));
    expect(replies.filter(({ status }) => status >= 300).map((reply) => reply.body)).toEqual([]);
    expect(new Set(replies.map(({ body: { data } }) => data.redemption.id)).size).toBe(1);
  }
}, 240_000);
