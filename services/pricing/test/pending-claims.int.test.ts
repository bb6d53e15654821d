import { PENDING_MAX, type PendingClaim } from '@event-commerce/claims';
import { newId } from '@event-commerce/service-kit';
import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { buy, cancel, claim, createAutomatic, createCoupon, NOTHING, redeemed, usageOf } from './purchases.ts';

const services = await sharedServices();

const pendingClaim = (change: Partial<PendingClaim> = {}): PendingClaim => ({
  id: newId('rdm'),
  orderId: newId('ord'),
  quantity: 1,
  settledBy: 'commerce',
  ...change,
});

/** Makes `pending` the claims of an adjustment that has been claimed before. */
async function setPending(id: string, pending: readonly PendingClaim[]): Promise<void> {
  const $set = { pending, claimed: pending.length };
  await services.models.pricing.usages.collection.updateOne({ _id: id } as never, { $set, $inc: { version: 1 } });
}

test('a full cap is not final while an order that may still be refused holds the last redemption', async () => {
  const company = services.newCompany();
  const { code, id } = await createCoupon(company, { maxRedemptions: 1 });
  const order = async () => claim(services, company, { codes: [code] });
  const byHand = async () => company.pricing.post(`/pricing/adjustments/${id}/redemptions`, { orderId: 'o-1' });
  const { orderId, claims } = await order();
  await expect(order()).rejects.toMatchObject({ code: 'REDEMPTION_LIMIT_REACHED', retryAfterSeconds: 1 });
  expect((await byHand()).headers.get('retry-after')).toBe('1');
  await cancel(services, company, { orderId, claims });
  expect((await byHand()).status).toBe(201);
  await expect(order()).rejects.toMatchObject({ code: 'REDEMPTION_LIMIT_REACHED', retryAfterSeconds: undefined });
});

test('a cap found full before anything is claimed is not final either while an order holds the last redemption', async () => {
  const company = services.newCompany();
  const scarce = await createCoupon(company, { maxRedemptions: 1 }, { effect: { kind: 'percentage_off', percent: 5 } });
  const better = await createCoupon(company);
  const { orderId, claims } = await buy(services, company, { codes: [scarce.code] });
  const buyWithBoth = async () => buy(services, company, { codes: [scarce.code, better.code] });
  await expect(buyWithBoth()).rejects.toMatchObject({ code: 'REDEMPTION_LIMIT_REACHED', retryAfterSeconds: 1 });
  await cancel(services, company, { orderId, claims });
  expect(redeemed(await buyWithBoth())).toEqual([better.id]);
});

describe('an automatic discount whose last place is held by an order that may still be refused', () => {
  const lastPlaceHeld = async () => {
    const company = services.newCompany();
    const id = await createAutomatic(company, { conditions: { maxRedemptions: 1 } });
    const { orderId, claims } = await buy(services, company);
    return { company, id, release: async () => cancel(services, company, { orderId, claims }) };
  };

  test('is not lost: the next order is told to retry, claims nothing, and gets it once it is released', async () => {
    const { company, id, release } = await lastPlaceHeld();
    const always = await createAutomatic(company, { effect: { kind: 'percentage_off', percent: 5 } });
    const details = [{ adjustmentId: id, reason: 'redemption-limit-reached' }];
    await expect(buy(services, company)).rejects.toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
      retryAfterSeconds: 1,
      details,
    });
    expect(await usageOf(services, company, always)).toEqual(NOTHING);
    await expect(buy(services, company, { expectedTotal: 8_500 })).rejects.toMatchObject({
      code: 'PRICE_CHANGED',
      retryAfterSeconds: 1,
    });
    await release();
    const bought = await buy(services, company, { expectedTotal: 8_500 });
    expect([redeemed(bought), bought.price?.summary.total]).toEqual([[id, always].toSorted(), 8_500]);
  });

  test('does not block buyers who were shown the price without it, or for whom it changes nothing', async () => {
    const { company } = await lastPlaceHeld();
    expect((await buy(services, company, { expectedTotal: 10_000 })).price?.summary.total).toBe(10_000);
    await createAutomatic(company, { effect: { kind: 'percentage_off', percent: 100 }, priority: 9 });
    expect((await buy(services, company)).price?.summary.total).toBe(0);
  });

  test('is lost once that order is placed', async () => {
    const company = services.newCompany();
    const id = await createAutomatic(company, { conditions: { maxRedemptions: 1 } });
    await company.pricing.post(`/pricing/adjustments/${id}/redemptions`, { orderId: 'o-1' });
    expect((await buy(services, company)).price?.summary.total).toBe(10_000);
    await expect(buy(services, company, { expectedTotal: 9_000 })).rejects.toMatchObject({
      code: 'PRICE_CHANGED',
      retryAfterSeconds: undefined,
    });
  });
});

