import { newCode, orderBody } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { statusOf, totalWith } from './coupon-state.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('a coupon in prices', () => {
  test('is in effect for the next request, and so is every change of it', async () => {
    const company = services.newCompany();
    const code = newCode();
    const { body } = await company.commerce.post('/coupons', { code, percentOff: 20 });
    const url = `/coupons/${body.data.id}`;
    expect(await totalWith(services, company, code)).toBe(8_000);

    await company.commerce.patch(url, { amountOff: 1_000 });
    expect(await totalWith(services, company, code)).toBe(8_000);
    expect((await company.commerce.get(url)).body.data).not.toHaveProperty('percentOff');
    await company.commerce.patch(url, { amountOff: 500 });
    expect(await totalWith(services, company, code)).toBe(9_000);
    await company.commerce.patch(url, { contextIds: ['evt_other'] });
    expect(await totalWith(services, company, code)).toBe(10_000);
    await company.commerce.patch(url, { contextIds: null, offeringIds: ['off_1'] });
    expect(await totalWith(services, company, code)).toBe(9_000);
    await company.commerce.patch(url, { status: 'inactive' });
    expect(await totalWith(services, company, code)).toBe(10_000);
    await company.commerce.patch(url, { status: 'active' });
    expect(await totalWith(services, company, code)).toBe(9_000);
    await company.commerce.delete(url);
    expect(await totalWith(services, company, code)).toBe(10_000);
  });

  test('can have any effect, condition and place in the cascade that an adjustment can', async () => {
    const company = services.newCompany();
    const code = newCode();
    const effect = { kind: 'fixed_price', amount: 1_500, currency: 'EUR' };
    const given = { stacking: 'exclusive', priority: 3, category: 'gala', minQuantity: 2, limitPerCustomer: 1 };
    const { body } = await company.commerce.post('/coupons', {
      code,
      effect,
      ...given,
      endsAt: '2099-01-01T00:00:00Z',
    });
    const { limitPerCustomer: maxRedemptionsPerCustomer, ...shown } = given;
    expect(body.data).toMatchObject({
      ...shown,
      effect: { ...effect, per: 'unit' },
      maxRedemptionsPerCustomer,
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    expect(await totalWith(services, company, code)).toBe(10_000);
    const url = `/coupons/${body.data.id}`;
    await company.commerce.patch(url, { maxRedemptionsPerCustomer: null });
    expect(await totalWith(services, company, code)).toBe(3_000);
    const sentBack = await company.commerce.patch(url, { ...body.data, maxRedemptionsPerCustomer: null });
    expect([sentBack.status, sentBack.body.data.version]).toEqual([200, 2]);
    const percent = await company.commerce.patch(url, { percentOff: 50, per: 'order', maxAmount: 2_000 });
    expect(percent.body.data).not.toHaveProperty('effect');
    expect(await totalWith(services, company, code)).toBe(8_000);
    const both = await company.commerce.patch(url, { effect, startsAt: '2100-01-01T00:00:00Z' });
    expect(both.body.error.details[0]).toMatchObject({ path: 'expiresAt' });
    await company.commerce.patch(url, { effect, minEligibleTotal: { amount: 10_001, currency: 'EUR' } });
    expect(await totalWith(services, company, code)).toBe(10_000);
    const adjustments = (await company.pricing.get(`/pricing/adjustments?code=${code}`)).body.data;
    expect(adjustments).toMatchObject([
      { stacking: 'exclusive', priority: 3, category: 'gala', conditions: { minQuantity: 2 }, effect },
    ]);
  });

  test('is sold out when its limit is reached, and available again when an order is cancelled', async () => {
    const company = services.newCompany();
    const code = newCode();
    const { body } = await company.commerce.post('/coupons', { code, percentOff: 20, limit: 1 });
    await expect.poll(() => totalWith(services, company, code)).toBe(8_000);
    const order = await company.commerce.post('/orders', orderBody(company.companyId, { coupons: [code] }));
    expect(order.status).toBe(201);
    await expect.poll(() => statusOf(company, body.data.id)).toBe('depleted');
    expect((await company.commerce.get(`/coupons/${body.data.id}`)).body.data.quantitySold).toBe(1);
    await company.commerce.post(`/orders/${order.body.data.order.id}/cancel`);
    await expect.poll(() => statusOf(company, body.data.id)).toBe('active');
    expect((await company.commerce.get(`/coupons/${body.data.id}`)).body.data.quantitySold).toBe(0);
  });

  test('is expired after its end', async () => {
    const company = services.newCompany();
    const { body } = await company.commerce.post('/coupons', {
      code: newCode(),
      percentOff: 20,
      expiresAt: '2020-01-01T00:00:00Z',
    });
    expect(body.data.status).toBe('expired');
  });
});
