import { serve } from '@event-commerce/bus';
import { PENDING_MAX, type PendingClaim } from '@event-commerce/claims';
import { RPC, type SettleOrderReply, settleOrderRequest } from '@event-commerce/contracts';
import { newId, toPlatformError, validate } from '@event-commerce/service-kit';
import { liveTenant, newCode } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buy, createCoupon, redeemed } from './buying.ts';
import { createCapped, type PricingReplicas, startPricingReplicas } from './harness.ts';

const pendingClaim = (change: Partial<PendingClaim> = {}): PendingClaim => ({
  id: newId('rdm'),
  orderId: newId('ord'),
  quantity: 1,
  perCustomer: false,
  settledBy: 'commerce',
  attempts: ['12345678'],
  ...change,
});

/** Makes `pending` the claims of an adjustment that has been claimed before. */
async function setPending(pricing: PricingReplicas, id: string, pending: readonly PendingClaim[]): Promise<void> {
  const $set = { pending, claimed: pending.length };
  await pricing.models.usages.collection.updateOne({ _id: id } as never, { $set, $inc: { version: 1 } });
}

test('a cap that is reached is not final while an order that may be refused yet holds the last redemption', async () => {
  const pricing = await startPricingReplicas({ replicas: 1 });
  onTestFinished(() => pricing.stop());
  const company = pricing.newCompany();
  const code = newCode();
  const id = await createCapped(company, code, { maxRedemptions: 1 });
  const claim = async () => pricing.claim(company.companyId, { codes: [code] });
  const byHand = async () => company.api().post(`/pricing/adjustments/${id}/redemptions`, { orderId: 'o-1' });
  const { orderId, claims } = await claim();
  await expect(claim()).rejects.toMatchObject({ code: 'REDEMPTION_LIMIT_REACHED', retryAfterSeconds: 1 });
  expect((await byHand()).headers.get('retry-after')).toBe('1');
  await pricing.cancel(company.companyId, { orderId, claims });
  expect((await byHand()).status).toBe(201);
  await expect(claim()).rejects.toMatchObject({ code: 'REDEMPTION_LIMIT_REACHED', retryAfterSeconds: undefined });
});

test('nor is it where the counters say so before anything is claimed', async () => {
  const pricing = await startPricingReplicas({ replicas: 1 });
  onTestFinished(() => pricing.stop());
  const company = pricing.newCompany();
  const scarce = await createCoupon(company, { maxRedemptions: 1 }, { effect: { kind: 'percentage_off', percent: 5 } });
  const better = await createCoupon(company);
  const { orderId, claims } = await buy(pricing, company, { codes: [scarce.code] });
  const buyWithBoth = async () => buy(pricing, company, { codes: [scarce.code, better.code] });
  await expect(buyWithBoth()).rejects.toMatchObject({ code: 'REDEMPTION_LIMIT_REACHED', retryAfterSeconds: 1 });
  await pricing.cancel(company.companyId, { orderId, claims });
  expect(redeemed(await buyWithBoth())).toEqual([better.id]);
});

test("nor is a customer's cap", async () => {
  const pricing = await startPricingReplicas({ replicas: 1 });
  onTestFinished(() => pricing.stop());
  const company = pricing.newCompany();
  const code = newCode();
  const id = await createCapped(company, code, { maxRedemptionsPerCustomer: 1 });
  const byHand = async (orderId: string) =>
    company.api().post(`/pricing/adjustments/${id}/redemptions`, { orderId, customerId: 'c1' });
  const { orderId, claims } = await pricing.claim(company.companyId, { codes: [code], customerId: 'c1' });
  const refused = await byHand('o-1');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, '1']);
  await pricing.cancel(company.companyId, { orderId, claims });
  expect((await byHand('o-1')).status).toBe(201);
  expect((await byHand('o-2')).headers.get('retry-after')).toBeNull();
});

