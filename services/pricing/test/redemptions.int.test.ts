import { compareCounters } from '@event-commerce/claims';
import { serve } from '@event-commerce/bus';
import { RPC } from '@event-commerce/contracts';
import { toPlatformError } from '@event-commerce/service-kit';
import { liveTenant, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redemptionCollections } from '../src/store/redemption-pools.ts';
import { type PricingReplicas, startPricingReplicas } from './harness.ts';
import { create, redeem } from './redeeming.ts';

const CLAIM_TTL_MS = 300;
let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2, claimTtlMs: CLAIM_TTL_MS });
});
afterAll(async () => pricing?.stop());

describe('redeeming', () => {
  test('answers the redemption and what is left', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 5 });
    const { status, body } = await redeem(company, id, { orderId: 'o1', customerId: 'c1', quantity: 2 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      redemption: { adjustmentId: id, orderId: 'o1', customerId: 'c1', quantity: 2, status: 'confirmed' },
      usage: { redeemed: 2, remaining: 3 },
    });
  });

  test('answers the same redemption for the same order, on every replica', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 5 });
    const first = await redeem(company, id, { orderId: 'o1' });
    const again = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => redeem(company, id, { orderId: 'o1' }, n % 2)),
    );
    expect(again.map((reply) => reply.status)).toEqual(again.map(() => 200));
    expect(new Set(again.map((reply) => reply.body.data.redemption.id))).toEqual(
      new Set([first.body.data.redemption.id]),
    );
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  });

  test('has no remainder without a cap', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api());
    expect((await redeem(company, id, { orderId: 'o1' })).body.data.usage).toEqual({ redeemed: 1, remaining: null });
  });

  test('is refused when the quantity does not fit as a whole', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 3 });
    const { status, body } = await redeem(company, id, { orderId: 'o1', quantity: 4 });
    expect([status, body.error.code]).toEqual([409, 'REDEMPTION_LIMIT_REACHED']);
    expect(body.error.details[0]).toMatchObject({ path: 'quantity', reason: 'redemption-limit-reached' });
    const ofOne = await create(company.api(), { maxRedemptionsPerCustomer: 3 });
    const refused = await redeem(company, ofOne, { orderId: 'o1', customerId: 'c1', quantity: 4 });
    expect(refused.body.error.details[0]).toMatchObject({
      path: 'customerId',
      reason: 'customer-redemption-limit-reached',
    });
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 0, claimed: 0, pending: 0 });
  });

  test.each([
    {},
    { orderId: '' },
    { orderId: 'o', quantity: 0 },
    { orderId: 'o', quantity: 1.5 },
    { orderId: { $ne: 1 } },
  ])('refuses the body %j', async (body) => {
    const company = pricing.newCompany();
    expect((await redeem(company, await create(company.api()), body)).status).toBe(400);
  });
});

describe('an order that is sent 150 times at once, to two replicas', () => {
  test.each([{ maxRedemptions: 1 }, { maxRedemptionsPerCustomer: 1 }, { maxRedemptionsPerCustomer: 3 }, {}])(
    'is redeemed once, and every answer is that redemption (conditions %j)',
    async (conditions) => {
      const company = pricing.newCompany();
      const id = await create(company.api(), conditions);
      const body = { orderId: 'same', customerId: 'c1' };
      const replies = await Promise.all(Array.from({ length: 150 }, (_, n) => redeem(company, id, body, n % 2)));
      expect(replies.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
      expect(replies.filter(({ status }) => status >= 300)).toEqual([]);
      expect(new Set(replies.map((reply) => reply.body.data.redemption.id)).size).toBe(1);
      expect(await pricing.usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
      const byCustomer = await pricing.models.customerUsage.findById(`${id}|c1`).lean();
      if ('maxRedemptionsPerCustomer' in conditions) {
        expect(byCustomer).toMatchObject({ confirmed: 1, claimed: 1, pending: [] });
      }
    },
  );
});

describe('releasing', () => {
  test('gives a redemption back once, however often and wherever it is asked', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 2, maxRedemptionsPerCustomer: 2 });
    const { body } = await redeem(company, id, { orderId: 'o1', customerId: 'c1' });
    await redeem(company, id, { orderId: 'o2', customerId: 'c1' });
    const url = `/pricing/adjustments/${id}/redemptions/${body.data.redemption.id}`;
    const replies = await Promise.all(Array.from({ length: 10 }, async (_, n) => company.api(n % 2).delete(url)));
    expect(replies.map((reply) => [reply.status, reply.body.data.redemption.status])).toEqual(
      replies.map(() => [200, 'released']),
    );
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
    expect((await redeem(company, id, { orderId: 'o3', customerId: 'c1' })).status).toBe(201);
    expect((await redeem(company, id, { orderId: 'o4', customerId: 'c1' })).status).toBe(409);
  });

  test('that was cut short before the counters is finished by a repeat, whose place is free for the next order', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 });
    const redeemed = await redeem(company, id, { orderId: 'o1', customerId: 'c1' });
    const { id: redemptionId } = redeemed.body.data.redemption;
    // As a process that was killed leaves it: noted, and in the ledger.
    const note = { id: redemptionId, by: 'dead', from: 'confirmed', to: 'released' };
    await pricing.models.usages.updateOne({ _id: id }, { $push: { moving: note } });
    const released = { $set: { status: 'released', releasedBy: 'dead' } };
    await pricing.models.redemptions.updateOne({ _id: redemptionId }, released);
    const { status, body } = await company.api().delete(`/pricing/adjustments/${id}/redemptions/${redemptionId}`);
    expect([status, body.data]).toMatchObject([
      200,
      { redemption: { status: 'released' }, usage: { redeemed: 0, remaining: 1 } },
    ]);
    expect((await redeem(company, id, { orderId: 'o2', customerId: 'c1' })).status).toBe(201);
  });

  test('lets the same order redeem again', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 1 });
    const { body } = await redeem(company, id, { orderId: 'o1' });
    await company.api().delete(`/pricing/adjustments/${id}/redemptions/${body.data.redemption.id}`);
    expect((await redeem(company, id, { orderId: 'o1' })).status).toBe(201);
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  });

  test('is refused while an order of the platform uses the redemption, also one from before the ledger said so', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await create(company.api(), {}, code);
    const orderId = 'ord_01k9q4m2x7f8vb3t6d5c0h0007';
    const claimed = await pricing.claim(company.companyId, { codes: [code], orderId });
    const redemptionId = claimed.claims[0]?.redemptionId ?? '';
    const expectRefusal = async () => {
      const { status, body } = await company.api().delete(`/pricing/adjustments/${id}/redemptions/${redemptionId}`);
      expect([status, body.error.code]).toEqual([409, 'REDEMPTION_HELD_BY_ORDER']);
      expect(body.error.message).toBe(`Order ${orderId} uses this redemption. Cancel the order to give it back.`);
    };
    // Before the ledger knows of it.
    await expectRefusal();
    const stop = serve(pricing.bus, RPC.settleOrder, { group: 'commerce', inFlightMax: 10, toPlatformError }, () =>
      JSON.stringify({ data: { outcome: 'placed', redemptionIds: [redemptionId] } }),
    );
    await expect
      .poll(() => pricing.usage(company, id), { timeout: 10_000 })
      .toEqual({ confirmed: 1, claimed: 1, pending: 0 });
    await stop();
    await expectRefusal();
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  });

  test('answers 404 for a redemption that there is not', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api());
    const { status, body } = await company.api().delete(`/pricing/adjustments/${id}/redemptions/rdm_none`);
    expect([status, body.error.code]).toEqual([404, 'REDEMPTION_NOT_FOUND']);
  });
});

