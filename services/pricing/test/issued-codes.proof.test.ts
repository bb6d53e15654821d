import { proofSize } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { startServices } from '../../../tests/harness/services.ts';
import { newShop, PATIENT } from '../../commerce/test/shop.ts';

const KILLS = proofSize(1, 20);
const CODES = proofSize(8_000, 1_000_000);
const RACED = proofSize(40, 400);

test(
  `${CODES} codes are made exactly once each, and all revoked, although the service is killed meanwhile (kills: ${KILLS})`,
  { timeout: 1_800_000 },
  async ({ onTestFinished }) => {
    const services = await startServices({ replicas: { commerce: 1, pricing: 1 }, asProcesses: ['pricing'] });
    onTestFinished(async () => services.stop());
    const company = services.newCompany();
    const [service] = services.replicas.pricing;
    const { usages, codeBatches } = services.models.pricing;
    const coupon = (await company.commerce.post('/coupons', { percentOff: 20, uniqueCodes: true })).body.data;
    const codes = `/coupons/${coupon.id}/codes`;

    /** Kills pricing whenever more is written. */
    const killDuring = async (request: Promise<unknown>, written: () => Promise<number>) => {
      const lost = request.catch(() => undefined);
      let last = 0;
      for (let kill = 1; kill <= KILLS; kill++) {
        const until = Math.max(Math.floor((CODES * kill) / (KILLS + 1)), last + 1);
        await expect.poll(written, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(until);
        await service?.kill9();
        last = await written();
        await service?.restart();
      }
      await lost;
      // Each kill was in the middle of the work.
      expect(last).toBeLessThan(CODES);
    };
    const batch = async () => await codeBatches.findOne({ couponId: coupon.id }).lean();
    const told = (type: 'coupon.codes_issued' | 'coupon.codes_revoked') => company.published(type).length;

    await killDuring(company.pricing.post(codes, { count: CODES }), async () => (await batch())?.made ?? 0);
    await expect.poll(async () => (await batch())?.status, { timeout: 600_000 }).toBe('done');
    const { _id: batchId, made, count } = (await batch()) ?? expect.fail('there is no batch');
    expect([made, count, await usages.countDocuments({ batchId })]).toEqual([CODES, CODES, CODES]);
    expect((await usages.distinct('codeKey', { batchId, slot: { $lt: 5_000 } })).length).toBe(5_000);
    await expect.poll(() => told('coupon.codes_issued'), PATIENT).toBe(1);

    await killDuring(company.pricing.delete(`${codes}/batches/${batchId}`), async () =>
      usages.countDocuments({ batchId, limit: 0 }),
    );
    await expect.poll(async () => (await batch())?.status, { timeout: 600_000 }).toBe('revoked');
    expect(await usages.countDocuments({ batchId, limit: 0, definitionVersion: 2 })).toBe(CODES);
    await expect.poll(() => told('coupon.codes_revoked'), PATIENT).toBe(1);
  },
);

test(
  'each code has one winner when orders and revocations race for codes on two replicas',
  { timeout: 300_000 },
  async ({ onTestFinished }) => {
    const services = await startServices({ replicas: { commerce: 2, pricing: 2, events: 1, cart: 1 } });
    onTestFinished(async () => services.stop());
    const shop = await newShop(services);
    const coupon = (await shop.commerce.post('/coupons', { percentOff: 20, uniqueCodes: true })).body.data;
    const codes = Array.from({ length: RACED }, (_, index) => `RACE-${index}`);
    await shop.pricing.post(`/coupons/${coupon.id}/codes`, { codes });
    const outcomes = await Promise.all(
      codes.map(async (code, index) => {
        const order = { items: [{ offeringId: shop.ticket, quantity: 1 }], coupons: [code] };
        const [first, second, revoked] = await Promise.all([
          shop.commerce.replica(0).post('/orders', shop.body(order)),
          shop.commerce.replica(1).post('/orders', shop.body(order)),
          shop.pricing.replica(index % 2).delete(`/coupons/${coupon.id}/codes/${code}`),
        ]);
        expect(revoked.status).toBe(200);
        const placed = [first, second].filter(({ status }) => status === 201);
        for (const { status, body } of [first, second])
          if (status !== 201)
            expect([status, body.error.code]).toEqual([
              409,
              expect.stringMatching(/REDEMPTION_LIMIT_REACHED|ADJUSTMENT_NOT_APPLICABLE/),
            ]);
        return { code, orderIds: placed.map(({ body }) => body.data.order.id as string) };
      }),
    );
    for (const { code, orderIds } of outcomes) {
      expect(orderIds.length).toBeLessThanOrEqual(1);
      const shown = async () => (await shop.pricing.get(`/coupons/${coupon.id}/codes/${code}`)).body.data;
      const status = orderIds.length === 1 ? 'used' : 'revoked';
      await expect.poll(shown, PATIENT).toMatchObject({ limit: 0, claimed: orderIds.length, status });
    }
  },
);
