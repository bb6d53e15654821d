import { outboxEntry } from '@event-commerce/outbox';
import { newId } from '@event-commerce/service-kit';
import { newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PricingReplicas, startPricingReplicas } from './harness.ts';
import { create, redeem } from './redeeming.ts';

const CLAIM_TTL_MS = 300;
let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2, claimTtlMs: CLAIM_TTL_MS });
});
afterAll(async () => pricing?.stop());

describe('a cap', () => {
  test('per customer admits exactly so many of 40 racing orders, for each customer', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptionsPerCustomer: 3 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, n) =>
        redeem(company, id, { orderId: `o${n}`, customerId: `c${n % 2}` }, n % 2),
      ),
    );
    for (const customerId of ['c0', 'c1']) {
      const admitted = replies.filter((reply) => reply.body.data?.redemption.customerId === customerId);
      expect(admitted).toHaveLength(3);
    }
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 6, claimed: 6, pending: 0 });
  });

  test('per customer needs a customer', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptionsPerCustomer: 1 });
    const { status, body } = await redeem(company, id, { orderId: 'o1' });
    expect([status, body.error.details[0].path]).toEqual([400, 'customerId']);
  });

  test('per customer that is set later counts what the customer redeemed before', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api());
    for (const orderId of ['o1', 'o2']) await redeem(company, id, { orderId, customerId: 'c1' });
    await company.api().patch(`/pricing/adjustments/${id}`, { conditions: { maxRedemptionsPerCustomer: 3 } });
    expect((await redeem(company, id, { orderId: 'o3', customerId: 'c1' })).status).toBe(201);
    const { status, body } = await redeem(company, id, { orderId: 'o4', customerId: 'c1' });
    expect([status, body.error.details[0].reason]).toEqual([409, 'customer-redemption-limit-reached']);
  });

  test('in total and per customer hold together', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 5, maxRedemptionsPerCustomer: 2 });
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) =>
        redeem(company, id, { orderId: `o${n}`, customerId: `c${n % 6}` }, n % 2),
      ),
    );
    // A claim that the customer's cap refuses holds a place for a moment, so the race may end before the last place is
    // taken.
    for (let n = 0; n < 6; n++) await redeem(company, id, { orderId: `late${n}`, customerId: `c${n}` });
    const ledger = await pricing.models.redemptions.find({ adjustmentId: id, status: 'confirmed' }).lean();
    expect(ledger).toHaveLength(5);
    const perCustomer = Map.groupBy(ledger, (entry) => entry.customerId);
    expect(Math.max(...[...perCustomer.values()].map((entries) => entries.length))).toBeLessThanOrEqual(2);
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 5, claimed: 5, pending: 0 });
  });

  test('that is set while others redeem holds for everybody from the answer on, on every replica', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await create(company.api(), {}, code);
    let capped = false;
    const admitted = { before: 0, after: 0 };
    const claimUntilRefused = async (): Promise<void> => {
      for (let n = 0; n < 50; n++) {
        const began = capped ? 'after' : 'before';
        const claims = await pricing.claim(company.companyId, { codes: [code] }).catch(() => undefined);
        if (claims === undefined) return;
        admitted[began] += 1;
      }
    };
    const claiming = Promise.all(Array.from({ length: 20 }, claimUntilRefused));
    await expect.poll(() => admitted.before, { interval: 5 }).toBeGreaterThan(20);
    await company.api(1).patch(`/pricing/adjustments/${id}`, { conditions: { code, maxRedemptions: 30 } });
    const { claimed: claimedThen } = await pricing.usage(company, id);
    capped = true;
    await claiming;
    expect((await pricing.usage(company, id)).claimed).toBe(Math.max(30, claimedThen));
    expect(admitted.before + admitted.after).toBe(Math.max(30, claimedThen));
  });

  test('that is lowered below what was redeemed admits nothing more', async () => {
    const company = pricing.newCompany();
    const id = await create(company.api(), { maxRedemptions: 5 });
    for (const orderId of ['o1', 'o2', 'o3']) await redeem(company, id, { orderId });
    await company.api().patch(`/pricing/adjustments/${id}`, { conditions: { maxRedemptions: 2 } });
    expect((await redeem(company, id, { orderId: 'o4' }, 1)).status).toBe(409);
  });

  test('of a coupon holds from the answer on, also if the change was interrupted before its pool knew it', async () => {
    const company = pricing.newCompany();
    const { companyId } = company;
    const coupon = { id: newId('cpn'), companyId, enabled: true, percentOff: 20, contextIds: [], offeringIds: [] };
    const capped = { ...coupon, code: newCode(), limit: 1 };
    await pricing.followCoupon(companyId, { ...capped, version: 1, limit: 5 });
    const adjustment = await pricing.models.adjustments.findOne({ couponId: coupon.id }).lean();
    const { _id: id = '' } = adjustment ?? {};
    const known = async () => (await pricing.models.usages.findById(id).lean())?.definitionVersion;
    await pricing.claim(companyId, { codes: [capped.code] });
    await pricing.followCoupon(companyId, { ...capped, version: 2 });
    expect(await known()).toBe(2);

    await pricing.models.usages.updateOne({ _id: id }, { $set: { definitionVersion: 1, limit: 5 } });
    await pricing.followCoupon(companyId, { ...capped, version: 2 });
    expect(await known()).toBe(2);
  });

  test('that was changed by a process that was killed before the pool knew it holds soon', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await create(company.api(), { maxRedemptions: 5 }, code);
    await pricing.claim(company.companyId, { codes: [code] });
    await pricing.models.adjustments.collection.updateOne({ _id: id } as never, {
      $set: { 'conditions.maxRedemptions': 1 },
      $inc: { version: 1 },
      $push: { outbox: outboxEntry('adjustment.updated', new Date(), {}) } as never,
    });
    const known = async () => (await pricing.models.usages.findById(id).lean())?.definitionVersion;
    await expect.poll(known).toBe(2);
  });
});
