// Runs in `coupons.int.test.ts`, on its servers.

import { type ApiClient, newCode, orderBody, rounds } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import type { CommerceAndPricing } from './harness.ts';
import { statusOf, totalWith } from './coupon-state.ts';

export function describePricesWithCoupons(platform: () => CommerceAndPricing): void {
  describe('a coupon in prices', () => {
    test('is in effect for the next request, and so is every change', async () => {
      const company = platform().newCompany();
      const code = newCode();
      const { body } = await company.commerce.post('/coupons', { code, percentOff: 20 });
      const url = `/coupons/${body.data.id}`;
      expect(await totalWith(platform(), company, code)).toBe(8_000);

      await company.commerce.patch(url, { amountOff: 1_000 });
      expect(await totalWith(platform(), company, code)).toBe(8_000);
      expect((await company.commerce.get(url)).body.data).not.toHaveProperty('percentOff');
      await company.commerce.patch(url, { amountOff: 500 });
      expect(await totalWith(platform(), company, code)).toBe(9_000);
      await company.commerce.patch(url, { contextIds: ['evt_other'] });
      expect(await totalWith(platform(), company, code)).toBe(10_000);
      await company.commerce.patch(url, { contextIds: null, offeringIds: ['off_1'] });
      expect(await totalWith(platform(), company, code)).toBe(9_000);
      await company.commerce.patch(url, { status: 'inactive' });
      expect(await totalWith(platform(), company, code)).toBe(10_000);
      await company.commerce.patch(url, { status: 'active' });
      expect(await totalWith(platform(), company, code)).toBe(9_000);
      await company.commerce.delete(url);
      expect(await totalWith(platform(), company, code)).toBe(10_000);
    });

    test('ends in its last state, however fast it is changed', async () => {
      const company = platform().newCompany();
      const code = newCode();
      const { body } = await company.commerce.post('/coupons', { code, percentOff: 50 });
      const changes = Array.from({ length: 20 }, (_, n) =>
        company.commerce.patch(`/coupons/${body.data.id}`, { percentOff: n + 1 }),
      );
      await Promise.all(changes);
      await company.commerce.patch(`/coupons/${body.data.id}`, { percentOff: 30 });
      await expect.poll(() => totalWith(platform(), company, code)).toBe(7_000);
      const { body: list } = await company.pricing.get('/pricing/adjustments');
      expect(list.data).toHaveLength(1);
    });

    test('is in effect as returned for the next order and the next evaluation on any replica, round after round', async () => {
      const outcomesOf = async (count: number) => {
        const outcomes: string[] = [];
        for (let round = 0; round < count; round++) {
          // Each with its own identity, because one expires after 30 seconds.
          const company = platform().newCompany();
          const code = newCode();
          let requests = round;
          const commerce = () => company.replicas[requests++ % company.replicas.length] as ApiClient;
          const order = async () => commerce().post('/orders', orderBody(company.companyId, { coupons: [code] }));
          const { body } = await commerce().post('/coupons', { code, percentOff: 20, limit: 1 });
          const url = `/coupons/${body.data.id}`;
          const [created, full] = [await order(), await order()];
          await commerce().patch(url, { limit: 2, percentOff: 50 });
          const changed = await totalWith(platform(), company, code);
          const raised = await order();
          await commerce().delete(url);
          const archived = await order();
          outcomes.push([created.status, full.status, changed, raised.status, archived.status].join());
        }
        return outcomes;
      };
      const outcomes = (await Promise.all(Array.from({ length: 5 }, async () => outcomesOf(rounds(20))))).flat();
      expect(outcomes).toEqual(outcomes.map(() => '201,409,5000,201,400'));
    }, 240_000);

    test('is sold out when its limit is reached, and on sale again when an order is cancelled', async () => {
      const company = platform().newCompany();
      const code = newCode();
      const { body } = await company.commerce.post('/coupons', { code, percentOff: 20, limit: 1 });
      await expect.poll(() => totalWith(platform(), company, code)).toBe(8_000);
      const order = await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }));
      expect(order.status).toBe(201);
      await expect.poll(() => statusOf(company, body.data.id)).toBe('depleted');
      expect((await company.commerce.get(`/coupons/${body.data.id}`)).body.data.quantitySold).toBe(1);
      await company.commerce.post(`/orders/${order.body.data.order.id}/cancel`);
      await expect.poll(() => statusOf(company, body.data.id)).toBe('active');
      expect((await company.commerce.get(`/coupons/${body.data.id}`)).body.data.quantitySold).toBe(0);
    });

    test('is expired after its end', async () => {
      const company = platform().newCompany();
      const { body } = await company.commerce.post('/coupons', {
        code: newCode(),
        percentOff: 20,
        expiresAt: '2020-01-01T00:00:00Z',
      });
      expect(body.data.status).toBe('expired');
    });
  });
}
