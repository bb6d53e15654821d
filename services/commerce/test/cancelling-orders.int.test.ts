import { call } from '@event-commerce/bus';
import { RPC } from '@event-commerce/contracts';
import { newCode, orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { claimsOf, createAdjustment, redemptionsOf } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('cancelling an order', () => {
  test('releases its redemptions once', async () => {
    const company = services.newCompany();
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
    await expect.poll(() => claimsOf(services, id)).toEqual([]);
    expect((await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }))).status).toBe(
      201,
    );
    expect((await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }))).status).toBe(
      409,
    );
  });

  test('ends it for other services too', async () => {
    const company = services.newCompany();
    const place = async () => (await company.commerce.post('/orders', orderBody(company.companyId))).body.data.order.id;
    const [kept, cancelled] = [await place(), await place()];
    const standing = async () => {
      const request = { orderIds: [kept, cancelled, 'ord_none'] };
      const context = { identityToken: services.identity.processToken('cart', 'commerce'), requestId: 'test' };
      const { standing: found } = await call(services.bus, RPC.ordersStanding, request, context);
      return found.map(({ orderId }) => orderId);
    };
    expect((await standing()).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([kept, cancelled]);
    await company.commerce.post(`/orders/${cancelled}/cancel`);
    expect(await standing()).toEqual([kept]);
  });

  test('is 404 if the order does not exist', async () => {
    const { status, body } = await services.newCompany().commerce.post('/orders/ord_none/cancel');
    expect([status, body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  });
});
