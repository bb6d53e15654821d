import { outboxEntry } from '@event-commerce/outbox';
import { newId } from '@event-commerce/service-kit';
import { newCode } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { claim, createCoupon, followCoupon, redeem, usageOf } from './purchases.ts';

const services = await sharedServices();

describe('a cap', () => {
  test('per customer admits exactly its number of orders for each customer when 40 race', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptionsPerCustomer: 3 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, n) =>
        redeem(company, id, { orderId: `o${n}`, customerId: `c${n % 2}` }, n % 2),
      ),
    );
    for (const customerId of ['c0', 'c1']) {
      const admitted = replies.filter((reply) => reply.body.data?.redemption.customerId === customerId);
      expect(admitted).toHaveLength(3);
    }
    expect(await usageOf(services, company, id)).toEqual({ confirmed: 6, claimed: 6, pending: 0 });
  });

  test('per customer needs a customer', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptionsPerCustomer: 1 });
    const { status, body } = await redeem(company, id, { orderId: 'o1' });
    expect([status, body.error.details[0].path]).toEqual([400, 'customerId']);
  });

  test('per customer that is set later counts what the customer redeemed before', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company);
    for (const orderId of ['o1', 'o2']) await redeem(company, id, { orderId, customerId: 'c1' });
    await company.pricing.patch(`/pricing/adjustments/${id}`, { conditions: { maxRedemptionsPerCustomer: 3 } });
    expect((await redeem(company, id, { orderId: 'o3', customerId: 'c1' })).status).toBe(201);
    const { status, body } = await redeem(company, id, { orderId: 'o4', customerId: 'c1' });
    expect([status, body.error.details[0].reason]).toEqual([409, 'customer-redemption-limit-reached']);
  });

  test('that is lowered below what was redeemed admits nothing more', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptions: 5 });
    for (const orderId of ['o1', 'o2', 'o3']) await redeem(company, id, { orderId });
    await company.pricing.patch(`/pricing/adjustments/${id}`, { conditions: { maxRedemptions: 2 } });
    expect((await redeem(company, id, { orderId: 'o4' }, 1)).status).toBe(409);
  });

  test('of a coupon applies once a repeat succeeds, even if the change was interrupted before it reached the pool', async () => {
    const company = services.newCompany();
    const { companyId } = company;
    const coupon = { id: newId('cpn'), companyId, percentOff: 20 };
    const capped = { ...coupon, code: newCode(), limit: 1 };
    await followCoupon(services, company, { ...capped, version: 1, limit: 5 });
    const adjustment = await services.models.pricing.adjustments.findOne({ couponId: coupon.id }).lean();
    const { _id: id = '' } = adjustment ?? {};
    const known = async () => (await services.models.pricing.usages.findById(id).lean())?.definitionVersion;
    await claim(services, company, { codes: [capped.code] });
    await followCoupon(services, company, { ...capped, version: 2 });
    expect(await known()).toBe(2);

    await services.models.pricing.usages.updateOne({ _id: id }, { $set: { definitionVersion: 1, limit: 5 } });
    await followCoupon(services, company, { ...capped, version: 2 });
    expect(await known()).toBe(2);
  });

  test('changed by a process that was killed before it reached the pool applies soon', async () => {
    const company = services.newCompany();
    const { code, id } = await createCoupon(company, { maxRedemptions: 5 });
    await claim(services, company, { codes: [code] });
    await services.models.pricing.adjustments.collection.updateOne({ _id: id } as never, {
      $set: { 'conditions.maxRedemptions': 1 },
      $inc: { version: 1 },
      $push: { outbox: outboxEntry('adjustment.updated', new Date(), {}) } as never,
    });
    const known = async () => (await services.models.pricing.usages.findById(id).lean())?.definitionVersion;
    await expect.poll(known).toBe(2);
  });
});