describe('an adjustment for which as many orders wait as may', () => {
  let pricing: PricingReplicas;
  beforeAll(async () => {
    pricing = await startPricingReplicas({ replicas: 2 });
  });
  afterAll(async () => pricing?.stop());

  test('asks those who come to try again, never too few or too many, and knows those who wait', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await createCapped(company, code);
    const waiting = await pricing.claim(company.companyId, { codes: [code], orderId: 'ord_w', key: 'w', content: 'c' });
    const { pending = [] } = (await pricing.models.usages.findById(id).lean()) ?? {};
    await setPending(pricing, id, [...pending, ...Array.from({ length: PENDING_MAX - 11 }, () => pendingClaim())]);

    const claims = await Promise.allSettled(
      Array.from({ length: 60 }, () => pricing.claim(company.companyId, { codes: [code] })),
    );
    const refused = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason] : []));
    expect(refused).toHaveLength(50);
    for (const reason of refused) {
      expect(reason).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: `Adjustment ${id} has too many orders waiting to be confirmed; try again shortly.`,
      });
    }
    expect((await pricing.models.usages.findById(id).lean())?.pending).toHaveLength(PENDING_MAX);
    const direct = await company.api().post(`/pricing/adjustments/${id}/redemptions`, { orderId: 'o-1' });
    expect([direct.status, direct.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);

    const copy = { codes: [code], orderId: 'ord_w2', key: 'w', content: 'c' };
    expect(await pricing.claim(company.companyId, copy)).toEqual(waiting);

    await setPending(pricing, id, pending);
    expect((await company.api().post(`/pricing/adjustments/${id}/redemptions`, { orderId: 'o-1' })).status).toBe(201);
  });

  test('says that the last place is taken when it is', async () => {
    const company = pricing.newCompany();
    const code = newCode();
    const id = await createCapped(company, code, { maxRedemptions: PENDING_MAX });
    await pricing.claim(company.companyId, { codes: [code] });
    await setPending(
      pricing,
      id,
      Array.from({ length: PENDING_MAX }, () => pendingClaim()),
    );
    await expect(pricing.claim(company.companyId, { codes: [code] })).rejects.toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
    });
  });

  test('fits into a document with the longest of ids', () => {
    const id = '𝕏'.repeat(256);
    const longest = pendingClaim({
      orderId: id,
      customerId: id,
      code: '𝕏'.repeat(64),
      key: 'k'.repeat(64),
      content: 'c'.repeat(64),
    });
    const size = mongoose.mongo.BSON.calculateObjectSize({ pending: [longest] });
    expect(size * PENDING_MAX).toBeLessThan(15 * 2 ** 20);
  });
});

test('claims of a company for which nobody answers delay those of no other, however many they are', async () => {
  const pricing = await startPricingReplicas({ replicas: 1, claimTtlMs: 1_000 });
  try {
    const [stuck, other] = [pricing.newCompany(), pricing.newCompany()];
    // More than a sweep reads at once, and all of them before those of the other company.
    const first = liveTenant(`!${stuck.companyId}`);
    await pricing.models.usages.collection.insertMany(
      Array.from({ length: 600 }, () => ({
        _id: newId('adj'),
        companyId: first,
        definitionVersion: 1,
        origin: 'manual',
        confirmed: 0,
        claimed: 1,
        version: 1,
        pending: [pendingClaim({ orderId: 'stuck' })],
        outbox: [],
      })) as never,
    );
    const late = Promise.withResolvers<void>();
    const stop = serve(
      pricing.bus,
      RPC.settleOrder,
      { group: 'commerce', inFlightMax: 10_000, toPlatformError },
      async ({ body }) => {
        const { orderId } = validate(settleOrderRequest, JSON.parse(String(body)));
        if (orderId === 'stuck') await late.promise;
        return JSON.stringify({ data: { outcome: 'void' } satisfies SettleOrderReply });
      },
    );
    const code = newCode();
    const id = await createCapped(other, code, { maxRedemptions: 1 });
    await pricing.claim(other.companyId, { codes: [code] });
    const pendingOf = async () => (await pricing.models.usages.findById(id).lean())?.pending.length;
    await expect.poll(pendingOf, { timeout: 20_000 }).toBe(0);
    late.resolve();
    await stop();
  } finally {
    await pricing.stop();
  }
});