test('a place that a crash left taken for a customer is free again when the claim was not redeemed, and taken when it was', async () => {
  const company = pricing.newCompany();
  const [cancelled, redeemed] = [newCode(), newCode()];
  const conditions = { maxRedemptions: 5, maxRedemptionsPerCustomer: 1 };
  const cancelledId = await create(company.api(), conditions, cancelled);
  const redeemedId = await create(company.api(), conditions, redeemed);
  const claims = [
    ...(await pricing.claim(company.companyId, { codes: [cancelled], customerId: 'c1' })).claims,
    ...(await pricing.claim(company.companyId, { codes: [redeemed], customerId: 'c1', orderId: 'ord_kept' })).claims,
  ];
  // As after a crash between the two counters: the adjustment has let go of both claims, their customer's counter has
  // not.
  await pricing.models.redemptions.collection.insertOne({
    _id: claims[1]?.redemptionId,
    companyId: company.companyId,
    adjustmentId: redeemedId,
    orderId: 'ord_kept',
    customerId: 'c1',
    quantity: 1,
    status: 'confirmed',
    created: new Date(),
  } as never);
  for (const [id, confirmed] of [[cancelledId, 0] as const, [redeemedId, 1] as const]) {
    const change = { $set: { pending: [], claimed: confirmed, confirmed } };
    await pricing.models.usages.collection.updateOne({ _id: id } as never, change);
  }
  const ofCustomer = async (id: string) => {
    const own = await pricing.models.customerUsage.findById(`${id}|c1`).lean();
    return own && { confirmed: own.confirmed, claimed: own.claimed, pending: own.pending.length };
  };
  await expect.poll(() => ofCustomer(cancelledId)).toEqual({ confirmed: 0, claimed: 0, pending: 0 });
  await expect.poll(() => ofCustomer(redeemedId)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  expect((await redeem(company, cancelledId, { orderId: 'o1', customerId: 'c1' })).status).toBe(201);
  expect((await redeem(company, redeemedId, { orderId: 'o1', customerId: 'c1' })).status).toBe(409);
});

test('counters that were damaged are found by the repair, and set right', async () => {
  const company = pricing.newCompany();
  const id = await create(company.api(), { maxRedemptions: 10 });
  for (const orderId of ['o1', 'o2', 'o3']) await redeem(company, id, { orderId });
  await pricing.models.usages.collection.updateOne({ _id: id } as never, { $set: { confirmed: 7, claimed: 9 } });
  const look = async (repair: boolean) =>
    Array.fromAsync(
      compareCounters(redemptionCollections(pricing.models), { repair, companyId: liveTenant(company.companyId) }),
    );
  const difference = {
    poolId: id,
    counted: { confirmed: 7, claimed: 9 },
    expected: { confirmed: 3, claimed: 3 },
  };
  expect(await look(false)).toMatchObject([{ ...difference, repaired: false }]);
  expect(await look(true)).toMatchObject([{ ...difference, repaired: true }]);
  expect(await look(false)).toEqual([]);
  expect(await pricing.usage(company, id)).toEqual({ confirmed: 3, claimed: 3, pending: 0 });
});
