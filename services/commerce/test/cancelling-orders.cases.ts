// Runs in `orders.int.test.ts`, on its servers.

import { call } from '@event-commerce/bus';
import { RPC } from '@event-commerce/contracts';
import { newCode, orderBody } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import type { CommerceAndPricing } from './harness.ts';
import { createAdjustment, redemptionsOf } from './shop.ts';

export function describeCancelling(platform: () => CommerceAndPricing): void {
  describe('cancelling an order', () => {
    test('releases its redemptions once', async () => {
      const company = platform().newCompany();
      const code = newCode();
      const id = await createAdjustment(company, code, { conditions: { maxRedemptions: 1 } });
      const { body } = await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }));
      const url = `/orders/${body.data.order.id}/cancel`;
      // At once, so that some cancellations are handled before their placement.
      const replies = await Promise.all(Array.from({ length: 5 }, () => company.commerce.post(url)));
      expect(replies.map((reply) => [reply.status, reply.body.data.status])).toEqual(
        replies.map(() => [200, 'cancelled']),
      );
      await expect.poll(() => redemptionsOf(company, id)).toEqual([[body.data.order.id, 'released']]);
      await expect.poll(() => platform().claimsOf(id)).toEqual([]);
      expect((await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }))).status).toBe(
        201,
      );
      expect((await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }))).status).toBe(
        409,
      );
    });

    test('succeeds while pricing does not answer, which gives its redemptions back later', async () => {
      const company = platform().newCompany();
      const code = newCode();
      const id = await createAdjustment(company, code, { conditions: { maxRedemptions: 1 } });
      const body = () => orderBody(company.companyId, { coupons: [code] });
      const orderId = (await company.commerce.post('/orders', body())).body.data.order.id;
      const pid = platform().pricing.pid as number;
      process.kill(pid, 'SIGSTOP');
      try {
        const { status, body: answer } = await company.commerce.post(`/orders/${orderId}/cancel`);
        expect([status, answer.data.status]).toEqual([200, 'cancelled']);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await expect.poll(() => redemptionsOf(company, id), { timeout: 20_000 }).toEqual([[orderId, 'released']]);
      await expect.poll(() => platform().claimsOf(id), { timeout: 20_000 }).toEqual([]);
      expect((await company.commerce.post('/orders', body())).status).toBe(201);
    });

    test('makes it no longer stand for other services', async () => {
      const company = platform().newCompany();
      const place = async () =>
        (await company.commerce.post('/orders', orderBody(company.companyId))).body.data.order.id;
      const [kept, cancelled] = [await place(), await place()];
      const standing = async () => {
        const request = { orderIds: [kept, cancelled, 'ord_none'] };
        const context = { identityToken: platform().processToken('cart'), requestId: 'test' };
        const { standing: found } = await call(platform().bus, RPC.ordersStanding, request, context);
        return found.map(({ orderId }) => orderId);
      };
      expect((await standing()).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([kept, cancelled]);
      await company.commerce.post(`/orders/${cancelled}/cancel`);
      expect(await standing()).toEqual([kept]);
    });

    test('that does not exist is 404', async () => {
      const { status, body } = await platform().newCompany().commerce.post('/orders/ord_none/cancel');
      expect([status, body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    });
  });
}