test('a full cap per customer is not final while an order holds the last redemption', async () => {
  const company = services.newCompany();
  const { code, id } = await createCoupon(company, { maxRedemptionsPerCustomer: 1 });
  const byHand = async (orderId: string) =>
    company.pricing.post(`/pricing/adjustments/${id}/redemptions`, { orderId, customerId: 'c1' });
  const { orderId, claims } = await claim(services, company, { codes: [code], customerId: 'c1' });
  const refused = await byHand('o-1');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, '1']);
  await cancel(services, company, { orderId, claims });
  expect((await byHand('o-1')).status).toBe(201);
  expect((await byHand('o-2')).headers.get('retry-after')).toBeNull();
});

describe('an adjustment with the most waiting orders allowed', () => {
  test('tells further orders to retry, never too few or too many, and recognizes the waiting ones', async () => {
    const company = services.newCompany();
    const { code, id } = await createCoupon(company);
    const waiting = await claim(services, company, { codes: [code], orderId: 'ord_w' });
    const { pending = [] } = (await services.models.pricing.usages.findById(id).lean()) ?? {};
    await setPending(id, [...pending, ...Array.from({ length: PENDING_MAX - 11 }, () => pendingClaim())]);

    const claims = await Promise.allSettled(
      Array.from({ length: 60 }, () => claim(services, company, { codes: [code] })),
    );
    const refused = claims.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(50);
    for (const reason of refused) {
      expect(reason).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: `Adjustment ${id} has too many orders waiting to be confirmed; try again shortly.`,
      });
    }
    expect((await services.models.pricing.usages.findById(id).lean())?.pending).toHaveLength(PENDING_MAX);
    const direct = await company.pricing.post(`/pricing/adjustments/${id}/redemptions`, { orderId: 'o-1' });
    expect([direct.status, direct.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);

    const copy = { codes: [code], orderId: 'ord_w' };
    expect(await claim(services, company, copy)).toEqual(waiting);

    await setPending(id, pending);
    expect((await company.pricing.post(`/pricing/adjustments/${id}/redemptions`, { orderId: 'o-1' })).status).toBe(201);
  });

  test('says when the last place is taken', async () => {
    const company = services.newCompany();
    const { code, id } = await createCoupon(company, { maxRedemptions: PENDING_MAX });
    await claim(services, company, { codes: [code] });
    await setPending(
      id,
      Array.from({ length: PENDING_MAX }, () => pendingClaim()),
    );
    await expect(claim(services, company, { codes: [code] })).rejects.toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
    });
  });

  test('fits into a document even with the longest ids', () => {
    const id = '𝕏'.repeat(256);
    const longest = pendingClaim({
      orderId: id,
      customerId: id,
      code: '𝕏'.repeat(64),
    });
    const size = mongoose.mongo.BSON.calculateObjectSize({ pending: [longest] });
    expect(size * PENDING_MAX).toBeLessThan(15 * 2 ** 20);
  });
});
