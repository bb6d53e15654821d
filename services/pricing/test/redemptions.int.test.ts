import { compareCounters } from '@event-commerce/claims';
import { liveTenant } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { redemptionCollections } from '../src/redemptions/redemption-pools.ts';
import { createCoupon, redeem, usageOf } from './purchases.ts';

const services = await sharedServices();

describe('redeeming', () => {
  test('returns the redemption and what is left', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptions: 5 });
    const { status, body } = await redeem(company, id, { orderId: 'o1', customerId: 'c1', quantity: 2 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      redemption: { adjustmentId: id, orderId: 'o1', customerId: 'c1', quantity: 2, status: 'confirmed' },
      usage: { redeemed: 2, remaining: 3 },
    });
  });

  test('returns the same redemption for the same order, on every replica', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptions: 5 });
    const first = await redeem(company, id, { orderId: 'o1' });
    const again = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => redeem(company, id, { orderId: 'o1' }, n % 2)),
    );
    expect(again.map((reply) => reply.status)).toEqual(again.map(() => 200));
    expect(new Set(again.map((reply) => reply.body.data.redemption.id))).toEqual(
      new Set([first.body.data.redemption.id]),
    );
    expect(await usageOf(services, company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  });

  test('returns no remainder without a cap', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company);
    expect((await redeem(company, id, { orderId: 'o1' })).body.data.usage).toEqual({ redeemed: 1, remaining: null });
  });

  test('is refused when the quantity does not fit as a whole', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptions: 3 });
    const { status, body } = await redeem(company, id, { orderId: 'o1', quantity: 4 });
    expect([status, body.error.code]).toEqual([409, 'REDEMPTION_LIMIT_REACHED']);
    expect(body.error.details[0]).toMatchObject({ path: 'quantity', reason: 'redemption-limit-reached' });
    const { id: ofOne } = await createCoupon(company, { maxRedemptionsPerCustomer: 3 });
    const refused = await redeem(company, ofOne, { orderId: 'o1', customerId: 'c1', quantity: 4 });
    expect(refused.body.error.details[0]).toMatchObject({
      path: 'customerId',
      reason: 'customer-redemption-limit-reached',
    });
    expect(await usageOf(services, company, id)).toEqual({ confirmed: 0, claimed: 0, pending: 0 });
  });

  test.each([
    {},
    { orderId: '' },
    { orderId: 'o', quantity: 0 },
    { orderId: 'o', quantity: 1.5 },
    { orderId: { $ne: 1 } },
  ])('refuses the body %j', async (body) => {
    const company = services.newCompany();
    const { id } = await createCoupon(company);
    expect((await redeem(company, id, body)).status).toBe(400);
  });
});

describe('releasing', () => {
  test('releases a redemption once, however often and on whichever replica it is requested', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptions: 2, maxRedemptionsPerCustomer: 2 });
    const { body } = await redeem(company, id, { orderId: 'o1', customerId: 'c1' });
    await redeem(company, id, { orderId: 'o2', customerId: 'c1' });
    const url = `/pricing/adjustments/${id}/redemptions/${body.data.redemption.id}`;
    const replies = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => company.pricing.replica(n % 2).delete(url)),
    );
    expect(replies.map((reply) => [reply.status, reply.body.data.redemption.status])).toEqual(
      replies.map(() => [200, 'released']),
    );
    expect(await usageOf(services, company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
    expect((await redeem(company, id, { orderId: 'o3', customerId: 'c1' })).status).toBe(201);
    expect((await redeem(company, id, { orderId: 'o4', customerId: 'c1' })).status).toBe(409);
  });

  test('that was interrupted before the counters is completed by a repeat, and its place is free for the next order', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 });
    const redeemed = await redeem(company, id, { orderId: 'o1', customerId: 'c1' });
    const { id: redemptionId } = redeemed.body.data.redemption;
    // As a killed process leaves it: recorded, and in the ledger.
    const [from, to] = ['confirmed', 'released'].map((was) => ({ status: was, quantity: 1 }));
    const note = { id: redemptionId, by: 'dead', from, to };
    await services.models.pricing.customerUsage.updateOne({ _id: `${id}\nc1` }, { $push: { transitions: note } });
    await services.models.pricing.usages.updateOne({ _id: id }, { $push: { transitions: note } });
    const released = { $set: { status: 'released', steps: [{ by: 'dead', claimed: -1, confirmed: -1 }] } };
    await services.models.pricing.redemptions.updateOne({ _id: redemptionId }, released);
    const { status, body } = await company.pricing.delete(`/pricing/adjustments/${id}/redemptions/${redemptionId}`);
    expect([status, body.data]).toMatchObject([
      200,
      { redemption: { status: 'released' }, usage: { redeemed: 0, remaining: 1 } },
    ]);
    expect((await redeem(company, id, { orderId: 'o2', customerId: 'c1' })).status).toBe(201);
  });

  test('lets the same order redeem again', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, { maxRedemptions: 1 });
    const { body } = await redeem(company, id, { orderId: 'o1' });
    await company.pricing.delete(`/pricing/adjustments/${id}/redemptions/${body.data.redemption.id}`);
    expect((await redeem(company, id, { orderId: 'o1' })).status).toBe(201);
    expect(await usageOf(services, company, id)).toEqual({ confirmed: 1, claimed: 1, pending: 0 });
  });

  test('is 404 for an unknown redemption', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company);
    const { status, body } = await company.pricing.delete(`/pricing/adjustments/${id}/redemptions/rdm_none`);
    expect([status, body.error.code]).toEqual([404, 'REDEMPTION_NOT_FOUND']);
  });
});

test('the repair finds and corrects damaged counters', async () => {
  const company = services.newCompany();
  const { id } = await createCoupon(company, { maxRedemptions: 10 });
  for (const orderId of ['o1', 'o2', 'o3']) await redeem(company, id, { orderId });
  await services.models.pricing.usages.collection.updateOne({ _id: id } as never, {
    $set: { confirmed: 7, claimed: 9 },
  });
  const look = async (repair: boolean) =>
    Array.fromAsync(
      compareCounters(redemptionCollections(services.models.pricing), {
        repair,
        companyId: liveTenant(company.companyId),
      }),
    );
  const difference = {
    poolId: id,
    counted: { confirmed: 7, claimed: 9 },
    expected: { confirmed: 3, claimed: 3 },
  };
  expect(await look(false)).toMatchObject([{ ...difference, repaired: false }]);
  expect(await look(true)).toMatchObject([{ ...difference, repaired: true }]);
  expect(await look(false)).toEqual([]);
  expect(await usageOf(services, company, id)).toEqual({ confirmed: 3, claimed: 3, pending: 0 });
});
